//! `--approx auto`: when under-approximation is worth a try, and how much of one.
//!
//! What approximations win and lose was measured (`docs/under-approximation.md`): they win where wide numbers are multiplied or
//! divided and small ones do, and lose where there is nothing to multiply, where symbols are bytes that are only put
//! together to numbers, and where there is no model. Two things decide:
//!
//! - *Is it hard?* The first [`PATIENCE`] conflicts of a check are searched without approximations. Most checks end there,
//!   and cost nothing more.
//! - *Is it arithmetic over wide symbols?* Below the live formulas is a product, quotient or remainder of at least [`WIDE`]
//!   bits with two operands that are not constant, and most bits of symbols, reads and applications belong to wide ones.
//!
//! If both hold, approximations by sign extension to [`WIDTH`] bits are tried for [`LIMIT`] conflicts, the failed ones eased; then
//! they are given up for good, and what was learned stays. All of it is counted, so runs are the same everywhere.
//!
//! Cost: a pass over the live terms, for checks that have cost [`PATIENCE`] conflicts.

use bivalve_approx::Strategy;
use bivalve_approx::encodings::Sign;
use bivalve_approx::policies::Global;
use bivalve_terms::{Op, Pool, Term, cone};
use std::sync::Arc;

/// Conflicts of a check before approximations are thought of.
pub(crate) const PATIENCE: u64 = 500;

/// Conflicts under approximations.
pub(crate) const LIMIT: u64 = 2000;

/// Effective bits to begin with.
const WIDTH: u32 = 8;

/// Bits that make a number wide.
const WIDE: u32 = 2 * WIDTH;

/// What is tried.
pub(crate) fn strategy() -> Strategy {
    Strategy { encoding: Arc::new(Sign), policy: Arc::new(Global), width: WIDTH }
}

/// Is there wide arithmetic over wide symbols?
pub(crate) fn is_worth_it(pool: &Pool, formulas: &[Term]) -> bool {
    let (mut arithmetic, mut wide, mut narrow) = (false, 0u64, 0u64);
    for term in cone(pool, formulas) {
        let Some(width) = pool.width(term) else { continue };
        match pool.op(term) {
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                let varying = pool.args(term).iter().filter(|&&arg| pool.op(arg) != Op::Const).count();
                arithmetic |= width >= WIDE && varying > 1;
            }
            Op::Symbol | Op::Select | Op::Apply if width >= WIDE => wide += u64::from(width),
            Op::Symbol | Op::Select | Op::Apply => narrow += u64::from(width),
            _ => {}
        }
    }
    arithmetic && wide > narrow
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    #[test]
    fn products_of_wide_symbols_are_worth_it_and_those_of_bytes_are_not() {
        let mut pool = Pool::new();
        let symbols = |pool: &mut Pool, width| {
            ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(width).expect("a legal width")))
        };
        let [x, y] = symbols(&mut pool, 32);
        let [b, c] = symbols(&mut pool, 8);
        let three = pool.bv_u64(3, 32);
        let (square, tripled) = (pool.mk(Op::BvMul, &[x, y]), pool.mk(Op::BvMul, &[x, three]));
        let bytes = pool.mk(Op::BvMul, &[b, c]);
        let wider = pool.mk_indexed(Op::ZeroExtend, &[24], &[bytes]);
        let pair = pool.mk(Op::Concat, &[b, c]);
        let other = pool.mk(Op::Concat, &[c, b]);
        let pairs = pool.mk(Op::BvUdiv, &[pair, other]);
        let zero = pool.bv_u64(0, 16);
        let mut equal = |a, b| pool.mk(Op::Eq, &[a, b]);
        let formulas = [equal(square, wider), equal(tripled, wider), equal(pairs, zero)];
        assert_eq!(formulas.map(|formula| is_worth_it(&pool, &[formula])), [true, false, false]);
    }
}
