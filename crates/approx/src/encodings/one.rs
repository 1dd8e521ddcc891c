//! One extension: high bits are one.
//!
//! The values at effective width k are the `2^k` largest, in two's complement `-2^k` to `-1`; for formulas
//! whose models are small negative numbers (thesis, figure 3.3, left).

use super::{Encoding, Restriction};

/// High bits are one.
pub struct One;

impl Encoding for One {
    fn name(&self) -> &str {
        "one"
    }

    fn restriction(&self, _: u32, effective: u32, bit: u32) -> Restriction {
        if bit < effective { Restriction::Free } else { Restriction::Constant(true) }
    }
}
