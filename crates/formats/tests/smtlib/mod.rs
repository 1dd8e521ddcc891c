//! Tests of the SMT-LIB reader and printer from outside.
//!
//! `transcript` plays the part of a session and compares DAGs; the other files are one subject each. Scripts
//! of other projects are looked for beside the workspace; tests of nothing else are ignored unless they are
//! asked for, and others take them in, with a note when they are absent.

mod corpus;
mod depth;
mod diagnostics;
mod integers;
mod language;
mod mutations;
mod printing;
mod quantifiers;
mod records;
mod round_trip;
mod streaming;
mod transcript;
