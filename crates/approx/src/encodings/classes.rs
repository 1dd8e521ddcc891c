//! Equivalence classes: neighbouring bits have the same value.
//!
//! The bits are parted into k runs of about equal length, and all bits of a run equal its lowest one. The
//! idea is that few single bits of a vector matter, wherever they stand (thesis, figure 3.3, right).
//!
//! Runs are found by halving: a range of bits that is to have more than one run is cut in the middle, the
//! lower half gets the odd one. The place of a cut depends on the range and not on how many runs there are,
//! so more runs split runs: each class of k + 1 lies in one of k.

use super::{Encoding, Restriction};

/// Bits of a run equal its lowest one; there are as many runs as effective bits.
pub struct Classes;

impl Encoding for Classes {
    fn name(&self) -> &str {
        "classes"
    }

    fn restriction(&self, width: u32, effective: u32, bit: u32) -> Restriction {
        let (mut start, mut length, mut runs) = (0, width, effective.min(width));
        while runs > 1 {
            let (low_length, low_runs) = (length.div_ceil(2), runs.div_ceil(2));
            if bit < start + low_length {
                (length, runs) = (low_length, low_runs);
            } else {
                start += low_length;
                (length, runs) = (length - low_length, runs - low_runs);
            }
        }
        if bit == start { Restriction::Free } else { Restriction::Bit(start) }
    }
}
