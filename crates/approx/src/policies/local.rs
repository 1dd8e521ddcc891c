//! One assumption for each vector: those that failed become twice as wide.
//!
//! The SAT solver says which approximations it has used, and only these are eased. The failed set need not be
//! minimal, so more may be eased than needed, never less.

use super::{Policy, Vector};

/// Failed vectors are eased, to twice their effective width.
pub struct Local;

impl Policy for Local {
    fn name(&self) -> &str {
        "local"
    }

    fn group(&self, vector: &Vector) -> u32 {
        vector.number
    }

    fn ease(&self, vector: &Vector) -> u32 {
        vector.effective.saturating_mul(2)
    }
}
