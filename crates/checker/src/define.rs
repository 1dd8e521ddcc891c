//! The operators of SMT-LIB that are abbreviations: each is written out as the standard, or the paper that it
//! comes from, defines it.
//!
//! Everything here is a definition that a reader must agree with; nothing is clever. Operators that overflow
//! are defined by one more bit (sums) or twice the bits (products).

use crate::term::{BYTES, Op, Term, Terms};
use num_bigint::BigUint;

type Made = Result<Term, String>;

/// `distinct` of n arguments is written out as n (n - 1) / 2 equations; more than half a million are refused.
const MOST_DISTINCT: usize = 1024;

impl Terms {
    /// `(not a)`
    pub fn not(&mut self, a: Term) -> Made {
        self.mk(Op::Not, &[a])
    }

    /// The operator applied to the first two, to that and the third, and so on.
    pub fn chain(&mut self, op: Op, args: &[Term]) -> Made {
        let (&first, rest) = args.split_first().ok_or("an operator without arguments")?;
        rest.iter().try_fold(first, |left, &right| self.mk(op, &[left, right]))
    }

    /// The conjunction of `holds` for all neighbours.
    pub fn neighbours(&mut self, args: &[Term], holds: fn(&mut Terms, Term, Term) -> Made) -> Made {
        let all: Vec<Term> =
            args.windows(2).map(|pair| holds(self, pair[0], pair[1])).collect::<Result<_, _>>()?;
        if all.is_empty() {
            return Err("a relation of fewer than two arguments".into());
        }
        self.chain(Op::And, &all)
    }

    /// `(distinct ...)`: no two are equal.
    ///
    /// # Errors
    ///
    /// When there are fewer than two arguments, or more than are written out.
    pub fn distinct(&mut self, args: &[Term]) -> Made {
        if args.len() > MOST_DISTINCT {
            return Err(format!("distinct of more than {MOST_DISTINCT} arguments"));
        }
        let mut all = vec![];
        for (at, &a) in args.iter().enumerate() {
            for &b in &args[at + 1..] {
                let equal = self.mk(Op::Eq, &[a, b])?;
                all.push(self.not(equal)?);
            }
        }
        if all.is_empty() {
            return Err("distinct of fewer than two arguments".into());
        }
        self.chain(Op::And, &all)
    }

    /// `(=> a b)`
    pub fn implies(&mut self, a: Term, b: Term) -> Made {
        let not = self.not(a)?;
        self.mk(Op::Or, &[not, b])
    }

    /// A number that is a bit-vector as wide as `like`.
    pub fn number_like(&mut self, like: Term, number: u32) -> Made {
        let width = self.width(like).ok_or("a bit-vector was expected")?;
        self.value(width, BigUint::from(number))
    }

    /// The sign: is the first bit 1?
    pub fn sign(&mut self, a: Term) -> Made {
        let zero = self.number_like(a, 0)?;
        self.mk(Op::BvSlt, &[a, zero])
    }

    /// `(bvsub a b)`: `a + -b`
    pub fn sub(&mut self, a: Term, b: Term) -> Made {
        let minus = self.mk(Op::BvNeg, &[b])?;
        self.mk(Op::BvAdd, &[a, minus])
    }

    /// A complemented binary operator: `bvnand`, `bvnor`, `bvxnor`.
    pub fn complement(&mut self, op: Op, a: Term, b: Term) -> Made {
        let inner = self.mk(op, &[a, b])?;
        self.mk(Op::BvNot, &[inner])
    }

    /// `(bvcomp a b)`: one bit.
    pub fn comp(&mut self, a: Term, b: Term) -> Made {
        let equal = self.mk(Op::Eq, &[a, b])?;
        self.bit(equal)
    }

    /// The truth value as one bit.
    pub fn bit(&mut self, truth: Term) -> Made {
        let (one, zero) = (self.value(1, 1u8.into())?, self.value(1, 0u8.into())?);
        self.mk(Op::Ite, &[truth, one, zero])
    }

    /// `a <= b` by an order `<`.
    pub fn at_most(&mut self, less: Op, a: Term, b: Term) -> Made {
        let greater = self.mk(less, &[b, a])?;
        self.not(greater)
    }

    /// `((_ zero_extend more) a)`
    pub fn zero_extend(&mut self, more: u32, a: Term) -> Made {
        if more == 0 {
            return Ok(a);
        }
        let zeros = self.value(more, BigUint::default())?;
        self.mk(Op::Concat, &[zeros, a])
    }

    /// `((_ sign_extend more) a)`
    pub fn sign_extend(&mut self, more: u32, a: Term) -> Made {
        if more == 0 { Ok(a) } else { self.mk(Op::SignExtend(more), &[a]) }
    }

    /// `((_ repeat times) a)`
    pub fn repeat(&mut self, times: u32, a: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        if u64::from(width) * u64::from(times) > u64::from(crate::term::MOST_BITS) {
            return Err("a repetition is too wide".into());
        }
        self.budget.has_room(u64::from(times) * BYTES)?;
        self.chain(Op::Concat, &vec![a; times as usize])
    }

    /// `((_ rotate_left by) a)`
    pub fn rotate_left(&mut self, by: u32, a: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        let by = by % width;
        if by == 0 {
            return Ok(a);
        }
        let low = self.mk(Op::Extract(width - by - 1, 0), &[a])?;
        let high = self.mk(Op::Extract(width - 1, width - by), &[a])?;
        self.mk(Op::Concat, &[low, high])
    }

    /// `((_ rotate_right by) a)`
    pub fn rotate_right(&mut self, by: u32, a: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        self.rotate_left(width - by % width, a)
    }

    /// `(ext_rotate_left a by)`: by a term, modulo the width.
    pub fn rotate_by(&mut self, left: bool, a: Term, by: Term) -> Made {
        let width = self.number_like(a, self.width(a).ok_or("a bit-vector was expected")?)?;
        // Where the width is no number of so many bits, every amount is smaller: two to the power of a width
        // is larger than the width.
        let by = self.mk(Op::BvUrem, &[by, width])?;
        let rest = self.sub(width, by)?;
        let (shift, back) = if left { (Op::BvShl, Op::BvLshr) } else { (Op::BvLshr, Op::BvShl) };
        let one = self.mk(shift, &[a, by])?;
        let two = self.mk(back, &[a, rest])?;
        self.mk(Op::BvOr, &[one, two])
    }

    /// The absolute value, modulo two to the power of the width.
    fn magnitude(&mut self, a: Term) -> Made {
        let (sign, minus) = (self.sign(a)?, self.mk(Op::BvNeg, &[a])?);
        self.mk(Op::Ite, &[sign, minus, a])
    }

    /// `(bvsdiv a b)`: the quotient of magnitudes, negated where the signs differ.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Made {
        let (x, y) = (self.magnitude(a)?, self.magnitude(b)?);
        let quotient = self.mk(Op::BvUdiv, &[x, y])?;
        let minus = self.mk(Op::BvNeg, &[quotient])?;
        let (sign_a, sign_b) = (self.sign(a)?, self.sign(b)?);
        let differ = self.mk(Op::Xor, &[sign_a, sign_b])?;
        self.mk(Op::Ite, &[differ, minus, quotient])
    }

    /// `(bvsrem a b)`: the remainder of magnitudes, with the sign of the dividend.
    pub fn srem(&mut self, a: Term, b: Term) -> Made {
        let (x, y) = (self.magnitude(a)?, self.magnitude(b)?);
        let remainder = self.mk(Op::BvUrem, &[x, y])?;
        let minus = self.mk(Op::BvNeg, &[remainder])?;
        let sign = self.sign(a)?;
        self.mk(Op::Ite, &[sign, minus, remainder])
    }

    /// `(bvsmod a b)`: the remainder with the sign of the divisor, as the standard writes it out.
    pub fn smod(&mut self, a: Term, b: Term) -> Made {
        let (x, y) = (self.magnitude(a)?, self.magnitude(b)?);
        let u = self.mk(Op::BvUrem, &[x, y])?;
        let minus = self.mk(Op::BvNeg, &[u])?;
        let zero = self.number_like(a, 0)?;
        let is_zero = self.mk(Op::Eq, &[u, zero])?;
        let (sign_a, sign_b) = (self.sign(a)?, self.sign(b)?);
        let both_negative = minus;
        let minus_plus = self.mk(Op::BvAdd, &[minus, b])?;
        let plus = self.mk(Op::BvAdd, &[u, b])?;
        let negative_dividend = self.mk(Op::Ite, &[sign_b, both_negative, minus_plus])?;
        let positive_dividend = self.mk(Op::Ite, &[sign_b, plus, u])?;
        let signs = self.mk(Op::Ite, &[sign_a, negative_dividend, positive_dividend])?;
        self.mk(Op::Ite, &[is_zero, u, signs])
    }

    /// `(bvnego a)`: is it the least number?
    pub fn nego(&mut self, a: Term) -> Made {
        let least = self.least_like(a)?;
        self.mk(Op::Eq, &[a, least])
    }

    /// The least signed number as wide as `like`.
    fn least_like(&mut self, like: Term) -> Made {
        let width = self.width(like).ok_or("a bit-vector was expected")?;
        self.value(width, BigUint::from(1u8) << (width - 1))
    }

    /// `(bvuaddo a b)` and its like: does the result of the operator, on operands that are extended by `more`
    /// bits, differ from the extension of its low part?
    fn overflows(&mut self, op: Op, signed: bool, more: u32, a: Term, b: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        let (wide_a, wide_b) = match signed {
            true => (self.sign_extend(more, a)?, self.sign_extend(more, b)?),
            false => (self.zero_extend(more, a)?, self.zero_extend(more, b)?),
        };
        let result = self.mk(op, &[wide_a, wide_b])?;
        let low = self.mk(Op::Extract(width - 1, 0), &[result])?;
        let extended = if signed { self.sign_extend(more, low)? } else { self.zero_extend(more, low)? };
        let fits = self.mk(Op::Eq, &[result, extended])?;
        self.not(fits)
    }

    /// `(bvuaddo a b)`, or signed `(bvsaddo a b)`
    pub fn addo(&mut self, signed: bool, a: Term, b: Term) -> Made {
        self.overflows(Op::BvAdd, signed, 1, a, b)
    }

    /// `(bvumulo a b)`, or signed `(bvsmulo a b)`
    pub fn mulo(&mut self, signed: bool, a: Term, b: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        self.overflows(Op::BvMul, signed, width, a, b)
    }

    /// `(bvsmul_noovfl a b)`: the signed product is not too large, or `(bvsmul_noudfl a b)`, not too small.
    /// What overflows is not 0, so the signs of the operands say in which direction.
    pub fn smul_fits(&mut self, above: bool, a: Term, b: Term) -> Made {
        let overflows = self.mulo(true, a, b)?;
        let top = self.width(a).ok_or("a bit-vector was expected")? - 1;
        let (left, right) = (self.mk(Op::Extract(top, top), &[a])?, self.mk(Op::Extract(top, top), &[b])?);
        let equal = self.mk(Op::Eq, &[left, right])?;
        let outwards = if above { equal } else { self.not(equal)? };
        let beyond = self.mk(Op::And, &[overflows, outwards])?;
        self.not(beyond)
    }

    /// `(bvusubo a b)`
    pub fn usubo(&mut self, a: Term, b: Term) -> Made {
        self.mk(Op::BvUlt, &[a, b])
    }

    /// `(bvssubo a b)`: does the difference of the extensions not fit?
    pub fn ssubo(&mut self, a: Term, b: Term) -> Made {
        let (wide_a, wide_b) = (self.sign_extend(1, a)?, self.sign_extend(1, b)?);
        let minus = self.mk(Op::BvNeg, &[wide_b])?;
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        let result = self.mk(Op::BvAdd, &[wide_a, minus])?;
        let low = self.mk(Op::Extract(width - 1, 0), &[result])?;
        let extended = self.sign_extend(1, low)?;
        let fits = self.mk(Op::Eq, &[result, extended])?;
        self.not(fits)
    }

    /// `(bvsdivo a b)`: the least number by minus one.
    pub fn sdivo(&mut self, a: Term, b: Term) -> Made {
        let least = self.least_like(a)?;
        let zero = self.number_like(b, 0)?;
        let ones = self.mk(Op::BvNot, &[zero])?;
        let (first, second) = (self.mk(Op::Eq, &[a, least])?, self.mk(Op::Eq, &[b, ones])?);
        self.mk(Op::And, &[first, second])
    }

    /// `(bvredxor a)`: the parity, as one bit.
    pub fn parity(&mut self, a: Term) -> Made {
        let width = self.width(a).ok_or("a bit-vector was expected")?;
        let bits: Vec<Term> =
            (0..width).map(|at| self.mk(Op::Extract(at, at), &[a])).collect::<Result<_, _>>()?;
        self.chain(Op::BvXor, &bits)
    }

    /// `(bvredor a)`, or `(bvredand a)`, as one bit.
    pub fn reduce(&mut self, and: bool, a: Term) -> Made {
        let zero = self.number_like(a, 0)?;
        let other = if and { self.mk(Op::BvNot, &[zero])? } else { zero };
        let equal = self.mk(Op::Eq, &[a, other])?;
        let truth = if and { equal } else { self.not(equal)? };
        self.bit(truth)
    }
}
