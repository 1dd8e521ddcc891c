//! Zero extension: high bits are zero.
//!
//! The values at effective width k are `0` to `2^k - 1`. Constants propagate further than equalities: the
//! high partial products of a multiplication vanish (thesis, figure 3.2).

use super::{Encoding, Restriction};

/// High bits are zero.
pub struct Zero;

impl Encoding for Zero {
    fn name(&self) -> &str {
        "zero"
    }

    fn restriction(&self, _: u32, effective: u32, bit: u32) -> Restriction {
        if bit < effective { Restriction::Free } else { Restriction::Constant(false) }
    }
}
