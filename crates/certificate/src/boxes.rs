//! Certificates by boxes of floating-point numbers.
//!
//! As for sums, what is asserted is looked at as it was written. The solver's search
//! (`bivalve_local_search::floats::boxes`) says which assertions are enough and how boxes are split; the
//! certificate is one step with that tree, and the checker shows by its own intervals that an assertion is
//! false on each box.

use crate::recorder::Recorder;
use crate::{Certifier, Refutation, head};
use bivalve_limits::Deadline;
use bivalve_local_search::floats::boxes::{Found, decided};
use bivalve_terms::{Pool, Term};

/// Steps of the search, as many as the solver has.
const STEPS: u64 = 4_000_000;

impl Certifier {
    /// A refutation of these assertions for a check, if boxes show it.
    pub(crate) fn refute_by_boxes(
        &mut self,
        pool: &Pool,
        check: u64,
        assertions: &[Term],
    ) -> Option<Refutation> {
        let deadline = Deadline::new(&self.stop, STEPS);
        let Found::Refuted(used, tree) = decided(pool, assertions, &deadline)? else { return None };
        let formulas: Vec<Term> = used.iter().map(|&at| assertions[at]).collect();
        let (boxes, tree) = self.images.boxes(pool, &formulas, &tree).ok()?;
        let mut out = Recorder::new(Some(self.form)).stopped_by(&self.stop);
        out.boxes(&used, &boxes, &tree).ok()?;
        out.end(None).ok()?;
        let mut refutation = out.into_refutation();
        refutation.steps.splice(0..0, head(self.form, check));
        Some(refutation)
    }
}
