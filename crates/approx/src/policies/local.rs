//! One assumption for each vector: those that failed become twice as wide.
//!
//! The SAT solver says which approximations it has used, and only these are refined. The failed set need not
//! be minimal, so more may be refined than needed, never less.

use super::{Policy, Vector};

/// Failed vectors are refined, to twice their effective width.
pub struct Local;

impl Policy for Local {
    fn name(&self) -> &str {
        "local"
    }

    fn group(&self, vector: &Vector) -> u32 {
        vector.number
    }

    fn refine(&self, vector: &Vector) -> u32 {
        vector.effective.saturating_mul(2)
    }
}
