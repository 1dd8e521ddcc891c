//! Digits of a multiplier: which rows its bits ask for.
//!
//! A bit that is not known asks for one row, a known zero for none. The known ones are recoded as a number of
//! their own into the canonical signed-digit form (Reitwiesner 1960): digits -1, 0 and 1, no two neighbours
//! both nonzero, and no signed form has fewer nonzero digits. A run of ones 2^j - 2^i costs two rows,
//! whatever its length. Modulo 2^w the digit at w falls away, so -1 costs one row.
//!
//! Known bits count wherever they come from: the vector is looked at, not the term.

use crate::gates::Gates;

/// A digit of a multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digit<B> {
    /// +1.
    Plus,
    /// -1.
    Minus,
    /// 0 or 1, as the bit says.
    Bit(B),
}

/// The digits that ask for a row, with their places: a positive constant first where there is one, since the
/// first row is copied and not added; then by increasing place.
pub fn digits<G: Gates + ?Sized>(g: &G, bits: &[G::Bit]) -> Vec<(usize, Digit<G::Bit>)> {
    let known_one = |i: usize| bits.get(i).is_some_and(|&bit| g.as_constant(bit) == Some(true));
    let mut digits = Vec::new();
    let mut carry = false;
    for (place, &bit) in bits.iter().enumerate() {
        // The rest of the constant is here an odd number iff exactly one of bit and carry is set. Then the
        // digit is +1 or -1, such that what remains is even at the next place.
        if known_one(place) != carry {
            carry = known_one(place + 1);
            digits.push((place, if carry { Digit::Minus } else { Digit::Plus }));
        }
        if g.as_constant(bit).is_none() {
            digits.push((place, Digit::Bit(bit)));
        }
    }
    if let Some(first) = digits.iter().position(|(_, digit)| matches!(digit, Digit::Plus)) {
        digits[..=first].rotate_right(1);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::Edge;
    use crate::graph::GateGraph;

    /// Constants, and constants with some bits replaced by unknown ones: digits times powers of two give the
    /// number.
    #[test]
    fn digits_make_the_number_and_are_few() {
        for width in 1..=7usize {
            for value in 0..1u32 << width {
                for unknown in 0..1u32 << width {
                    let mut g = GateGraph::new();
                    let bits: Vec<Edge> = (0..width)
                        .map(|i| {
                            if unknown >> i & 1 == 1 {
                                g.input()
                            } else {
                                Edge::constant(value >> i & 1 == 1)
                            }
                        })
                        .collect();
                    let digits = digits(&g, &bits);
                    let constant: Vec<_> =
                        digits.iter().filter(|(_, d)| !matches!(d, Digit::Bit(_))).collect();
                    let sum: i64 = constant
                        .iter()
                        .map(|(i, d)| if *d == Digit::Plus { 1i64 << i } else { -(1 << i) })
                        .sum();
                    let expected = i64::from(value & !unknown);
                    assert_eq!((sum - expected).rem_euclid(1 << width), 0, "{value:b} {unknown:b}");
                    assert_eq!(digits.len() - constant.len(), unknown.count_ones() as usize);
                    let ones = (value & !unknown).count_ones() as usize;
                    assert!(constant.len() <= ones && 2 * constant.len() <= width + 1);
                }
            }
        }
    }
}
