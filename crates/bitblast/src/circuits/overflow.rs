//! Overflow predicates: does the exact result not fit?
//!
//! Sums and differences are read off the last two carries: unsigned, a carry came out; signed, the carry into
//! the sign column differs from the one out of it.
//!
//! Products need no 2w-bit product (Schulte, Gok, Balzola, Brocato, *Combined unsigned and two's complement
//! saturating multipliers*, 2000). If bits `i` of one and `j` of the other operand are both set and `i + j >=
//! w`, the product is at least 2^w. If there are no such bits, it is less than 2^(w+1), and bit `w` of a
//! product of w + 1 bits tells the rest. Signed, the bits that differ from the sign are looked at: `i + j >=
//! w - 1` is an overflow, and otherwise the product lies between -2^w and 2^w, where it overflows iff the
//! bits `w` and `w - 1` of the product of w + 1 bits differ (2^w itself reads 10...0 there). The low bits are
//! those of `bvmul` of the same operands, gate by gate. Beside a product of 2w bits, the definition, this is
//! 254 to 416 conjunctions at w = 8 and 4118 to 7808 at w = 32 unsigned, 294 to 661 and 4302 to 11473 signed.

use super::{adder, bitwise, comparator, multiplier, reduction};
use crate::gates::Gates;

/// `-a` overflows: `a` is the least number.
pub fn neg<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit]) -> G::Bit {
    let (&sign, low) = a.split_last().expect("a vector has a sign bit");
    let any = reduction::or(g, low);
    let none = g.not(any);
    g.and(sign, none)
}

/// `a + b` overflows as unsigned.
pub fn uadd<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let zero = g.constant(false);
    adder::carries(g, a, b, zero)[a.len()]
}

/// `a + b` overflows as signed.
pub fn sadd<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let zero = g.constant(false);
    last_carries_differ(g, a, b, zero)
}

/// `a - b` underflows as unsigned.
pub fn usub<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    comparator::ult(g, a, b)
}

/// `a - b` overflows as signed.
pub fn ssub<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let (complement, one) = (bitwise::not(g, b), g.constant(true));
    last_carries_differ(g, a, &complement, one)
}

/// `a / b` overflows as signed: the least number by -1.
pub fn sdiv<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let (least, minus_one) = (neg(g, a), reduction::and(g, b));
    g.and(least, minus_one)
}

/// `a * b` overflows as unsigned.
pub fn umul<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let width = a.len();
    let far = far_product(g, a, b, width);
    let zero = g.constant(false);
    let product = wide_product(g, a, b, zero, zero);
    g.or(far, product[width])
}

/// `a * b` overflows as signed.
pub fn smul<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let width = a.len();
    let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
    let magnitude = |g: &mut G, v: &[G::Bit], sign: G::Bit| -> Vec<G::Bit> {
        v[..width - 1].iter().map(|&bit| g.xor(bit, sign)).collect()
    };
    let (high_a, high_b) = (magnitude(g, a, sign_a), magnitude(g, b, sign_b));
    let far = far_product(g, &high_a, &high_b, width - 1);
    let product = wide_product(g, a, b, sign_a, sign_b);
    let near = g.xor(product[width], product[width - 1]);
    g.or(far, near)
}

fn last_carries_differ<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit], carry: G::Bit) -> G::Bit {
    let carries = adder::carries(g, a, b, carry);
    g.xor(carries[a.len()], carries[a.len() - 1])
}

/// Is there a bit `i` of `a` and a bit `j` of `b` with `i + j >= bound`? Both have `bound` bits.
fn far_product<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit], bound: usize) -> G::Bit {
    let (mut far, mut any_high) = (g.constant(false), g.constant(false));
    for i in 1..bound {
        // The bits of `b` from `bound - i` on.
        any_high = g.or(any_high, b[bound - i]);
        let both = g.and(a[i], any_high);
        far = g.or(far, both);
    }
    far
}

/// The product of w + 1 bits of the operands, extended by the bits given.
fn wide_product<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    b: &[G::Bit],
    top_a: G::Bit,
    top_b: G::Bit,
) -> Vec<G::Bit> {
    let (wide_a, wide_b) = ([a, &[top_a]].concat(), [b, &[top_b]].concat());
    multiplier::mul(g, &wide_a, &wide_b)
}
