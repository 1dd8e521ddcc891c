//! Circuits: each operator as a function from words to words, over whatever makes words.
//!
//! [`image`] states an operator with operations on words that a [`Words`] supplies: terms over bit-vectors,
//! gates, or the words themselves, which is how the tests compare the circuits with the meanings in every
//! point of small formats. The algorithms are those of [`Integers`](crate::Integers), with muxes for
//! decisions.
//!
//! **Values** are packed words, and canonical ([`is_canonical`]): those that are handed in have the one
//! pattern of NaN, and so have those that are made. Operands are taken apart without normalisation (a
//! subnormal significand keeps its leading zeros) where the result is right all the same: addition,
//! multiplication, conversions. The magnitude of a packed word, which is all but its sign bit, is ordered as
//! the magnitudes of values are, so that every comparison is one of unsigned words. There is one rounder; it
//! holds the one normaliser of results.
//!
//! **Widths** of exponents are never written down: an exponent is a `Int`, a word with the
//! interval of integers that it may denote, and each operation has the width that the interval of its result
//! asks for.
//!
//! **Unspecified results** are a word that the caller supplies, of [`free_width`] bits: for `fp.min` and
//! `fp.max` the sign of the zero that they give of opposite zeros; for `fp.to_ubv` and `fp.to_sbv` the
//! result. It has to be a function of the arguments: for the former, of the first operand's sign.
//!
//! **Rounding modes** are words of three bits, [`RoundingMode::code`](crate::RoundingMode::code). Codes above
//! 4 round toward zero here; the caller asserts that there are none ([`is_mode`]).
//!
//! **Relations.** Quotients and roots are left to the builder, with their remainders: one that asserts may
//! use their defining relations (`n = q * d + r` with `r < d`; `n = q * q + r` with `r <= 2 * q`) over fresh
//! words, and the same words for every rounding mode. [`restoring_root`] is the other course for roots.

mod arithmetic;
mod classes;
mod conversion;
mod fused;
mod integer;
mod kit;
mod parts;
mod remainder;
mod root;
mod rounder;
mod words;

pub use root::restoring_root;
pub use words::Words;

use crate::{Format, Operation, RoundingMode};
use kit::Kit;

/// The bits that a caller supplies for the case that the result of an operator is unspecified.
pub fn free_width(operation: Operation) -> Option<u32> {
    match operation {
        Operation::Min | Operation::Max => Some(1),
        Operation::ToUnsigned(width) | Operation::ToSigned(width) => Some(width),
        _ => None,
    }
}

/// An operator and what it is applied to.
#[derive(Clone, Copy, Debug)]
pub struct Application<'a, W> {
    /// The operator.
    pub operation: Operation,
    /// The format of the operands; of the result if the operands are words.
    pub format: Format,
    /// The rounding mode, as a word of three bits. Ignored if the operator does not round.
    pub mode: &'a W,
    /// The operands.
    pub operands: &'a [W],
    /// What the result is if it is unspecified, of [`free_width`] bits. Ignored if it always is specified.
    pub free: &'a W,
}

/// The circuit of an application: a packed word, a word, or a truth value as a word of one bit.
///
/// `None` if the operator is about reals, or if number or widths of the words are not those that it has.
pub fn image<B: Words>(builder: &mut B, application: &Application<B::Word>) -> Option<B::Word> {
    let Application { operation, format, mode, operands, free } = *application;
    let widths_fit = operands.iter().all(|word| builder.width(word) == format.width());
    let takes_word = matches!(operation, Operation::FromSigned(_) | Operation::FromUnsigned(_));
    let has_mode = !operation.rounds() || builder.width(mode) == RoundingMode::CODE_BITS;
    let has_free = free_width(operation).is_none_or(|width| width > 0 && builder.width(free) == width);
    if operands.len() != operation.arity() || !(widths_fit || takes_word) || !has_mode || !has_free {
        return None;
    }
    let kit = &mut Kit::new(builder);
    match operands {
        [x] => kit.image_of_one(operation, format, mode, x, free),
        [x, y] => kit.image_of_two(operation, format, mode, x, y, free),
        [x, y, z] => Some(kit.fma(format, mode, x, y, z)),
        _ => None,
    }
}

impl<B: Words> Kit<'_, B> {
    fn image_of_one(
        &mut self,
        operation: Operation,
        format: Format,
        mode: &B::Word,
        x: &B::Word,
        free: &B::Word,
    ) -> Option<B::Word> {
        Some(match operation {
            Operation::Abs => self.abs(format, x),
            Operation::Neg => self.neg(format, x),
            Operation::Sqrt => self.sqrt(format, mode, x),
            Operation::RoundToIntegral => self.round_to_integral(format, mode, x),
            Operation::IsNormal => self.is_normal(format, x),
            Operation::IsSubnormal => self.is_subnormal(format, x),
            Operation::IsZero => self.is_zero(format, x),
            Operation::IsInfinite => self.is_infinite(format, x),
            Operation::IsNan => self.is_nan(format, x),
            Operation::IsNegative => self.is_negative(format, x),
            Operation::IsPositive => self.is_positive(format, x),
            Operation::Convert(target) => self.convert(format, target, mode, x),
            Operation::FromSigned(target) => self.signed_to_float(target, mode, x),
            Operation::FromUnsigned(target) => self.unsigned_to_float(target, mode, x),
            Operation::FromBits(target) if target == format => self.canonical(format, x),
            Operation::ToUnsigned(width) => self.float_to_unsigned(format, mode, x, width, free),
            Operation::ToSigned(width) => self.float_to_signed(format, mode, x, width, free),
            Operation::ToIeeeBits => x.clone(),
            _ => return None,
        })
    }

    fn image_of_two(
        &mut self,
        operation: Operation,
        format: Format,
        mode: &B::Word,
        x: &B::Word,
        y: &B::Word,
        free: &B::Word,
    ) -> Option<B::Word> {
        Some(match operation {
            Operation::Add => self.sum(format, mode, x, y),
            Operation::Sub => {
                let negated = self.neg(format, y);
                self.sum(format, mode, x, &negated)
            }
            Operation::Mul => self.product(format, mode, x, y),
            Operation::Div => self.quotient(format, mode, x, y),
            Operation::Rem => self.remainder(format, x, y),
            Operation::Min => self.extremum(format, x, y, free, true),
            Operation::Max => self.extremum(format, x, y, free, false),
            Operation::Le => self.less(format, x, y, true),
            Operation::Lt => self.less(format, x, y, false),
            Operation::Ge => self.less(format, y, x, true),
            Operation::Gt => self.less(format, y, x, false),
            Operation::Eq => self.equal(format, x, y),
            _ => return None,
        })
    }
}

/// The circuit of a real constant, rounded by a mode that is a word: at most three values to choose from.
pub fn constant<B: Words>(
    builder: &mut B,
    format: Format,
    mode: &B::Word,
    value: &crate::Rational,
) -> B::Word {
    Kit::new(builder).constant_of(format, mode, value)
}

/// Whether a word is the canonical one of a value of the format, which a symbol has to be told.
pub fn is_canonical<B: Words>(builder: &mut B, format: Format, x: &B::Word) -> B::Word {
    let kit = &mut Kit::new(builder);
    let canonical = kit.canonical(format, x);
    kit.eq(x, &canonical)
}

/// Whether a word of three bits is the code of a rounding mode, which a symbol has to be told.
pub fn is_mode<B: Words>(builder: &mut B, mode: &B::Word) -> B::Word {
    let kit = &mut Kit::new(builder);
    let bound = kit.constant(RoundingMode::CODE_BITS, 5u32);
    kit.ult(mode, &bound)
}
