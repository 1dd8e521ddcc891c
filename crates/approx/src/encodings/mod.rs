//! Encodings: which bits of a vector are restricted, and to what.
//!
//! An encoding is a function of three numbers: the width, how many bits are to be free, and the bit in
//! question. It holds no state and writes no clauses; [`crate::Approximation`] asks it bit by bit. Adding one
//! is a file here and a row in [`ENCODINGS`]; or an object of the caller's, handed to the
//! solver.
//!
//! The encodings of the table are *monotone*: what is reachable at an effective width is reachable at all
//! wider ones, there are exactly 2^k values or fewer at width k, and all values at the full width. None of
//! this is needed for answers to be right.

mod classes;
mod one;
mod sign;
mod zero;

use std::sync::Arc;

pub use classes::Classes;
pub use one::One;
pub use sign::Sign;
pub use zero::Zero;

/// What a bit of an approximated vector is restricted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restriction {
    /// Nothing: the bit takes any value.
    Free,
    /// A constant.
    Constant(bool),
    /// The bit of this number, counted from the least significant; itself, or one beyond the width, is no
    /// restriction.
    Bit(u32),
}

/// Which bits of a vector are restricted to what.
pub trait Encoding: Send + Sync {
    /// A word for options and tables.
    fn name(&self) -> &str;

    /// What bit number `bit` of a vector of `width` bits is restricted to when about `effective` bits are to
    /// be free; `1 <= effective < width` and `bit < width`. Never asked for at the full width.
    fn restriction(&self, width: u32, effective: u32, bit: u32) -> Restriction;
}

/// An encoding by name.
pub struct EncodingRow {
    /// The name, as [`Encoding::name`] says it.
    pub name: &'static str,
    /// What it restricts, in a few words.
    pub help: &'static str,
    /// Makes it.
    pub make: fn() -> Arc<dyn Encoding>,
}

/// The encodings by name.
pub static ENCODINGS: &[EncodingRow] = &[
    EncodingRow { name: "sign", help: "high bits to the last effective one", make: || Arc::new(Sign) },
    EncodingRow { name: "zero", help: "high bits to zero", make: || Arc::new(Zero) },
    EncodingRow { name: "one", help: "high bits to one", make: || Arc::new(One) },
    EncodingRow { name: "classes", help: "bits to others of their class", make: || Arc::new(Classes) },
];

/// The row of this name.
pub fn encoding(name: &str) -> Option<&'static EncodingRow> {
    ENCODINGS.iter().find(|row| row.name == name)
}
