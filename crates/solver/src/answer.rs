//! What a solver says: answers, and why something was not carried out.

use crate::model::InternalError;
use crate::support::Unsupported;
use bivalve_lowering::Refusal;
use bivalve_sat_adapter::Why;
use thiserror::Error;

/// The answer to a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// There is a model, and it was validated; [`Solver::model`](crate::Solver::model) has it.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided, and why.
    Unknown(Why),
}

/// Why a formula was not taken.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
pub enum AssertError {
    /// Only Boolean terms can be asserted.
    #[error("expected a term of sort Bool")]
    NotBoolean,
    /// The formula is outside of the theories that are decided.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The formula has a term that no theory turns into bit-vectors.
    #[error(transparent)]
    NotLowered(#[from] Refusal),
}

/// Why a check was not carried out.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// An assumption, by position from 0, cannot be made.
    #[error("assumption {}: {refusal}", position + 1)]
    Assumption {
        /// Its position among the assumptions.
        position: usize,
        /// What is wrong with it.
        refusal: AssertError,
    },
    /// A self-check failed.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// More levels were to be popped than there are, or more pushed than can be counted.
#[derive(Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("the assertion stack has {depth} levels")]
pub struct LevelError {
    /// The levels there are.
    pub depth: u64,
}
