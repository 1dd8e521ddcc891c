//! Cubes: conjunctions of literals over latches, which stand for sets of states.

/// A literal: twice the number of a latch, plus one if the latch is false.
pub(super) type Literal = u32;

/// The literal by which a latch has a value.
pub(super) fn literal(latch: usize, value: bool) -> Literal {
    (latch as u32) << 1 | u32::from(!value)
}

/// The latch of a literal, and its value.
pub(super) fn parts(literal: Literal) -> (usize, bool) {
    ((literal >> 1) as usize, literal & 1 == 0)
}

/// Literals by increasing latch, each latch at most once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cube {
    pub(super) literals: Box<[Literal]>,
    /// One bit for some latches, to refuse subsumption early.
    signature: u64,
}

impl Cube {
    pub(super) fn new(mut literals: Vec<Literal>) -> Cube {
        literals.sort_unstable();
        let signature = literals.iter().fold(0, |bits, literal| bits | 1 << (literal % 64));
        Cube { literals: literals.into(), signature }
    }

    /// Whether every state of `other` is a state of this cube.
    pub(super) fn subsumes(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.literals.len() > other.literals.len() {
            return false;
        }
        let mut others = other.literals.iter();
        self.literals.iter().all(|literal| others.by_ref().any(|other| other == literal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_subsumes_those_with_more_literals() {
        let cube = |literals: &[Literal]| Cube::new(literals.to_vec());
        assert!(cube(&[5, 2]).subsumes(&cube(&[2, 5, 9])));
        assert!(cube(&[]).subsumes(&cube(&[])));
        assert!(!cube(&[2, 5]).subsumes(&cube(&[2, 4, 9])));
        assert!(!cube(&[2, 66]).subsumes(&cube(&[2])));
        assert_eq!(parts(literal(7, false)), (7, false));
    }
}
