//! All integration tests of this crate, in one program.

#![allow(clippy::unwrap_used, reason = "tests")]

mod certificates;
mod support;
mod trees;
