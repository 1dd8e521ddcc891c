//! Limits of one check.

use crate::Solver;
use crate::answer::{CheckError, CheckResult};
use crate::options::Settings;
use bivalve_terms::{Pool, Term};

/// What one check may cost; what is not limited here is as the settings say.
///
/// Limits are counted in steps, so a run is the same everywhere. A limit of time is kept by the caller, who
/// has a clock: [`Solver::stop_handle`] and [`Bivalve::on_terminate`](crate::Bivalve::on_terminate).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckLimits {
    /// Conflicts of all searches of the check.
    pub conflicts: Option<u64>,
    /// Gates that are built.
    pub gates: Option<u64>,
}

impl CheckLimits {
    /// No limits but those of the settings.
    pub fn new() -> CheckLimits {
        CheckLimits::default()
    }

    /// At most so many conflicts.
    #[must_use]
    pub fn conflicts(self, conflicts: u64) -> CheckLimits {
        CheckLimits { conflicts: Some(conflicts), ..self }
    }

    /// At most so many gates.
    #[must_use]
    pub fn gates(self, gates: u64) -> CheckLimits {
        CheckLimits { gates: Some(gates), ..self }
    }
}

impl Solver {
    /// As [`check_assuming`](Solver::check_assuming), with limits for this check; where one is reached the
    /// answer is [`CheckResult::Unknown`], and the solver can be used on. The settings stay as they are.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn check_within(
        &mut self,
        pool: &mut Pool,
        limits: CheckLimits,
        assumptions: &[Term],
    ) -> Result<CheckResult, CheckError> {
        let Settings { conflict_limit, gate_limit, .. } = self.settings;
        self.set_limits(limits.conflicts.or(conflict_limit), limits.gates.unwrap_or(gate_limit));
        let result = self.check_assuming(pool, assumptions);
        self.set_limits(conflict_limit, gate_limit);
        result
    }

    fn set_limits(&mut self, conflicts: Option<u64>, gates: u64) {
        (self.settings.conflict_limit, self.settings.gate_limit) = (conflicts, gates);
        self.apply_search_settings();
    }
}
