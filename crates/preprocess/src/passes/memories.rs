//! Memories: what is written to arrays and read of them, as choices between words.
//!
//! Reads of writes and of choices between arrays are left to lemmas otherwise, one for each way through them.
//! These passes spell out those reads that become cheaper by it; all of them are laws of arrays.

pub(super) mod conditional_stores;
pub(super) mod forwarding;
pub(super) mod own_cells;
pub(super) mod reads;
pub(super) mod tables;

use bivalve_terms::{Pool, Term};

/// Is a term an array?
pub(super) fn is_array(pool: &Pool, term: Term) -> bool {
    pool.sorts().array_parts(pool.sort(term)).is_some()
}
