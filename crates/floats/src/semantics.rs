//! The operators of the theory: what a meaning has to define, a table of them, and their application to
//! values.
//!
//! [`Semantics`] is implemented twice, by [`Exact`](crate::Exact) and by [`Integers`](crate::Integers); the
//! tests of this crate compare the two. [`Operation`] names an operator with its indices, and
//! [`Operation::apply`] is the one place that takes values apart for it.
//!
//! SMT-LIB leaves some results open: a fixed but free function of the arguments. Such a result is
//! [`Outcome::Unspecified`], and the caller decides.

use crate::words::{from_signed, to_signed};
use crate::{Float, Format, Rational, RoundingMode};
use num_bigint::{BigInt, BigUint};

/// A result that SMT-LIB may leave open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<T> {
    /// The result that SMT-LIB prescribes.
    Value(T),
    /// Any value of the sort; of `fp.min` and `fp.max` either zero. The same arguments have the same result,
    /// the rounding mode among them.
    Unspecified,
}

impl<T> From<Option<T>> for Outcome<T> {
    fn from(value: Option<T>) -> Outcome<T> {
        value.map_or(Outcome::Unspecified, Outcome::Value)
    }
}

impl<T> Outcome<T> {
    /// The result, or what the caller takes for one that is unspecified.
    pub fn unwrap_or_else(self, choose: impl FnOnce() -> T) -> T {
        match self {
            Outcome::Value(value) => value,
            Outcome::Unspecified => choose(),
        }
    }

    /// The same with another form of result.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Outcome::Value(value) => Outcome::Value(f(value)),
            Outcome::Unspecified => Outcome::Unspecified,
        }
    }
}

/// One meaning of every operator of the theory.
///
/// Operands of one operator have one format; the functions panic if they do not. `Rem` has no rounding mode,
/// as in SMT-LIB.
pub trait Semantics {
    /// `fp.abs`.
    fn abs(x: &Float) -> Float;
    /// `fp.neg`.
    fn neg(x: &Float) -> Float;
    /// `fp.add`.
    fn add(mode: RoundingMode, x: &Float, y: &Float) -> Float;
    /// `fp.sub`.
    fn sub(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        Self::add(mode, x, &Self::neg(y))
    }
    /// `fp.mul`.
    fn mul(mode: RoundingMode, x: &Float, y: &Float) -> Float;
    /// `fp.div`.
    fn div(mode: RoundingMode, x: &Float, y: &Float) -> Float;
    /// `fp.fma`: `x * y + z`, rounded once.
    fn fma(mode: RoundingMode, x: &Float, y: &Float, z: &Float) -> Float;
    /// `fp.sqrt`.
    fn sqrt(mode: RoundingMode, x: &Float) -> Float;
    /// `fp.rem`: `x - y * n`, where `n` is the integer nearest to `x / y`.
    fn rem(x: &Float, y: &Float) -> Float;
    /// `fp.roundToIntegral`.
    fn round_to_integral(mode: RoundingMode, x: &Float) -> Float;
    /// `fp.min`; unspecified of zeros of opposite sign.
    fn min(x: &Float, y: &Float) -> Outcome<Float>;
    /// `fp.max`; unspecified of zeros of opposite sign.
    fn max(x: &Float, y: &Float) -> Outcome<Float>;
    /// `fp.leq`.
    fn le(x: &Float, y: &Float) -> bool;
    /// `fp.lt`.
    fn lt(x: &Float, y: &Float) -> bool;
    /// `fp.eq`: equality of numbers. Zeros are equal; NaN is not equal to itself.
    fn eq(x: &Float, y: &Float) -> bool;
    /// `fp.isNormal`.
    fn is_normal(x: &Float) -> bool;
    /// `fp.isSubnormal`.
    fn is_subnormal(x: &Float) -> bool;
    /// `fp.isZero`.
    fn is_zero(x: &Float) -> bool;
    /// `fp.isInfinite`.
    fn is_infinite(x: &Float) -> bool;
    /// `fp.isNaN`.
    fn is_nan(x: &Float) -> bool;
    /// `fp.isNegative`, false of NaN.
    fn is_negative(x: &Float) -> bool;
    /// `fp.isPositive`, false of NaN.
    fn is_positive(x: &Float) -> bool;
    /// `to_fp` of a value of another format.
    fn convert(format: Format, mode: RoundingMode, x: &Float) -> Float;
    /// `to_fp` and `to_fp_unsigned` of a word that denotes this integer. Zero gives +0.
    fn from_integer(format: Format, mode: RoundingMode, value: &BigInt) -> Float;
    /// `to_fp` of a real constant. Zero gives +0.
    fn from_rational(format: Format, mode: RoundingMode, value: &Rational) -> Float;
    /// `to_fp` of a word of the format's width. Panics if there are more bits.
    fn from_bits(format: Format, bits: &BigUint) -> Float;
    /// `fp.to_ubv`: unspecified of NaN, of infinities and of what is out of range. Panics if the width is 0.
    fn to_unsigned(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigUint>;
    /// `fp.to_sbv`: unspecified of NaN, of infinities and of what is out of range. Panics if the width is 0.
    fn to_signed(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigInt>;
    /// `fp.to_real`; unspecified of NaN and infinities.
    fn to_real(x: &Float) -> Outcome<Rational>;
    /// `fp.to_ieee_bv`, an extension: the bits of the value, those of NaN in their canonical pattern.
    fn to_ieee_bits(x: &Float) -> BigUint;

    /// `fp.geq`.
    fn ge(x: &Float, y: &Float) -> bool {
        Self::le(y, x)
    }
    /// `fp.gt`.
    fn gt(x: &Float, y: &Float) -> bool {
        Self::lt(y, x)
    }
}

/// Panics if two operands have different formats.
pub(crate) fn same_format(x: &Float, y: &Float) -> Format {
    assert_eq!(x.format(), y.format(), "operands have one format");
    x.format()
}

/// An operator of the theory with its indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operation {
    /// `fp.abs`
    Abs,
    /// `fp.neg`
    Neg,
    /// `fp.add`
    Add,
    /// `fp.sub`
    Sub,
    /// `fp.mul`
    Mul,
    /// `fp.div`
    Div,
    /// `fp.fma`
    Fma,
    /// `fp.sqrt`
    Sqrt,
    /// `fp.rem`
    Rem,
    /// `fp.roundToIntegral`
    RoundToIntegral,
    /// `fp.min`
    Min,
    /// `fp.max`
    Max,
    /// `fp.leq`
    Le,
    /// `fp.lt`
    Lt,
    /// `fp.geq`
    Ge,
    /// `fp.gt`
    Gt,
    /// `fp.eq`
    Eq,
    /// `fp.isNormal`
    IsNormal,
    /// `fp.isSubnormal`
    IsSubnormal,
    /// `fp.isZero`
    IsZero,
    /// `fp.isInfinite`
    IsInfinite,
    /// `fp.isNaN`
    IsNan,
    /// `fp.isNegative`
    IsNegative,
    /// `fp.isPositive`
    IsPositive,
    /// `to_fp` of a value of another format
    Convert(Format),
    /// `to_fp` of a word in two's complement
    FromSigned(Format),
    /// `to_fp_unsigned`
    FromUnsigned(Format),
    /// `to_fp` of a real constant
    FromRational(Format),
    /// `to_fp` of a word of the format's width
    FromBits(Format),
    /// `fp.to_ubv` to a width of at least 1
    ToUnsigned(u32),
    /// `fp.to_sbv` to a width of at least 1
    ToSigned(u32),
    /// `fp.to_real`
    ToReal,
    /// `fp.to_ieee_bv`
    ToIeeeBits,
}

/// An argument or a result of an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A float.
    Float(Float),
    /// A truth value.
    Bool(bool),
    /// A word: its width and its bits.
    Word(u32, BigUint),
    /// A real.
    Real(Rational),
}

impl From<Float> for Value {
    fn from(value: Float) -> Value {
        Value::Float(value)
    }
}

impl Operation {
    /// The name in SMT-LIB, without indices.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Abs => "fp.abs",
            Operation::Neg => "fp.neg",
            Operation::Add => "fp.add",
            Operation::Sub => "fp.sub",
            Operation::Mul => "fp.mul",
            Operation::Div => "fp.div",
            Operation::Fma => "fp.fma",
            Operation::Sqrt => "fp.sqrt",
            Operation::Rem => "fp.rem",
            Operation::RoundToIntegral => "fp.roundToIntegral",
            Operation::Min => "fp.min",
            Operation::Max => "fp.max",
            Operation::Le => "fp.leq",
            Operation::Lt => "fp.lt",
            Operation::Ge => "fp.geq",
            Operation::Gt => "fp.gt",
            Operation::Eq => "fp.eq",
            Operation::IsNormal => "fp.isNormal",
            Operation::IsSubnormal => "fp.isSubnormal",
            Operation::IsZero => "fp.isZero",
            Operation::IsInfinite => "fp.isInfinite",
            Operation::IsNan => "fp.isNaN",
            Operation::IsNegative => "fp.isNegative",
            Operation::IsPositive => "fp.isPositive",
            Operation::Convert(_)
            | Operation::FromSigned(_)
            | Operation::FromRational(_)
            | Operation::FromBits(_) => "to_fp",
            Operation::FromUnsigned(_) => "to_fp_unsigned",
            Operation::ToUnsigned(_) => "fp.to_ubv",
            Operation::ToSigned(_) => "fp.to_sbv",
            Operation::ToReal => "fp.to_real",
            Operation::ToIeeeBits => "fp.to_ieee_bv",
        }
    }

    /// Whether the operator rounds, so that a rounding mode is its first argument.
    pub fn rounds(self) -> bool {
        matches!(
            self,
            Operation::Add
                | Operation::Sub
                | Operation::Mul
                | Operation::Div
                | Operation::Fma
                | Operation::Sqrt
                | Operation::RoundToIntegral
                | Operation::Convert(_)
                | Operation::FromSigned(_)
                | Operation::FromUnsigned(_)
                | Operation::FromRational(_)
                | Operation::ToUnsigned(_)
                | Operation::ToSigned(_)
        )
    }

    /// The number of operands, the rounding mode not counted.
    pub fn arity(self) -> usize {
        match self {
            Operation::Fma => 3,
            Operation::Add | Operation::Sub | Operation::Mul | Operation::Div | Operation::Rem => 2,
            Operation::Min | Operation::Max | Operation::Eq => 2,
            Operation::Le | Operation::Lt | Operation::Ge | Operation::Gt => 2,
            _ => 1,
        }
    }

    /// The result in one of the two meanings. The mode is looked at if the operator [rounds](Self::rounds).
    ///
    /// `None` if number, kinds or formats of the arguments are not those of the operator.
    pub fn apply<S: Semantics>(self, mode: RoundingMode, arguments: &[Value]) -> Option<Outcome<Value>> {
        match arguments {
            [Value::Float(x)] => self.apply_to_one::<S>(mode, x),
            [Value::Float(x), Value::Float(y)] if x.format() == y.format() => {
                self.apply_to_two::<S>(mode, x, y)
            }
            [Value::Float(x), Value::Float(y), Value::Float(z)]
                if self == Operation::Fma && x.format() == y.format() && x.format() == z.format() =>
            {
                Some(Outcome::Value(S::fma(mode, x, y, z).into()))
            }
            [Value::Word(width, bits)] => self.apply_to_word::<S>(mode, *width, bits).map(Outcome::Value),
            [Value::Real(real)] => match self {
                Operation::FromRational(format) => {
                    Some(Outcome::Value(S::from_rational(format, mode, real).into()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn apply_to_one<S: Semantics>(self, mode: RoundingMode, x: &Float) -> Option<Outcome<Value>> {
        Some(Outcome::Value(match self {
            Operation::Abs => S::abs(x).into(),
            Operation::Neg => S::neg(x).into(),
            Operation::Sqrt => S::sqrt(mode, x).into(),
            Operation::RoundToIntegral => S::round_to_integral(mode, x).into(),
            Operation::IsNormal => Value::Bool(S::is_normal(x)),
            Operation::IsSubnormal => Value::Bool(S::is_subnormal(x)),
            Operation::IsZero => Value::Bool(S::is_zero(x)),
            Operation::IsInfinite => Value::Bool(S::is_infinite(x)),
            Operation::IsNan => Value::Bool(S::is_nan(x)),
            Operation::IsNegative => Value::Bool(S::is_negative(x)),
            Operation::IsPositive => Value::Bool(S::is_positive(x)),
            Operation::Convert(format) => S::convert(format, mode, x).into(),
            Operation::ToIeeeBits => Value::Word(x.format().width(), S::to_ieee_bits(x)),
            Operation::ToReal => return Some(S::to_real(x).map(Value::Real)),
            Operation::ToUnsigned(width) if width > 0 => {
                return Some(S::to_unsigned(mode, x, width).map(|value| Value::Word(width, value)));
            }
            Operation::ToSigned(width) if width > 0 => {
                let word = |value: BigInt| Value::Word(width, from_signed(width, &value));
                return Some(S::to_signed(mode, x, width).map(word));
            }
            _ => return None,
        }))
    }

    fn apply_to_two<S: Semantics>(self, mode: RoundingMode, x: &Float, y: &Float) -> Option<Outcome<Value>> {
        Some(Outcome::Value(match self {
            Operation::Add => S::add(mode, x, y).into(),
            Operation::Sub => S::sub(mode, x, y).into(),
            Operation::Mul => S::mul(mode, x, y).into(),
            Operation::Div => S::div(mode, x, y).into(),
            Operation::Rem => S::rem(x, y).into(),
            Operation::Min => return Some(S::min(x, y).map(Value::Float)),
            Operation::Max => return Some(S::max(x, y).map(Value::Float)),
            Operation::Le => Value::Bool(S::le(x, y)),
            Operation::Lt => Value::Bool(S::lt(x, y)),
            Operation::Ge => Value::Bool(S::ge(x, y)),
            Operation::Gt => Value::Bool(S::gt(x, y)),
            Operation::Eq => Value::Bool(S::eq(x, y)),
            _ => return None,
        }))
    }

    fn apply_to_word<S: Semantics>(self, mode: RoundingMode, width: u32, bits: &BigUint) -> Option<Value> {
        let value = match self {
            Operation::FromSigned(format) => S::from_integer(format, mode, &to_signed(width, bits)),
            Operation::FromUnsigned(format) => S::from_integer(format, mode, &bits.clone().into()),
            Operation::FromBits(format) if format.width() == width => S::from_bits(format, bits),
            _ => return None,
        };
        Some(value.into())
    }
}
