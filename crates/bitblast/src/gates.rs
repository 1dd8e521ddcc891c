//! The seam between circuits and what becomes of them.
//!
//! A circuit is a recipe: "the sum bit is the exclusive or of three bits, the carry is their majority".
//! [`Gates`] is what a recipe is written over. An implementation decides what a bit is and what a gate does:
//!
//! - [`GateGraph`](crate::GateGraph): a bit is an edge of the graph, a gate is a (shared, simplified) node;
//! - [`Evaluate`](crate::Evaluate): a bit is a `bool`, a gate computes;
//! - [`Estimate`](crate::Estimate): a bit is "zero", "one" or "something", a gate is counted.
//!
//! So the circuit that is tested by evaluation is, line by line, the circuit that is encoded, and its cost
//! can be asked for without building it.
//!
//! The primitive gates are conjunction, exclusive or, if-then-else and majority. These four because each has
//! few clauses with good propagation (3, 4, 6 and 6), because adders, comparators, multiplexers and parities
//! are made of nothing else, and because a SAT solver that looks for gates in clauses recovers exactly these.
//! Disjunction is conjunction under negation.
//!
//! Vectors are slices of bits, least significant first. Circuits ask [`Gates::as_constant`] where knowing a
//! bit changes the recipe (a row of a multiplier that vanishes); an implementer may always answer `None`.

use std::cmp::Ordering;

/// A builder of bits; circuits are written over it.
pub trait Gates {
    /// A bit.
    type Bit: Copy;

    /// The bit that is always `value`.
    fn constant(&mut self, value: bool) -> Self::Bit;

    /// The value of a bit that is known to be constant; `None` when it is not known to be.
    fn as_constant(&self, bit: Self::Bit) -> Option<bool>;

    /// Are these known to be the same bit? An implementer may always say no.
    fn is_same(&self, a: Self::Bit, b: Self::Bit) -> bool;

    /// A total order of vectors that depends on nothing but their bits, so that commutative circuits over the
    /// same operands are built the same way round. An implementer without identities calls all vectors equal.
    fn order(&self, a: &[Self::Bit], b: &[Self::Bit]) -> Ordering;

    /// Negation; free of cost.
    fn not(&mut self, a: Self::Bit) -> Self::Bit;

    /// Conjunction.
    fn and(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// Exclusive or.
    fn xor(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// `then` where `cond` is true, else `other`.
    fn ite(&mut self, cond: Self::Bit, then: Self::Bit, other: Self::Bit) -> Self::Bit;

    /// True where at least two of the three bits are.
    fn maj(&mut self, a: Self::Bit, b: Self::Bit, c: Self::Bit) -> Self::Bit;

    /// A choice between words. An implementer that sees the gates below makes one choice of two that have a
    /// branch in common.
    fn choose(&mut self, cond: Self::Bit, then: &[Self::Bit], other: &[Self::Bit]) -> Vec<Self::Bit>;

    /// Disjunction.
    fn or(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Are the bits equal?
    fn xnor(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let differ = self.xor(a, b);
        self.not(differ)
    }

    /// The sum bit of three bits of one weight. The first two are added first, so that a carry that arrives
    /// late stands last and `a xor b` can serve the encoding of the carry.
    fn sum(&mut self, a: Self::Bit, b: Self::Bit, c: Self::Bit) -> Self::Bit {
        let half = self.xor(a, b);
        self.xor(half, c)
    }

    /// Quotient and remainder of vectors of one width, see
    /// [`divider::divide`](crate::circuits::divider::divide). An implementer that remembers earlier divisions
    /// answers both `bvudiv` and `bvurem` of the same operands from one circuit.
    fn divide(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> (Vec<Self::Bit>, Vec<Self::Bit>);
}
