//! Less than, unsigned and signed.
//!
//! From the least significant bit on, `less` says whether the low part of `a` is less than that of `b`: it
//! stays where the next bits agree, else the bit of `b` decides. That is the majority of `!a`, `b` and
//! `less`, one gate a bit, and the same chain as the carries of `b - a - 1`, so that a comparison shares its
//! gates with the difference. Signed numbers are unsigned ones once the sign bits change places.

use crate::gates::Gates;

/// Is `a` less than `b`, both unsigned?
pub fn ult<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let mut less = g.constant(false);
    for (&a, &b) in a.iter().zip(b) {
        let not_a = g.not(a);
        less = g.maj(not_a, b, less);
    }
    less
}

/// Is `a` at most `b`, both unsigned?
pub fn ule<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let greater = ult(g, b, a);
    g.not(greater)
}

/// Is `a` less than `b`, both in two's complement?
pub fn slt<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let sign = a.len() - 1;
    let less = ult(g, &a[..sign], &b[..sign]);
    let not_b = g.not(b[sign]);
    g.maj(a[sign], not_b, less)
}

/// Is `a` at most `b`, both in two's complement?
pub fn sle<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let greater = slt(g, b, a);
    g.not(greater)
}
