//! The backends, one file each.
//!
//! `naive` is always there. The others stand behind cargo features of the same name; [`crate::backends()`]
//! lists those that are compiled in, [`crate::all_backends`] the others, too. A new backend is one file here,
//! one feature, and one row in `registry.rs`, which the conformance tests read.

#[cfg(feature = "batsat")]
pub mod batsat;
#[cfg(feature = "cadical")]
pub mod cadical;
#[cfg(any(feature = "batsat", feature = "cadical", feature = "ipasir"))]
mod conflicts;
#[cfg(feature = "dimacs")]
pub mod dimacs;
#[cfg(feature = "glucose")]
pub mod glucose;
#[cfg(feature = "ipasir")]
pub mod ipasir;
#[cfg(feature = "minisat")]
pub mod minisat;
pub mod naive;
#[cfg(any(feature = "glucose", feature = "minisat"))]
mod rustsat;
#[cfg(feature = "splr")]
pub mod splr;
