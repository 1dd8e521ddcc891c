//! Reads expanded through writes and choices, when lemmas about their paths become dearer than that.
//!
//! The lemma of a conflict has a condition for each write and each choice that the access passed. Where a
//! memory is a chain of conditional writes, as in unrolled hardware, every subset of the writes is another
//! path, and lemmas that exclude one path each never end. So a read is expanded instead: `select(a, i)` is
//! equal to a term over the written elements and the reads of the arrays at the bottom,
//!
//! - `ite(i = j, e, r)` at a write of `e` to `j` over an array that has `r` at `i`,
//! - `ite(c, x, y)` at a choice, and `ite(c and i = j, e, r)` where the choice is whether to write,
//!
//! with one term for each pair of an array and an index, shared by all reads. These are the axioms of read
//! over write, instantiated by need. An element that mentions `select(a, j)` of the very array below it, as a
//! masked write does, has `r` in its place, since `i = j` there: so the read stays one read for each array,
//! and does not become one for each index that is written.
//!
//! A true equality `a = b` that an access with index `i` has crossed is expanded likewise: both sides have
//! the same at `i`. A read that is expanded is no access any more: the clause gives it its value.
//!
//! When: a read pays for the conditions of the lemmas that it was part of, and is expanded as soon as it has
//! paid for the writes and choices that its expansion adds (as one buys skis after having paid the price in
//! rents), if its path has a choice or an equality, or if a masked write is below, which is a choice for each
//! bit. So expansion costs at most a few times what the lemmas before it have cost. Measured: a memory of 14
//! conditional writes 9 s to 0.01 s, of 50 and 200 ones (more than 20 s before) 0.07 s and 1.1 s; a FIFO of
//! 14 frames from Verilog more than 10 s to 0.2 s. Expanding chains of writes without choices as well made
//! swaps of blocks slower by a third.
//!
//! An expansion belongs to the scope in which its read came, or to the deeper one of the scopes of its
//! equality and its index, whatever scope it was made in: a read that outlives the scope keeps it, and what
//! scopes have left behind is neither kept nor looked at.
//!
//! Cost: a few terms for each pair of an array and an index.

use crate::graph::Graph;
use crate::lemma::equality;
use bivalve_backtrack::{BacktrackMap, BacktrackSet};
use bivalve_terms::{Op, Pool, Term};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The element of a write is searched for the read of its own cell among so many terms.
const MOST_MASK: usize = 64;

/// What reads find, as terms.
#[derive(Default)]
pub(crate) struct Expansions {
    /// By array and index.
    found: FxHashMap<(Term, Term), Term>,
    /// The expanded reads.
    reads: IndexMap<Term, Expansion, FxBuildHasher>,
    /// By equality and index.
    crossings: IndexMap<(Term, Term), Expansion, FxBuildHasher>,
    /// By read: conditions of the lemmas that it was part of.
    paid: FxHashMap<Term, usize>,
    /// The masked writes among what was taken in.
    masked: BacktrackSet<Term>,
    /// By read, equality and index: the number of scopes that were open when it came.
    depths: BacktrackMap<Term, usize>,
    /// By open scope: what is forgotten with it.
    scopes: Vec<Vec<Entry>>,
}

/// An entry of the tables.
enum Entry {
    Found(Term, Term),
    Read(Term),
    Crossing(Term, Term),
    Paid(Term),
}

/// The expansion of a read, or of a side of an equality.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    pub(crate) term: Term,
    /// Reads of arrays at the bottom.
    pub(crate) bottom: Vec<Term>,
}

impl Expansion {
    /// Whether the reads at the bottom are part of the graph. They came with the scope in which the read was
    /// expanded, and may be gone with it while the read is still there; then they are no accesses, and the
    /// read has to be one itself.
    pub(crate) fn is_live(&self, graph: &Graph) -> bool {
        self.bottom.iter().all(|&read| graph.has_read(read))
    }
}

impl Expansions {
    /// The expansion of a read, if it is expanded.
    pub(crate) fn of(&self, read: Term) -> Option<&Expansion> {
        self.reads.get(&read)
    }

    /// What is to be taken in again after scopes were closed: reads at the bottom of expansions of what is
    /// still there.
    pub(crate) fn lost<'g>(&'g self, graph: &'g Graph) -> impl Iterator<Item = Term> + 'g {
        let reads = self.reads.iter().filter(|(read, _)| graph.has_read(**read)).map(|row| row.1);
        let crossings = self.crossings.iter().filter(|(key, _)| graph.has_equality(key.0)).map(|row| row.1);
        let lost = reads.chain(crossings).filter(|expansion| !expansion.is_live(graph));
        lost.flat_map(|expansion| expansion.bottom.iter().copied())
    }

    /// Takes note of a term that has come: whether it is a masked write, and in which scope reads, equalities
    /// and indices came first.
    pub(crate) fn enter(&mut self, pool: &Pool, term: Term) {
        if is_masked(pool, term) {
            self.masked.insert(term);
        }
        let came = match (pool.op(term), pool.args(term)) {
            (Op::Select, &[_, index]) => [Some(term), Some(index)],
            (Op::Store, &[_, index, _]) => [None, Some(index)],
            (Op::Eq, &[side, _]) if !is_scalar(pool, side) => [Some(term), None],
            _ => [None, None],
        };
        for term in came.into_iter().flatten() {
            if !self.depths.contains(&term) {
                self.depths.insert(term, self.scopes.len());
            }
        }
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.masked.push();
        self.depths.push();
        self.scopes.push(vec![]);
    }

    /// Forgets what came since, and what was made for it.
    pub(crate) fn pop(&mut self) {
        self.masked.pop();
        self.depths.pop();
        for entry in self.scopes.pop().expect("a scope is open") {
            match entry {
                Entry::Found(array, index) => drop(self.found.remove(&(array, index))),
                Entry::Read(read) => drop(self.reads.swap_remove(&read)),
                Entry::Crossing(atom, index) => drop(self.crossings.swap_remove(&(atom, index))),
                Entry::Paid(read) => drop(self.paid.remove(&read)),
            }
        }
    }

    /// The scope of a term; the topmost one for a term that was not taken in.
    fn depth(&self, term: Term) -> usize {
        self.depths.get(&term).copied().unwrap_or(self.scopes.len())
    }

    /// Has an entry forgotten with a scope.
    fn forget_with(&mut self, depth: usize, entry: Entry) {
        if let Some(scope) = depth.checked_sub(1) {
            self.scopes[scope].push(entry);
        }
    }

    /// The entries of all tables.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        let scoped: usize = self.scopes.iter().map(Vec::len).sum();
        scoped + self.found.len() + self.reads.len() + self.crossings.len() + self.paid.len()
    }

    /// Whether there are masked writes.
    pub(crate) fn has_masked(&self) -> bool {
        !self.masked.as_slice().is_empty()
    }

    /// Adds to what a read has paid, and returns the sum.
    pub(crate) fn pay(&mut self, read: Term, conditions: usize) -> usize {
        if !self.paid.contains_key(&read) {
            self.forget_with(self.depth(read), Entry::Paid(read));
        }
        let paid = self.paid.entry(read).or_default();
        *paid += conditions;
        *paid
    }

    /// Whether a read has something to expand, and is not expanded, or no more since scopes were closed.
    pub(crate) fn is_open(&self, pool: &Pool, graph: &Graph, read: Term) -> bool {
        pool.op(read) == Op::Select
            && is_scalar(pool, read)
            && !is_bottom(pool, pool.args(read)[0])
            && !self.reads.get(&read).is_some_and(|expansion| expansion.is_live(graph))
    }

    /// Whether an equality that was crossed with this index has something to expand, and is not expanded.
    pub(crate) fn is_open_crossing(&self, pool: &Pool, graph: &Graph, atom: Term, index: Term) -> bool {
        let (_, element) = pool.sorts().array_parts(pool.sort(pool.args(atom)[0])).expect("over arrays");
        pool.sorts().array_parts(element).is_none()
            && !self.crossings.get(&(atom, index)).is_some_and(|expansion| expansion.is_live(graph))
    }

    /// The writes and choices that have no expansion at an index yet, at and below some arrays, and whether
    /// there is a masked write among them; `None` if there are more than `most`.
    pub(crate) fn cost(&self, pool: &Pool, pairs: &[(Term, Term)], most: usize) -> Option<(usize, bool)> {
        let mut seen = FxHashSet::default();
        let mut has_mask = false;
        let mut todo = pairs.to_vec();
        while let Some((array, index)) = todo.pop() {
            if is_bottom(pool, array)
                || self.found.contains_key(&(array, index))
                || !seen.insert((array, index))
            {
                continue;
            }
            if seen.len() > most {
                return None;
            }
            has_mask = has_mask || self.masked.contains(&array);
            todo.extend(below(pool, array).into_iter().flatten().map(|array| (array, index)));
        }
        Some((seen.len(), has_mask))
    }

    /// Expands a read; the clause that says so.
    pub(crate) fn read(&mut self, pool: &mut Pool, read: Term) -> Vec<(Term, bool)> {
        let &[array, index] = pool.args(read) else { unreachable!("a select has two arguments") };
        let depth = self.depth(read);
        let term = self.expand(pool, array, index, depth);
        let bottom = bottom_reads(pool, &[array], index);
        if self.reads.insert(read, Expansion { term, bottom }).is_none() {
            self.forget_with(depth, Entry::Read(read));
        }
        vec![(equality(pool, read, term), true)]
    }

    /// Expands an equality that was crossed with this index; the clause that says so.
    pub(crate) fn crossing(&mut self, pool: &mut Pool, atom: Term, index: Term) -> Vec<(Term, bool)> {
        let &[a, b] = pool.args(atom) else { unreachable!("equalities between arrays are binary") };
        let bottom = bottom_reads(pool, &[a, b], index);
        let depth = self.depth(atom).max(self.depth(index));
        let [a, b] = [a, b].map(|side| self.expand(pool, side, index, depth));
        if self.crossings.insert((atom, index), Expansion { term: a, bottom }).is_none() {
            self.forget_with(depth, Entry::Crossing(atom, index));
        }
        vec![(atom, false), (equality(pool, a, b), true)]
    }

    /// What `array` has at `index`; new entries are forgotten with the scope of this depth.
    fn expand(&mut self, pool: &mut Pool, array: Term, index: Term, depth: usize) -> Term {
        let mut todo = vec![array];
        while let Some(&at) = todo.last() {
            if self.found.contains_key(&(at, index)) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let missing = |below: &Term| !self.found.contains_key(&(*below, index));
            todo.extend(below(pool, at).into_iter().flatten().filter(missing));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let found = |below: Term| self.found[&(below, index)];
            let term = match (pool.op(at), pool.args(at)) {
                (Op::Store, &[base, ..]) => written_or_below(pool, index, at, found(base)),
                (Op::Ite, &[condition, yes, no]) => choice(pool, condition, found(yes), found(no)),
                (Op::ConstArray, &[element]) => element,
                _ => pool.mk(Op::Select, &[at, index]),
            };
            self.found.insert((at, index), term);
            self.forget_with(depth, Entry::Found(at, index));
        }
        self.found[&(array, index)]
    }
}

/// The element at `index` of a write over an array that has `under` there.
fn written_or_below(pool: &mut Pool, index: Term, write: Term, under: Term) -> Term {
    let &[_, written, element] = pool.args(write) else { unreachable!("a store has three arguments") };
    if index == written {
        return element;
    }
    let same = equality(pool, index, written);
    match pool.as_bool(same) {
        Some(true) => element,
        Some(false) => under,
        None if pool.is_const(index) && pool.is_const(written) => under,
        None => {
            let element = unmasked(pool, write, under);
            choice(pool, same, element, under)
        }
    }
}

/// Whether a write chooses, bit by bit, between its element's other parts and what its cell has: the read of
/// its own cell is below conjunctions, disjunctions or choices, with nothing between but operators on single
/// bits. An increment of a cell, or its sum modulo 2 with another one, chooses nothing.
fn is_masked(pool: &Pool, write: Term) -> bool {
    let (Op::Store, &[base, written, element]) = (pool.op(write), pool.args(write)) else { return false };
    // Terms, each with whether a choice is above.
    let mut todo = vec![(element, false)];
    let mut next = 0;
    while let Some(&(term, below_choice)) = todo.get(next) {
        next += 1;
        let is_choice = match pool.op(term) {
            Op::Select if below_choice && pool.args(term) == [base, written] => return true,
            Op::BvAnd | Op::BvOr | Op::Ite => true,
            Op::BvNot | Op::BvXor | Op::Concat | Op::Extract => below_choice,
            _ => continue,
        };
        todo.extend(pool.args(term).iter().map(|&arg| (arg, is_choice)));
        if todo.len() > MOST_MASK {
            return false;
        }
    }
    false
}

/// The read of its own cell in the element of a write, and the terms at and below the element but for
/// what is below reads.
fn own_read(pool: &Pool, write: Term) -> Option<(Term, Vec<Term>)> {
    let (Op::Store, &[base, written, element]) = (pool.op(write), pool.args(write)) else { return None };
    let (mut cone, mut seen) = (vec![element], FxHashSet::default());
    let mut next = 0;
    while let Some(&term) = cone.get(next) {
        next += 1;
        if pool.op(term) != Op::Select {
            cone.extend(pool.args(term).iter().filter(|&&arg| seen.insert(arg)));
        }
        if cone.len() > MOST_MASK {
            return None;
        }
    }
    let is_own = |&term: &Term| pool.op(term) == Op::Select && pool.args(term) == [base, written];
    cone.iter().copied().find(is_own).map(|own| (own, cone))
}

/// The element of a write; the read of its own cell is replaced by `under`.
fn unmasked(pool: &mut Pool, write: Term, under: Term) -> Term {
    let element = pool.args(write)[2];
    let Some((own, mut cone)) = own_read(pool, write) else { return element };
    cone.sort_unstable();
    let mut images: Vec<(Term, Term)> = vec![];
    for term in cone {
        let image = |arg: Term| images.iter().find(|row| row.0 == arg).map_or(arg, |row| row.1);
        let args: Vec<Term> = match pool.op(term) {
            Op::Select => pool.args(term).to_vec(),
            _ => pool.args(term).iter().map(|&arg| image(arg)).collect(),
        };
        let new = match () {
            () if term == own => under,
            () if args == pool.args(term) => term,
            () => pool.rebuild(term, &args),
        };
        images.push((term, new));
    }
    images.iter().find(|row| row.0 == element).expect("the element is in its own cone").1
}

/// `ite(condition, yes, no)`; where one side chooses between an element and the other side, one choice.
fn choice(pool: &mut Pool, condition: Term, yes: Term, no: Term) -> Term {
    if yes == no {
        return yes;
    }
    if let (Op::Ite, &[inner, element, other]) = (pool.op(yes), pool.args(yes))
        && other == no
    {
        let both = pool.mk(Op::And, &[condition, inner]);
        return pool.mk(Op::Ite, &[both, element, no]);
    }
    if let (Op::Ite, &[inner, element, other]) = (pool.op(no), pool.args(no))
        && other == yes
    {
        let not = pool.mk(Op::Not, &[condition]);
        let both = pool.mk(Op::And, &[not, inner]);
        return pool.mk(Op::Ite, &[both, element, yes]);
    }
    pool.mk(Op::Ite, &[condition, yes, no])
}

/// The arrays that an array is made of.
fn below(pool: &Pool, array: Term) -> [Option<Term>; 2] {
    match (pool.op(array), pool.args(array)) {
        (Op::Store, &[base, ..]) => [Some(base), None],
        (Op::Ite, &[_, yes, no]) => [Some(yes), Some(no)],
        _ => [None, None],
    }
}

/// Whether an array is made of no other, and its elements are not written down.
fn is_bottom(pool: &Pool, array: Term) -> bool {
    !matches!(pool.op(array), Op::Store | Op::Ite | Op::ConstArray)
}

/// The reads at an index of the bottom arrays at and below some arrays.
fn bottom_reads(pool: &mut Pool, arrays: &[Term], index: Term) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut todo = arrays.to_vec();
    let mut found = vec![];
    while let Some(array) = todo.pop() {
        if seen.insert(array) {
            todo.extend(below(pool, array).into_iter().flatten());
            if is_bottom(pool, array) {
                found.push(pool.mk(Op::Select, &[array, index]));
            }
        }
    }
    found
}

/// Whether a term is no array.
fn is_scalar(pool: &Pool, term: Term) -> bool {
    pool.sorts().array_parts(pool.sort(term)).is_none()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    #[test]
    fn a_masked_write_chooses_bit_by_bit() {
        let mut pool = Pool::new();
        let (word, address) = (Sort::bitvec(8).unwrap(), Sort::bitvec(4).unwrap());
        let sort = pool.sorts_mut().array(address, word).unwrap();
        let [array, i, j] = [("a", sort), ("i", address), ("j", address)].map(|(n, s)| pool.symbol(n, s));
        let [data, mask] = ["d", "m"].map(|name| pool.symbol(name, word));
        let (old, other) = (pool.mk(Op::Select, &[array, i]), pool.mk(Op::Select, &[array, j]));
        let kept = {
            let not = pool.mk(Op::BvNot, &[mask]);
            pool.mk(Op::BvAnd, &[old, not])
        };
        let merged = pool.mk(Op::BvOr, &[data, kept]);
        let merged_by_sums = {
            let change = pool.mk(Op::BvXor, &[old, data]);
            let change = pool.mk(Op::BvAnd, &[change, mask]);
            pool.mk(Op::BvXor, &[old, change])
        };
        let swapped = pool.mk(Op::BvXor, &[old, other]);
        let increased = pool.mk(Op::BvAdd, &[old, data]);
        let of_another_cell = pool.mk(Op::BvAnd, &[other, mask]);
        for (element, masked) in [
            (merged, true),
            (merged_by_sums, true),
            (swapped, false),
            (increased, false),
            (of_another_cell, false),
            (data, false),
        ] {
            let write = pool.mk(Op::Store, &[array, i, element]);
            assert_eq!(is_masked(&pool, write), masked, "{}", pool.display(element));
        }
    }
}
