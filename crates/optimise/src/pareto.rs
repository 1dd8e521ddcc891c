//! Pareto-optimal values, one after the other (guided improvement; Jackson, Estler and Rayside, 2009).
//!
//! A model is improved in one objective after the other while none becomes worse. What is reached is optimal;
//! after that something has to be better than it, so that no values come twice and all come once.

use crate::objective::{Kind, Objective};
use crate::optimiser::{Asked, Ending, Found, Optimiser, Priority};
use crate::quantity::{Quantity, Range};
use bivalve::terms::{Op, Term};
use bivalve::{CheckError, CheckResult};

impl Optimiser<'_> {
    /// The next Pareto-optimal values; `Unsat` if there are no others. `excluded` has what excludes those
    /// that were found, and grows; it is empty at first.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn next_pareto(
        mut self,
        objectives: &[Objective],
        assumptions: &[Term],
        excluded: &mut Vec<Term>,
    ) -> Result<Found, CheckError> {
        let base = [assumptions, excluded].concat();
        match self.ask(&base)? {
            Asked::Sat => {}
            Asked::Unsat(_) => {
                let claims = if excluded.is_empty() { vec![] } else { vec![base] };
                return Ok(Found { claims, ..self.found_nothing(CheckResult::Unsat, &[]) });
            }
            Asked::Unknown(why) => return Ok(self.found_nothing(CheckResult::Unknown(why), objectives)),
        }
        for objective in objectives {
            let mut fixed = base.clone();
            for other in objectives {
                let value = self.quantity(other);
                fixed.push(self.at_least(other, &value));
            }
            let ending = match &objective.0 {
                Kind::Term(goal) => self.climb(objective, *goal, &mut fixed)?,
                Kind::Price(price) => self.pay(objective, price, &mut fixed)?,
            };
            if let Ending::Open(why, _) = ending {
                let range = |of: &Objective| of.range(self.quantity(of), of.ideal(self.pool));
                let ranges: Vec<Range> = objectives.iter().map(range).collect();
                self.show(assumptions, &ranges, objectives, Priority::Pareto)?;
                return Ok(Found { answer: CheckResult::Unknown(why), ranges, claims: vec![] });
            }
        }
        let values: Vec<Quantity> = objectives.iter().map(|objective| self.quantity(objective)).collect();
        let mut claim = assumptions.to_vec();
        let mut better = vec![];
        for (objective, value) in objectives.iter().zip(&values) {
            claim.push(self.at_least(objective, value));
            better.push(objective.better(self.pool, value));
        }
        let better = self.any(&better);
        claim.push(better);
        excluded.push(better);
        let ranges: Vec<Range> = values.into_iter().map(Range::of).collect();
        self.show(assumptions, &ranges, objectives, Priority::Pareto)?;
        Ok(Found { answer: CheckResult::Sat, ranges, claims: vec![claim] })
    }

    /// That an objective is not worse than a value.
    fn at_least(&mut self, objective: &Objective, value: &Quantity) -> Term {
        let [better, equal] = [objective.better(self.pool, value), objective.equals(self.pool, value)];
        self.pool.mk(Op::Or, &[better, equal])
    }

    fn any(&mut self, terms: &[Term]) -> Term {
        match *terms {
            [] => self.pool.bool(false),
            [only] => only,
            _ => self.pool.mk(Op::Or, terms),
        }
    }
}
