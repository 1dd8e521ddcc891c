//! AIGER 1.9 (Biere, Heljanko and Wieringa, 2011), ASCII and binary: a reader into transition systems, and
//! witnesses.
//!
//! Inputs and latches become bit-vectors of one bit, conjunctions and negations terms over them. Latches have
//! their reset values; one that is its own reset value is uninitialised. Bad states, constraints, justice and
//! fairness are those of the file. If the header counts none of these, not even as 0, which is how AIGER was
//! before version 1.9, each output is a bad state.

mod read;
mod witness;

pub use read::read;
pub(crate) use read::read_text;
pub use witness::{read_witnesses, write_witness};
