//! Sign extension: high bits equal the last effective one.
//!
//! The values at effective width k are those of k bits in two's complement, `-2^(k-1)` to `2^(k-1) - 1`:
//! small numbers of either sign, which is what programs compute with (Bryant et al., 2007; thesis, figure
//! 3.2).

use super::{Encoding, Restriction};

/// High bits equal the last effective one.
pub struct Sign;

impl Encoding for Sign {
    fn name(&self) -> &str {
        "sign"
    }

    fn restriction(&self, _: u32, effective: u32, bit: u32) -> Restriction {
        if bit < effective { Restriction::Free } else { Restriction::Bit(effective - 1) }
    }
}
