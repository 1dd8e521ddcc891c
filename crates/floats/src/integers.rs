//! The second meaning: packed bits to packed bits, by integer algorithms.
//!
//! A value is taken apart into sign, significand and exponent ([`Parts`]); an operator computes an integer
//! that has the digits of the exact result, with everything below the digits that matter or-ed into the last
//! bit (the sticky bit); one function, [`Layout::round`], makes a packed value of it. The algorithms are
//! those of the circuits (`crate::circuits`), which state them as words.
//!
//! This meaning is the one to compute with: in formats of up to 60 bits of significand nothing is allocated,
//! since every intermediate result fits into a `u128`; others use big integers, through the same code.

use crate::natural::Natural;
use crate::semantics::same_format;
use crate::value::{Bits, is_small};
use crate::{Float, Format, Outcome, Rational, RoundingMode, Semantics};
use num_bigint::{BigInt, BigUint, Sign};

/// The meaning by integer algorithms.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

/// The numbers of a format as the algorithms use them.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// Bits of the exponent field.
    eb: i64,
    /// Bits of the significand.
    p: i64,
    /// Bits of the fraction.
    f: i64,
    bias: i64,
    width: i64,
}

/// A packed value, taken apart. Infinities and NaN have parts as well; they mean nothing.
struct Parts<N> {
    negative: bool,
    /// The significand, with the hidden bit, not normalised.
    m: N,
    /// The exponent field, that of subnormal values being 1: the value is `m * 2^(e - bias - f)`.
    e: i64,
    nan: bool,
    infinite: bool,
    zero: bool,
}

/// Whether to take the next number away from zero, by the last bit kept, the first bit dropped, and the
/// others.
fn is_away(mode: RoundingMode, negative: bool, odd: bool, guard: bool, sticky: bool) -> bool {
    match mode {
        RoundingMode::NearestEven => guard && (sticky || odd),
        RoundingMode::NearestAway => guard,
        RoundingMode::TowardPositive => !negative && (guard || sticky),
        RoundingMode::TowardNegative => negative && (guard || sticky),
        RoundingMode::TowardZero => false,
    }
}

/// `n / 2^by`, rounded to an integer; `by` is not negative.
fn shift_rounded<N: Natural>(mode: RoundingMode, negative: bool, n: &N, by: i64) -> N {
    if by == 0 {
        return n.clone();
    }
    let kept = n.shr(by);
    let sticky = !n.low(by - 1).is_zero();
    let away = is_away(mode, negative, kept.bit(0), n.bit(by - 1), sticky);
    kept.plus(&N::small(u64::from(away)))
}

/// `n / 2^by`, with the sticky bit.
fn shift_sticky<N: Natural>(n: &N, by: i64) -> N {
    n.shr(by).sticky(!n.low(by).is_zero())
}

impl Layout {
    fn of(format: Format) -> Layout {
        Layout {
            eb: format.exponent_bits().into(),
            p: format.significand_bits().into(),
            f: format.fraction_bits().into(),
            bias: format.bias(),
            width: format.width().into(),
        }
    }

    fn infinity<N: Natural>(&self, negative: bool) -> N {
        let ones = N::small((1 << self.eb) - 1).shl(self.f);
        if negative { ones.plus(&self.zero(true)) } else { ones }
    }

    fn nan<N: Natural>(&self) -> N {
        self.infinity::<N>(false).plus(&N::small(1).shl(self.f - 1))
    }

    fn zero<N: Natural>(&self, negative: bool) -> N {
        N::small(u64::from(negative)).shl(self.width - 1)
    }

    fn negated<N: Natural>(&self, x: &N) -> N {
        let sign = self.zero(true);
        if *x == self.nan() {
            x.clone()
        } else if *x >= sign {
            x.minus(&sign)
        } else {
            x.plus(&sign)
        }
    }

    fn sign<N: Natural>(&self, x: &N) -> bool {
        x.bit(self.width - 1)
    }

    fn magnitude<N: Natural>(&self, x: &N) -> N {
        x.low(self.width - 1)
    }

    fn parts<N: Natural>(&self, x: &N) -> Parts<N> {
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
    fn normalised<N: Natural>(&self, x: &Parts<N>) -> (N, i64) {
        let zeros = if x.zero { 0 } else { self.p - x.m.length() };
        (x.m.shl(zeros), x.e - zeros)
    }

    /// The exponent of the last bit of a significand whose exponent field is `e`.
    fn last(&self, e: i64) -> i64 {
        e - self.bias - self.f
    }

    /// The packed value of `±n * 2^k`; zero has the sign `zero`.
    fn round<N: Natural>(&self, mode: RoundingMode, negative: bool, n: &N, k: i64, zero: bool) -> N {
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

    fn overflow<N: Natural>(&self, mode: RoundingMode, negative: bool) -> N {
        let infinity = self.infinity::<N>(negative);
        // As if there were something to drop beyond the largest value.
        if is_away(mode, negative, true, true, true) { infinity } else { infinity.minus(&N::small(1)) }
    }

    fn add<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
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

    fn mul<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
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

    fn div<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N) -> N {
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

    fn fma<N: Natural>(&self, mode: RoundingMode, x: &N, y: &N, z: &N) -> N {
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

    fn sqrt<N: Natural>(&self, mode: RoundingMode, packed: &N) -> N {
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

    fn rem<N: Natural>(&self, packed: &N, y: &N) -> N {
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

    fn round_to_integral<N: Natural>(&self, mode: RoundingMode, packed: &N) -> N {
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
    fn integer<N: Natural>(&self, mode: RoundingMode, x: &N, width: u32) -> Option<(bool, BigUint)> {
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
    fn less<N: Natural>(&self, x: &N, y: &N, or_equal: bool) -> bool {
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

    fn is_nan<N: Natural>(&self, x: &N) -> bool {
        self.magnitude(x) > self.infinity(false)
    }
}

/// `2^exponent` modulo `modulus`, from the top bit of the exponent down.
fn power_of_two<N: Natural>(exponent: i64, modulus: &N) -> N {
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

/// An expression over the bits of some values of one format, as machine words or as big integers.
macro_rules! with_bits {
    ($format:expr => $layout:ident, $($bits:ident = $value:expr),+ => $body:expr) => {{
        let format = $format;
        let $layout = Layout::of(format);
        if is_small(format) {
            $(let $bits = &<u128 as Natural>::of_bits($value.bits());)+
            $body
        } else {
            $(let $bits = &<BigUint as Natural>::of_bits($value.bits());)+
            $body
        }
    }};
}

/// The same, where the expression is the bits of a value of the format.
macro_rules! packed {
    ($format:expr => $layout:ident, $($bits:ident = $value:expr),+ => $body:expr) => {{
        let format = $format;
        Float::of_bits(format, with_bits!(format => $layout, $($bits = $value),+ => $body.into_bits()))
    }};
}

/// The value of `±n * 2^k` in a format. `n` may have any length.
fn round_big(format: Format, mode: RoundingMode, negative: bool, n: &BigUint, k: i64) -> Float {
    let layout = Layout::of(format);
    // What is below the digits that matter becomes the sticky bit, so that a machine word has room for it.
    let excess = (n.length() - layout.p - 3).max(0);
    let (n, k) = (shift_sticky(n, excess), k + excess);
    let bits = match u128::try_from(&n) {
        Ok(n) if is_small(format) => layout.round(mode, negative, &n, k, false).into_bits(),
        _ => layout.round(mode, negative, &n, k, false).into_bits(),
    };
    Float::of_bits(format, bits)
}

impl Semantics for Integers {
    fn abs(x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.magnitude(a))
    }

    fn neg(x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.negated(a))
    }

    fn add(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.add(mode, a, b))
    }

    fn mul(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.mul(mode, a, b))
    }

    fn div(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.div(mode, a, b))
    }

    fn fma(mode: RoundingMode, x: &Float, y: &Float, z: &Float) -> Float {
        same_format(y, z);
        packed!(same_format(x, y) => layout, a = x, b = y, c = z => layout.fma(mode, a, b, c))
    }

    fn sqrt(mode: RoundingMode, x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.sqrt(mode, a))
    }

    fn rem(x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.rem(a, b))
    }

    fn round_to_integral(mode: RoundingMode, x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.round_to_integral(mode, a))
    }

    fn min(x: &Float, y: &Float) -> Outcome<Float> {
        extremum(x, y, Self::lt(x, y))
    }

    fn max(x: &Float, y: &Float) -> Outcome<Float> {
        extremum(x, y, Self::lt(y, x))
    }

    fn le(x: &Float, y: &Float) -> bool {
        with_bits!(same_format(x, y) => layout, a = x, b = y => layout.less(a, b, true))
    }

    fn lt(x: &Float, y: &Float) -> bool {
        with_bits!(same_format(x, y) => layout, a = x, b = y => layout.less(a, b, false))
    }

    fn eq(x: &Float, y: &Float) -> bool {
        !Self::is_nan(x) && (x == y && x.format() == y.format() || Self::is_zero(x) && Self::is_zero(y))
    }

    fn is_normal(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => {
            let magnitude = layout.magnitude(a);
            magnitude.length() > layout.f && magnitude < layout.infinity(false)
        })
    }

    fn is_subnormal(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => {
            (1..=layout.f).contains(&layout.magnitude(a).length())
        })
    }

    fn is_zero(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.magnitude(a).is_zero())
    }

    fn is_infinite(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.magnitude(a) == layout.infinity(false))
    }

    fn is_nan(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.is_nan(a))
    }

    fn is_negative(x: &Float) -> bool {
        // The sign of NaN is 0.
        with_bits!(x.format() => layout, a = x => layout.sign(a))
    }

    fn is_positive(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => !layout.sign(a) && !layout.is_nan(a))
    }

    fn convert(format: Format, mode: RoundingMode, x: &Float) -> Float {
        let layout = Layout::of(x.format());
        let (parts, m) = with_bits!(x.format() => layout, a = x => {
            let parts = layout.parts(a);
            let m = parts.m.to_big();
            ((parts.negative, parts.e, parts.nan, parts.infinite, parts.zero), m)
        });
        let (negative, e, nan, infinite, zero) = parts;
        if nan {
            Float::nan(format)
        } else if infinite {
            Float::infinity(format, negative)
        } else if zero {
            Float::zero(format, negative)
        } else {
            round_big(format, mode, negative, &m, layout.last(e))
        }
    }

    fn from_integer(format: Format, mode: RoundingMode, value: &BigInt) -> Float {
        round_big(format, mode, value.sign() == Sign::Minus, value.magnitude(), 0)
    }

    fn from_rational(format: Format, mode: RoundingMode, value: &Rational) -> Float {
        let (above, below) = (value.numerator().magnitude(), value.denominator());
        // As many digits as the format has and two more, at least; then one that says whether it goes on.
        let digits = i64::from(format.significand_bits()) + 3;
        let shift = (digits + below.length() - above.length()).max(0);
        let (quotient, rest) = above.shl(shift).over(below);
        let n = quotient.shl(1).sticky(!rest.is_zero());
        round_big(format, mode, value.is_negative(), &n, -shift - 1)
    }

    fn from_bits(format: Format, bits: &BigUint) -> Float {
        let layout = Layout::of(format);
        assert!(bits.length() <= layout.width, "{} bits are too many for {format}", bits.length());
        let canonical = if layout.is_nan(bits) { layout.nan() } else { bits.clone() };
        let bits = match u128::try_from(&canonical) {
            Ok(small) if is_small(format) => Bits::Small(small),
            _ => Bits::Large(canonical),
        };
        Float::of_bits(format, bits)
    }

    fn to_unsigned(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigUint> {
        assert!(width > 0, "words have bits");
        let integer = with_bits!(x.format() => layout, a = x => layout.integer(mode, a, width));
        match integer {
            Some((negative, magnitude)) if !negative || magnitude.is_zero() => Outcome::Value(magnitude),
            _ => Outcome::Unspecified,
        }
    }

    fn to_signed(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigInt> {
        assert!(width > 0, "words have bits");
        let integer = with_bits!(x.format() => layout, a = x => layout.integer(mode, a, width));
        let Some((negative, magnitude)) = integer else {
            return Outcome::Unspecified;
        };
        // Of as many bits as the word has, only the one with the sign bit alone, below zero.
        let is_least = negative && magnitude.trailing_zeros() == Some(u64::from(width) - 1);
        if magnitude.length() == i64::from(width) && !is_least {
            return Outcome::Unspecified;
        }
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Outcome::Value(BigInt::from_biguint(sign, magnitude))
    }

    fn to_real(x: &Float) -> Outcome<Rational> {
        with_bits!(x.format() => layout, a = x => {
            let parts = layout.parts(a);
            if parts.nan || parts.infinite {
                return Outcome::Unspecified;
            }
            let sign = if parts.negative { Sign::Minus } else { Sign::Plus };
            let integer = BigInt::from_biguint(sign, parts.m.to_big());
            Outcome::Value(Rational::scaled(integer, layout.last(parts.e)))
        })
    }

    fn to_ieee_bits(x: &Float) -> BigUint {
        with_bits!(x.format() => _layout, a = x => a.to_big())
    }
}

/// The first operand if `is_first`, and the second otherwise, NaN left out; unspecified of opposite zeros.
fn extremum(x: &Float, y: &Float, is_first: bool) -> Outcome<Float> {
    if Integers::is_zero(x) && Integers::is_zero(y) && x != y {
        return Outcome::Unspecified;
    }
    let takes_first = Integers::is_nan(y) || (is_first && !Integers::is_nan(x));
    Outcome::Value(if takes_first { x.clone() } else { y.clone() })
}
