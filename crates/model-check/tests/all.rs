//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod circuits;
mod enumeration;
mod equal;
mod fifos;
mod memories;
mod regressions;
mod rounds;
