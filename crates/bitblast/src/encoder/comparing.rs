//! When words are compared as sums of weighted bits: after a search that has not come to an end soon, and
//! again only for words that are new.
//!
//! The search is interrupted after [`PATIENCE`] conflicts of one graph if it has equations between words that
//! might be sums. The bits of words that are equal become equal by two clauses each, and the search goes on
//! with what it has learnt.
//!
//! Cost: that of comparing, see [`crate::weights`].

use super::statistics::timed;
use super::{Encoder, started};
use crate::edge::Edge;
use crate::limits::BlastError;
use crate::weights;
use bivalve_sat_adapter::Budget;

/// Conflicts before words are compared, unless another number was set.
const PATIENCE: u64 = 2_000;

/// With more gates than this conflicts take longer, and fewer are waited for.
const GATES: u64 = 1 << 14;

/// What is known of earlier comparisons.
pub(super) struct Comparing {
    /// Conflicts before words are compared; `None` if they are not.
    patience: Option<u64>,
    /// Conflicts when the present gates were begun.
    since: u64,
    /// The equations of the present gates that were looked at.
    seen: usize,
    /// Words of these that might be sums.
    candidates: Vec<[Vec<Edge>; 2]>,
}

impl Default for Comparing {
    fn default() -> Comparing {
        Comparing { patience: Some(PATIENCE), since: 0, seen: 0, candidates: vec![] }
    }
}

impl Comparing {
    /// Gates and clauses were dropped, after so many conflicts.
    pub(super) fn restart(&mut self, conflicts: u64) {
        *self = Comparing { patience: self.patience, since: conflicts, ..Comparing::default() };
    }
}

impl Encoder {
    /// Compares words as sums of weighted bits after so many conflicts of a search; never for `None`.
    pub fn set_words_after(&mut self, conflicts: Option<u64>) {
        self.comparing.patience = conflicts;
    }

    /// How much of a budget may be used before words are compared; all if they will not be.
    pub(super) fn before_comparing(&mut self, budget: &Budget) -> Budget {
        let Some(left) = self.conflicts_to_comparing() else { return *budget };
        let left = left.max(1);
        Budget::conflicts(budget.conflicts.map_or(left, |most| most.min(left)))
    }

    /// The conflicts before the next comparison; `None` if there will be none, `Some(0)` if it is due.
    pub(super) fn conflicts_to_comparing(&mut self) -> Option<u64> {
        if !self.backend.as_ref()?.capabilities().budget {
            return None;
        }
        let patience = self.comparing.patience?;
        let Comparing { since, seen, candidates, .. } = &mut self.comparing;
        let graph = self.blaster.graph();
        for words in self.blaster.compared(*seen) {
            *seen += 1;
            if let Some(words) = words.filter(|&words| weights::are_sums(graph, words)) {
                candidates.push(words.map(<[Edge]>::to_vec));
            }
        }
        if candidates.is_empty() {
            return None;
        }
        let patience = patience.saturating_mul(GATES) / (graph.len() as u64).max(GATES);
        let since = *since;
        Some(patience.saturating_sub(self.conflicts() - since))
    }

    /// Compares the words that are new, and tells the SAT solver which are equal.
    ///
    /// # Errors
    ///
    /// When encoding their bits was stopped; everything is encoded again by the next check.
    pub(super) fn compare(&mut self) -> Result<(), BlastError> {
        let words = std::mem::take(&mut self.comparing.candidates);
        let Encoder { blaster, cnf, backend, factory, habit, stop, totals, clock, .. } = self;
        let (graph, leaves) = (blaster.graph(), blaster.first_inputs());
        let statistics = &mut totals.words;
        timed(*clock, &mut totals.seconds.words, || {
            let equal = weights::equal_words(graph, &leaves, &words, (factory, stop), statistics);
            let backend = started(backend, factory, habit, stop);
            for [a, b] in equal.into_iter().map(|number| &words[number]) {
                for (&a, &b) in a.iter().zip(b).filter(|(a, b)| a != b) {
                    let [a, b] = [a, b].map(|edge| cnf.literal(graph, edge, &mut *backend));
                    backend.add_clause(&[a, !b]);
                    backend.add_clause(&[!a, b]);
                }
            }
        });
        self.check_encoded()
    }
}
