//! BTOR: what is read, what is refused, and how transition systems are printed.

mod reading;
mod refusals;
mod sequential;
