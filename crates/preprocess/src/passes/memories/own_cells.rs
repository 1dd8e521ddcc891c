//! Own cells: what a write takes from the cell of its own index is read at the index of the read.
//!
//! `(select (store a i (select b i)) k)` is `(ite (= k i) (select b k) (select a k))`: where it meets the
//! write, `i` is `k`, so the element is read at `k` as well. Moves and swaps of cells between arrays are
//! like that, and after any number of them one index is read of the first arrays, and nothing else. Lemmas
//! read `b` at `i`, which is another index for each write, and arrays of steps are then read at the indices
//! of all steps.
//!
//! Why it is right: it is the axiom of reads over writes, and the condition of the choice puts the index of
//! the read in the place of that of the write.
//!
//! Only reads of arrays with such a write at or below them are spelled out, and with none that takes another
//! cell: otherwise lemmas on demand are cheaper (reversing an array, 0.04 s, would take 0.3). A write that
//! takes something from the array below it alone, as increments do, is no reason. Writes without reads on
//! the way become choices as well.
//!
//! Cost: all reads together are spelled out in [`MOST_STEPS`] steps for each term, or none is.

use crate::change::Change;
use crate::problem::Problem;
use bivalve_rewrite::{Edge, always_different, make};
use bivalve_terms::{Op, Pool, Term, TermSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps through writes and choices for each term of the conjuncts.
const MOST_STEPS: usize = 2;

/// Elements with more terms are not searched.
const MOST_TERMS: usize = 64;

/// See [`super::super::Run`].
pub(in crate::passes) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let cone = problem.cone(pool);
    let mut moved = TermSet::new();
    let mut mixed = TermSet::new();
    for &term in cone {
        let (is_moved, is_mixed) = match (pool.op(term), pool.args(term)) {
            (Op::Store, &[below, ..]) => match sources(pool, term) {
                Some(sources) => {
                    let takes = sources.iter().any(|&array| array != below);
                    let mut arrays = sources.iter().copied().chain([below]);
                    let is_mixed = arrays.any(|array| mixed.contains(array));
                    (takes || moved.contains(below), is_mixed)
                }
                None => (false, true),
            },
            (Op::Ite, &[_, yes, no]) => {
                (moved.contains(yes) || moved.contains(no), mixed.contains(yes) || mixed.contains(no))
            }
            _ => continue,
        };
        if is_moved && !is_mixed {
            moved.insert(term);
        }
        if is_mixed {
            mixed.insert(term);
        }
    }
    if !cone.iter().any(|&term| pool.op(term) == Op::Select && moved.contains(pool.args(term)[0])) {
        return None;
    }
    let leaves = problem.leaves(pool).iter().map(|leaf| (leaf, leaf)).collect();
    let steps = MOST_STEPS * cone.len();
    let mut cells = Cells { moved, images: leaves, spelled: vec![], steps, problem };
    for &conjunct in problem.conjuncts {
        cells.image(pool, conjunct)?;
    }
    Some(cells.spelled.into_iter().map(|read| Change::law(read, cells.images[&read])).collect())
}

/// The terms of the element of a write, children first, without what is below reads; `None` if there are too
/// many.
fn element(pool: &Pool, write: Term) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut terms = vec![pool.args(write)[2]];
    let mut next = 0;
    while let Some(&term) = terms.get(next) {
        next += 1;
        if pool.op(term) != Op::Select {
            terms.extend(pool.args(term).iter().copied().filter(|&arg| seen.insert(arg)));
        }
        if terms.len() > MOST_TERMS {
            return None;
        }
    }
    terms.sort_unstable();
    terms.dedup();
    Some(terms)
}

/// The arrays of which a write takes its own cell; `None` if it takes other cells, or is not looked at.
fn sources(pool: &Pool, write: Term) -> Option<Vec<Term>> {
    let (below, index) = (pool.args(write)[0], pool.args(write)[1]);
    let mut sources = vec![];
    for term in element(pool, write)? {
        if let (Op::Select, &[array, at]) = (pool.op(term), pool.args(term)) {
            if at != index || pool.sort(array) != pool.sort(below) {
                return None;
            }
            sources.push(array);
        }
    }
    Some(sources)
}

/// Terms with their reads spelled out.
struct Cells<'a> {
    /// Arrays with a write at or below them that takes its own cell from another array.
    moved: TermSet,
    images: FxHashMap<Term, Term>,
    /// The reads that were spelled out.
    spelled: Vec<Term>,
    /// So many steps are left.
    steps: usize,
    problem: &'a Problem<'a>,
}

impl Cells<'_> {
    /// `None` when the steps are used up, or the deadline is over. What a read is spelled out as has reads of
    /// arrays below its own one only, so this ends.
    fn image(&mut self, pool: &mut Pool, root: Term) -> Option<Term> {
        // Terms, each with what stands for it.
        let mut todo = vec![(root, root)];
        while let Some(&(term, spelled)) = todo.last() {
            if self.images.contains_key(&term) {
                todo.pop();
                continue;
            }
            if !self.problem.deadline.step(1) {
                return None;
            }
            if term == spelled {
                if let Some(spelled) = self.spelled(pool, term)? {
                    todo.pop();
                    todo.push((term, spelled));
                    todo.push((spelled, spelled));
                    continue;
                }
                let known = todo.len();
                let missing = |arg: &&Term| !self.images.contains_key(arg);
                todo.extend(pool.args(term).iter().filter(missing).map(|&arg| (arg, arg)));
                if todo.len() > known {
                    continue;
                }
            }
            todo.pop();
            let image = if term == spelled {
                let args: Vec<Term> = pool.args(term).iter().map(|arg| self.images[arg]).collect();
                if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
            } else {
                self.spelled.push(term);
                self.images[&spelled]
            };
            self.images.insert(term, image);
        }
        self.images.get(&root).copied()
    }

    /// One step of a read through the write or the choice that it is about. `Some(None)` for other terms.
    fn spelled(&mut self, pool: &mut Pool, read: Term) -> Option<Option<Term>> {
        let (Op::Select, &[array, index]) = (pool.op(read), pool.args(read)) else { return Some(None) };
        if !self.moved.contains(array) {
            return Some(None);
        }
        self.steps = self.steps.checked_sub(1)?;
        let spelled = match (pool.op(array), pool.args(array)) {
            (Op::Store, &[below, at, _]) => {
                let under = make::app(pool, Op::Select, &[below, index]);
                if at == index {
                    pool.args(array)[2]
                } else if always_different(pool, Edge::of(pool, at), Edge::of(pool, index)) {
                    under
                } else {
                    let met = met(pool, array, index);
                    let meets = make::eq(pool, at, index);
                    make::ite(pool, meets, met, under)
                }
            }
            (Op::Ite, &[condition, yes, no]) => {
                let [yes, no] = [yes, no].map(|array| make::app(pool, Op::Select, &[array, index]));
                make::ite(pool, condition, yes, no)
            }
            _ => return Some(None),
        };
        Some(Some(spelled))
    }
}

/// The element of a write where its index is this one.
fn met(pool: &mut Pool, write: Term, index: Term) -> Term {
    let (at, whole) = (pool.args(write)[1], pool.args(write)[2]);
    let Some(terms) = element(pool, write) else { return whole };
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    for term in terms {
        let image = match (pool.op(term), pool.args(term)) {
            (Op::Select, &[array, own]) if own == at => make::app(pool, Op::Select, &[array, index]),
            (Op::Select, _) => term,
            (_, args) => {
                let args: Vec<Term> = args.iter().map(|arg| images[arg]).collect();
                if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
            }
        };
        images.insert(term, image);
    }
    images[&whole]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Reason;
    use crate::passes::tests::{alone, check_memories};
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::Sort;

    #[test]
    fn values_stay() {
        let changed = check_memories(run, 800);
        assert!(changed > 20, "{changed} changed: too easy");
    }

    /// Every write taken as met would be seen.
    #[test]
    fn a_wrong_step_is_seen() {
        fn wrong(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
            problem.rebuilt(pool, &Reason::Law, |pool, _, image| {
                let (Op::Select, &[array, index]) = (pool.op(image), pool.args(image)) else { return None };
                (pool.op(array) == Op::Store).then(|| met(pool, array, index))
            })
        }
        assert!(std::panic::catch_unwind(|| check_memories(wrong, 100)).is_err());
    }

    /// After swaps of cells of two arrays they are read at one index.
    #[test]
    fn swaps_read_one_cell() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(8).expect("a legal width");
        let sort = pool.sorts_mut().array(word, word).expect("not too deep");
        let (mut a, mut b) = (pool.symbol("a", sort), pool.symbol("b", sort));
        let (k, first) = (pool.symbol("k", word), [a, b]);
        for step in 0..20 {
            let [index, v] = ["i", "v"].map(|name| pool.symbol(&format!("{name}{step}"), word));
            let [from_a, from_b] = [a, b].map(|array| pool.mk(Op::Select, &[array, index]));
            let choice = pool.mk(Op::BvUlt, &[v, index]);
            let written = [(a, from_b), (b, from_a)]
                .map(|(array, element)| pool.mk(Op::Store, &[array, index, element]));
            [a, b] =
                [(a, written[0]), (b, written[1])].map(|(old, new)| pool.mk(Op::Ite, &[choice, new, old]));
        }
        let reads = [a, b].map(|array| pool.mk(Op::Select, &[array, k]));
        let conjunct = pool.mk(Op::BvUlt, &reads);
        let found = alone(run, &mut pool, &[conjunct]).expect("something changes");
        let cone = bivalve_terms::cone(&pool, &found);
        let left: Vec<Term> = cone.iter().copied().filter(|&term| pool.op(term) == Op::Select).collect();
        assert_eq!(left.len(), 2);
        assert!(first.iter().all(|&array| left.contains(&pool.mk(Op::Select, &[array, k]))));
        assert!(cone.len() < 300, "{} terms", cone.len());
    }

    /// A write that takes its own cell of the array below it alone is no reason, and what takes another cell
    /// as well is left.
    #[test]
    fn increments_stay() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(8).expect("a legal width");
        let sort = pool.sorts_mut().array(word, word).expect("not too deep");
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort));
        let [i, j, k] = ["i", "j", "k"].map(|name| pool.symbol(name, word));
        let [own, moved, other] =
            [(a, i), (b, i), (b, j)].map(|(array, index)| pool.mk(Op::Select, &[array, index]));
        for (pair, changes) in [([own, k], false), ([moved, other], false), ([own, moved], true)] {
            let sum = pool.mk(Op::BvAdd, &pair);
            let written = pool.mk(Op::Store, &[a, i, sum]);
            let read = pool.mk(Op::Select, &[written, k]);
            let conjunct = pool.mk(Op::BvUlt, &[k, read]);
            let conjunct = Rewriter::new(Level::Local).rewrite(&mut pool, conjunct);
            assert_eq!(alone(run, &mut pool, &[conjunct]).is_some(), changes);
        }
    }
}
