//! # bivalve-floats
//!
//! Floating point as SMT-LIB has it: any number of bits of exponent and significand, five rounding modes, one
//! NaN in a format, every operator of the theory.
//!
//! Each operator has two executable meanings that share no algorithm. [`Exact`] computes with rational numbers
//! and rounds them by the definition; [`Integers`] computes with significands, exponents and sticky bits, as
//! hardware does. The tests of this crate compare the two in every point of small formats, and in random and
//! special points of those in use. Use [`Integers`]; [`Exact`] is the judge.
//!

pub mod circuits;
mod exact;
mod format;
mod integers;
mod natural;
mod rational;
mod rounding;
mod semantics;
mod text;
mod value;
mod words;

pub use exact::Exact;
pub use format::{Format, FormatError};
pub use integers::Integers;
pub use num_bigint;
pub use rational::Rational;
pub use rounding::RoundingMode;
pub use semantics::{Operation, Outcome, Semantics, Value};
pub use text::TextError;
pub use value::{Class, Float, Number};
pub use words::{from_signed, to_signed};
