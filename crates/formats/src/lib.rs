//! # bivalve-formats
//!
//! Readers and printers of SMT-LIB 2.7. Text becomes terms in one pass without recursion, at the speed of the
//! disk, and nothing is rewritten. Whatever is wrong with a text is a located [`Diagnostic`].
//!
//! ```
//! use bivalve_formats::smtlib::Formulas;
//! use bivalve_terms::Context;
//!
//! let ctx = Context::new();
//! let text = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x09))";
//! let formulas = Formulas::read(&ctx, text)?;
//! assert_eq!(formulas.assertions[0].to_string(), "(= (bvmul x x) #b00001001)");
//! let refusal = Formulas::read(&ctx, "(assert (bvmul y y))").unwrap_err();
//! assert_eq!(refusal.to_string(), "text:1:16: expected a declared constant, found 'y'");
//! # Ok::<(), bivalve_formats::Diagnostic>(())
//! ```
//!
//! [`smtlib::Parser`] reads a stream command by command, [`smtlib::print`] writes terms, commands and whole
//! scripts. [`sexpr`] cuts any text into S-expressions, scripts and answers of other solvers alike.

pub mod aiger;
pub mod btor;
pub mod btor2;
pub mod cvc;
mod diagnostic;
mod language;
mod lines;
mod lowered;
mod mismatch;
mod models;
mod nested;
mod problem;
mod read;
pub mod sexpr;
pub mod smtlib;
pub mod smtlib1;
mod source;
mod text;

pub use diagnostic::{Diagnostic, DiagnosticKind, Excerpt, Opening};
pub use language::{Language, Recognition};
pub use lines::emit::Inexpressible;
pub use models::ModelFormat;
pub use problem::Problem;
pub use read::read_system;
