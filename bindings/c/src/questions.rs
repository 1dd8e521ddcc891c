//! What is asked of a solver beside whether there is a model: optima, all models, interpolants.

use crate::checker::Checker;
use crate::fault::{Fault, Outcome, Status};
use bivalve::terms::float::Rational;
use bivalve::terms::{Pool, Term};
use bivalve::{CheckError, CheckResult};
use bivalve_enumerate::{Count, EnumerateError, Models, Next, Points, count};
use bivalve_interpolate::{Interpolator, Outcome as Interpolation, Tree};
use bivalve_optimise::{Objectives, Priority, Range, Sense};

/// Values that are listed one after the other.
pub(crate) struct Listing {
    models: Models,
    /// The rest of the cube that was found last.
    points: Option<Points>,
}

impl Checker {
    /// A term is to be minimised or maximised.
    pub(crate) fn optimise(&mut self, pool: &Pool, term: Term, sense: Sense, is_signed: bool) -> Outcome<()> {
        let name = self.objectives.names().count().to_string();
        let place = (self.solver.levels(), name);
        match self.objectives.optimise(pool, place, term, sense, is_signed) {
            true => Ok(()),
            false => {
                let sort = pool.sorts().display(pool.sort(term));
                let text = format!(
                    "expected a bit-vector or a floating-point number to optimize, found sort {sort}"
                );
                Err(Fault::new(Status::Sort, text))
            }
        }
    }

    /// A formula should hold.
    pub(crate) fn soften(&mut self, pool: &Pool, name: &str, formula: Term, weight: Rational) -> Outcome<()> {
        if !pool.sort(formula).is_bool() {
            return Err(Fault::new(Status::Sort, "expected a soft constraint of sort Bool"));
        }
        self.objectives.soften((self.solver.levels(), name.to_owned()), formula, weight);
        Ok(())
    }

    pub(crate) fn objectives(&self) -> &Objectives {
        &self.objectives
    }

    /// Looks for the optima of all objectives.
    pub(crate) fn optimize(
        &mut self,
        pool: &mut Pool,
        priority: Priority,
        assumptions: &[Term],
    ) -> Outcome<CheckResult> {
        let found = self.limited(|checker| {
            let Checker { objectives, solver, .. } = checker;
            objectives.search(solver, pool, (priority, assumptions), false)
        })?;
        Ok(found.answer)
    }

    /// What is known of an objective.
    pub(crate) fn range(&self, position: usize) -> Outcome<&Range> {
        let count = self.objectives.names().count();
        if position >= count {
            return Err(Fault::argument(format!(
                "expected one of {count} objectives, found number {position}"
            )));
        }
        let none = "there are no optima: none were looked for, or something was changed since";
        self.objectives.ranges().get(position).ok_or_else(|| Fault::state(none))
    }

    /// Begins to list the values of terms.
    pub(crate) fn list_models(&mut self, pool: &mut Pool, terms: &[Term]) -> Outcome<()> {
        let models = Models::new(pool, terms, &[]).map_err(|refusal| refused(refusal.into()))?;
        self.listing = Some(Listing { models, points: None });
        Ok(())
    }

    /// The next values, as constants; how the listing ended if there are none.
    pub(crate) fn next_model(&mut self, pool: &mut Pool) -> Outcome<Result<Vec<Term>, CheckResult>> {
        let none = "no models are listed: no listing was begun, or something was changed since";
        let mut listing = self.listing.take().ok_or_else(|| Fault::state(none))?;
        let next = loop {
            if let Some(point) = listing.points.as_mut().and_then(Iterator::next) {
                let constant = |value| {
                    pool.constant(value).ok_or_else(|| Fault::unsupported("the value has no constant"))
                };
                break point.iter().map(constant).collect::<Outcome<Vec<Term>>>().map(Ok);
            }
            match self.limited(|checker| listing.models.next(&mut checker.solver, pool)) {
                Ok(Next::Cube(cube)) => listing.points = Some(cube.points()),
                Ok(Next::Complete) => break Ok(Err(CheckResult::Unsat)),
                Ok(Next::Unknown(why)) => break Ok(Err(CheckResult::Unknown(why))),
                Err(error) => break Err(error),
            }
        };
        self.listing = Some(listing);
        next
    }

    /// How many values terms have in models.
    pub(crate) fn count_models(&mut self, pool: &mut Pool, terms: &[Term]) -> Outcome<Count> {
        self.limited(|checker| Ok(count(&mut checker.solver, pool, terms, &[])))?.map_err(refused)
    }

    /// Interpolants of the nodes of a tree without its root; without `starts` there is one set, and the
    /// others are all other assertions.
    pub(crate) fn interpolants(
        &mut self,
        pool: &mut Pool,
        sizes: &[usize],
        starts: Option<Vec<usize>>,
        formulas: &[Term],
    ) -> Outcome<Vec<Term>> {
        let assertions = self.solver.assertions();
        let mut behind = formulas.iter().copied();
        let sets: Vec<Vec<Term>> = sizes.iter().map(|&size| behind.by_ref().take(size).collect()).collect();
        let tree = match starts {
            None => Tree::of_prefixes(assertions, sets),
            starts => Tree::of_all(assertions, sets, starts),
        };
        let tree = tree.map_err(|refusal| Fault::argument(refusal.to_string()))?;
        let found = self.limited(|checker| {
            let settings = checker.solver.settings().clone();
            Interpolator::new(settings, checker.stop()).over(pool, &tree)
        })?;
        found.map_err(|outcome| match outcome {
            Interpolation::NotOverBits => Fault::unsupported(outcome.why_none()),
            _ => Fault::state(outcome.why_none()),
        })
    }

    /// Does something under the limits of the solver.
    fn limited<T>(&mut self, work: impl FnOnce(&mut Checker) -> Result<T, CheckError>) -> Outcome<T> {
        let settings = self.solver.settings().clone();
        let mut limited = settings.clone();
        for (option, limit) in [("conflict-limit", self.limits.conflicts), ("gate-limit", self.limits.gates)]
        {
            if limit != 0 {
                limited.set(option, &limit.to_string())?;
            }
        }
        self.solver.set_settings(limited);
        self.begin();
        let done = work(self);
        self.solver.set_settings(settings);
        Ok(done?)
    }
}

fn refused(refusal: EnumerateError) -> Fault {
    match refusal {
        EnumerateError::NotFinite(refusal) => Fault::new(Status::Sort, refusal.to_string()),
        EnumerateError::Check(refusal) => refusal.into(),
    }
}
