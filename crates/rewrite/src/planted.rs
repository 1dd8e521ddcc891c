//! Deliberate faults of the rewriter that are rows: each is nearly right, as wrong rows are that people
//! write.
//!
//! A row whose fault is planted is tried before all rows of its head operator. What is wrong with each is
//! in the list of faults (`bivalve-faults`). None of this is compiled without the feature `faults`.

use crate::row::{Row, equation};
use bivalve_faults::{Fault, is_planted};

/// The wrong rows.
static ROWS: &[(Fault, Row)] = &[
    (Fault::RuleUdivZero, equation("wrong_udiv_zero", "(bvudiv x 0)", "0")),
    (Fault::RuleShlSame, equation("wrong_shl_same", "(bvshl x x)", "0")),
    (Fault::RuleSremNegated, equation("wrong_srem_negated", "(bvsrem (bvneg x) y)", "(bvsrem x y)")),
    (Fault::RuleIncrement, equation("wrong_increment", "(bvult x (bvadd 1 x))", "true")),
    (
        Fault::RuleCancelFactor,
        equation("wrong_cancel_factor", "(= (bvmul k x) (bvmul k y))", "(= x y)").when("(distinct 0 k)"),
    ),
    (Fault::RuleNestedIte, equation("wrong_nested_ite", "(ite c x (ite d x y))", "(ite (and c d) x y)")),
    (Fault::RuleReadWrite, equation("wrong_read_write", "(select (store a k v) i)", "(select a i)")),
    (Fault::RuleWriteWrite, equation("wrong_write_write", "(store (store a i v) i u)", "(store a i v)")),
];

/// The rows of the fault that is planted.
pub(crate) fn rows() -> impl Iterator<Item = Row> {
    ROWS.iter().filter(|(fault, _)| is_planted(*fault)).map(|&(_, row)| row)
}
