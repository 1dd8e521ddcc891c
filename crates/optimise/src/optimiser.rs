//! The optimiser: objectives one after the other, or each by itself.

use crate::objective::{Kind, Objective};
use crate::quantity::{Quantity, Range};
use bivalve::terms::{Assignment, Pool, Term, Value, eval};
use bivalve::{CheckError, CheckResult, InternalError, Solver, Why};
use std::fmt;

/// How several objectives are combined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Priority {
    /// Each among the optima of those before it.
    #[default]
    Lexicographic,
    /// Each by itself, as if it were the only one.
    Box,
    /// Values none of which can be better unless another one is worse; each call finds others.
    Pareto,
}

impl Priority {
    /// The priority that Z3's option `opt.priority` calls so.
    pub fn parse(name: &str) -> Option<Priority> {
        match name {
            "lex" => Some(Priority::Lexicographic),
            "box" => Some(Priority::Box),
            "pareto" => Some(Priority::Pareto),
            _ => None,
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Priority::Lexicographic => "lex",
            Priority::Box => "box",
            Priority::Pareto => "pareto",
        })
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// `Sat` if all optima were found; then the solver has the model of them, or that of the first one with
    /// [`Priority::Box`]. `Unknown` if some were not; the solver has the best model so far, if there is one.
    pub answer: CheckResult,
    /// The ranges of the objectives, in their order; none if the answer is `Unsat`.
    pub ranges: Vec<Range>,
    /// What has no model together with the assertions, for that the ranges are optima.
    pub claims: Vec<Vec<Term>>,
}

/// Looks for optima of objectives over the assertions of a solver.
pub struct Optimiser<'a> {
    pub(crate) solver: &'a mut Solver,
    pub(crate) pool: &'a mut Pool,
    /// The best model so far.
    pub(crate) best: Option<Assignment>,
    pub(crate) states_claims: bool,
    pub(crate) claims: Vec<Vec<Term>>,
}

/// What a check found.
pub(crate) enum Asked {
    Sat,
    /// The positions of assumptions that contradict the assertions.
    Unsat(Vec<usize>),
    Unknown(Why),
}

/// How the search for an optimum ended.
pub(crate) enum Ending {
    Optimum(Quantity),
    Open(Why, Range),
}

impl<'a> Optimiser<'a> {
    /// Looks for optima over the assertions of a solver; nothing is asserted for it.
    pub fn new(solver: &'a mut Solver, pool: &'a mut Pool) -> Optimiser<'a> {
        Optimiser { solver, pool, best: None, states_claims: false, claims: vec![] }
    }

    /// The claims about prices are stated, too, and put to the solver as those about words are. They are
    /// about sums of all weights, and harder than the search for the optimum.
    #[must_use]
    pub fn stating_claims(mut self) -> Optimiser<'a> {
        self.states_claims = true;
        self
    }

    /// The optima of objectives among the models of the assertions and these assumptions. With
    /// [`Priority::Pareto`] they are the first that there are: see [`Optimiser::next_pareto`].
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn optimise(
        mut self,
        objectives: &[Objective],
        priority: Priority,
        assumptions: &[Term],
    ) -> Result<Found, CheckError> {
        if priority == Priority::Pareto {
            return self.next_pareto(objectives, assumptions, &mut vec![]);
        }
        match self.ask(assumptions)? {
            Asked::Sat => {}
            Asked::Unsat(_) => return Ok(self.found_nothing(CheckResult::Unsat, &[])),
            Asked::Unknown(why) => return Ok(self.found_nothing(CheckResult::Unknown(why), objectives)),
        }
        let (mut fixed, mut ranges, mut open) = (assumptions.to_vec(), vec![], None);
        let first = self.best.clone();
        let mut shown = None;
        for objective in objectives {
            if priority == Priority::Box {
                fixed.truncate(assumptions.len());
                self.best = first.clone();
            } else if open.is_some() {
                let best = self.quantity(objective);
                let bound = objective.ideal(self.pool);
                ranges.push(objective.range(best, bound));
                continue;
            }
            let ending = match &objective.0 {
                Kind::Term(goal) => self.climb(objective, *goal, &mut fixed)?,
                Kind::Price(price) => self.pay(objective, price, &mut fixed)?,
            };
            ranges.push(match ending {
                Ending::Optimum(value) => Range::of(value),
                Ending::Open(why, range) => {
                    open = open.or(Some(why));
                    range
                }
            });
            if priority == Priority::Box && shown.is_none() {
                shown = self.best.clone();
            }
        }
        self.best = shown.or(self.best.take());
        let answer = open.map_or(CheckResult::Sat, CheckResult::Unknown);
        self.show(assumptions, &ranges, objectives, priority)?;
        Ok(Found { answer, ranges, claims: self.claims })
    }

    /// There is no model, or none is known.
    pub(crate) fn found_nothing(&self, answer: CheckResult, objectives: &[Objective]) -> Found {
        let ranges = objectives.iter().map(|objective| objective.whole_range(self.pool)).collect();
        Found { answer, ranges, claims: vec![] }
    }

    /// The solver is to have the best model, which it validates; and each optimum that the model stands for
    /// has to be the value that the objective has there.
    pub(crate) fn show(
        &mut self,
        assumptions: &[Term],
        ranges: &[Range],
        objectives: &[Objective],
        priority: Priority,
    ) -> Result<(), CheckError> {
        let Some(best) = self.best.clone() else { return Ok(()) };
        let shown = if priority == Priority::Box { 1 } else { objectives.len() };
        for (objective, range) in objectives.iter().zip(ranges).take(shown) {
            let found = self.quantity(objective);
            if range.optimum().is_some_and(|optimum| *optimum != found) {
                let text = format!("the optimum of an objective is {range}, but its model has {found}");
                return Err(CheckError::Internal(InternalError(text)));
            }
        }
        match self.solver.check_model(self.pool, assumptions, best)? {
            Some(_) => Ok(()),
            None => Err(CheckError::Internal(InternalError("the model of an optimum is none".into()))),
        }
    }

    /// The value of an objective in the best model.
    pub(crate) fn quantity(&self, objective: &Objective) -> Quantity {
        objective.quantity(&mut |term| self.best_value(term))
    }

    /// The value of a term in the best model.
    pub(crate) fn best_value(&self, term: Term) -> Value {
        let best = self.best.as_ref().expect("there is a best model once the first check was sat");
        eval(self.pool, term, best)
    }

    /// Checks; a model becomes the best one.
    pub(crate) fn ask(&mut self, assumptions: &[Term]) -> Result<Asked, CheckError> {
        let asked = self.answer(assumptions)?;
        if let (Asked::Sat, Some(model)) = (&asked, self.solver.model()) {
            self.best = Some(model.assignment().clone());
        }
        Ok(asked)
    }

    /// Checks; the best model stays.
    pub(crate) fn answer(&mut self, assumptions: &[Term]) -> Result<Asked, CheckError> {
        Ok(match self.solver.check_assuming(self.pool, assumptions)? {
            CheckResult::Sat => Asked::Sat,
            CheckResult::Unsat => Asked::Unsat(self.solver.unsat_assumptions().unwrap_or_default().to_vec()),
            CheckResult::Unknown(why) => Asked::Unknown(why),
        })
    }
}
