//! The algorithms, over natural numbers of either kind.

use crate::natural::Natural;
use crate::{Format, RoundingMode};
use num_bigint::BigUint;

/// The numbers of a format as the algorithms use them.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Bits of the exponent field.
    pub(super) eb: i64,
    /// Bits of the significand.
    pub(super) p: i64,
    /// Bits of the fraction.
    pub(super) f: i64,
    pub(super) bias: i64,
    pub(super) width: i64,
}

/// A packed value, taken apart. Infinities and NaN have parts as well; they mean nothing.
pub(super) struct Parts<N> {
    pub(super) negative: bool,
    /// The significand, with the hidden bit, not normalised.
    pub(super) m: N,
    /// The exponent field, that of subnormal values being 1: the value is `m * 2^(e - bias - f)`.
    pub(super) e: i64,
    pub(super) nan: bool,
    pub(super) infinite: bool,
    pub(super) zero: bool,
}

/// Whether to take the next number away from zero, by the last bit kept, the first bit dropped, and the
/// others.
pub(super) fn is_away(mode: RoundingMode, negative: bool, odd: bool, guard: bool, sticky: bool) -> bool {
    match mode {
        RoundingMode::NearestEven => guard && (sticky || odd),
        RoundingMode::NearestAway => guard,
        RoundingMode::TowardPositive => !negative && (guard || sticky),
        RoundingMode::TowardNegative => negative && (guard || sticky),
        RoundingMode::TowardZero => false,
    }
}

/// `n / 2^by`, rounded to an integer; `by` is not negative.
pub(super) fn shift_rounded<N: Natural>(mode: RoundingMode, negative: bool, n: &N, by: i64) -> N {
    if by == 0 {
        return n.clone();
    }
    let kept = n.shr(by);
    let sticky = !n.low(by - 1).is_zero();
    let away = is_away(mode, negative, kept.bit(0), n.bit(by - 1), sticky);
    kept.plus(&N::small(u64::from(away)))
}

/// `n / 2^by`, with the sticky bit.
pub(super) fn shift_sticky<N: Natural>(n: &N, by: i64) -> N {
    n.shr(by).sticky(!n.low(by).is_zero())
}

impl Layout {
    pub(super) fn of(format: Format) -> Layout {
        Layout {
            eb: format.exponent_bits().into(),
            p: format.significand_bits().into(),
            f: format.fraction_bits().into(),
            bias: format.bias(),
            width: format.width().into(),
        }
    }

    pub(super) fn infinity<N: Natural>(&self, negative: bool) -> N {
        let ones = N::small((1 << self.eb) - 1).shl(self.f);
        if negative { ones.plus(&self.zero(true)) } else { ones }
    }

    pub(super) fn nan<N: Natural>(&self) -> N {
        self.infinity::<N>(false).plus(&N::small(1).shl(self.f - 1))
    }

    pub(super) fn zero<N: Natural>(&self, negative: bool) -> N {
        N::small(u64::from(negative)).shl(self.width - 1)
    }

    pub(super) fn negated<N: Natural>(&self, x: &N) -> N {
        let sign = self.zero(true);
        if *x == self.nan() {
            x.clone()
        } else if *x >= sign {
            x.minus(&sign)
        } else {
            x.plus(&sign)
        }
    }

    pub(super) fn sign<N: Natural>(&self, x: &N) -> bool {
        x.bit(self.width - 1)
    }

    pub(super) fn magnitude<N: Natural>(&self, x: &N) -> N {
        x.low(self.width - 1)
    }

    pub(super) fn parts<N: Natural>(&self, x: &N) -> Parts<N> {
        let magnitude = self.magnitude(x);
        let infinity = self.infinity(false);
        let hidden = N::small(1).shl(self.f);
        let fraction = magnitude.low(self.f);
        let is_subnormal = magnitude < hidden;
        let field = magnitude.shr(self.f).to_i64();
        Parts {
            negative: self.sign(x),
            m: if is_subnormal { fraction } else { fraction.plus(&hidden) },
            e: field.max(1),
            nan: magnitude > infinity,
            infinite: magnitude == infinity,
            zero: magnitude.is_zero(),
        }
    }

    /// The significand with its leading one on top, and the exponent that goes with it.
    pub(super) fn normalised<N: Natural>(&self, x: &Parts<N>) -> (N, i64) {
        let zeros = if x.zero { 0 } else { self.p - x.m.length() };
        (x.m.shl(zeros), x.e - zeros)
    }

    /// The exponent of the last bit of a significand whose exponent field is `e`.
    pub(super) fn last(&self, e: i64) -> i64 {
        e - self.bias - self.f
    }

    /// The packed value of `±n * 2^k`; zero has the sign `zero`.
    pub(super) fn round<N: Natural>(
        &self,
        mode: RoundingMode,
        negative: bool,
        n: &N,
        k: i64,
        zero: bool,
    ) -> N {
        if n.is_zero() {
            return self.zero(zero);
        }
        // The exponent field of the leading one, were there no bounds.
        let e = k + n.length() - 1 + self.bias;
        // Two bits more than the significand has, at least, so that there are bits to drop.
        let pad = (self.p + 2 - n.length()).max(0);
        let n = n.shl(pad);
        let drop = n.length() - self.p + (1 - e).clamp(0, self.p + 1);
        if e >= 1 << self.eb {
            return self.overflow(mode, negative);
        }
        let kept = shift_rounded(mode, negative, &n, drop);
        // The hidden bit adds one to the field. So does a carry, from subnormal to normal as well.
        let magnitude = kept.plus(&N::small((e - 1).max(0).unsigned_abs()).shl(self.f));
        if magnitude >= self.infinity(false) {
            return self.overflow(mode, negative);
        }
        magnitude.plus(&self.zero(negative))
    }

    pub(super) fn overflow<N: Natural>(&self, mode: RoundingMode, negative: bool) -> N {
        let infinity = self.infinity::<N>(negative);
        // As if there were something to drop beyond the largest value.
        if is_away(mode, negative, true, true, true) { infinity } else { infinity.minus(&N::small(1)) }
    }

    pub(super) fn add<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
        let (px, py) = (self.parts(x), self.parts(y));
        if px.nan || py.nan || (px.infinite && py.infinite && px.negative != py.negative) {
            return self.nan();
        }
        if px.infinite {
            return x.clone();
        }
        if py.infinite {
            return y.clone();
        }
        let is_ordered = self.magnitude(x) >= self.magnitude(y);
        let (large, little) = if is_ordered { (px, py) } else { (py, px) };
        let distance = (large.e - little.e).min(self.p + 2);
        let (a, b) = (large.m.shl(3), shift_sticky(&little.m.shl(3), distance));
        let is_sum = large.negative == little.negative;
        let n = if is_sum { a.plus(&b) } else { a.minus(&b) };
        let zero = if is_sum { large.negative } else { mode == RoundingMode::TowardNegative };
        self.round(mode, large.negative, &n, self.last(large.e) - 3, zero)
    }

    pub(super) fn mul<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
        let (x, y) = (self.parts(x), self.parts(y));
        let negative = x.negative != y.negative;
        if x.nan || y.nan || (x.infinite && y.zero) || (x.zero && y.infinite) {
            return self.nan();
        }
        if x.infinite || y.infinite {
            return self.infinity(negative);
        }
        self.round(mode, negative, &x.m.times(&y.m), self.last(x.e) + self.last(y.e), negative)
    }

    pub(super) fn div<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
        let (x, y) = (self.parts(x), self.parts(y));
        let negative = x.negative != y.negative;
        if x.nan || y.nan || (x.infinite && y.infinite) || (x.zero && y.zero) {
            return self.nan();
        }
        if x.infinite || y.zero {
            return self.infinity(negative);
        }
        if x.zero || y.infinite {
            return self.zero(negative);
        }
        let ((mx, ex), (my, ey)) = (self.normalised(&x), self.normalised(&y));
        // Digits of the quotient: p + 1 or p + 2, and one that says whether it goes on.
        let (quotient, rest) = mx.shl(self.p + 1).over(&my);
        let n = quotient.shl(1).sticky(!rest.is_zero());
        self.round(mode, negative, &n, ex - ey - self.p - 2, negative)
    }

    pub(super) fn fma<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N, z: &N) -> N {
        let (x, y) = (self.parts(x), self.parts(y));
        let (packed, z) = (z, self.parts(z));
        let negative = x.negative != y.negative;
        let is_product_infinite = x.infinite || y.infinite;
        let is_undefined = (x.infinite && y.zero)
            || (x.zero && y.infinite)
            || (is_product_infinite && z.infinite && z.negative != negative);
        if x.nan || y.nan || z.nan || is_undefined {
            return self.nan();
        }
        if is_product_infinite {
            return self.infinity(negative);
        }
        let is_down = mode == RoundingMode::TowardNegative;
        if z.infinite || ((x.zero || y.zero) && !z.zero) {
            return packed.clone();
        }
        if x.zero || y.zero {
            return self.zero(if z.negative == negative { negative } else { is_down });
        }
        let ((mx, ex), (my, ey)) = (self.normalised(&x), self.normalised(&y));
        let (product, last) = (mx.times(&my), self.last(ex) + self.last(ey));
        if z.zero {
            return self.round(mode, negative, &product, last, negative);
        }
        let (mz, ez) = self.normalised(&z);
        // The addend in as many digits as the product. Both have a leading one among the top two.
        let product = (last, product, negative);
        let addend = (self.last(ez) - self.p, mz.shl(self.p), z.negative);
        let (large, little) = if product >= addend { (product, addend) } else { (addend, product) };
        let distance = (large.0 - little.0).min(2 * self.p + 2);
        let (a, b) = (large.1.shl(3), shift_sticky(&little.1.shl(3), distance));
        let (n, sign) = if large.2 == little.2 {
            (a.plus(&b), large.2)
        } else if a >= b {
            (a.minus(&b), large.2)
        } else {
            // The product may have its leading one in the second place, and then be the lesser by half a
            // step.
            (b.minus(&a), little.2)
        };
        self.round(mode, sign, &n, large.0 - 3, is_down)
    }

    pub(super) fn sqrt<N: Natural>(&self, mode: RoundingMode, packed: &N) -> N {
        let x = self.parts(packed);
        if x.nan || (x.negative && !x.zero) {
            return self.nan();
        }
        if x.zero || x.infinite {
            return packed.clone();
        }
        let (m, e) = self.normalised(&x);
        let last = self.last(e);
        // An even exponent, and p + 1 digits of the root at least.
        let shift = self.p + 1 + (last + self.p + 1).rem_euclid(2);
        let square = m.shl(shift);
        let root = square.root();
        let is_exact = root.times(&root) == square;
        self.round(mode, false, &root.shl(1).sticky(!is_exact), (last - shift) / 2 - 1, false)
    }

    pub(super) fn rem<N: Natural>(&self, packed: &N, y: &N) -> N {
        let (x, y) = (self.parts(packed), self.parts(y));
        if x.nan || y.nan || x.infinite || y.zero {
            return self.nan();
        }
        if x.zero || y.infinite {
            return packed.clone();
        }
        let ((mx, ex), (my, ey)) = (self.normalised(&x), self.normalised(&y));
        let distance = ex - ey;
        if distance < -1 {
            // Less than half of the divisor.
            return packed.clone();
        }
        // The remainder in halves of the divisor's last place, and whether the quotient is odd.
        let (rest, odd) = if distance >= 0 {
            // Modulo twice the divisor, which keeps the last bit of the quotient.
            let rest = mx.times(&power_of_two(distance, &my.shl(1))).over(&my.shl(1)).1;
            let odd = rest >= my;
            (if odd { rest.minus(&my) } else { rest }.shl(1), odd)
        } else {
            (mx, false)
        };
        let is_up = rest > my || (rest == my && odd);
        let (n, negative) = if is_up { (my.shl(1).minus(&rest), !x.negative) } else { (rest, x.negative) };
        self.round(RoundingMode::TowardZero, negative, &n, self.last(ey) - 1, x.negative)
    }

    pub(super) fn round_to_integral<N: Natural>(&self, mode: RoundingMode, packed: &N) -> N {
        let x = self.parts(packed);
        let below = -self.last(x.e);
        if x.nan || x.infinite || x.zero || below <= 0 {
            return packed.clone();
        }
        let n = shift_rounded(mode, x.negative, &x.m, below.min(self.p + 1));
        self.round(mode, x.negative, &n, 0, x.negative)
    }

    /// The sign and the magnitude of the integer that a finite value is rounded to, if the magnitude has at
    /// most `width` bits.
    pub(super) fn integer<N: Natural>(
        &self,
        mode: RoundingMode,
        x: &N,
        width: u32,
    ) -> Option<(bool, BigUint)> {
        let x = self.parts(x);
        let last = self.last(x.e);
        if x.nan || x.infinite || (last > 0 && x.m.length() + last > i64::from(width)) {
            return None;
        }
        let magnitude = if last > 0 {
            x.m.to_big() << last.unsigned_abs()
        } else {
            shift_rounded(mode, x.negative, &x.m, (-last).min(self.p + 1)).to_big()
        };
        (magnitude.bits() <= u64::from(width)).then_some((x.negative, magnitude))
    }

    /// The order of numbers as the order of integers: magnitudes, those of negative numbers below zero.
    pub(super) fn less<N: Natural>(&self, x: &N, y: &N, or_equal: bool) -> bool {
        if self.is_nan(x) || self.is_nan(y) {
            return false;
        }
        let (a, b) = (self.magnitude(x), self.magnitude(y));
        if a.is_zero() && b.is_zero() {
            return or_equal;
        }
        match (self.sign(x), self.sign(y)) {
            (false, true) => false,
            (true, false) => true,
            (false, false) => a < b || (or_equal && a == b),
            (true, true) => b < a || (or_equal && a == b),
        }
    }

    pub(super) fn is_nan<N: Natural>(&self, x: &N) -> bool {
        self.magnitude(x) > self.infinity(false)
    }
}

/// `2^exponent` modulo `modulus`, from the top bit of the exponent down.
pub(super) fn power_of_two<N: Natural>(exponent: i64, modulus: &N) -> N {
    let length = i64::from(64 - exponent.leading_zeros());
    let mut power = N::small(1);
    for bit in (0..length).rev() {
        power = power.times(&power).over(modulus).1;
        if exponent >> bit & 1 == 1 {
            power = power.shl(1).over(modulus).1;
        }
    }
    power
}
