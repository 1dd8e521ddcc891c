//! Arrays: reads over writes, writes over writes, and equalities of writes over one array.
//!
//! Indices are compared by a look only: they are the same term, or [`crate::constant::always_different`]. What
//! remains is decided lazily by the array solver, so a read over a write at an unknown index stays.

use crate::constant::always_different;
use crate::make;
use crate::matcher::{Edge, Match};
use crate::row::{Row, equation, function};
use bivalve_terms::{Op, Pool, Term};

/// A read looks through this many writes at most.
const MAX_WRITES: usize = 4096;

pub(super) const ROWS: &[Row] = &[
    equation("read_over_write_same", "(select (store a i v) i)", "v"),
    function(
        "read_over_writes_elsewhere",
        "(select (store a i v) j)",
        "(select a j), if i and j are seen to differ",
        read,
    ),
    equation("read_constant", "(select (const v) i)", "v"),
    equation("write_over_write_same", "(store (store a i v) i u)", "(store a i u)"),
    equation("write_what_is_there", "(store a i (select a i))", "a"),
    equation("write_constant", "(store (const v) i v)", "(const v)"),
    equation("write_equals_array", "(= a (store a i v))", "(= v (select a i))"),
    equation("writes_equal", "(= (store a i v) (store a i u))", "(= v u)"),
    equation("constants_equal", "(= (const v) (const u))", "(= v u)"),
];

/// A read past the writes to other indices.
fn read(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[start, index] = m.head.args else { return None };
    let edge = Edge::of(pool, index);
    let mut array = start;
    for _ in 0..MAX_WRITES {
        match *pool.args(array) {
            [below, i, _]
                if pool.op(array) == Op::Store && always_different(pool, Edge::of(pool, i), edge) =>
            {
                array = below;
            }
            _ => break,
        }
    }
    (array != start).then(|| make::app(pool, Op::Select, &[array, index]))
}
