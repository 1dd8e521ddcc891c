//! What the stages hand to each other as the solver lives on: assertions down, models up, and new names for
//! terms to all of them when the pool is compacted.

use crate::Solver;
use crate::model::WayBack;
use crate::refiners::refiners;
use crate::stack::Fresh;
use bivalve_terms::{Pool, Renaming, Term};

impl Solver {
    /// Hands what is new to the preprocessor, lowered.
    pub(crate) fn hand_over(&mut self, pool: &mut Pool) {
        for Fresh { formula, is_tracked, opens } in self.stack.hand_over() {
            let image = self.lowering.formula(pool, formula);
            if opens {
                self.preprocessor.push();
            }
            match is_tracked {
                true => self.preprocessor.add_tracked(image),
                false => self.preprocessor.add(&[image]),
            }
        }
    }

    /// What makes a model of the assertions of one of the conjuncts.
    pub(crate) fn way_back(&self) -> WayBack<'_> {
        WayBack { preprocessor: &self.preprocessor, lowering: &self.lowering }
    }

    /// The terms that the solver refers to, for [`Pool::compact`]. Some may come twice.
    pub fn in_use(&self) -> Vec<Term> {
        let asserted = self.stack.assertions().iter().copied();
        asserted.chain(self.preprocessor.in_use()).chain(self.lowering.in_use()).collect()
    }

    /// Follows a compaction of the pool, of which everything [`in_use`](Solver::in_use) was a part. The
    /// answer of the last check is forgotten, and so is everything that only saves time: a compaction costs
    /// about what the first check after it costs, and changes no answer.
    pub fn rename(&mut self, renaming: &Renaming) {
        self.forget_answer();
        self.former = None;
        self.quantified = None;
        self.supported.forget();
        self.stack.rename(renaming);
        self.lowering.rename(renaming);
        self.preprocessor.rename(renaming);
        self.search.forget_terms(refiners(&self.settings, &self.parts));
    }
}
