//! # bivalve-formats
//!
//! Readers and printers. Text becomes terms in one pass without recursion, at the speed of the disk, and
//! nothing is rewritten: what the user asserted stays as it was. Whatever is wrong with a text is a located
//! [`Diagnostic`].

mod diagnostic;
pub mod smtlib;
mod source;

pub use diagnostic::{Diagnostic, DiagnosticKind, Excerpt};
