//! What circuits are made with.

use num_bigint::BigUint;

/// What makes words: constants and operations, as `FixedSizeBitVectors` of SMT-LIB has them.
///
/// A truth value is a word of one bit. Operands of one operation have one width unless it says otherwise.
/// Every word has at least one bit. A builder is expected to fold constants: circuits hand them over as they
/// come.
pub trait Words {
    /// A word.
    type Word: Clone;

    /// The width of a word.
    fn width(&self, a: &Self::Word) -> u32;
    /// A constant of a width, in which it fits.
    fn constant(&mut self, width: u32, value: &BigUint) -> Self::Word;
    /// The complement of each bit.
    fn not(&mut self, a: &Self::Word) -> Self::Word;
    /// The conjunction of each pair of bits.
    fn and(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The disjunction of each pair of bits.
    fn or(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The exclusive disjunction of each pair of bits.
    fn xor(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The sum.
    fn add(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The difference.
    fn sub(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The product.
    fn mul(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Quotient and remainder. Circuits never divide by zero: the highest bit of their divisors that is not a
    /// constant 0 is a constant 1.
    fn div_rem(&mut self, a: &Self::Word, b: &Self::Word) -> (Self::Word, Self::Word);
    /// The square root rounded down, of half the width, and what is left, of one bit more than that. The
    /// width of the operand is even.
    fn root(&mut self, a: &Self::Word) -> (Self::Word, Self::Word);
    /// Whether the words are equal.
    fn eq(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Whether the first is less than the second, as unsigned numbers.
    fn ult(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// One of two words, by a word of one bit: the first if it is 1.
    fn ite(&mut self, condition: &Self::Word, then: &Self::Word, other: &Self::Word) -> Self::Word;
    /// The first word above the second; any widths.
    fn concat(&mut self, high: &Self::Word, low: &Self::Word) -> Self::Word;
    /// The bits from `low` to `high`, both included.
    fn extract(&mut self, a: &Self::Word, high: u32, low: u32) -> Self::Word;
}
