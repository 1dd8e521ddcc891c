//! BTOR2: what is read, what is refused, and real files.

mod corpus;
mod operators;
mod reading;
mod refusals;
mod witnesses;
