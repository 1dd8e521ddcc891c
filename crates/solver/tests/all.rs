//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod afresh;
mod approximation;
mod arrays;
mod distinct;
mod expressions;
mod floats;
mod incremental;
mod interrupted;
mod lemmas_first;
mod local_search;
mod lowering;
mod memories;
mod orders;
mod parts;
mod quantified;
mod records;
mod sessions;
mod simplified;
mod unconstrained;
mod unrewritten;
