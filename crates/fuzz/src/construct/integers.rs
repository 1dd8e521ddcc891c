//! The equivalent formulas of Becker's table 2 as they stand there: over integers, as text.
//!
//! Our reader knows no integers, so these formulas cannot be terms. What is kept of one is the operation it is about and
//! the terms in its places; a transformation that replaces a symbol replaces it in these too, and the text is made when
//! it is asked for. The forms follow the table, with its misprints put right: the lower part of `bvand` and `bvor` is
//! `extract(m-2, 0)`, that of `bvor` is joined by `bvor`, and the existential bit is a free symbol of the formula, which is
//! as good where the formula is asserted.
//!
//! `bv2nat` and `(_ int2bv m)` are the names that Z3, cvc5 and CVC4 have in common; SMT-LIB 2.7 calls them `ubv_to_int` and
//! `int_to_bv`. `div` and `mod` are those of the theory Ints.

use bivalve_formats::smtlib::print::{BitVecFormat, Naming, Printer};
use bivalve_terms::{BitVec, Op, Pool, Substitution, Term};

/// The operators that the table says over integers; `bvand` and `bvor` it says without any.
const TABLE_2: [Op; 11] = [
    Op::Concat,
    Op::Extract,
    Op::BvNot,
    Op::BvNeg,
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvUlt,
];

/// An equation `op(args) = result`, to be said over integers.
#[derive(Clone, Debug)]
pub struct IntegerForm {
    /// The operator.
    pub op: Op,
    /// Its indices, as in the text.
    pub indices: Vec<u32>,
    /// Its arguments.
    pub args: Vec<Term>,
    /// What the operation is equal to.
    pub result: Term,
}

impl IntegerForm {
    /// The form with terms replaced.
    pub(crate) fn substituted(&self, pool: &mut Pool, substitution: &mut Substitution) -> IntegerForm {
        let args = self.args.iter().map(|&arg| substitution.apply(pool, arg)).collect();
        IntegerForm { args, result: substitution.apply(pool, self.result), ..self.clone() }
    }

    /// Has the table a form over integers for the operator?
    pub(crate) fn exists(&self) -> bool {
        TABLE_2.contains(&self.op)
    }

    /// The formula as text; `None` if the table has no form over integers for the operator.
    pub fn text(&self, pool: &Pool, format: BitVecFormat) -> Option<String> {
        let naming = Naming::default();
        let printer = Printer::new(pool, &naming, format);
        let places: Vec<String> = self.args.iter().map(|&arg| printer.term(arg)).collect();
        let result = printer.term(self.result);
        let m = pool.width(self.args[0])?;
        let nat = |place: usize| format!("(bv2nat {})", places[place]);
        let bits = |width: u32, integer: &str| format!("((_ int2bv {width}) {integer})");
        let equal = |left: String| format!("(= {left} {result})");
        let modulus = power(m);
        Some(match self.op {
            Op::Concat => {
                let n = pool.width(self.args[1])?;
                equal(bits(m + n, &format!("(+ (* {} {}) {})", nat(0), power(n), nat(1))))
            }
            Op::Extract => {
                let (high, low) = (*self.indices.first()?, *self.indices.get(1)?);
                let width = high - low + 1;
                let left = format!("(bvshl {} {})", places[0], bits(m, &(m - 1 - high).to_string()));
                let right = format!("(bvlshr {left} {})", bits(m, &(m - width).to_string()));
                equal(bits(width, &format!("(bv2nat {right})")))
            }
            Op::BvNot => equal(bits(m, &format!("(- {} 1 {})", modulus, nat(0)))),
            Op::BvNeg => equal(bits(m, &format!("(- {} {})", modulus, nat(0)))),
            Op::BvAdd => equal(bits(m, &format!("(+ {} {})", nat(0), nat(1)))),
            Op::BvMul => equal(bits(m, &format!("(* {} {})", nat(0), nat(1)))),
            Op::BvUdiv => {
                let quotient = equal(bits(m, &format!("(div {} {})", nat(0), nat(1))));
                let otherwise = equal(bits(m, &format!("(- {modulus} 1)")));
                format!("(ite (> {} 0) {quotient} {otherwise})", nat(1))
            }
            Op::BvUrem => {
                let remainder = equal(bits(m, &format!("(mod {} {})", nat(0), nat(1))));
                format!("(ite (> {} 0) {remainder} {})", nat(1), equal(places[0].clone()))
            }
            Op::BvUlt => equal(format!("(< {} {})", nat(0), nat(1))),
            Op::BvShl | Op::BvLshr => {
                let shifted = |by: u32| match (by, self.op) {
                    (0, _) => places[0].clone(),
                    (_, Op::BvShl) => {
                        format!("(concat ((_ extract {} 0) {}) {})", m - by - 1, places[0], zeros(by))
                    }
                    _ => format!("(concat {} ((_ extract {} {by}) {}))", zeros(by), m - 1, places[0]),
                };
                let case = |by: u32| format!("(and (= {} {by}) {})", nat(1), equal(shifted(by)));
                let cases: Vec<String> = (0..m).map(case).collect();
                format!("(or {} (and (>= {} {m}) {}))", cases.join(" "), nat(1), equal(zeros(m)))
            }
            _ => return None,
        })
    }
}

/// 2^exponent in decimal digits, whatever the exponent.
fn power(exponent: u32) -> String {
    BitVec::one(exponent + 1).shl_by(exponent).to_decimal_string()
}

fn zeros(width: u32) -> String {
    format!("#b{}", "0".repeat(width as usize))
}
