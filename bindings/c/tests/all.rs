//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod answers;
mod compilers;
mod header;
mod installed;
mod misuse;
mod places;
mod programs;
mod sanitized;
