//! Forwarding: reads of what was written, and choices that spell them out, become one.
//!
//! A processor that forwards results compares the register that is read with those that were written lately,
//! and takes what it finds; its specification writes to the file of registers and reads. The read is
//! `(ite (= j i) v (select a j))`, with one more choice for each write. Reads and choices that come to the
//! same when all reads are spelled out become the one that comes first, and so does what is computed from
//! them: both sides meet instruction by instruction (Burch and Dill, *Automatic verification of pipelined
//! microprocessor control*, CAV 1994, spell all reads out).
//!
//! Cost: one visit for each write that a read passes, [`MOST_VISITS`] at most. Nothing is added to the
//! formula: a read that nothing is equal to stays.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::{Level, Rewriter, make};
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// So many pairs of a write and an index are looked at.
const MOST_VISITS: usize = 1 << 14;

/// See [`super::super::Run`].
pub(in crate::passes) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let below = problem.cone(pool);
    let reads = below.iter().any(|&term| written(pool, term).is_some());
    if !reads || !below.iter().any(|&term| is_choice_of_index(pool, term)) {
        return None;
    }
    let mut spelled = Spelled { known: FxHashMap::default(), rewriter: Rewriter::new(Level::Local) };
    let mut first: FxHashMap<Term, Term> = FxHashMap::default();
    problem.rebuilt(pool, &Reason::Law, |pool, _, image| {
        let choice = spelled.out(pool, image)?;
        let first = *first.entry(choice).or_insert(image);
        (first != image).then_some(first)
    })
}

/// Is it a choice by an equation?
fn is_choice_of_index(pool: &Pool, term: Term) -> bool {
    pool.op(term) == Op::Ite && pool.op(pool.args(term)[0]) == Op::Eq
}

/// The array, index and element of the write that a read meets first, and the index of the read.
fn written(pool: &Pool, read: Term) -> Option<[Term; 4]> {
    let (Op::Select, &[array, index]) = (pool.op(read), pool.args(read)) else { return None };
    let (Op::Store, &[below, at, element]) = (pool.op(array), pool.args(array)) else { return None };
    Some([below, at, element, index])
}

/// Reads as choices.
struct Spelled {
    known: FxHashMap<Term, Term>,
    rewriter: Rewriter,
}

impl Spelled {
    /// A read, or a choice that may spell one out, as a choice for each write; `None` for other terms, and
    /// if that are too many.
    fn out(&mut self, pool: &mut Pool, term: Term) -> Option<Term> {
        let mut stack = vec![term];
        // Down to what is known or no read of what was written.
        let mut choice = loop {
            let &term = stack.last()?;
            if let Some(&known) = self.known.get(&term) {
                break known;
            }
            match written(pool, term) {
                Some([below, .., index]) => stack.push(make::app(pool, Op::Select, &[below, index])),
                None if is_choice_of_index(pool, term) => stack.push(pool.args(term)[2]),
                None if stack.len() == 1 => return None,
                None => break self.rewriter.rewrite(pool, term),
            }
        };
        while let Some(term) = stack.pop() {
            if self.known.len() >= MOST_VISITS {
                return None;
            }
            if !self.known.contains_key(&term) {
                let spelled = match written(pool, term) {
                    Some([_, at, element, index]) => {
                        let meets = make::eq(pool, index, at);
                        make::ite(pool, meets, element, choice)
                    }
                    None if is_choice_of_index(pool, term) => {
                        let &[meets, element, _] = pool.args(term) else { return None };
                        make::ite(pool, meets, element, choice)
                    }
                    None => choice,
                };
                choice = self.rewriter.rewrite(pool, spelled);
                self.known.insert(term, choice);
            }
        }
        Some(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use bivalve_terms::{Assignment, BitVec, Sort, Value, eval};

    /// Reads and choices that spell some of them out, rightly or nearly.
    #[test]
    fn the_same_values_are_left() {
        let mut changed = 0;
        for seed in 0..600 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut pool = Pool::new();
            let word = Sort::bitvec(2).expect("a legal width");
            let sort = pool.sorts_mut().array(word, word).expect("not too deep");
            let memory = pool.symbol("memory", sort);
            let symbols = ["i", "j", "k", "v"].map(|name| pool.symbol(name, word));
            let one = |random: &mut fastrand::Rng| symbols[random.usize(..symbols.len())];
            let read_at = one(&mut random);
            let (mut array, mut choice) = (memory, pool.mk(Op::Select, &[memory, read_at]));
            for _ in 0..1 + random.u8(..3) {
                let (at, element) = (one(&mut random), one(&mut random));
                array = pool.mk(Op::Store, &[array, at, element]);
                let compared = if random.u8(..8) == 0 { one(&mut random) } else { at };
                let meets = pool.mk(Op::Eq, &[read_at, compared]);
                choice = pool.mk(Op::Ite, &[meets, element, choice]);
            }
            let read = pool.mk(Op::Select, &[array, read_at]);
            let last = one(&mut random);
            let sums = [read, choice].map(|word| pool.mk(Op::BvAdd, &[word, last]));
            let conjunct = pool.mk(Op::BvUle, &sums);
            let conjunct = Rewriter::new(Level::Local).rewrite(&mut pool, conjunct);
            let Some(found) = alone(run, &mut pool, &[conjunct]) else { continue };
            changed += 1;
            for _ in 0..16 {
                let mut assignment = Assignment::new();
                for symbol in symbols {
                    assignment.set(symbol, BitVec::from_u64(random.u64(..4), 2));
                }
                let mut value = Value::default_of(pool.sorts(), sort);
                for index in 0..4 {
                    let [index, element] =
                        [index, random.u64(..4)].map(|k| Value::BitVec(BitVec::from_u64(k, 2)));
                    value = value.expect_array().store(&index, &element).into();
                }
                assignment.set(memory, value);
                let [before, after] = [conjunct, found[0]].map(|term| eval(&pool, term, &assignment));
                assert_eq!(before, after, "{seed}");
            }
        }
        assert!(changed > 150, "{changed} changed: too easy");
    }
}
