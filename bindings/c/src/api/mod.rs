//! The functions of `bivalve.h`.
//!
//! Each one reads its arguments, calls what is safe, and gives the result back; nothing is decided here. The
//! comments are those of the header, which a test makes of them with cbindgen.
#![expect(
    clippy::missing_safety_doc,
    reason = "the contract of addresses is said once, at the head of the header"
)]
#![allow(unsafe_code, reason = "names and addresses of C; what is done with them is in `pointers`")]

mod floats;
mod interpolants;
mod library;
mod models;
mod optima;
mod solving;
mod sorts;
mod terms;
mod values;

pub use floats::*;
pub use interpolants::*;
pub use library::*;
pub use models::*;
pub use optima::*;
pub use solving::*;
pub use sorts::*;
pub use terms::*;
pub use values::*;
