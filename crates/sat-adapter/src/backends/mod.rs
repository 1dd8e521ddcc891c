//! The backends, one file each.
//!
//! `naive` is always there. The others stand behind cargo features of the same name; [`crate::backends()`]
//! lists those that are compiled in. A new backend is one file here, one feature, and one row in
//! `registry.rs`, which the conformance tests read.

#[cfg(feature = "batsat")]
pub mod batsat;
#[cfg(feature = "cadical")]
pub mod cadical;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod conflicts;
#[cfg(feature = "dimacs")]
pub mod dimacs;
pub mod naive;
#[cfg(feature = "splr")]
pub mod splr;
