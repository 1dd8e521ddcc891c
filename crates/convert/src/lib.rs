//! # bivalve-convert
//!
//! Formulas and transition systems from one format to another. [`Document::read`] reads SMT-LIB 2 and 1,
//! BTOR2, BTOR, CVC and AIGER; [`Document::print`] writes all of these and DOT, as far as the format
//! can express what was read. Names are kept. [`Document::simplify`] rewrites every term in
//! between, and [`Document::unroll`] makes a formula of the first frames of a system.
//!
//! ```
//! use bivalve_convert::{Document, Format};
//!
//! let text = b"1 sort bitvec 8\n2 input 1 x\n3 sort bitvec 1\n4 ult 3 2 -2\n5 constraint 4\n";
//! let document = Document::read(Format::Btor2, text, "f.btor2")?;
//! let script = String::from_utf8(document.print(Format::SmtLib2)?)?;
//! assert_eq!(
//!     script,
//!     "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x (bvnot x)))\n(check-sat)\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `document` | what was read, and which printer writes it |
//! | `format` | the formats, by name, suffix and text |
//! | `aiger` | the printer of AIGER, over the circuits of `bivalve-bitblast` |
//! | `dot` | the printer of DOT |
//! | `reset` | initial values that are constants |
//! | `unroll` | the first frames of a system as a formula |

mod aiger;
mod document;
mod dot;
mod format;
mod reset;
mod unroll;

pub use document::{ConvertError, Document};
pub use format::Format;
pub use reset::with_constant_resets;
