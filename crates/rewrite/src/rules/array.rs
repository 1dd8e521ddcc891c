//! Arrays: reads over writes, writes over writes, and equalities of writes over one array.
//!
//! Indices are compared by a look only: they are the same term, or [`bivalve_statements::always_different`].
//! What remains is decided lazily by the array solver, so a read over a write at an unknown index stays.

use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::Edge;
use bivalve_statements::always_different;
use bivalve_statements::make;
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
    function(
        "write_what_is_below",
        "(store (store a i v) j (select a j))",
        "(store a i v), if i and j are seen to differ",
        superfluous,
    ),
    function(
        "write_over_writes",
        "(store (store (store a i v) j w) x y)",
        "without an earlier write to x; without this one, if it is seen to be what is there already",
        |pool, m| superfluous(pool, m).or_else(|| overwrite(pool, m)),
    ),
    equation("write_constant", "(store (const v) i v)", "(const v)"),
    equation("write_equals_array", "(= a (store a i v))", "(= v (select a i))"),
    equation("writes_equal", "(= (store a i v) (store a i u))", "(= v u)"),
    equation("constants_equal", "(= (const v) (const u))", "(= v u)"),
];

/// An earlier write is looked for among this many writes at most; those above it are made anew.
const MAX_REBUILT: usize = 64;

/// A write that is overwritten further up, whatever lies between: only what stands at its own index is seen
/// of it.
fn overwrite(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[start, index, element] = m.head.args else { return None };
    let mut above = vec![];
    let mut array = start;
    while above.len() < MAX_REBUILT && pool.op(array) == Op::Store {
        let &[below, i, v] = pool.args(array) else { return None };
        if i == index {
            let shorter = above
                .into_iter()
                .rev()
                .fold(below, |array, (i, v)| make::app(pool, Op::Store, &[array, i, v]));
            return Some(make::app(pool, Op::Store, &[shorter, index, element]));
        }
        above.push((i, v));
        array = below;
    }
    None
}

/// A write of the element that a read past the writes to other indices finds.
fn superfluous(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[start, index, element] = m.head.args else { return None };
    let array = past(pool, start, index);
    let is_there = match (pool.op(array), pool.args(array)) {
        (Op::Store, &[_, i, v]) if i == index => v == element,
        _ => pool.op(element) == Op::Select && pool.args(element) == [array, index],
    };
    is_there.then_some(start)
}

/// A read past the writes to other indices.
fn read(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[start, index] = m.head.args else { return None };
    let array = past(pool, start, index);
    (array != start).then(|| make::app(pool, Op::Select, &[array, index]))
}

/// The array below the writes to indices that are seen to differ from this one.
fn past(pool: &Pool, start: Term, index: Term) -> Term {
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
    array
}
