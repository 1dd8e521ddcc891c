//! # bivalve-checker
//!
//! Checks that a script's `unsat` answers are right, from a certificate.
//!
//! The certificate says how each contradiction follows: step by step, each by one rule of a small kernel. The
//! checker reads the script with a parser of its own, carries the steps out, and says `verified`, or which
//! step is wrong and why; an `Err` is that sentence everywhere. It uses no other crate of this workspace;
//! what it takes to trust it is in `docs/certificates.md`.
//!
//! ```
//! use bivalve_checker::check::check;
//! let script = "(assert false) (check-sat)";
//! let verified = check(script, &b"bvc 1\ncheck 0\nassertion 0\nend 0\n"[..])?;
//! assert_eq!(verified.unsatisfiable, [0]);
//! # Ok::<(), String>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `term`, `define` | sorts, terms, abbreviations |
//! | `budget` | what checking may cost |
//! | `evaluate` | what operators mean |
//! | `equality`, `polynomial` | known equalities; laws of addition and multiplication |
//! | `gate`, `circuit`, `clause` | bits: gates, circuits, unit propagation along hints |
//! | `lrat` | the clausal part, for other checkers |
//! | `kernel`, `theorem` | the rules of inference |
//! | `token`, `step` | certificates, binary and text, and their steps |
//! | `floats`, `records` | floating point and data types, as bit-vectors |
//! | `quantifier` | formulas for all values of variables |
//! | `lexer`, `parser`, `script` | SMT-LIB 2 |
//! | `check` | a script and its certificate |
//! | `command` | the program `bivalve-check` |

#![forbid(unsafe_code)]
#![allow(clippy::missing_errors_doc, reason = "an error is a sentence that says which rule does not apply")]

pub mod budget;
pub mod check;
pub mod circuit;
pub mod clause;
pub mod command;
pub mod define;
pub mod division;
pub mod equality;
pub mod evaluate;
pub mod floats;
pub mod gate;
pub mod kernel;
mod lexer;
pub mod lrat;
mod parser;
pub mod polynomial;
pub mod product;
pub mod quantifier;
pub mod records;
pub mod script;
pub mod step;
pub mod term;
pub mod theorem;
pub mod token;
pub mod words;
