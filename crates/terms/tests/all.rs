//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod arrays_and_functions;
mod context;
mod depth;
mod float_meanings;
mod operator_meanings;
mod pool_properties;
mod random_terms;
mod sort_rules;
mod valuation;
