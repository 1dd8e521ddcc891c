//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod aiger;
mod btor;
mod btor2;
mod collection;
mod cvc;
mod round_trips;
mod search;
mod smtlib;
mod smtlib1;
