//! Soft constraints: core-guided, by strata of their weights.
//!
//! What is left of the constraints stands for the price beside what was paid: in every model the two
//! together are the price. A core is a set of formulas of which one does not hold; the least weight among
//! them is paid, and formulas that hold all but one of them, all but two of them and so on take their place
//! with that weight. Cost: one check a core, and one a stratum.

use crate::objective::{Objective, Price};
use crate::optimiser::{Asked, Ending, Optimiser};
use bivalve::CheckError;
use bivalve::terms::{Op, Term};
use num_bigint::BigUint;

impl Optimiser<'_> {
    /// The least price under what is assumed, which the best model satisfies; what later objectives have to
    /// assume is added.
    pub(crate) fn pay(
        &mut self,
        objective: &Objective,
        price: &Price,
        fixed: &mut Vec<Term>,
    ) -> Result<Ending, CheckError> {
        let mut left = price.softs.clone();
        let mut paid = BigUint::ZERO;
        let mut cheapest = self.price_of_best(price);
        let mut stratum = left.iter().map(|(_, weight)| weight).max().cloned().unwrap_or_default();
        while cheapest > paid {
            let members: Vec<usize> = (0..left.len()).filter(|&i| left[i].1 >= stratum).collect();
            let formulas = members.iter().map(|&member| left[member].0);
            let question: Vec<Term> = fixed.iter().copied().chain(formulas).collect();
            let before = self.best.clone();
            match self.ask(&question)? {
                Asked::Sat => {
                    let price_here = self.price_of_best(price);
                    if price_here < cheapest {
                        cheapest = price_here;
                    } else {
                        self.best = before;
                    }
                    let lesser = left.iter().map(|(_, weight)| weight).filter(|&weight| *weight < stratum);
                    match lesser.max() {
                        Some(next) => stratum = next.clone(),
                        None => debug_assert!(cheapest == paid, "all that is left holds"),
                    }
                }
                Asked::Unsat(core) => {
                    // Without a constraint in it, the core would contradict the best model.
                    let core: Vec<usize> = core
                        .iter()
                        .filter_map(|at| members.get(at.checked_sub(fixed.len())?))
                        .copied()
                        .collect();
                    paid += self.relax(&mut left, &core);
                }
                Asked::Unknown(why) => {
                    let range = objective.range(price.quantity(&cheapest), price.quantity(&paid));
                    return Ok(Ending::Open(why, range));
                }
            }
        }
        let value = price.quantity(&paid);
        if self.states_claims
            && let Some(why) = self.confirm(objective, &value, fixed)?
        {
            return Ok(Ending::Open(why, crate::Range::of(value)));
        }
        fixed.extend(left.iter().map(|(formula, _)| *formula));
        Ok(Ending::Optimum(value))
    }

    fn price_of_best(&self, price: &Price) -> BigUint {
        price.paid(&mut |term| self.best_value(term))
    }

    /// Pays for a core, and weakens what is left. Gives what was paid.
    fn relax(&mut self, left: &mut Vec<(Term, BigUint)>, core: &[usize]) -> BigUint {
        let weight = core.iter().map(|&member| &left[member].1).min().cloned().unwrap_or_default();
        let formulas: Vec<Term> = core.iter().map(|&member| left[member].0).collect();
        for &member in core {
            left[member].1 -= &weight;
        }
        left.retain(|(_, weight)| *weight != BigUint::ZERO);
        let Some((&last, others)) = formulas.split_last() else { return weight };
        let mut all_behind = last;
        for &formula in others.iter().rev() {
            let weaker = self.pool.mk(Op::Or, &[formula, all_behind]);
            all_behind = self.pool.mk(Op::And, &[formula, all_behind]);
            match left.iter_mut().find(|(other, _)| *other == weaker) {
                Some((_, sum)) => *sum += &weight,
                None => left.push((weaker, weight.clone())),
            }
        }
        weight
    }
}
