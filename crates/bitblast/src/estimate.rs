//! What a circuit would cost, without building it.
//!
//! The third implementer of [`Gates`]: a bit is a known constant or "something", and a gate over anything
//! unknown is counted. Gates over constants cost what remains of them: `ite(c, 1, b)` is a conjunction.
//! Sharing is not seen, so an estimate is an upper bound of what the graph will hold. Cost: a few
//! instructions a gate and no memory beyond the vectors of the circuit; still the time of the circuit,
//! quadratic for a product.

use crate::circuits::{bitwise, divider};
use crate::gates::Gates;
use std::cmp::Ordering;

/// Counts the gates of circuits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Estimate {
    /// Binary conjunctions.
    pub and: u64,
    /// Binary exclusive ors.
    pub xor: u64,
    /// Multiplexers.
    pub ite: u64,
    /// Majorities.
    pub maj: u64,
}

/// A bit of an estimate: its value where it is known.
pub type Known = Option<bool>;

impl Estimate {
    /// Nothing counted yet.
    pub fn new() -> Estimate {
        Estimate::default()
    }

    /// The number of gates, each of which may become a variable.
    pub fn gates(&self) -> u64 {
        self.and + self.xor + self.ite + self.maj
    }

    /// The number of clauses when each gate is encoded by itself.
    pub fn clauses(&self) -> u64 {
        3 * self.and + 4 * self.xor + 6 * (self.ite + self.maj)
    }
}

impl Gates for Estimate {
    type Bit = Known;

    fn constant(&mut self, value: bool) -> Known {
        Some(value)
    }

    fn as_constant(&self, bit: Known) -> Option<bool> {
        bit
    }

    fn is_same(&self, _: Known, _: Known) -> bool {
        false
    }

    fn order(&self, _: &[Known], _: &[Known]) -> Ordering {
        Ordering::Equal
    }

    fn not(&mut self, a: Known) -> Known {
        a.map(|value| !value)
    }

    fn and(&mut self, a: Known, b: Known) -> Known {
        match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), x) | (x, Some(true)) => x,
            (None, None) => {
                self.and += 1;
                None
            }
        }
    }

    fn xor(&mut self, a: Known, b: Known) -> Known {
        match (a, b) {
            (Some(a), Some(b)) => Some(a != b),
            (None, None) => {
                self.xor += 1;
                None
            }
            _ => None,
        }
    }

    fn ite(&mut self, cond: Known, then: Known, other: Known) -> Known {
        match (cond, then, other) {
            (Some(true), x, _) | (Some(false), _, x) => x,
            (None, Some(a), Some(b)) => (a == b).then_some(a),
            (None, Some(_), None) | (None, None, Some(_)) => self.and(None, None),
            (None, None, None) => {
                self.ite += 1;
                None
            }
        }
    }

    fn maj(&mut self, a: Known, b: Known, c: Known) -> Known {
        match (a, b, c) {
            (Some(known), x, y) | (x, Some(known), y) | (x, y, Some(known)) => {
                // A disjunction costs what a conjunction costs.
                let (x, y) = if known { (self.not(x), self.not(y)) } else { (x, y) };
                self.and(x, y).map(|value| value != known)
            }
            (None, None, None) => {
                self.maj += 1;
                None
            }
        }
    }

    fn choose(&mut self, cond: Known, then: &[Known], other: &[Known]) -> Vec<Known> {
        bitwise::ite(self, cond, then, other)
    }

    fn divide(&mut self, a: &[Known], b: &[Known]) -> (Vec<Known>, Vec<Known>) {
        divider::divide(self, a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluate;

    /// What an estimate takes for known holds for all values of the other bits.
    #[test]
    fn known_bits_are_right() {
        let known = [Some(false), Some(true), None];
        let values = |bit: Known| bit.map_or(vec![false, true], |value| vec![value]);
        for (a, b, c) in known
            .into_iter()
            .flat_map(|a| known.into_iter().flat_map(move |b| known.into_iter().map(move |c| (a, b, c))))
        {
            let (mut counted, mut real) = (Estimate::new(), Evaluate);
            let claims = [counted.and(a, b), counted.xor(a, b), counted.ite(a, b, c), counted.maj(a, b, c)];
            for (x, y, z) in values(a).into_iter().flat_map(|x| {
                values(b).into_iter().flat_map(move |y| values(c).into_iter().map(move |z| (x, y, z)))
            }) {
                let facts = [real.and(x, y), real.xor(x, y), real.ite(x, y, z), real.maj(x, y, z)];
                for (claim, fact) in claims.into_iter().zip(facts) {
                    assert!(claim.is_none_or(|value| value == fact), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}
