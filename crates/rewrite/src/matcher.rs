//! Matching a compiled pattern against a term.
//!
//! Metavariables are bound to *edges*: a term together with a mark for its complement, as in an
//! and-inverter graph. The pattern "complement of x" then fits every term, whether or not a negation is
//! written there, so one row covers all its negated forms: `x ∧ ¬(x ∧ y) → x ∧ ¬y` also matches
//! `¬z ∧ ¬(¬z ∧ y)` and `z ∧ ¬(y ∧ z)`. Where the negation itself is the point of a row
//! (`¬x <u ¬y → y <u x`) the pattern insists on it; [`crate::rule`] decides which is which.
//!
//! The head of the term under test need not exist in the pool yet: it is given as an operator over children,
//! so a term that some rule will replace is never built.
//!
//! Cost: a few comparisons per pattern node; no allocation. Patterns are shallow, so matching recurses.

use bivalve_statements::{Edge, Head, Literal, MAX_SLOTS, Slot};
use bivalve_terms::{BitVec, Op, Pool, Term};

/// A compiled pattern.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pattern {
    /// Any term.
    Any(Slot),
    /// Any Boolean, or any bit-vector, by `negation`; the slot is bound to its complement.
    Complement { slot: Slot, negation: Op },
    /// A bit-vector constant.
    Constant(Slot),
    /// This constant, at the width of the term.
    Literal(Literal),
    /// An operator, whatever its indices.
    App { op: Op, args: Vec<Pattern> },
}

/// What the slots of a rule are bound to.
#[derive(Clone, Copy)]
pub(crate) struct Bindings {
    edges: [Option<Edge>; MAX_SLOTS],
}

impl Bindings {
    pub(crate) fn new() -> Bindings {
        Bindings { edges: [None; MAX_SLOTS] }
    }

    /// The edge of a slot that the pattern has bound.
    #[inline]
    pub(crate) fn edge(&self, slot: Slot) -> Edge {
        self.edges[slot as usize].expect("every slot occurs on the left side")
    }

    #[inline]
    fn bind(&mut self, slot: Slot, edge: Edge, pool: &Pool) -> bool {
        match self.edges[slot as usize] {
            Some(bound) => bound.equals(edge, pool),
            None => {
                self.edges[slot as usize] = Some(edge);
                true
            }
        }
    }
}

/// A successful match, as function rows see it.
pub(crate) struct Match<'a> {
    pub(crate) head: Head<'a>,
    pub(crate) bindings: Bindings,
    /// Names of the slots.
    pub(crate) slots: &'a [char],
}

impl Match<'_> {
    /// The term bound to the metavariable `name`. Panics if the row has none of that name.
    pub(crate) fn term(&self, pool: &mut Pool, name: char) -> Term {
        bivalve_statements::make::edge(pool, self.edge(name))
    }

    /// The value of the bit-vector constant bound to the metavariable `name`.
    pub(crate) fn constant(&self, pool: &Pool, name: char) -> Option<BitVec> {
        pool.as_bitvec(self.edge(name).term)
    }

    fn edge(&self, name: char) -> Edge {
        let slot = self.slots.iter().position(|&s| s == name).expect("the row names its metavariables");
        self.bindings.edge(slot as Slot)
    }

    /// The width of the matched term. Panics unless it is a bit-vector.
    pub(crate) fn width(&self) -> u32 {
        self.head.sort.width().expect("the row matches bit-vectors")
    }
}

/// Matches children one by one.
pub(crate) fn match_args(pool: &Pool, patterns: &[Pattern], args: &[Term], bindings: &mut Bindings) -> bool {
    patterns.iter().zip(args).all(|(p, &arg)| matches(pool, p, arg, bindings))
}

fn matches(pool: &Pool, pattern: &Pattern, term: Term, bindings: &mut Bindings) -> bool {
    match pattern {
        Pattern::Any(slot) => bindings.bind(*slot, Edge::of(pool, term), pool),
        Pattern::Complement { slot, negation } => {
            pool.sort(term).is_bool() == (*negation == Op::Not)
                && bindings.bind(*slot, Edge::of(pool, term).complement(), pool)
        }
        Pattern::Constant(slot) => {
            let constant = pool.is_const(term) && !pool.sort(term).is_bool();
            constant && bindings.bind(*slot, Edge { term, negated: false }, pool)
        }
        Pattern::Literal(literal) => is_literal(pool, *literal, term),
        Pattern::App { op, args } => {
            // Operators that may have lists have them at the head only.
            pool.op(term) == *op && match_args(pool, args, pool.args(term), bindings)
        }
    }
}

/// Is the term the literal, at its own width?
fn is_literal(pool: &Pool, literal: Literal, term: Term) -> bool {
    if let Some(value) = pool.as_bool(term) {
        return literal == Literal::Bool(value);
    }
    let Some(width) = pool.width(term).filter(|_| pool.is_const(term)) else {
        return false;
    };
    match (pool.as_u64(term), literal) {
        (_, Literal::Bool(_)) => false,
        (Some(value), _) => narrow(literal, width) == Some(value),
        (None, _) => {
            literal.value(pool.sort(term)).expect_bitvec() == &pool.as_bitvec(term).expect("a constant")
        }
    }
}

/// The value of a literal at a width of at most 64.
fn narrow(literal: Literal, width: u32) -> Option<u64> {
    let mask = u64::MAX >> (64 - width);
    match literal {
        Literal::Bool(_) => None,
        Literal::Number(number) => Some(number & mask),
        Literal::Ones => Some(mask),
        Literal::Min => Some(1 << (width - 1)),
        Literal::Max => Some(mask >> 1),
        Literal::Bit(bit) => (width == 1).then_some(u64::from(bit)),
    }
}
