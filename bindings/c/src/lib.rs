//! # bivalve-c
//!
//! The C and C++ interface of Bivalve: `bivalve.h`, and headers in the place of Boolector's and STP's.
//!
//! Programs in C are linked with the static or the shared library of this crate; `docs/c.md` of the book has
//! the way. In Rust there is no use for it but in tests, where handles look like this:
//!
//! ```
//! use bivalve_c::*;
//!
//! let manager = bivalve_manager_new();
//! let x = unsafe { bivalve_mk_symbol(manager, c"x".as_ptr(), bivalve_sort_bv(manager, 8)) };
//! let square = bivalve_mk2(Kind::BvMul as u32, x, x);
//! let solver = bivalve_solver_new(manager);
//! bivalve_assert(solver, bivalve_mk2(Kind::Eq as u32, square, bivalve_mk_bv(manager, 9, 8)));
//! assert_eq!(bivalve_check(solver), Answer::Sat);
//! bivalve_manager_free(manager);
//! assert_eq!(bivalve_check(solver), Answer::Error);
//! assert_eq!(bivalve_error_code(), Status::Handle);
//! ```
//!
//! | file | what |
//! |---|---|
//! | `api` | the functions of `bivalve.h` |
//! | `handles`, `registry` | numbers that programs hold, and what they stand for |
//! | `fault`, `pointers` | errors, and the addresses of C programs |
//! | `boolector`, `stp` | the functions of `boolector.h` and `stp/c_interface.h` |
//! | `ending`, `opaque`, `streams` | errors, handles and streams of those two |
//! | `manager`, `checker`, `text`, `kinds` | terms, solvers, texts, operators |
//! | `questions` | optima, all models, interpolants |

mod api;
#[cfg(all(feature = "boolector", target_pointer_width = "64"))]
mod boolector;
mod checker;
#[cfg(any(feature = "boolector", feature = "stp"))]
mod ending;
mod fault;
mod handles;
mod kinds;
mod manager;
#[cfg(any(feature = "boolector", feature = "stp"))]
mod opaque;
mod pointers;
mod questions;
mod registry;
#[cfg(all(feature = "stp", target_pointer_width = "64"))]
mod stp;
#[cfg(any(feature = "boolector", feature = "stp"))]
mod streams;
mod text;

pub use api::*;
#[cfg(all(feature = "boolector", target_pointer_width = "64"))]
pub use boolector::*;
pub use fault::Status;
pub use handles::{bivalve_manager, bivalve_solver, bivalve_sort, bivalve_term};
pub use kinds::Kind;
#[cfg(all(feature = "stp", target_pointer_width = "64"))]
pub use stp::*;
