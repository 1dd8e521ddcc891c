//! All tests of this crate in one program: it is linked once.

mod colours;
mod floats;
mod integers;
mod laws;
mod reals;
mod records;
