//! What terms cost as circuits: the cost model for everything that compares terms.
//!
//! [`cost`] is the bound on the gates of the circuit of one operator ([`circuits::bound`]), with constant
//! arguments known and all others open; what is below a term is not counted. It is cheap, and sees no sharing
//! among terms and no simplification of gates. [`gates`] builds the circuits of formulas, in a graph that is
//! thrown away, and counts: what is shared is counted once.
//!
//! Cost: linear in the bits of the arguments; [`gates`] takes the time of the circuits.

use crate::blaster::BitBlaster;
use crate::circuits::{self, Shape};
use crate::estimate::{Estimate, Known};
use crate::limits::Limits;
use bivalve_sat_adapter::Stop;
use bivalve_terms::{Op, Pool, Term};

/// Gates that [`gates`] builds at most.
const MOST_GATES: u64 = 1_000_000;

/// About how many gates the operator of a term takes, once its arguments have theirs.
pub fn cost(pool: &Pool, term: Term) -> u64 {
    let op = pool.op(term);
    if matches!(op, Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray) {
        return 0;
    }
    let args: Vec<Vec<Known>> = pool.args(term).iter().map(|&arg| bits(pool, arg)).collect();
    let args: Vec<&[Known]> = args.iter().map(|bits| &bits[..]).collect();
    let width = pool.width(term).map_or(1, |width| width as usize);
    let shape = Shape { index: pool.index(term) as usize, width };
    circuits::most_gates(&Estimate::new(), op, shape, &args)
}

/// The bits of a term as far as they are known at once. What is no bit-vector has one.
fn bits(pool: &Pool, term: Term) -> Vec<Known> {
    match (pool.as_bitvec(term), pool.as_bool(term)) {
        (Some(constant), _) => constant.bits().map(Some).collect(),
        (None, Some(constant)) => vec![Some(constant)],
        (None, None) => vec![None; pool.width(term).map_or(1, |width| width as usize)],
    }
}

/// The gates of formulas together, really built; `None` if these are too many to build.
pub fn gates(pool: &Pool, formulas: &[Term]) -> Option<u64> {
    let mut blaster = BitBlaster::new();
    let stop = Stop::new();
    let limits = Limits { gates: MOST_GATES, stop: &stop };
    for &formula in formulas {
        blaster.root(pool, formula, &limits).ok()?;
    }
    Some(blaster.graph().len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// The cost of an operator is no less than what is built for it, and not much more for those that matter.
    #[test]
    fn a_cost_bounds_what_is_built() {
        for width in [1, 8, 32] {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(width).unwrap();
            let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
            let ops =
                [Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvShl, Op::BvAnd, Op::BvSdiv, Op::BvSub];
            for op in ops {
                let term = pool.mk(op, &[x, y]);
                let compared = pool.mk(Op::BvUlt, &[term, x]);
                let estimate = cost(&pool, term) + cost(&pool, compared);
                let built = gates(&pool, &[compared]).unwrap();
                let inputs = 2 * u64::from(width) + 1;
                assert!(built <= estimate + inputs, "{op:?} {width}: {built} built, {estimate} expected");
                assert!(width == 1 || estimate <= 8 * built, "{op:?} {width}: {built}, {estimate}");
            }
            assert_eq!(cost(&pool, x), 0);
        }
    }
}
