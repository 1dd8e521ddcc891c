//! When the gates are swept: after a search that has not come to an end soon, and again only when there are
//! half as many gates more.
//!
//! The search is interrupted after [`PATIENCE`] conflicts of one graph. What sweeping finds is added as
//! clauses, two for each pair of equal edges, and the search goes on with what it has learnt.
//!
//! Cost: that of sweeping, see [`crate::sweep`].

use super::statistics::timed;
use super::{Encoder, started};
use crate::sweep::{self, Task};
use bivalve_sat_adapter::{Budget, SatSolver};

/// Conflicts before the gates are swept, unless another number was set.
const PATIENCE: u64 = 2_000;

/// What is known of earlier sweeps.
pub(super) struct Sweeping {
    /// Conflicts before the gates are swept; `None` if they are not.
    patience: Option<u64>,
    /// The number of gates that there were; 0 after a restart.
    gates: usize,
    /// Conflicts when the present gates were begun.
    since: u64,
}

impl Default for Sweeping {
    fn default() -> Sweeping {
        Sweeping { patience: Some(PATIENCE), gates: 0, since: 0 }
    }
}

impl Sweeping {
    /// Gates and clauses were dropped, after so many conflicts.
    pub(super) fn restart(&mut self, conflicts: u64) {
        (self.gates, self.since) = (0, conflicts);
    }
}

impl Encoder {
    /// Sweeps the gates after so many conflicts of a search; never for `None`.
    pub fn set_sweep_after(&mut self, conflicts: Option<u64>) {
        self.sweeping.patience = conflicts;
    }

    /// How much of a budget may be used before the gates are swept; all if they will not be.
    pub(super) fn before_sweeping(&self, budget: &Budget) -> Budget {
        let Some(left) = self.conflicts_to_sweeping() else { return *budget };
        let left = left.max(1);
        Budget { conflicts: Some(budget.conflicts.map_or(left, |most| most.min(left))), ..*budget }
    }

    /// Have there been enough conflicts?
    pub(super) fn sweep_is_due(&self) -> bool {
        self.conflicts_to_sweeping() == Some(0)
    }

    /// The conflicts before the next sweep; `None` if there will be none.
    fn conflicts_to_sweeping(&self) -> Option<u64> {
        let Sweeping { patience, gates, since } = self.sweeping;
        let is_new = self.blaster.graph().len() > gates + gates / 2;
        let counts = |backend: &Box<dyn SatSolver>| backend.capabilities().budget;
        if !is_new || !self.backend.as_ref().is_some_and(counts) {
            return None;
        }
        Some(patience?.saturating_sub(self.conflicts() - since))
    }

    /// Finds equal edges, and tells the SAT solver.
    pub(super) fn sweep(&mut self) {
        self.sweeping.gates = self.blaster.graph().len();
        let roots = self.live_roots(&|_| true);
        let Encoder { blaster, cnf, backend, factory, habit, stop, totals, clock, .. } = self;
        let words = blaster.compared().map(|pair| pair.map(<[_]>::to_vec)).collect();
        let task = Task { graph: blaster.graph(), roots: &roots, leaves: blaster.first_inputs(), words };
        let sweeping = &mut totals.sweeping;
        timed(*clock, &mut totals.seconds.sweep, || {
            let equal = sweep::equalities(&task, factory, stop, sweeping);
            let backend = started(backend, factory, habit, stop);
            for [a, b] in equal {
                if cnf.lookup(a).is_some() {
                    let [a, b] = [a, b].map(|edge| cnf.literal(blaster.graph(), edge, &mut *backend));
                    backend.add_clause(&[a, !b]);
                    backend.add_clause(&[!a, b]);
                }
            }
        });
    }
}
