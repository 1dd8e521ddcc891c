//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).

use crate::Lit;

/// A seeded generator.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. The bias of the remainder does not matter here.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A literal of one of the variables from 1 to `variables`.
    pub(super) fn lit(&mut self, variables: u32) -> Lit {
        let lit = Lit::positive(1 + self.below(u64::from(variables)) as u32);
        if self.one_in(2) { lit } else { !lit }
    }

    /// Literals as from [`Random::lit`], so repetitions and contradictions occur.
    pub(super) fn lits(&mut self, variables: u32, number: u64) -> Vec<Lit> {
        (0..number).map(|_| self.lit(variables)).collect()
    }

    /// A clause of three literals of different variables, of which there must be at least three.
    pub(super) fn ternary(&mut self, variables: u32) -> [Lit; 3] {
        loop {
            let clause = [self.lit(variables), self.lit(variables), self.lit(variables)];
            let [x, y, z] = clause.map(Lit::var);
            if x != y && y != z && x != z {
                return clause;
            }
        }
    }
}
