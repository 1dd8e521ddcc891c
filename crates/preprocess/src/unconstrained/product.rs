//! A free factor: `x · t`, whatever `t` is.
//!
//! Let `t = o · p`, `p` a power of two and `o` odd. As `x` goes through all numbers, so does `x · o`, and `x
//! · t` goes through the multiples of `p`: the numbers without bits below the lowest one of `t`. So `v & (t |
//! -t)`, which blots these bits out, takes the place of the product. The witness divides by `p` and
//! multiplies by the inverse of `o`, which Newton's iteration finds: `o` is its own inverse in the lowest
//! three bits, and `i · (2 - o · i)` is right in twice as many bits as `i` is. If `t` is zero, `p` is, and
//! the product, and nothing is asked of the witness.
//!
//! Witnesses are only ever evaluated, so their products cost no gates; but the products of very wide numbers
//! take time, and those are left alone. Constant factors have rows of their own ([`super::rows`]).

use super::{Defined, Step, symbol};
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term, TermSet};

/// Wider products stay as they are.
const MOST_WIDTH: u32 = 1024;

/// The step at the product `term` of `args`, one of which is free.
pub(super) fn step(pool: &mut Pool, term: Term, args: &[Term], free: &TermSet) -> Option<Step> {
    let &[a, b] = args else { return None };
    let (x, t) = if free.contains(a) { (a, b) } else { (b, a) };
    let width = pool.width(term).filter(|&width| width <= MOST_WIDTH && !pool.is_const(t))?;
    let fresh = symbol(pool, term);
    let minus = make::app(pool, Op::BvNeg, &[t]);
    let mask = make::app(pool, Op::BvOr, &[t, minus]);
    let becomes = make::app(pool, Op::BvAnd, &[fresh, mask]);
    let power = make::app(pool, Op::BvAnd, &[t, minus]);
    let odd = make::app(pool, Op::BvUdiv, &[t, power]);
    let inverse = inverse(pool, odd, width);
    let quotient = make::app(pool, Op::BvUdiv, &[becomes, power]);
    let witness = make::app(pool, Op::BvMul, &[quotient, inverse]);
    Some(Step { fresh, becomes, defined: vec![Defined { symbol: x, term: witness, restricts: true }] })
}

/// The inverse of an odd number.
fn inverse(pool: &mut Pool, odd: Term, width: u32) -> Term {
    let two = pool.bv_u64(2, width);
    let (mut inverse, mut right) = (odd, 3);
    while right < width {
        let product = make::app(pool, Op::BvMul, &[odd, inverse]);
        let factor = make::app(pool, Op::BvSub, &[two, product]);
        inverse = make::app(pool, Op::BvMul, &[inverse, factor]);
        right *= 2;
    }
    inverse
}
