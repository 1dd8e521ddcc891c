//! What operators mean, over the words of their arguments: special cases, an exact result, then rounding.
//!
//! Nothing here is clever: quotients are divided, roots and remainders taken digit by digit.

use super::reals::SCALE;
use super::round::Parts;
use super::words::{Int, Words};
use super::{FloatOp, Format};
use crate::term::{Op, Term};
use num_bigint::BigUint;

/// The place of the mode "to nearest, ties to even".
const EVEN: u32 = 0;
/// The place of the mode "toward negative".
pub(super) const DOWN: u32 = 3;

/// The bits of a rounding mode.
pub(super) const MODE_BITS: u32 = 3;

impl Words<'_> {
    /// The word that stands for a number: NaN has one.
    fn canonical(&self, format: Format, x: Term) -> Term {
        self.ite(self.parts(format, x).nan, self.nan(format), x)
    }

    /// Does the word stand for a number?
    pub(super) fn is_canonical(&self, format: Format, x: Term) -> Term {
        self.eq(x, self.canonical(format, x))
    }

    /// An operator on numbers of a format. `free` is the result where there is none that is prescribed.
    pub(super) fn meaning(&self, op: FloatOp, format: Format, args: &[Term], free: Option<Term>) -> Term {
        use FloatOp as F;
        let top = format.width() - 1;
        let sign = |x: Term| self.extract(x, top, top);
        let signed = |sign: Term, x: Term| self.concat(&[sign, self.extract(x, top - 1, 0)]);
        let parts = |at: usize| self.parts(format, args[at]);
        let free = free.unwrap_or(args[0]);
        match (op, args) {
            (F::Abs, &[x]) => signed(self.value(1, 0u8), x),
            (F::Neg, &[x]) => self.ite(parts(0).nan, x, signed(self.mk(Op::BvNot, &[sign(x)]), x)),
            (F::Add, &[mode, ..]) => {
                let (x, y) = (parts(1), parts(2));
                let [a, b] = [&x, &y].map(|x| (x.negative, x.significand, self.unit(format, x)));
                let swap = self.less(x.magnitude, y.magnitude);
                let infinite = [x.infinite, y.infinite];
                self.sum(format, mode, (swap, a, b), self.or(&[x.nan, y.nan]), infinite)
            }
            (F::Mul, &[mode, ..]) => self.product(format, mode, &parts(1), &parts(2)),
            (F::Div, &[mode, ..]) => self.quotient(format, mode, &parts(1), &parts(2)),
            (F::Fma, &[mode, ..]) => self.fused(format, mode, &parts(1), &parts(2), &parts(3)),
            (F::Sqrt, &[mode, x]) => self.root(format, mode, x, &parts(1)),
            (F::Rem, &[x, _]) => self.remainder(format, x, &parts(0), &parts(1)),
            (F::Integral, &[mode, x]) => self.integral(format, mode, x, &parts(1)),
            (F::Min | F::Max, &[x, y]) => {
                let (a, b) = (parts(0), parts(1));
                let is_first = if op == F::Min { self.is_less(&a, &b) } else { self.is_less(&b, &a) };
                let number = self.ite(is_first, x, y);
                let are_opposite = self.and(&[a.zero, b.zero, self.xor(a.negative, b.negative)]);
                let bit = self.ite(a.negative, self.extract(free, 1, 1), self.extract(free, 0, 0));
                let number = self.ite(are_opposite, self.widen(bit, top), number);
                self.ite(a.nan, y, self.ite(b.nan, x, number))
            }
            (F::ToUnsigned(width), &[mode, _]) => self.integer(format, mode, &parts(1), (width, false), free),
            (F::ToSigned(width), &[mode, _]) => self.integer(format, mode, &parts(1), (width, true), free),
            (F::ToBits, &[x]) => x,
            (F::ToReal, &[x]) => {
                let number = [self.value(MODE_BITS, EVEN), x];
                let place = self.place(self.conversion(F::FromFloat(SCALE), SCALE, Some(format), &number));
                let (x, open) = (parts(0), self.parts(SCALE, self.at_place(free)));
                let open =
                    self.ite(self.or(&[open.nan, open.infinite]), self.value(SCALE.width(), 0u8), free);
                self.ite(self.or(&[x.nan, x.infinite]), open, place)
            }
            (F::Lt, _) => self.is_less(&parts(0), &parts(1)),
            (F::Eq, &[x, y]) => {
                let (a, b) = (parts(0), parts(1));
                let same = self.or(&[self.eq(x, y), self.and(&[a.zero, b.zero])]);
                self.and(&[same, self.not(a.nan), self.not(b.nan)])
            }
            (F::IsNormal, _) => {
                let x = parts(0);
                self.not(self.or(&[x.nan, x.infinite, x.zero, x.subnormal]))
            }
            (F::IsSubnormal, _) => parts(0).subnormal,
            (F::IsZero, _) => parts(0).zero,
            (F::IsInfinite, _) => parts(0).infinite,
            (F::IsNan, _) => parts(0).nan,
            (F::IsNegative, _) => parts(0).negative,
            (F::IsPositive, _) => self.not(self.or(&[parts(0).negative, parts(0).nan])),
            _ => self.mk(Op::Float(op), args),
        }
    }

    /// A number of another format, a word or a real as a number.
    pub(super) fn conversion(&self, op: FloatOp, to: Format, from: Option<Format>, args: &[Term]) -> Term {
        match (op, args, from) {
            (FloatOp::FromBits(_), &[word], _) => self.canonical(to, word),
            (FloatOp::FromFloat(_), &[_, x], Some(from)) if from == to => x,
            (FloatOp::FromFloat(_), &[mode, x], Some(from)) => {
                let x = self.parts(from, x);
                let number = self.rounded(to, mode, x.negative, x.significand, self.unit(from, &x));
                self.special(to, x.nan, (x.infinite, x.negative), number)
            }
            (FloatOp::FromSigned(_), &[mode, word], _) => {
                let negative = self.at(word, self.width(word) - 1);
                let magnitude = self.ite(negative, self.mk(Op::BvNeg, &[word]), word);
                self.rounded(to, mode, negative, magnitude, self.number(0))
            }
            _ => self.mk(Op::Float(op), args),
        }
    }

    /// A real constant as a number. Its first binary digits are a significand, whose last bit says whether
    /// there are others.
    pub(super) fn real(
        &self,
        to: Format,
        mode: Term,
        negative: bool,
        above: &BigUint,
        below: &BigUint,
    ) -> Term {
        if above.bits() == 0 {
            return self.value(to.width(), 0u8);
        }
        let scaled = |by: i64| (above << by.max(0).unsigned_abs(), below << by.min(0).unsigned_abs());
        let digits = i64::from(to.significand) + 3;
        let mut by = digits - above.bits() as i64 + below.bits() as i64;
        let (dividend, divisor) = scaled(by);
        if ((&dividend / &divisor) >> digits).bits() == 0 {
            by += 1;
        }
        let (dividend, divisor) = scaled(by - 1);
        let (quotient, rest) = (&dividend / &divisor, &dividend % &divisor);
        let significand: BigUint = (quotient << 1) + u8::from(rest.bits() > 0);
        let significand = self.value(to.significand + 4, significand);
        self.rounded(to, mode, self.truth(negative), significand, self.number(-by))
    }

    fn is_less(&self, x: &Parts, y: &Parts) -> Term {
        let numbers = self.not(self.or(&[x.nan, y.nan, self.and(&[x.zero, y.zero])]));
        let same =
            self.ite(x.negative, self.less(y.magnitude, x.magnitude), self.less(x.magnitude, y.magnitude));
        let less = self.ite(self.xor(x.negative, y.negative), x.negative, same);
        self.and(&[numbers, less])
    }

    /// The sum of two numbers, by sign, word and exponent of the last bit. That with the larger exponent is
    /// first or, with `swap`, second; it is not less.
    fn sum(
        &self,
        format: Format,
        mode: Term,
        (swap, a, b): (Term, (Term, Term, Int), (Term, Term, Int)),
        nan: Term,
        infinite: [Term; 2],
    ) -> Term {
        let pick = |a: Term, b: Term| [self.ite(swap, b, a), self.ite(swap, a, b)];
        let unit = self.chosen(swap, b.2, a.2);
        let apart = self.chosen(swap, self.minus(b.2, a.2), self.minus(a.2, b.2));
        let [large, small] = pick(a.1, b.1).map(|word| self.widen(word, 3));
        let most = self.width(large) - 1;
        let small = self.shifted_down(small, self.clamped(apart, 0, most), most);
        let [large, small] = [large, small].map(|word| self.extend(word, 1));
        let opposite = self.xor(a.0, b.0);
        let sum = self.add(large, self.ite(opposite, self.mk(Op::BvNeg, &[small]), small));
        let zero = self.ite(opposite, self.is_mode(mode, DOWN), a.0);
        let sign = self.ite(self.is(sum, 0), zero, pick(a.0, b.0)[0]);
        let number = self.rounded(format, mode, sign, sum, self.shifted(unit, -3));
        let nan = self.or(&[nan, self.and(&[infinite[0], infinite[1], opposite])]);
        let sign = self.ite(infinite[0], a.0, b.0);
        self.special(format, nan, (self.or(&infinite), sign), number)
    }

    /// The exact product, and the exponent of its last bit.
    fn exact_product(&self, format: Format, x: &Parts, y: &Parts) -> (Term, Int) {
        let [a, b] = [x, y].map(|x| self.extend(x.significand, format.significand));
        (self.mk(Op::BvMul, &[a, b]), self.plus(self.unit(format, x), self.unit(format, y)))
    }

    fn product(&self, format: Format, mode: Term, x: &Parts, y: &Parts) -> Term {
        let (product, unit) = self.exact_product(format, x, y);
        let negative = self.xor(x.negative, y.negative);
        let number = self.rounded(format, mode, negative, product, unit);
        self.special(format, self.no_product(x, y), (self.or(&[x.infinite, y.infinite]), negative), number)
    }

    fn no_product(&self, x: &Parts, y: &Parts) -> Term {
        self.or(&[x.nan, y.nan, self.and(&[x.infinite, y.zero]), self.and(&[x.zero, y.infinite])])
    }

    fn quotient(&self, format: Format, mode: Term, x: &Parts, y: &Parts) -> Term {
        let p = format.significand;
        let [(a, a_zeros), (b, b_zeros)] = [x, y].map(|x| self.normal(x.significand));
        let (dividend, divisor) = (self.widen(a, p + 1), self.extend(b, p + 1));
        let quotient = self.extract(self.mk(Op::BvUdiv, &[dividend, divisor]), p + 1, 0);
        let rest = self.not(self.is(self.mk(Op::BvUrem, &[dividend, divisor]), 0));
        let units = [(x, a_zeros), (y, b_zeros)].map(|(x, zeros)| self.minus(self.unit(format, x), zeros));
        let unit = self.shifted(self.minus(units[0], units[1]), -i64::from(p) - 2);
        let negative = self.xor(x.negative, y.negative);
        let significand = self.concat(&[quotient, self.bit(rest)]);
        let number = self.rounded(format, mode, negative, significand, unit);
        let zero = self.concat(&[self.bit(negative), self.value(format.width() - 1, 0u8)]);
        let number = self.ite(self.or(&[x.zero, y.infinite]), zero, number);
        let both = [self.and(&[x.infinite, y.infinite]), self.and(&[x.zero, y.zero])];
        let nan = self.or(&[x.nan, y.nan, both[0], both[1]]);
        self.special(format, nan, (self.or(&[x.infinite, y.zero]), negative), number)
    }

    /// The product has twice the bits; the summand gets as many. Both without zeros in front, so that the one
    /// with the larger exponent is larger.
    fn fused(&self, format: Format, mode: Term, x: &Parts, y: &Parts, z: &Parts) -> Term {
        let p = format.significand;
        let (product, unit) = self.exact_product(format, x, y);
        let negative = self.xor(x.negative, y.negative);
        let (a, zeros) = self.normal(product);
        let a_unit = self.minus(unit, zeros);
        let (b, zeros) = self.normal(z.significand);
        let (b, b_unit) =
            (self.widen(b, p), self.shifted(self.minus(self.unit(format, z), zeros), -i64::from(p)));
        let apart = self.minus(a_unit, b_unit);
        let lower = self.or(&[self.below(apart, 0), self.and(&[self.below(apart, 1), self.less(a, b)])]);
        let swap = self.or(&[x.zero, y.zero, self.and(&[lower, self.not(z.zero)])]);
        let both = (swap, (negative, a, a_unit), (z.negative, b, b_unit));
        let nan = self.or(&[self.no_product(x, y), z.nan]);
        self.sum(format, mode, both, nan, [self.or(&[x.infinite, y.infinite]), z.infinite])
    }

    /// Two bits of the radicand give one of the root.
    fn root(&self, format: Format, mode: Term, x: Term, of: &Parts) -> Term {
        let p = format.significand;
        let (word, zeros) = self.normal(of.significand);
        let unit = self.shifted(self.minus(self.unit(format, of), zeros), -i64::from(p) - 1);
        let is_odd = self.is(self.bits(unit, 1), 1);
        let radicand = self.widen(self.extend(word, 1), p + 1);
        let radicand = self.ite(is_odd, self.widen(self.extract(radicand, 2 * p, 0), 1), radicand);
        let unit = self.chosen(is_odd, self.shifted(unit, -1), unit);
        let (mut root, mut rest): (Option<Term>, Option<Term>) = (None, None);
        for at in 0..=p {
            if self.has_failed() {
                break;
            }
            let high = 2 * (p - at) + 1;
            let pair = self.extract(radicand, high, high - 1);
            // The rest is at most twice the root.
            let behind =
                |word: Option<Term>, last: Term| word.map_or(last, |word| self.concat(&[word, last]));
            let now = self.extend(behind(rest, pair), u32::from(at == 0));
            let trial = self.resize(behind(root, self.value(2, 1u8)), self.width(now));
            let fits = self.not(self.less(now, trial));
            let left = self.ite(fits, self.sub(now, trial), now);
            rest = Some(self.extract(left, at + 1, 0));
            root = Some(behind(root, self.bit(fits)));
        }
        let (Some(root), Some(rest)) = (root, rest) else { return x };
        let significand = self.concat(&[root, self.bit(self.not(self.is(rest, 0)))]);
        let unit = self.shifted(self.half(unit), -1);
        let number = self.rounded(format, mode, self.truth(false), significand, unit);
        let number = self.ite(of.zero, x, number);
        let nan = self.or(&[of.nan, self.and(&[of.negative, self.not(of.zero)])]);
        self.special(format, nan, (of.infinite, self.truth(false)), number)
    }

    /// Half of `y` times two to the power of their distance divides `x`, bit by bit; what is left is at most
    /// half of `y` then, or `y` is subtracted once more.
    fn remainder(&self, format: Format, x: Term, of: &Parts, by: &Parts) -> Term {
        let p = format.significand;
        let most = i64::from(format.special());
        let exponents = [of, by].map(|x| self.int(x.exponent, 0, most));
        let apart = self.shifted(self.minus(exponents[0], exponents[1]), 1);
        let divisor = self.extend(self.widen(by.significand, 1), 1);
        let dividend = self.extend(of.significand, 2);
        let mut rest = self.mk(Op::BvUrem, &[dividend, divisor]);
        let mut odd = self.at(self.mk(Op::BvUdiv, &[dividend, divisor]), 0);
        let steps = self.clamped(apart, 0, format.special());
        for place in (0..format.exponent).rev() {
            let (mut now, mut last) = (rest, odd);
            for _ in 0..1u64 << place {
                if self.has_failed() {
                    return x;
                }
                now = self.widen(self.extract(now, p, 0), 1);
                last = self.not(self.less(now, divisor));
                now = self.ite(last, self.sub(now, divisor), now);
            }
            let is_set = self.at(steps, place);
            (rest, odd) = (self.ite(is_set, now, rest), self.ite(is_set, last, odd));
        }
        let twice = self.widen(self.extract(rest, p, 0), 1);
        let more = self.less(divisor, twice);
        let beyond = self.or(&[more, self.and(&[self.eq(divisor, twice), odd])]);
        let left = self.ite(beyond, self.sub(divisor, rest), rest);
        let negative = self.xor(of.negative, self.and(&[beyond, self.not(self.is(left, 0))]));
        let unit = self.shifted(self.unit(format, by), -1);
        let number = self.rounded(format, self.value(MODE_BITS, EVEN), negative, left, unit);
        let is_small = self.or(&[self.below(apart, 0), by.infinite, of.zero]);
        let nan = self.or(&[of.nan, by.nan, of.infinite, by.zero]);
        self.ite(nan, self.nan(format), self.ite(is_small, x, number))
    }

    fn integral(&self, format: Format, mode: Term, x: Term, of: &Parts) -> Term {
        let most = format.significand + 1;
        let unit = self.unit(format, of);
        let down = self.clamped(self.minus(self.number(0), unit), 0, most);
        let word = self.shifted_down(self.widen(of.significand, 2), down, most);
        let away = self.away(mode, of.negative, [2, 1, 0].map(|place| self.at(word, place)));
        let whole = self.extract(word, format.significand + 1, 2);
        let whole = self.add(whole, self.extend(self.bit(away), format.significand - 1));
        let number = self.rounded(format, mode, of.negative, whole, self.number(0));
        let is_whole = self.or(&[self.not(self.below(unit, 0)), of.nan, of.infinite, of.zero]);
        self.ite(is_whole, x, number)
    }

    /// The integer as a word, where there is one of the width.
    fn integer(
        &self,
        format: Format,
        mode: Term,
        x: &Parts,
        (width, signed): (u32, bool),
        free: Term,
    ) -> Term {
        let (p, width_up) = (format.significand, i64::from(width));
        // One more than the exponent of the first bit's place, so that -1 is a number below one half.
        let first = self.shifted(self.unit(format, x), i64::from(p));
        let up = self.clamped(self.shifted(first, 1), 0, width + 2);
        let word = self.extend(x.significand, width + 2);
        let word = self.mk(Op::BvShl, &[word, self.resize(up, width + 2 + p)]);
        let bits =
            [self.at(word, p + 1), self.at(word, p), self.not(self.is(self.extract(word, p - 1, 0), 0))];
        let away = self.away(mode, x.negative, bits);
        let whole = self.extend(self.extract(word, width + p + 1, p + 1), 1);
        let whole = self.add(whole, self.extend(self.bit(away), width + 1));
        let limit = |value: BigUint| self.value(width + 2, value);
        let power = BigUint::from(1u8) << if signed { width - 1 } else { width };
        let limits = match signed {
            true => self.ite(x.negative, limit(&power + 1u8), limit(power)),
            false => self.ite(x.negative, limit(1u8.into()), limit(power)),
        };
        let fits = [
            self.less(whole, limits),
            self.below(first, width_up + 2),
            self.not(x.nan),
            self.not(x.infinite),
        ];
        let low = self.extract(whole, width - 1, 0);
        let value = self.ite(x.negative, self.mk(Op::BvNeg, &[low]), low);
        self.ite(self.and(&fits), value, free)
    }
}
