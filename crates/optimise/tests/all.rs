//! Optima compared with enumeration.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "the number of rounds is set by the environment")]

mod enumeration;
mod kinds;
