//! Reads through choices: a read of `ite(c, a, b)` is the choice of two reads, where that ends well.
//!
//! A local rule lets a read pass the writes to other indices; it stops at an if-then-else over arrays, and
//! what lies behind is left to lemmas, one for each way through it. Here a read is followed down *all* ways,
//! past writes to indices that are seen to differ and into both branches, until each way ends: at a write to
//! the very index, at a constant array, or at an array of which nothing is known. Then it is replaced by the
//! choice of what was found. A read that meets a write whose index may or may not be the same on one of its
//! ways stays as it was.
//!
//! Indices are seen to differ by their form, or because that is asserted: slots of a storage that are hashed
//! are said to be different, and to be above the slots that have numbers.
//!
//! Why it is right with what is asserted: a read is below each disequality that it may be replaced inside of,
//! and above the indices that the one which it uses is about, which are no greater after replacements; so
//! none of them is used to show itself.
//!
//! Why it pays: branches that do not touch the index find the same thing, and no choice is left at all;
//! memories of programs that were merged after an `if` are like that. The others need a multiplexer where
//! lemmas need a variable for the read, two equalities of elements, and a search in between. Sorting with
//! arrays (`bubsort`, 7 cells) needs thousands of lemmas otherwise, and none this way. Bitwuzla and Boolector
//! leave both to lemmas.
//!
//! Cost: one visit for each pair of an array and an index that meet, at most [`MOST_VISITS`]; and at most as
//! many choices are made as there were terms.

use super::is_array;
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::Edge;
use bivalve_rewrite::always_different;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, TermSet};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many pairs of an array and an index are looked at.
const MOST_VISITS: usize = 200_000;

/// See [`super::super::Run`].
pub(in crate::passes) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let below = problem.cone(pool);
    let apart = Apart::new(pool, problem.conjuncts, below);
    let is_choice = |term: Term| pool.op(term) == Op::Ite && is_array(pool, term);
    if apart.is_empty() && !below.iter().any(|&term| is_choice(term)) {
        return None;
    }
    let because = if apart.is_empty() { Reason::Law } else { Reason::Unshown };
    let mut reads = Reads { found: FxHashMap::default(), choices: below.len(), apart };
    problem.rebuilt(pool, &because, |pool, _, image| {
        let (Op::Select, &[array, index]) = (pool.op(image), pool.args(image)) else { return None };
        reads.find(pool, array, index)
    })
}

/// Indices of writes that differ from others, as is asserted.
struct Apart {
    /// The lesser one first.
    pairs: FxHashSet<(Term, Term)>,
    /// What a term is greater than.
    above: TermMap<BitVec>,
}

impl Apart {
    fn new(pool: &Pool, conjuncts: &[Term], cone: &[Term]) -> Apart {
        let mut written = TermSet::new();
        for &term in cone.iter().filter(|&&term| pool.op(term) == Op::Store) {
            written.insert(pool.args(term)[1]);
        }
        let (mut pairs, mut above) = (FxHashSet::default(), TermMap::new());
        for &conjunct in conjuncts.iter().filter(|_| !written.is_empty()) {
            match (pool.op(conjunct), pool.args(conjunct)) {
                (Op::Not, &[equation]) if pool.op(equation) == Op::Eq => {
                    let [a, b] = pool.args(equation) else { continue };
                    if written.contains(*a) || written.contains(*b) {
                        pairs.insert((*a.min(b), *a.max(b)));
                    }
                }
                (Op::BvUlt, &[bound, term]) => {
                    let bound = pool.as_bitvec(bound).filter(|_| !pool.is_const(term));
                    let known = above.get(term);
                    if let Some(bound) = bound.filter(|bound| known.is_none_or(|known| known < bound)) {
                        above.insert(term, bound);
                    }
                }
                _ => {}
            }
        }
        Apart { pairs, above }
    }

    fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.above.iter().next().is_none()
    }

    fn contains(&self, pool: &Pool, a: Term, b: Term) -> bool {
        let is_above = |a: Term, b: Term| {
            let bound = self.above.get(a).zip(pool.as_bitvec(b));
            bound.is_some_and(|(bound, number)| number.ule(bound))
        };
        self.pairs.contains(&(a.min(b), a.max(b))) || is_above(a, b) || is_above(b, a)
    }
}

/// What reads find.
struct Reads {
    /// By array and index: what all ways lead to; `None` if one of them is blocked.
    found: FxHashMap<(Term, Term), Option<Term>>,
    /// So many choices may still be made.
    choices: usize,
    apart: Apart,
}

/// How a read goes on at an array.
enum Step {
    /// It ends here, with this element; or it is blocked.
    Ends(Option<Term>),
    /// It passes to this array.
    Passes(Term),
    /// It depends on a condition.
    Splits(Term, Term, Term),
}

impl Reads {
    /// The element of `array` at `index`, if no way to it is blocked.
    fn find(&mut self, pool: &mut Pool, array: Term, index: Term) -> Option<Term> {
        let mut todo = vec![array];
        while let Some(&at) = todo.last() {
            if self.found.contains_key(&(at, index)) {
                todo.pop();
                continue;
            }
            if self.found.len() >= MOST_VISITS {
                return None;
            }
            let found = match self.step(pool, at, index) {
                Step::Ends(found) => found,
                Step::Passes(below) => match self.found.get(&(below, index)) {
                    Some(&found) => found,
                    None => {
                        todo.push(below);
                        continue;
                    }
                },
                Step::Splits(condition, yes, no) => {
                    let known = |array: Term| self.found.get(&(array, index)).copied();
                    match (known(yes), known(no)) {
                        (Some(None), _) | (_, Some(None)) => None,
                        (None, _) => {
                            todo.push(yes);
                            continue;
                        }
                        (_, None) => {
                            todo.push(no);
                            continue;
                        }
                        (Some(Some(yes)), Some(Some(no))) => self.choose(pool, condition, yes, no),
                    }
                }
            };
            todo.pop();
            self.found.insert((at, index), found);
        }
        self.found[&(array, index)]
    }

    fn step(&self, pool: &mut Pool, array: Term, index: Term) -> Step {
        match (pool.op(array), pool.args(array)) {
            (Op::Store, &[_, i, element]) if i == index => Step::Ends(Some(element)),
            (Op::Store, &[below, i, _]) => {
                let differ = always_different(pool, Edge::of(pool, i), Edge::of(pool, index));
                let passes = differ || self.apart.contains(pool, i, index);
                if passes { Step::Passes(below) } else { Step::Ends(None) }
            }
            (Op::Ite, &[condition, yes, no]) => Step::Splits(condition, yes, no),
            (Op::ConstArray, &[element]) => Step::Ends(Some(element)),
            _ => Step::Ends(Some(make::app(pool, Op::Select, &[array, index]))),
        }
    }

    fn choose(&mut self, pool: &mut Pool, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if yes == no {
            return Some(yes);
        }
        self.choices = self.choices.checked_sub(1)?;
        Some(make::ite(pool, condition, yes, no))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, check_memories};
    use bivalve_terms::Sort;

    #[test]
    fn values_stay() {
        let changed = check_memories(run, 400);
        assert!(changed > 50, "{changed} changed: too easy");
    }

    /// A read that no branch touches finds what was there; a write that may touch it blocks.
    #[test]
    fn untouched_cells_need_no_choice() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(8).expect("a legal width");
        let sort = pool.sorts_mut().array(word, word).expect("not too deep");
        let (a, i, c) = (pool.symbol("a", sort), pool.symbol("i", word), pool.symbol("c", Sort::BOOL));
        let [one, two] = [1, 2].map(|value| pool.bv_u64(value, 8));
        let written = pool.mk(Op::Store, &[a, one, i]);
        let merged = pool.mk(Op::Ite, &[c, written, a]);
        let read = |pool: &mut Pool, array: Term, index: Term| {
            let read = pool.mk(Op::Select, &[array, index]);
            let conjunct = pool.mk(Op::BvUlt, &[i, read]);
            alone(run, pool, &[conjunct]).map(|found| pool.args(found[0])[1])
        };
        let below = pool.mk(Op::Select, &[a, two]);
        assert_eq!(read(&mut pool, merged, two), Some(below));
        let below = pool.mk(Op::Select, &[a, one]);
        let choice = pool.mk(Op::Ite, &[c, i, below]);
        assert_eq!(read(&mut pool, merged, one), Some(choice));
        assert_eq!(read(&mut pool, merged, i), None);
    }

    /// Writes to places that are said to differ, or to be above a number, are passed; what says so stays, and
    /// is simplified itself by what is said of terms below it.
    #[test]
    fn what_is_asserted_tells_indices_apart() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(8).expect("a legal width");
        let sort = pool.sorts_mut().array(word, word).expect("not too deep");
        let a = pool.symbol("a", sort);
        let [i, j, v] = ["i", "j", "v"].map(|name| pool.symbol(name, word));
        let three = pool.bv_u64(3, 8);
        let distinct = |pool: &mut Pool, a: Term, b: Term| {
            let equal = pool.mk(Op::Eq, &[a, b]);
            pool.mk(Op::Not, &[equal])
        };
        let read = |pool: &mut Pool, index: Term| {
            let written = pool.mk(Op::Store, &[a, i, v]);
            pool.mk(Op::Select, &[written, index])
        };
        let [below_j, below_three] = [j, three].map(|index| pool.mk(Op::Select, &[a, index]));
        let [of_j, of_three] = [j, three].map(|index| read(&mut pool, index));
        let facts = [distinct(&mut pool, i, j), pool.mk(Op::BvUlt, &[three, i])];
        // About a read that the first fact simplifies.
        let later = distinct(&mut pool, of_j, v);
        let user = pool.mk(Op::BvUlt, &[of_three, v]);
        let found = alone(run, &mut pool, &[later, facts[0], facts[1], user]).expect("both are passed");
        let later = distinct(&mut pool, below_j, v);
        let user = pool.mk(Op::BvUlt, &[below_three, v]);
        assert_eq!(found, [later, facts[0], facts[1], user]);
        assert_eq!(alone(run, &mut pool, &[facts[0], user]), None);
    }
}
