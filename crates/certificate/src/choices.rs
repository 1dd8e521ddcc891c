//! Choices between constants that become sums, where that lets multiplying out decide something.
//!
//! A choice whose condition is made of several truth values, or which has choices as branches, is a sum of
//! choices by single truth values and by conjunctions of them ([`bivalve_rewrite::choices`]). To the checker
//! such a choice is a variable; the sum of the others is a polynomial ([`bivalve_checker::polynomial`]). That
//! they are equal is a theorem about the truth values.
//!
//! A choice takes fewer gates than the sum, so they stay unless equations or sums are the same by it.
//!
//! Cost: that of multiplying out, once more, if there are such choices.

use bivalve_rewrite::choices::{is_composite, summands};
use bivalve_terms::{BitVec, Op, Pool, Term, cone};
use rustc_hash::FxHashSet;

/// Choices between constants that sums read, and the sums that they are.
pub(crate) fn sums_of_choices(pool: &mut Pool, roots: &[Term]) -> Vec<(Term, Term)> {
    let below = cone(pool, roots);
    let is_sum = |&&term: &&Term| matches!(pool.op(term), Op::BvAdd | Op::BvNeg);
    let read: FxHashSet<Term> =
        below.iter().filter(is_sum).flat_map(|&sum| pool.args(sum)).copied().collect();
    let is_read = |&term: &Term| read.contains(&term) && is_composite(pool, term);
    let choices: Vec<Term> = below.into_iter().filter(is_read).collect();
    let mut found = vec![];
    for choice in choices {
        let Some((summands, constant)) = summands(pool, choice) else { continue };
        let sum = sum(pool, summands, &constant);
        found.extend((sum != choice).then_some((choice, sum)));
    }
    found
}

/// The sum of multiples of truth values, which are numbers that are one or zero, and a constant.
fn sum(pool: &mut Pool, summands: Vec<(Term, BitVec)>, constant: &BitVec) -> Term {
    let zero = pool.bitvec(&BitVec::zero(constant.width()));
    let mut terms: Vec<Term> = vec![];
    for (truth, coefficient) in summands {
        let coefficient = pool.bitvec(&coefficient);
        terms.push(pool.mk(Op::Ite, &[truth, coefficient, zero]));
    }
    if !constant.is_zero() || terms.is_empty() {
        terms.push(pool.bitvec(constant));
    }
    terms.into_iter().reduce(|sum, term| pool.mk(Op::BvAdd, &[sum, term])).unwrap_or(zero)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::{Certifier, Form};
    use bivalve_limits::Stop;
    use bivalve_terms::{Op, Pool, Sort, Term};

    /// A queue counts how full it is in one place: one more where something is pushed and nothing popped, one
    /// less where it is the other way round. Its ends move by themselves.
    #[test]
    fn a_queue_is_as_full_as_its_ends_are_apart() {
        let mut pool = Pool::new();
        let [zero, one, minus_one] = [0, 1, 7].map(|number| pool.bv_u64(number, 3));
        let [mut write, mut read] = ["write", "read"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()));
        let mut count = pool.bvsub(write, read).unwrap();
        for step in 0..10 {
            let [push, pop] = ["push", "pop"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::BOOL));
            let (is_full, is_empty) = (pool.eq(count, minus_one).unwrap(), pool.eq(count, zero).unwrap());
            let [has_room, has_some] = [is_full, is_empty].map(|is| pool.not(is).unwrap());
            let moves = [pool.and(push, has_room).unwrap(), pool.and(pop, has_some).unwrap()];
            let waits = moves.map(|moves| pool.not(moves).unwrap());
            let (up, down) = (pool.and(moves[0], waits[1]).unwrap(), pool.and(moves[1], waits[0]).unwrap());
            let less = pool.bvadd(count, minus_one).unwrap();
            let below = pool.ite(down, less, count).unwrap();
            let more = pool.bvadd(count, one).unwrap();
            count = pool.ite(up, more, below).unwrap();
            [write, read] = [(write, moves[0]), (read, moves[1])].map(|(end, moves): (Term, Term)| {
                let next = pool.bvadd(end, one).unwrap();
                pool.ite(moves, next, end).unwrap()
            });
        }
        let apart = pool.bvsub(write, read).unwrap();
        let differ = pool.mk(Op::Distinct, &[apart, count]);
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]));
    }
}
