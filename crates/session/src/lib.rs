//! # bivalve-session
//!
//! The only interpreter of SMT-LIB commands. A [`Session`] holds the terms, the solver, the options and what
//! is known of the last check. It takes one command at a time and returns one [`Reply`]; it neither prints
//! nor reads a file. The binary prints the replies, a solver inside of a test collects them, and `bivalve
//! simplify` carries out commands up to the first check.
//!
//! Commands come from a [`Frontend`], so another input language needs a reader that makes the same commands.
//! Limits come from a [`Monitor`], which is told of each check and may raise its [`Stop`](bivalve::Stop)
//! flag.
//!
//! ```
//! use bivalve_formats::smtlib::{Parser, ParserOptions};
//! use bivalve_session::{Config, NoMonitor, Session};
//!
//! let script = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x51)) (assert (bvugt x #x64))
//!     (check-sat) (get-value ((bvmul x x))) (get-abduct A x) (assert (bvult x y))";
//! let mut parser = Parser::new(script.as_bytes(), "squares", ParserOptions::default());
//! let mut session = Session::new(Config::default());
//! let mut answers = vec![];
//! while let Some(reply) = session.step(&mut parser, &mut NoMonitor) {
//!     answers.extend(reply.text().map(String::from));
//! }
//! assert_eq!(answers, [
//!     "sat",
//!     "(((bvmul x x) #b01010001))",
//!     "unsupported",
//!     "(error \"squares:2:77: expected a declared constant, found 'y'\")",
//! ]);
//! ```

mod certification;
mod consequences;
mod enumeration;
mod explain;
mod foreign;
mod frontend;
mod instances;
mod interpolation;
mod logics;
mod monitor;
mod objectives;
mod options;
mod queries;
mod reply;
mod report;
mod session;
mod stated;

pub use bivalve_certificate::{Form, NoCertificate};
pub use certification::{Certificate, Certification, Confirm};
pub use foreign::Foreign;
pub use frontend::Frontend;
pub use logics::LOGICS;
pub use monitor::{Monitor, NoMonitor};
pub use options::Options;
pub use queries::INFO_KEYWORDS;
pub use reply::{Evidence, Reply};
pub use report::Report;
pub use session::{Config, Session};
