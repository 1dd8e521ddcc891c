//! The functions of `stp/c_interface.h`: the C interface of STP, over Bivalve.
//!
//! Written from the documented behaviour of STP. A checker asks whether a formula follows from what is
//! asserted; if not, it keeps the counterexample until the next question. Expressions are terms, which live
//! as long as their checker; symbols of one name are one symbol. Texts are in SMT-LIB syntax.

mod abi;
mod expressions;
mod looking;
mod vc;

pub use abi::*;
pub use looking::*;
