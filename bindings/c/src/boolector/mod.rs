//! The functions of `boolector.h`: the C interface of Boolector 3, over Bivalve.
//!
//! Written from the documented behaviour of Boolector. A node is a term of bits, of arrays, a function
//! symbol, or a lambda, which is applied by substitution. Nodes are counted as there, so that a program that
//! releases too much is told so. What Boolector checks is checked, and a violation ends the program as there.

mod abi;
mod btor;
mod models;
mod nodes;
mod operators;
mod options;
mod parsing;
mod streams_abi;

pub use abi::*;
pub use operators::*;
pub use streams_abi::*;
