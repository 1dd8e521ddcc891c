//! By construction.
pub mod integers;
