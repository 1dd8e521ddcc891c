//! BTOR2: what is read, what is refused, and real files.

#[path = "../collection/mod.rs"]
mod collection;
mod corpus;
mod operators;
mod reading;
mod refusals;
mod witnesses;
