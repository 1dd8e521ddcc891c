//! The rows: which terms can be chosen through an operand that is free, and how.
//!
//! A row says: this term, as its free operands go through all their values, has the values that that term has
//! as the fresh symbol `v` goes through its own; and a free operand that has the value of its witness brings
//! the value about. So a formula that holds for some value of the operand holds for some value of `v` after
//! the replacement, and the other way round. Both halves are tested for every row, for all values at widths
//! up to 4.
//!
//! A row is `onto` where its one witness takes every value: a change of variable. Metavariables and literals
//! are those of [`super::template`]. Rows with two free operands come before those with one, since they say
//! more.
//!
//! Not here: rows that would leave as much as they take (`x & t` is any number within the mask `t`, which is
//! another conjunction), and the equality of arrays, which was measured elsewhere to cost more than it gains
//! (STP, 2026).

use super::Step;
use super::template::Template;
use bivalve_terms::{Pool, Term, TermSet};
use std::sync::LazyLock;

/// A row of the table.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// An operator over metavariables.
    pub(super) term: &'static str,
    pub(super) becomes: &'static str,
    /// The values of the free operands.
    pub(super) witnesses: &'static [(char, &'static str)],
    pub(super) condition: Option<&'static str>,
    /// The sorts of `x`, where the operator does not say.
    pub(super) sorts: Sorts,
    pub(super) onto: bool,
}

/// A kind of sorts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sorts {
    Any,
    Boolean,
    BitVec,
}

/// A change of variable: the term can have every value, and each value of `x` has its own.
const fn onto(name: &'static str, term: &'static str, x: &'static [(char, &'static str)]) -> Row {
    Row { onto: true, ..any(name, term, x) }
}

/// The term can have every value.
const fn any(name: &'static str, term: &'static str, witnesses: &'static [(char, &'static str)]) -> Row {
    Row { name, term, becomes: "v", witnesses, condition: None, sorts: Sorts::Any, onto: false }
}

/// The term can have the values of `becomes`.
const fn some(
    name: &'static str,
    term: &'static str,
    becomes: &'static str,
    witnesses: &'static [(char, &'static str)],
) -> Row {
    Row { becomes, ..any(name, term, witnesses) }
}

impl Row {
    const fn when(self, condition: &'static str) -> Row {
        Row { condition: Some(condition), ..self }
    }

    const fn over(self, sorts: Sorts) -> Row {
        Row { sorts, ..self }
    }
}

/// The table.
pub(super) static ROWS: &[Row] = &[
    // Bit by bit.
    onto("not", "(not x)", &[('x', "(not v)")]),
    onto("bvnot", "(bvnot x)", &[('x', "(bvnot v)")]),
    onto("bvxor", "(bvxor x t)", &[('x', "(bvxor v t)")]),
    any("and", "(and x y)", &[('x', "v"), ('y', "v")]),
    any("bvand", "(bvand x y)", &[('x', "v"), ('y', "v")]),
    // Sums and products.
    onto("bvneg", "(bvneg x)", &[('x', "(bvneg v)")]),
    onto("bvadd", "(bvadd x t)", &[('x', "(bvsub v t)")]),
    any("bvmul", "(bvmul x y)", &[('x', "v"), ('y', "1")]),
    onto("bvmul_odd", "(bvmul k x)", &[('x', "(bvmul (inverse k) v)")]).when("(odd k)"),
    // The factor is an odd number times a power of two.
    some(
        "bvmul_even",
        "(bvmul k x)",
        "(bvshl v (ctz k))",
        &[('x', "(bvmul (inverse (bvlshr k (ctz k))) v)")],
    )
    .when("(distinct k 0)"),
    // Quotients and remainders.
    any("bvudiv", "(bvudiv x y)", &[('x', "v"), ('y', "1")]),
    any("bvurem", "(bvurem x y)", &[('x', "v"), ('y', "0")]),
    any("bvsdiv", "(bvsdiv x y)", &[('x', "v"), ('y', "1")]),
    any("bvsrem", "(bvsrem x y)", &[('x', "v"), ('y', "0")]),
    any("bvsmod", "(bvsmod x y)", &[('x', "v"), ('y', "0")]),
    some(
        "bvudiv_dividend",
        "(bvudiv x t)",
        "(ite (= 0 t) ones (ite (bvumulo t v) 0 v))",
        &[('x', "(ite (bvumulo t v) 0 (bvmul t v))")],
    ),
    some(
        "bvurem_dividend",
        "(bvurem x t)",
        "(ite (or (= 0 t) (bvult v t)) v 0)",
        &[('x', "(ite (or (= 0 t) (bvult v t)) v 0)")],
    ),
    // A remainder `v` is left by `t - v`, which must be greater.
    some(
        "bvurem_divisor",
        "(bvurem t x)",
        "(ite (and (bvult v t) (bvult v (bvsub t v))) v t)",
        &[('x', "(ite (and (bvult v t) (bvult v (bvsub t v))) (bvsub t v) 0)")],
    ),
    // Shifts by nothing.
    any("bvshl", "(bvshl x y)", &[('x', "v"), ('y', "0")]),
    any("bvlshr", "(bvlshr x y)", &[('x', "v"), ('y', "0")]),
    any("bvashr", "(bvashr x y)", &[('x', "v"), ('y', "0")]),
    // Comparisons: there is nothing below the least number.
    onto("eq_bool", "(= x t)", &[('x', "(= v t)")]).over(Sorts::Boolean),
    any("eq", "(= x t)", &[('x', "(ite v t (bvnot t))")]).over(Sorts::BitVec),
    any("bvult", "(bvult x y)", &[('x', "0"), ('y', "(ite v ones 0)")]),
    some("bvult_smaller", "(bvult x t)", "(and v (distinct t 0))", &[('x', "(ite v 0 t)")]),
    some("bvult_greater", "(bvult t x)", "(and v (distinct t ones))", &[('x', "(ite v ones t)")]),
    any("bvslt", "(bvslt x y)", &[('x', "min"), ('y', "(ite v max min)")]),
    some("bvslt_smaller", "(bvslt x t)", "(and v (distinct t min))", &[('x', "(ite v min t)")]),
    some("bvslt_greater", "(bvslt t x)", "(and v (distinct t max))", &[('x', "(ite v max t)")]),
    some("bvumulo", "(bvumulo x t)", "(and v (bvult 1 t))", &[('x', "(ite v ones 0)")]),
    // At width 1 the number 1 is -1, whose square does not fit.
    some(
        "bvsmulo",
        "(bvsmulo x t)",
        "(and v (distinct t 0) (or (distinct t 1) (= t ones)))",
        &[('x', "(ite v min 0)")],
    ),
    // Choices, of any sort.
    any("ite_branches", "(ite c x y)", &[('x', "v"), ('y', "v")]),
    any("ite_then", "(ite x y t)", &[('x', "true"), ('y', "v")]),
    any("ite_else", "(ite x t y)", &[('x', "false"), ('y', "v")]),
    // Arrays.
    any("select", "(select x t)", &[('x', "(const v)")]),
    any("store", "(store x t y)", &[('x', "v"), ('y', "(select v t)")]),
];

/// The rows as trees.
static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let template = |row| Template::new(row).unwrap_or_else(|why| unreachable!("internal: {why}"));
    ROWS.iter().map(template).collect()
});

/// What the first row that fits makes of the operator of `term` over `args`.
pub(super) fn step(pool: &mut Pool, term: Term, args: &[Term], free: &TermSet) -> Option<Step> {
    let op = pool.op(term);
    let swapped = match *args {
        [a, b] if op.info().commutative => Some([b, a]),
        _ => None,
    };
    TEMPLATES.iter().filter(|template| template.op == op).find_map(|template| {
        let orders = [Some(args), swapped.as_ref().map(|swapped| &swapped[..])];
        orders.into_iter().flatten().find_map(|operands| template.apply(pool, term, operands, free))
    })
}

/// A row for a test that expects it to be refuted.
#[cfg(test)]
pub(super) fn wrong(
    term: &'static str,
    becomes: &'static str,
    witnesses: &'static [(char, &'static str)],
    onto: bool,
) -> Row {
    Row { onto, ..some("wrong", term, becomes, witnesses) }
}
