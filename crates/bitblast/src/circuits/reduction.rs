//! Several bits to one: conjunction, disjunction, parity, implication, and their complements.
//!
//! Built as balanced trees. The encoder flattens conjunctions again, so the shape matters for depth only; a
//! parity tree of logarithmic depth is no worse than a chain.

use crate::gates::Gates;

/// Combines neighbours until one bit is left; `unit` for none.
fn tree<G: Gates + ?Sized>(
    g: &mut G,
    bits: &[G::Bit],
    unit: bool,
    gate: fn(&mut G, G::Bit, G::Bit) -> G::Bit,
) -> G::Bit {
    let mut level = bits.to_vec();
    while level.len() > 1 {
        level =
            level.chunks(2).map(|pair| if let &[a, b] = pair { gate(g, a, b) } else { pair[0] }).collect();
    }
    level.first().copied().unwrap_or_else(|| g.constant(unit))
}

/// Are all bits true?
pub fn and<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    tree(g, bits, true, G::and)
}

/// Is any bit true?
pub fn or<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    tree(g, bits, false, G::or)
}

/// Is the number of true bits odd?
pub fn xor<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    tree(g, bits, false, G::xor)
}

/// Is any bit false?
pub fn nand<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    let all = and(g, bits);
    g.not(all)
}

/// Are all bits false?
pub fn nor<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    let any = or(g, bits);
    g.not(any)
}

/// Exclusive nor, folded from the left: parity, negated once for each bit but the first.
pub fn xnor<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    let odd = xor(g, bits);
    if bits.len() % 2 == 0 { g.not(odd) } else { odd }
}

/// Implication, folded from the right: the last bit is true, or one before it is false.
pub fn implies<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> G::Bit {
    let (&last, before) = bits.split_last().expect("an implication has arguments");
    let all = and(g, before);
    let not_all = g.not(all);
    g.or(not_all, last)
}
