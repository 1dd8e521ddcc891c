//! Operands for the tests: corner values of a width, and reproducible random values.

use super::super::BitVec;

/// SplitMix64 (Steele, Lea, Flood 2014) with a fixed seed: the same values in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// The next 64 random bits.
    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (self.word() % u64::from(bound)) as u32
    }

    /// A value of independent random bits.
    pub(super) fn uniform(&mut self, width: u32) -> BitVec {
        BitVec::from_word_fn(width, |_| self.word())
    }

    /// A value of few words that are hard on carries and quotient estimates, cut to a random length.
    pub(super) fn rough(&mut self, width: u32) -> BitVec {
        let value = BitVec::from_word_fn(width, |_| match self.below(6) {
            0 | 1 => 0,
            2 => u64::MAX,
            3 => 1 << 63,
            4 => 1,
            _ => self.word(),
        });
        value.lshr_by(self.below(width))
    }
}

/// Values of a width at which operations change their behaviour; some coincide for small widths.
pub(super) fn corners(width: u32) -> Vec<BitVec> {
    let one = BitVec::one(width);
    let half = one.shl_by(width / 2);
    let mut values = vec![
        BitVec::zero(width),
        BitVec::ones(width),
        BitVec::ones(width).sub(&one),
        BitVec::min_signed(width),
        BitVec::min_signed(width).add(&one),
        BitVec::max_signed(width),
        BitVec::max_signed(width).sub(&one),
        // Products of these lie just below, at and above the unsigned and the signed limit.
        half.sub(&one),
        half.add(&one),
        half.neg(),
        BitVec::ones(width).lshr_by(width / 2),
        BitVec::one(width).shl_by(width / 2).shl_by(1).sub(&one),
        // Distances around the width.
        BitVec::from_u64(u64::from(width) - 1, width),
        BitVec::from_u64(u64::from(width), width),
        BitVec::from_u64(u64::from(width) + 1, width),
        BitVec::from_u64(3, width),
        BitVec::from_u64(10, width),
    ];
    let exponents = [0, 1, 31, 32, 63, 64, 65, 127, 128, width / 2, width.saturating_sub(2)];
    values.extend(exponents.iter().filter(|&&k| k < width).map(|&k| one.shl_by(k)));
    values.sort();
    values.dedup();
    values
}
