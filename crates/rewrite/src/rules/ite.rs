//! If-then-else.
//!
//! A choice with a constant branch of Booleans is a conjunction; nested choices with a common condition or a
//! common branch merge; a choice between two uses of one operator with a common operand is one use with a
//! choice of operands, which saves the second circuit; an operator over a choice between constants is a
//! choice between constants. The reverse, moving an operator into the branches of a choice, is never done
//! where it would double a circuit.

use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Pool, Term};

const WIRING: &str = "shifts by constants are wiring";

pub(super) const ROWS: &[Row] = &[
    equation("ite_true", "(ite true x y)", "x"),
    equation("ite_false", "(ite false x y)", "y"),
    equation("ite_same", "(ite c x x)", "x"),
    equation("ite_not", "(ite (not c) x y)", "(ite c y x)"),
    equation("ite_equal", "(ite (= x y) x y)", "y"),
    equation("ite_equal_constant", "(ite (= k x) x y)", "(ite (= k x) k y)"),
    // Booleans.
    equation("ite_then_true", "(ite c true x)", "(or c x)"),
    equation("ite_then_false", "(ite c false x)", "(and (not c) x)"),
    equation("ite_else_true", "(ite c x true)", "(or (not c) x)"),
    equation("ite_else_false", "(ite c x false)", "(and c x)"),
    equation("ite_then_condition", "(ite c c x)", "(or c x)"),
    equation("ite_else_condition", "(ite c x c)", "(and c x)"),
    equation("ite_then_not_condition", "(ite c (not c) x)", "(and (not c) x)"),
    equation("ite_else_not_condition", "(ite c x (not c))", "(or (not c) x)"),
    equation("ite_complements", "(ite c x (not x))", "(= c x)"),
    // Nested choices.
    equation("ite_nested_then", "(ite c (ite c x y) z)", "(ite c x z)"),
    equation("ite_nested_else", "(ite c x (ite c y z))", "(ite c x z)"),
    equation("ite_then_ite_common_else", "(ite c (ite d x y) y)", "(ite (and c d) x y)"),
    equation("ite_then_ite_common_then", "(ite c (ite d x y) x)", "(ite (and c (not d)) y x)"),
    equation("ite_else_ite_common_then", "(ite c x (ite d x y))", "(ite (or c d) x y)"),
    equation("ite_else_ite_common_else", "(ite c x (ite d y x))", "(ite (and (not c) d) y x)"),
    equation("ite_ites_common_else", "(ite c (ite d x y) (ite d z y))", "(ite d (ite c x z) y)"),
    equation("ite_ites_common_then", "(ite c (ite d x y) (ite d x z))", "(ite d x (ite c y z))"),
    // Bits.
    equation("ite_bit", "(ite (= #b1 x) #b1 #b0)", "x"),
    equation("ite_bits", "(ite c #b0 #b1)", "(bvnot (ite c #b1 #b0))"),
    equation("ite_nots", "(ite c (bvnot x) (bvnot y))", "(bvnot (ite c x y))"),
    equation("bool_ite_nots", "(ite c (not x) (not y))", "(not (ite c x y))"),
    equation("ite_negs", "(ite c (bvneg x) (bvneg y))", "(bvneg (ite c x y))"),
    // One circuit instead of two.
    equation("ite_increment_then", "(ite c (bvadd k x) x)", "(bvadd x (ite c k 0))"),
    equation("ite_increment_else", "(ite c x (bvadd k x))", "(bvadd x (ite c 0 k))"),
    equation("ite_add_choice_then", "(ite c (bvadd (ite d y z) x) x)", "(bvadd x (ite c (ite d y z) 0))"),
    equation("ite_add_choice_else", "(ite c x (bvadd (ite d y z) x))", "(bvadd x (ite c 0 (ite d y z)))"),
    equation("ite_adds", "(ite c (bvadd x y) (bvadd x z))", "(bvadd x (ite c y z))"),
    equation("ite_ands", "(ite c (bvand x y) (bvand x z))", "(bvand x (ite c y z))"),
    // Choices beside their condition, as a quotient that is zero where the divisor is.
    equation("and_eq_then", "(and c (= y (ite c x z)))", "(and c (= x y))"),
    equation("and_eq_else", "(and (not c) (= y (ite c x z)))", "(and (not c) (= y z))"),
    equation("and_not_eq_then", "(and c (not (= y (ite c x z))))", "(and c (not (= x y)))"),
    equation("and_not_eq_else", "(and (not c) (not (= y (ite c x z))))", "(and (not c) (not (= y z)))"),
    equation("bool_ite_ands", "(ite c (and x y) (and x z))", "(and x (ite c y z))"),
    equation("ite_xors", "(ite c (bvxor x y) (bvxor x z))", "(bvxor x (ite c y z))"),
    equation("ite_muls", "(ite c (bvmul x y) (bvmul x z))", "(bvmul x (ite c y z))"),
    equation("ite_udivs_dividend", "(ite c (bvudiv x y) (bvudiv x z))", "(bvudiv x (ite c y z))"),
    equation("ite_udivs_divisor", "(ite c (bvudiv x z) (bvudiv y z))", "(bvudiv (ite c x y) z)"),
    equation("ite_urems_dividend", "(ite c (bvurem x y) (bvurem x z))", "(bvurem x (ite c y z))"),
    equation("ite_urems_divisor", "(ite c (bvurem x z) (bvurem y z))", "(bvurem (ite c x y) z)"),
    equation("ite_shls_term", "(ite c (bvshl x y) (bvshl x z))", "(bvshl x (ite c y z))"),
    equation("ite_shls_amount", "(ite c (bvshl x z) (bvshl y z))", "(bvshl (ite c x y) z)"),
    equation("ite_lshrs_term", "(ite c (bvlshr x y) (bvlshr x z))", "(bvlshr x (ite c y z))"),
    equation("ite_lshrs_amount", "(ite c (bvlshr x z) (bvlshr y z))", "(bvlshr (ite c x y) z)"),
    equation("ite_ashrs_term", "(ite c (bvashr x y) (bvashr x z))", "(bvashr x (ite c y z))"),
    equation("ite_ashrs_amount", "(ite c (bvashr x z) (bvashr y z))", "(bvashr (ite c x y) z)"),
    equation("ite_concats_high", "(ite c (concat x y) (concat x z))", "(concat x (ite c y z))")
        .when("(same_sort y z)"),
    equation("ite_concats_low", "(ite c (concat x y) (concat z y))", "(concat (ite c x z) y)")
        .when("(same_sort x z)"),
    equation(
        "ite_concats_constants",
        "(ite c (concat k x) (concat m y))",
        "(concat (ite c k m) (ite c x y))",
    )
    .when("(and (same_sort k m) (same_sort x y))")
    .grows("a choice between constants costs nothing"),
    // Operators over choices between constants.
    equation("not_ite_constants", "(bvnot (ite c k m))", "(ite c (bvnot k) (bvnot m))").when("(wide k)"),
    equation("neg_ite_constants", "(bvneg (ite c k m))", "(ite c (bvneg k) (bvneg m))"),
    equation("add_ite_constants", "(bvadd n (ite c k m))", "(ite c (bvadd n k) (bvadd n m))"),
    equation("and_ite_constants", "(bvand n (ite c k m))", "(ite c (bvand n k) (bvand n m))"),
    equation("xor_ite_constants", "(bvxor n (ite c k m))", "(ite c (bvxor n k) (bvxor n m))"),
    equation("mul_ite_constants", "(bvmul n (ite c k m))", "(ite c (bvmul n k) (bvmul n m))"),
    equation("udiv_by_ite_constants", "(bvudiv n (ite c k m))", "(ite c (bvudiv n k) (bvudiv n m))"),
    equation("udiv_ite_constants", "(bvudiv (ite c k m) n)", "(ite c (bvudiv k n) (bvudiv m n))"),
    equation("urem_by_ite_constants", "(bvurem n (ite c k m))", "(ite c (bvurem n k) (bvurem n m))"),
    equation("urem_ite_constants", "(bvurem (ite c k m) n)", "(ite c (bvurem k n) (bvurem m n))"),
    equation("shl_ite_constants", "(bvshl x (ite c k m))", "(ite c (bvshl x k) (bvshl x m))").grows(WIRING),
    equation("lshr_ite_constants", "(bvlshr x (ite c k m))", "(ite c (bvlshr x k) (bvlshr x m))")
        .grows(WIRING),
    equation("ashr_ite_constants", "(bvashr x (ite c k m))", "(ite c (bvashr x k) (bvashr x m))")
        .grows(WIRING),
    equation("concat_constant_ite", "(concat n (ite c k m))", "(ite c (concat n k) (concat n m))"),
    equation(
        "concat_ites_constants",
        "(concat (ite c k m) (ite c n h))",
        "(ite c (concat k n) (concat m h))",
    ),
    equation(
        "concat_ites_constants_before",
        "(concat (ite c k m) (concat (ite c n h) x))",
        "(concat (ite c (concat k n) (concat m h)) x)",
    ),
    equation("concat_ite_constant", "(concat (ite c k m) n)", "(ite c (concat k n) (concat m n))"),
    function(
        "sign_extend_ite_constants",
        "((_ sign_extend i) (ite c k m))",
        "(ite c k' m'), extended",
        sign_extend,
    ),
];

fn sign_extend(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let c = m.term(pool, 'c');
    let [then, other] = ['k', 'm'].map(|name| {
        let constant = m.term(pool, name);
        make::indexed(pool, m.head.op, &[m.head.index], &[constant])
    });
    Some(make::ite(pool, c, then, other))
}
