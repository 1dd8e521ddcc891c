//! Ripple-carry adders: sum, difference, negation, carries.
//!
//! Column `i` adds two bits and a carry: the sum bit is their exclusive or, the next carry their majority.
//! The ripple adder has the fewest gates of all adders, and unit propagation runs along its carry chain in
//! both directions, which is what counts for a SAT solver; the depth, which counts in hardware, does not. A
//! difference adds the complement and one; a negation adds one to the complement of the operand. The last
//! carry is not built unless it is asked for.

use crate::gates::Gates;

/// `a + b + carry` modulo 2^w.
pub fn add<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit], carry: G::Bit) -> Vec<G::Bit> {
    let mut carry = carry;
    let last = a.len() - 1;
    (0..a.len())
        .map(|i| {
            let sum = g.sum(a[i], b[i], carry);
            if i < last {
                carry = g.maj(a[i], b[i], carry);
            }
            sum
        })
        .collect()
}

/// `a - b` modulo 2^w.
pub fn sub<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let (complement, one) = (super::bitwise::not(g, b), g.constant(true));
    add(g, a, &complement, one)
}

/// `-a` modulo 2^w.
pub fn neg<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit]) -> Vec<G::Bit> {
    let (complement, one) = (super::bitwise::not(g, a), g.constant(true));
    let zeros = vec![g.constant(false); a.len()];
    add(g, &complement, &zeros, one)
}

/// `a` or `-a`, as `negate` says: a choice between the two. `(a xor negate) + negate` would be as small, but
/// scripts spell absolute values as `(ite (bvslt a 0) (bvneg a) a)`, and the same gates for both spare the
/// SAT solver the equivalence of two dividers.
pub fn negate_if<G: Gates + ?Sized>(g: &mut G, negate: G::Bit, a: &[G::Bit]) -> Vec<G::Bit> {
    let negated = neg(g, a);
    super::bitwise::ite(g, negate, &negated, a)
}

/// The carries of `a + b + carry`: into column 0, 1, ..., and out of the last one; w + 1 bits.
pub fn carries<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit], carry: G::Bit) -> Vec<G::Bit> {
    let mut all = vec![carry];
    for (&a, &b) in a.iter().zip(b) {
        all.push(g.maj(a, b, all[all.len() - 1]));
    }
    all
}
