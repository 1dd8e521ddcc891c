//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod construct;
mod identities;
mod layered;
mod support;
mod systems;
