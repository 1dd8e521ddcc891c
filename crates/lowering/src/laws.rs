//! Tests of results that need no arithmetic: a class, a sign, or a comparison with zero follows from classes,
//! signs and comparisons of the operands.
//!
//! A row replaces a term by one over its arguments' arguments before an image is made, so the sum, product or
//! root has gates only if something else asks for its value. Each row holds for all values and in every
//! rounding mode; the tests of this crate compare both sides in every point of small formats. A sum does not
//! underflow, so it is zero only if one operand is the other's negation, and its sign is that of a
//! comparison.

use crate::constants;
use crate::thresholds::flipped;
use bivalve_terms::{Op, Pool, Term};

/// Makes terms of operators on classes.
struct Maker<'a> {
    pool: &'a mut Pool,
}

impl Maker<'_> {
    fn test(&mut self, op: Op, x: Term) -> Term {
        self.pool.mk(op, &[x])
    }

    fn all(&mut self, terms: &[Term]) -> Term {
        self.pool.and_all(terms)
    }

    fn any(&mut self, terms: &[Term]) -> Term {
        self.pool.mk(Op::Or, terms)
    }

    fn not(&mut self, term: Term) -> Term {
        self.pool.mk(Op::Not, &[term])
    }

    fn are_both(&mut self, first: (Op, Term), second: (Op, Term)) -> Term {
        let [a, b] = [first, second].map(|(op, x)| self.test(op, x));
        self.all(&[a, b])
    }

    fn any_nan(&mut self, terms: &[Term]) -> Term {
        let tests: Vec<Term> = terms.iter().map(|&x| self.test(Op::FpIsNan, x)).collect();
        if let [only] = tests[..] { only } else { self.any(&tests) }
    }

    /// Infinities, of signs that are the same or not.
    fn infinite_pair(&mut self, x: Term, y: Term, same_signs: bool) -> Term {
        let both = self.are_both((Op::FpIsInfinite, x), (Op::FpIsInfinite, y));
        let signs = [x, y].map(|term| self.test(Op::FpIsNegative, term));
        let signs = self.pool.mk(if same_signs { Op::Eq } else { Op::Distinct }, &signs);
        self.all(&[both, signs])
    }

    /// An infinity and a zero, whichever is which.
    fn infinite_and_zero(&mut self, x: Term, y: Term) -> Term {
        let first = self.are_both((Op::FpIsInfinite, x), (Op::FpIsZero, y));
        let second = self.are_both((Op::FpIsZero, x), (Op::FpIsInfinite, y));
        self.any(&[first, second])
    }

    /// Whether the term is NaN.
    fn is_nan(&mut self, term: Term) -> Option<Term> {
        let (op, args) = (self.pool.op(term), self.pool.written_args(term).to_vec());
        Some(match (op, &args[..]) {
            (Op::FpAdd, &[_, x, y]) => {
                let (nan, pair) = (self.any_nan(&[x, y]), self.infinite_pair(x, y, false));
                self.any(&[nan, pair])
            }
            (Op::FpSub, &[_, x, y]) => {
                let (nan, pair) = (self.any_nan(&[x, y]), self.infinite_pair(x, y, true));
                self.any(&[nan, pair])
            }
            (Op::FpMul, &[_, x, y]) => {
                let (nan, pair) = (self.any_nan(&[x, y]), self.infinite_and_zero(x, y));
                self.any(&[nan, pair])
            }
            (Op::FpDiv, &[_, x, y]) => {
                let nan = self.any_nan(&[x, y]);
                let infinite = self.are_both((Op::FpIsInfinite, x), (Op::FpIsInfinite, y));
                let zero = self.are_both((Op::FpIsZero, x), (Op::FpIsZero, y));
                self.any(&[nan, infinite, zero])
            }
            (Op::FpRem, &[x, y]) => {
                let nan = self.any_nan(&[x, y]);
                let (infinite, zero) = (self.test(Op::FpIsInfinite, x), self.test(Op::FpIsZero, y));
                self.any(&[nan, infinite, zero])
            }
            (Op::FpSqrt, &[_, x]) => {
                let (nan, negative) = (self.any_nan(&[x]), self.test(Op::FpIsNegative, x));
                let zero = self.test(Op::FpIsZero, x);
                let other = self.not(zero);
                let below = self.all(&[negative, other]);
                self.any(&[nan, below])
            }
            (Op::FpMin | Op::FpMax, &[x, y]) => self.are_both((Op::FpIsNan, x), (Op::FpIsNan, y)),
            (Op::FpRoundToIntegral | Op::FpFromFloat, &[_, x]) | (Op::FpNeg | Op::FpAbs, &[x]) => {
                self.any_nan(&[x])
            }
            (Op::FpFromReal | Op::FpFromSbv | Op::FpFromUbv, _) => self.pool.bool(false),
            _ => return None,
        })
    }

    /// Another test of the class or sign.
    fn classified(&mut self, test: Op, term: Term) -> Option<Term> {
        let (op, args) = (self.pool.op(term), self.pool.written_args(term).to_vec());
        let has_sign = matches!(test, Op::FpIsNegative | Op::FpIsPositive);
        Some(match (test, op, &args[..]) {
            (_, Op::FpNeg | Op::FpAbs, &[x]) if !has_sign => self.test(test, x),
            (Op::FpIsNegative, Op::FpNeg, &[x]) => self.test(Op::FpIsPositive, x),
            (Op::FpIsPositive, Op::FpNeg, &[x]) => self.test(Op::FpIsNegative, x),
            (Op::FpIsNegative, Op::FpAbs, _) => self.pool.bool(false),
            (Op::FpIsPositive, Op::FpAbs, &[x]) => {
                let nan = self.test(Op::FpIsNan, x);
                self.not(nan)
            }
            (Op::FpIsZero, Op::FpSqrt, &[_, x]) => self.test(Op::FpIsZero, x),
            // Where the largest number is an integer, none is rounded above it.
            (Op::FpIsInfinite, Op::FpRoundToIntegral, &[_, x])
                if self.pool.float_format(x).is_some_and(|f| i64::from(f.fraction_bits()) <= f.bias()) =>
            {
                self.test(Op::FpIsInfinite, x)
            }
            (Op::FpIsInfinite, Op::FpSqrt, &[_, x]) => {
                self.are_both((Op::FpIsInfinite, x), (Op::FpIsPositive, x))
            }
            (Op::FpIsZero, Op::FpAdd | Op::FpSub, _) => {
                let (x, y) = self.difference(term)?;
                self.equal_and_finite(x, y)
            }
            _ => return None,
        })
    }

    /// The numbers whose difference, rounded, the term is.
    fn difference(&mut self, term: Term) -> Option<(Term, Term)> {
        match (self.pool.op(term), self.pool.args(term)) {
            (Op::FpSub, &[_, x, y]) => Some((x, y)),
            (Op::FpAdd, &[_, x, y]) => Some((x, self.test(Op::FpNeg, y))),
            _ => None,
        }
    }

    fn equal_and_finite(&mut self, x: Term, y: Term) -> Term {
        let equal = self.pool.mk(Op::FpEq, &[x, y]);
        let infinite = self.test(Op::FpIsInfinite, x);
        let finite = self.not(infinite);
        self.all(&[equal, finite])
    }

    /// A comparison of a sum or difference with zero.
    fn compared_with_zero(&mut self, op: Op, sum: Term) -> Option<Term> {
        let (x, y) = self.difference(sum)?;
        Some(match op {
            Op::FpLt | Op::FpGt => self.pool.mk(op, &[x, y]),
            Op::FpEq => self.equal_and_finite(x, y),
            _ => {
                // Equal infinities have no difference.
                let holds = self.pool.mk(op, &[x, y]);
                let infinite = self.infinite_pair(x, y, true);
                let others = self.not(infinite);
                self.all(&[holds, others])
            }
        })
    }
}

/// What is equal to a term and needs less arithmetic, if a law says so.
pub(crate) fn simpler(pool: &mut Pool, term: Term) -> Option<Term> {
    let op = pool.op(term);
    let args = pool.args(term);
    match (op, args) {
        (Op::FpIsNan, &[x]) => Maker { pool }.is_nan(x),
        (
            Op::FpIsZero
            | Op::FpIsInfinite
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsNegative
            | Op::FpIsPositive,
            &[x],
        ) => Maker { pool }.classified(op, x),
        (Op::FpLt | Op::FpGt, &[x, y]) if x == y => Some(pool.bool(false)),
        (Op::FpLe | Op::FpGe | Op::FpEq, &[x, y]) if x == y => {
            let nan = pool.mk(Op::FpIsNan, &[x]);
            Some(pool.mk(Op::Not, &[nan]))
        }
        (Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe | Op::FpEq, &[x, y]) => {
            let is_zero = |pool: &Pool, term: Term| {
                constants::float(pool, term).is_some_and(|value| constants::is_zero(&value))
            };
            match (is_zero(pool, x), is_zero(pool, y)) {
                (false, true) => Maker { pool }.compared_with_zero(op, x),
                (true, false) => Maker { pool }.compared_with_zero(flipped(op), y),
                _ => None,
            }
        }
        _ => None,
    }
}
