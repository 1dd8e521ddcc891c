//! The five rounding modes of SMT-LIB.

use std::fmt;

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    /// To the nearest value; of two that are equally near, the one with an even significand.
    NearestEven,
    /// To the nearest value; of two that are equally near, the one further from zero.
    NearestAway,
    /// To the nearest value that is not less.
    TowardPositive,
    /// To the nearest value that is not greater.
    TowardNegative,
    /// To the nearest value that is not further from zero.
    TowardZero,
}

/// Short name and long name, by code.
const NAMES: [(RoundingMode, &str, &str); 5] = [
    (RoundingMode::NearestEven, "RNE", "roundNearestTiesToEven"),
    (RoundingMode::NearestAway, "RNA", "roundNearestTiesToAway"),
    (RoundingMode::TowardPositive, "RTP", "roundTowardPositive"),
    (RoundingMode::TowardNegative, "RTN", "roundTowardNegative"),
    (RoundingMode::TowardZero, "RTZ", "roundTowardZero"),
];

impl RoundingMode {
    /// All modes, in the order of their codes.
    pub const ALL: [RoundingMode; 5] = [NAMES[0].0, NAMES[1].0, NAMES[2].0, NAMES[3].0, NAMES[4].0];

    /// The bits of a mode as a word, in circuits.
    pub const CODE_BITS: u32 = 3;

    /// The mode as a word of [`Self::CODE_BITS`] bits: 0 to 4, in the order of [`Self::ALL`].
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The mode with a code, if the code is less than 5.
    pub fn from_code(code: u64) -> Option<RoundingMode> {
        RoundingMode::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// The short name: `RNE`, `RNA`, `RTP`, `RTN` or `RTZ`.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.code())].1
    }

    /// The long name, `roundNearestTiesToEven` for example.
    pub fn long_name(self) -> &'static str {
        NAMES[usize::from(self.code())].2
    }

    /// The mode with a short or long name.
    pub fn named(name: &str) -> Option<RoundingMode> {
        NAMES.iter().find(|(_, short, long)| name == *short || name == *long).map(|(mode, ..)| *mode)
    }

    /// The mode that does to `-x` what this one does to `x`.
    pub fn mirrored(self) -> RoundingMode {
        match self {
            RoundingMode::TowardPositive => RoundingMode::TowardNegative,
            RoundingMode::TowardNegative => RoundingMode::TowardPositive,
            other => other,
        }
    }
}

/// The short name.
impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_lead_back() {
        for mode in RoundingMode::ALL {
            assert_eq!(RoundingMode::named(mode.name()), Some(mode));
            assert_eq!(RoundingMode::named(mode.long_name()), Some(mode));
            assert_eq!(RoundingMode::from_code(u64::from(mode.code())), Some(mode));
            assert_eq!(mode.mirrored().mirrored(), mode);
        }
        assert_eq!(RoundingMode::from_code(5), None);
        assert_eq!(RoundingMode::named("RND"), None);
    }
}
