//! Digits of a multiplier: which rows its bits ask for.
//!
//! A bit that is not known asks for one row, a known zero for none. The known ones are recoded as a number of
//! their own into the canonical signed-digit form (Reitwiesner 1960): digits -1, 0 and 1, no two neighbours
//! both nonzero, and no signed form has fewer nonzero digits. A run of ones 2^j - 2^i costs two rows,
//! whatever its length. Modulo 2^w the digit at w falls away, so -1 costs one row.
//!
//! A run of one bit `b` from place i to j is `b (2^j - 2^i)`: two rows again, and one where it ends the word.
//! So a sign-extended word asks for as many rows as it has bits.
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
    /// 0 or -1, as the bit says.
    MinusBit(B),
}

/// So many equal bits have two rows, if they do not end the multiplier.
const LONG_RUN: usize = 3;

/// The digits that ask for a row, with their places: a positive constant first where there is one, since the
/// first row is copied and not added; then by increasing place.
pub fn digits<G: Gates + ?Sized>(g: &G, bits: &[G::Bit]) -> Vec<(usize, Digit<G::Bit>)> {
    let known_one = |i: usize| bits.get(i).is_some_and(|&bit| g.as_constant(bit) == Some(true));
    let mut digits = Vec::new();
    let (mut carry, mut done) = (false, 0);
    for (place, &bit) in bits.iter().enumerate() {
        // The rest of the constant is here an odd number iff exactly one of bit and carry is set. Then the
        // digit is +1 or -1, such that what remains is even at the next place.
        if known_one(place) != carry {
            carry = known_one(place + 1);
            digits.push((place, if carry { Digit::Minus } else { Digit::Plus }));
        }
        if g.as_constant(bit).is_some() || place < done {
            continue;
        }
        let run = bits[place..].iter().take_while(|&&other| g.is_same(bit, other)).count();
        let end = place + run;
        if run >= LONG_RUN || run > 1 && end == bits.len() {
            digits.push((place, Digit::MinusBit(bit)));
            if end < bits.len() {
                digits.push((end, Digit::Bit(bit)));
            }
            done = end;
        } else {
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

    /// Words of zeros, ones and two unknown bits: digits times powers of two give the number, and there are
    /// no more of them than bits that may be set.
    #[test]
    fn digits_make_the_number_and_are_few() {
        for width in 1..=6usize {
            for word in 0..1u32 << (2 * width) {
                let mut g = GateGraph::new();
                let unknown = [g.input(), g.input()];
                let kinds: Vec<usize> = (0..width).map(|place| (word >> (2 * place) & 3) as usize).collect();
                let bits: Vec<Edge> = kinds
                    .iter()
                    .map(|&kind| if kind < 2 { Edge::constant(kind == 1) } else { unknown[kind - 2] })
                    .collect();
                let digits = digits(&g, &bits);
                for values in 0..4u32 {
                    let value = |kind: usize| {
                        i64::from(if kind < 2 { kind as u32 } else { values >> (kind - 2) & 1 })
                    };
                    let of = |edge: Edge| value(2 + usize::from(edge == unknown[1]));
                    let sum: i64 = digits
                        .iter()
                        .map(|&(place, digit)| match digit {
                            Digit::Plus => 1 << place,
                            Digit::Minus => -(1 << place),
                            Digit::Bit(bit) => of(bit) << place,
                            Digit::MinusBit(bit) => -(of(bit) << place),
                        })
                        .sum();
                    let expected: i64 =
                        kinds.iter().enumerate().map(|(place, &kind)| value(kind) << place).sum();
                    assert_eq!((sum - expected).rem_euclid(1 << width), 0, "{kinds:?}, {values:b}");
                }
                let ones = kinds.iter().filter(|&&kind| kind == 1).count();
                let constant = digits.iter().filter(|(_, d)| matches!(d, Digit::Plus | Digit::Minus)).count();
                assert!(constant <= ones && 2 * constant <= width + 1, "{kinds:?}");
                assert!(
                    digits.len() - constant <= kinds.iter().filter(|&&kind| kind > 1).count(),
                    "{kinds:?}"
                );
            }
        }
    }

    #[test]
    fn a_sign_extended_word_has_as_many_digits_as_bits() {
        let mut g = GateGraph::new();
        let mut bits: Vec<Edge> = (0..4).map(|_| g.input()).collect();
        bits.resize(32, bits[3]);
        assert_eq!(digits(&g, &bits).len(), 4);
    }
}
