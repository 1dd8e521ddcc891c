//! A single formula that is assumed in the first check is asserted on a level of its own, which is popped
//! afterwards.
//!
//! Assumptions stay apart from everything else, because cores are made of them; so they give no definitions,
//! and passes do not see them. But many a script has its whole problem in `(check-sat-assuming (problem))`
//! and nothing else. Of a single assumption there is nothing to tell apart: if its level is to blame, it is.
//!
//! Only the first check is done in this way: who assumes again and again wants gates that stay. Literals are
//! assumed as they are, and a core that is to be minimal is looked for among assumptions as ever, since a
//! level that is said to be to blame may be dispensable.
//!
//! Cost: what the check of an assertion costs.

use super::Solver;
use crate::answer::CheckResult;
use crate::model::InternalError;
use bivalve_terms::{Op, Pool, Term};

impl Solver {
    /// The only assumption of the first check, if it is more than a literal.
    pub(super) fn is_best_asserted(&self, pool: &Pool, assumptions: &[Term]) -> Option<Term> {
        let &[assumption] = assumptions else { return None };
        let atom = if pool.op(assumption) == Op::Not { pool.args(assumption)[0] } else { assumption };
        let is_first = self.statistics.checks == 0 && !self.settings.minimize_core;
        (is_first && !pool.args(atom).is_empty()).then_some(assumption)
    }

    /// Is the conjunction of the assertions and of this assumption, which was accepted, satisfiable?
    pub(super) fn check_above(
        &mut self,
        pool: &mut Pool,
        assumption: Term,
    ) -> Result<CheckResult, InternalError> {
        if self.push(1).is_err() {
            return self.check_accepted(pool, &[assumption]);
        }
        self.add(assumption, false);
        let answer = self.check_accepted(pool, &[]);
        let (model, mut blame) = (self.model.take(), self.blame.take());
        let top = self.scopes.levels().len() - 1;
        let derived = self.preprocessor.levels()[top].conjuncts().to_vec();
        self.pop(1).expect("a level was pushed");
        if let Some(blame) = &mut blame
            && blame.level == top
        {
            (blame.level, blame.assumptions) = (top - 1, vec![0]);
        }
        // What is left of the assumption is what was assumed, for those who want to see the circuits.
        (self.model, self.blame, self.assumed) = (model, blame, derived);
        answer
    }
}
