//! All tests of this crate, in one program: it is linked once.

mod enumeration;
mod floats;
mod integers;
mod interpolation;
mod objectives;
mod quantified;
mod session;
mod support;
