//! # bivalve-floats
//!
//! Floating point as SMT-LIB has it: any number of bits of exponent and significand, five rounding modes, one
//! NaN in a format, every operator of the theory.
//!
//! A [`Format`] is a sort, a [`Float`] a value of one, a [`RoundingMode`] one of five; an [`Operation`] is an
//! operator with its indices. Every operator has two executable meanings that share no algorithm. [`Exact`]
//! computes with rational numbers and rounds them by the definition; [`Integers`] computes with significands,
//! exponents and sticky bits, as hardware does. The tests of this crate compare the two in every point of
//! small formats, and in random and special points of those in use, and both with others' arithmetic. Compute
//! with [`Integers`], whose values of up to 60 bits of significand are machine words; [`Exact`] is the judge.
//!
//! What SMT-LIB leaves open is said: such a result is an [`Outcome::Unspecified`], and the caller decides.
//! Numbers that are written are rounded once, from the exact rational. The module [`circuits`] has each
//! operator as a function from words to words, over whatever makes words.
//!
//! The formats that IEEE 754 names are nothing special; what is out of bounds is a [`FormatError`].
//!
//! ```
//! use bivalve_floats::{Float, Format, Integers, Operation, Outcome, RoundingMode, Semantics, Value};
//!
//! let format = Format::new(5, 11)?;
//! let even = RoundingMode::NearestEven;
//! let (one, three) = (Float::one(format, false), Float::from_number(format, even, "3.0")?);
//! let third = Integers::div(even, &one, &three);
//! assert_eq!(third.to_string(), "(fp #b0 #b01101 #b0101010101)");
//! assert_eq!((third.to_decimal(), third.to_hexadecimal()), ("0.3333".into(), "0x1.554p-2".into()));
//!
//! // Out of range: any word of eight bits would do.
//! let operation = Operation::ToSigned(8);
//! let largest = Value::Float(Float::largest(format, false));
//! assert_eq!(operation.apply::<Integers>(even, &[largest]), Some(Outcome::Unspecified));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
