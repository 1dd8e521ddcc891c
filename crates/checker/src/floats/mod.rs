//! Floating point: sorts, operators, and what they mean as bit-vectors.
//!
//! The parser makes terms of these operators. What is asserted is their *image* ([`lower`]): a formula over
//! bit-vectors, arrays and functions that has a model if the script's formula has one. So the rules of
//! inference, circuits and certificates know nothing of floats. A number is its packed word, with one pattern
//! for NaN; a rounding mode is its place in [`MODES`], in three bits.
//!
//! | file | content |
//! |---|---|
//! | `words` | terms made without ceremony, constants folded; signed words as wide as their bounds need |
//! | `round` | a number as its parts, and the one place where a value is rounded |
//! | `meaning` | what each operator means, over these |
//! | `lower` | images of terms and sorts, and what holds of the images of symbols |
//! | `reals` | reals as words |
//! | `sums` | comparisons as linear inequalities |
//! | `boxes` | intervals of terms, where inputs are in boxes |
//! | `read` | literals and names of SMT-LIB |

pub mod boxes;
pub mod lower;
mod meaning;
pub mod read;
mod reals;
mod round;
pub mod sums;
mod words;

use crate::term::{Sort, SortKind, Term, Terms};

/// The rounding modes by their short and long names.
pub const MODES: [(&str, &str); 5] = [
    ("RNE", "roundNearestTiesToEven"),
    ("RNA", "roundNearestTiesToAway"),
    ("RTP", "roundTowardPositive"),
    ("RTN", "roundTowardNegative"),
    ("RTZ", "roundTowardZero"),
];

/// More bits of an exponent are refused.
const MOST_EXPONENT: u32 = 24;
/// More bits of a number are refused.
const MOST_WIDTH: u32 = 1 << 22;

/// The bits of the exponent, and of the significand with its hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "they are named")]
pub struct Format {
    pub exponent: u32,
    pub significand: u32,
}

impl Format {
    /// The format of so many bits of exponent and significand.
    pub fn new(exponent: u32, significand: u32) -> Result<Format, String> {
        let fits = (2..=MOST_EXPONENT).contains(&exponent) && significand >= 2;
        match fits && exponent.saturating_add(significand) <= MOST_WIDTH {
            true => Ok(Format { exponent, significand }),
            false => Err(format!("no floating-point format has {exponent} and {significand} bits here")),
        }
    }

    /// The bits of a number.
    pub const fn width(self) -> u32 {
        self.exponent + self.significand
    }
}

/// An operator with its indices; the others are abbreviations ([`read`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
#[rustfmt::skip]
pub enum FloatOp {
    /// A rounding mode, by its place.
    Mode(u8),
    /// The first argument over the second, negated or not: a real constant.
    Real(bool),
    /// `to_fp` of a word as wide as the format.
    FromBits(Format),
    FromFloat(Format), FromReal(Format), FromSigned(Format),
    ToUnsigned(u32), ToSigned(u32),
    /// `fp.to_ieee_bv`
    ToBits,
    ToReal,
    /// `<`
    RealLt,
    Abs, Neg, Add, Mul, Div, Fma, Sqrt, Rem, Integral, Min, Max, Lt, Eq,
    IsNormal, IsSubnormal, IsZero, IsInfinite, IsNan, IsNegative, IsPositive,
}

/// Operators on numbers of one format: their names, whether a rounding mode stands before the numbers, how
/// many numbers there are, and whether the result is a truth value.
#[rustfmt::skip]
const PLAIN: [(&str, FloatOp, bool, usize, bool); 20] = [
    ("fp.abs", FloatOp::Abs, false, 1, false), ("fp.neg", FloatOp::Neg, false, 1, false),
    ("fp.add", FloatOp::Add, true, 2, false), ("fp.mul", FloatOp::Mul, true, 2, false),
    ("fp.div", FloatOp::Div, true, 2, false), ("fp.fma", FloatOp::Fma, true, 3, false),
    ("fp.sqrt", FloatOp::Sqrt, true, 1, false), ("fp.rem", FloatOp::Rem, false, 2, false),
    ("fp.roundToIntegral", FloatOp::Integral, true, 1, false), ("fp.min", FloatOp::Min, false, 2, false),
    ("fp.max", FloatOp::Max, false, 2, false), ("fp.lt", FloatOp::Lt, false, 2, true),
    ("fp.eq", FloatOp::Eq, false, 2, true), ("fp.isNormal", FloatOp::IsNormal, false, 1, true),
    ("fp.isSubnormal", FloatOp::IsSubnormal, false, 1, true), ("fp.isZero", FloatOp::IsZero, false, 1, true),
    ("fp.isInfinite", FloatOp::IsInfinite, false, 1, true), ("fp.isNaN", FloatOp::IsNan, false, 1, true),
    ("fp.isNegative", FloatOp::IsNegative, false, 1, true), ("fp.isPositive", FloatOp::IsPositive, false, 1, true),
];

/// The sort of an application, if the arguments have the right ones.
pub(crate) fn sort_of(terms: &mut Terms, op: FloatOp, args: &[Term]) -> Option<Sort> {
    use FloatOp as F;
    use SortKind::{BitVec, Float, Mode, Real};
    let kinds: Vec<SortKind> = args.iter().map(|&arg| terms.kind_of(arg)).collect();
    let kind = match (op, &kinds[..]) {
        (F::Mode(code), []) if usize::from(code) < MODES.len() => Mode,
        (F::Real(_), [BitVec(_), BitVec(_)]) => Real,
        (F::FromBits(format), &[BitVec(width)]) if width == format.width() => Float(format),
        (F::FromFloat(format), [Mode, Float(_)]) | (F::FromReal(format), [Mode, Real]) => Float(format),
        (F::FromSigned(format), [Mode, BitVec(_)]) => Float(format),
        (F::ToUnsigned(width) | F::ToSigned(width), [Mode, Float(_)]) => {
            return terms.bitvec_sort(width).ok();
        }
        (F::ToBits, [Float(format)]) => return terms.bitvec_sort(format.width()).ok(),
        (F::ToReal, [Float(format)]) if format.has_reals() => Real,
        (F::RealLt, [Real, Real]) => SortKind::Bool,
        _ => {
            let &(.., has_mode, count, is_truth) = PLAIN.iter().find(|&&(_, plain, ..)| plain == op)?;
            let numbers = if has_mode { kinds.strip_prefix(&[Mode])? } else { &kinds[..] };
            let &first @ Float(_) = numbers.first()? else { return None };
            (numbers.len() == count && numbers.iter().all(|&kind| kind == first)).then_some(())?;
            if is_truth { SortKind::Bool } else { first }
        }
    };
    Some(terms.sort(kind))
}
