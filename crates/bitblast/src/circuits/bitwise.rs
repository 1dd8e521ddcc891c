//! Bit by bit: complement, the binary connectives, and the choice between two vectors. One gate a bit.

use crate::gates::Gates;

/// All bits negated.
pub fn not<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit]) -> Vec<G::Bit> {
    a.iter().map(|&bit| g.not(bit)).collect()
}

/// A binary gate applied to each pair of bits.
pub fn zip<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    b: &[G::Bit],
    gate: fn(&mut G, G::Bit, G::Bit) -> G::Bit,
) -> Vec<G::Bit> {
    a.iter().zip(b).map(|(&a, &b)| gate(g, a, b)).collect()
}

/// `then` where `cond` is true, else `other`.
pub fn ite<G: Gates + ?Sized>(g: &mut G, cond: G::Bit, then: &[G::Bit], other: &[G::Bit]) -> Vec<G::Bit> {
    then.iter().zip(other).map(|(&t, &e)| g.ite(cond, t, e)).collect()
}

/// All bits in conjunction with one.
pub fn mask<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], keep: G::Bit) -> Vec<G::Bit> {
    a.iter().map(|&bit| g.and(bit, keep)).collect()
}
