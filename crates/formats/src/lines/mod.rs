//! What BTOR and BTOR2 share: numbered lines of words, operators, and the two views of one bit.

pub(crate) mod bits;
pub(crate) mod cursor;
pub(crate) mod emit;
pub(crate) mod numbers;
pub(crate) mod operators;
