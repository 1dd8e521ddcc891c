//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod aiger;
mod blasting;
mod demand;
mod encoder;
mod encoding;
mod meaning;
mod rewriting;
mod support;
