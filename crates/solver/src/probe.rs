//! Probing: a few assignments are tried before any gate is built.
//!
//! Many satisfiable formulas are satisfied by almost everything, or by almost nothing but zeros; a few
//! evaluations then replace circuits of millions of gates. Tried are the corner values for all symbols at
//! once (zero, one, all ones, the least and the greatest signed value), all symbols numbered, so that they
//! differ, then small numbers and random bits, seeded by a constant so that every run is the same. Where
//! there are products or quotients, what fails may be an identity but for a corner (`bvsmod` for `bvsrem`, a
//! check of overflow that misses one value), which search finds last: so each symbol gets a corner value of
//! its own, as often as the circuits are large. Definitions are in force, since what is evaluated is the
//! simplified conjuncts and eliminated symbols follow from them.
//!
//! A probe that satisfies all conjuncts is a candidate only: it is validated on the original assertions like
//! any model. A probe that fails says nothing. Probing is right whatever it does.
//!
//! Cost: at most [`PROBES`] evaluations of the conjuncts and one more for every [`GATES_A_PROBE`] gates of
//! products and quotients, each ending at the first conjunct that is false, and at most [`BUDGET`] terms
//! weighted by the words of their width, so that it never shows in the time of a hard formula.

use bivalve_limits::Stop;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, Value, cone};
use fastrand::Rng;

/// Assignments tried at most, where there are neither products nor quotients.
const PROBES: usize = 16;

/// The attempt in which all symbols are numbered.
const NUMBERS: usize = 5;

/// For each so many gates of products and quotients there is another assignment.
const GATES_A_PROBE: u64 = 64;

/// Weighted terms evaluated at most; about a hundredth of a second.
const BUDGET: u64 = 200_000;

/// Bits that start the sequence of random numbers; the digits of pi.
const SEED: u64 = 0x2435_f6a8_885a_308d;

/// An assignment under which all conjuncts are true, if one of the first that come to mind does it.
pub(crate) fn probe(pool: &Pool, conjuncts: &[Term], stop: &Stop) -> Option<Assignment> {
    let below = cone(pool, conjuncts);
    let cost: u64 = below.iter().map(|&term| cost(pool, term)).sum();
    let cells = below.iter().fold(0, |sum: u64, &term| sum.saturating_add(cells(pool, term)));
    let probes = (PROBES as u64 + cells / GATES_A_PROBE).min(BUDGET / cost.max(1)) as usize;
    let symbols: Vec<Term> = below.into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
    let mut random = Rng::with_seed(SEED);
    (0..probes).take_while(|_| stop.reason().is_none()).find_map(|attempt| {
        let mut assignment = Assignment::new();
        for (&symbol, number) in symbols.iter().zip(0..) {
            let sort = pool.sort(symbol);
            match sort.width() {
                Some(width) => assignment.set(symbol, guess(attempt, number, width, &mut random)),
                None if sort.is_bool() => {
                    assignment.set(symbol, guess(attempt, number, 1, &mut random).bit(0))
                }
                None if attempt == NUMBERS && pool.sorts().is_uninterpreted(sort) => {
                    assignment.set(symbol, Value::Element(sort, number as u32));
                }
                // Arrays and functions keep their defaults, and so do elements of declared sorts.
                None => {}
            }
        }
        let mut evaluator = Evaluator::new(pool, &assignment);
        let holds = conjuncts.iter().all(|&conjunct| evaluator.eval(conjunct).expect_bool());
        holds.then_some(assignment)
    })
}

/// Is it a product or quotient, the circuit of which grows with the square of the width?
pub(crate) fn is_square(op: Op) -> bool {
    matches!(op, Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod)
}

/// The width of the operands.
fn width(pool: &Pool, term: Term) -> u64 {
    u64::from(pool.args(term).first().and_then(|&a| pool.width(a)).unwrap_or(1))
}

/// Evaluating a term costs its words; products and quotients the square of them.
fn cost(pool: &Pool, term: Term) -> u64 {
    let words = width(pool, term).div_ceil(64);
    if is_square(pool.op(term)) { 4 * words * words } else { words }
}

/// The gates of a product or quotient, roughly.
fn cells(pool: &Pool, term: Term) -> u64 {
    if is_square(pool.op(term)) { 5 * width(pool, term).pow(2) } else { 0 }
}

/// The value of a symbol, the one of this number, in one attempt.
fn guess(attempt: usize, number: u64, width: u32, random: &mut Rng) -> BitVec {
    match attempt {
        0 => BitVec::zero(width),
        1 => BitVec::one(width),
        2 => BitVec::ones(width),
        3 => BitVec::min_signed(width),
        4 => BitVec::max_signed(width),
        NUMBERS => BitVec::from_u64(number, width),
        PROBES.. => match random.usize(..9) {
            8 => {
                let place = random.u32(..width);
                BitVec::from_fn(width, |bit| bit == place)
            }
            corner => guess(corner, number, width, random),
        },
        _ if attempt % 2 == 1 => BitVec::from_u64(random.u64(..16), width),
        _ => {
            let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.u64(..)).collect();
            BitVec::from_words(&words, width)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    #[test]
    fn what_almost_everything_satisfies_is_found_and_what_nothing_satisfies_is_not() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(100).unwrap();
        let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
        let product = pool.mk(Op::BvMul, &[x, y]);
        let differ = pool.mk(Op::Distinct, &[product, x]);
        let found = probe(&pool, &[differ], &Stop::new()).expect("random numbers do");
        assert!(bivalve_terms::eval(&pool, differ, &found).expect_bool());
        let never = pool.mk(Op::BvUlt, &[x, x]);
        assert!(probe(&pool, &[differ, never], &Stop::new()).is_none());
    }

    #[test]
    fn many_words_that_differ_are_numbered() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(12).unwrap();
        let words: Vec<Term> = (0..1000).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
        let differ = pool.mk(Op::Distinct, &words);
        let found = probe(&pool, &[differ], &Stop::new()).expect("their numbers differ");
        assert!(bivalve_terms::eval(&pool, differ, &found).expect_bool());
    }

    #[test]
    fn one_corner_of_quotients_is_found() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(24).unwrap();
        let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
        let negated = pool.mk(Op::BvNeg, &[y]);
        let (zero, least) = (pool.bitvec(&BitVec::zero(24)), pool.bitvec(&BitVec::min_signed(24)));
        let (signed, other) = (pool.mk(Op::BvSrem, &[x, y]), pool.mk(Op::BvSmod, &[x, negated]));
        let differ = pool.mk(Op::Distinct, &[signed, other]);
        let positive = pool.mk(Op::BvSlt, &[zero, x]);
        let corner = pool.mk(Op::Eq, &[y, least]);
        let found = probe(&pool, &[differ, positive, corner], &Stop::new()).expect("the corner is met");
        assert!(bivalve_terms::eval(&pool, corner, &found).expect_bool());
    }

    #[test]
    fn a_formula_beyond_the_budget_is_not_probed() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::bitvec(1 << 20).unwrap());
        let square = pool.mk(Op::BvMul, &[x, x]);
        let trivial = pool.mk(Op::BvUle, &[square, square]);
        assert!(probe(&pool, &[trivial], &Stop::new()).is_none());
    }
}
