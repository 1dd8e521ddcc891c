//! One assumption for all: whatever fails, everything becomes twice as wide.
//!
//! One variable a step, and as many steps as the widest vector has doublings. Thesis, section 3.3.5: often as
//! good as the local policy.

use super::{Policy, Vector};

/// All vectors are refined, to twice their effective width.
pub struct Global;

impl Policy for Global {
    fn name(&self) -> &str {
        "global"
    }

    fn group(&self, _: &Vector) -> u32 {
        0
    }

    fn refine(&self, vector: &Vector) -> u32 {
        vector.effective.saturating_mul(2)
    }
}
