//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod conformance;
#[cfg(feature = "ipasir")]
mod ipasir;
mod judges;
mod one_shot;
