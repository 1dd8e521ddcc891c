//! Proofs, looked at by a fresh solver.
//!
//! An invariant is three questions, each about one frame or two: the initial states that satisfy the
//! constraints satisfy it; so do the successors of states that do; and none of these is bad. Induction is
//! `k + 1` questions: no bad state in any of the first `k` frames, and the step.

use crate::induction::differ;
use crate::unroll::Unrolling;
use crate::verdict::{Error, Proof};
use bivalve::terms::{Op, Pool, Term};
use bivalve::{CheckResult, Solver};
use bivalve_systems::System;

/// Whether a proof of `bad`, a term of a system in normal form, holds; if not, what fails. A check that was
/// stopped fails nothing.
///
/// # Errors
///
/// When a solver refuses a condition or fails.
pub(crate) fn failure(
    pool: &mut Pool,
    system: &System,
    bad: Term,
    proof: &Proof,
    solver: impl Fn() -> Solver,
) -> Result<Option<String>, Error> {
    let mut questions = Questions { system, solver: &solver };
    match proof {
        Proof::Invariant(clauses) => questions.invariant(pool, bad, clauses),
        Proof::Induction { k, distinct } => questions.induction(pool, bad, *k, distinct),
        Proof::NoLongerRun { frames } => questions.no_longer_run(pool, bad, *frames),
        Proof::NoLasso(proof) | Proof::Bounded { proof, .. } => failure(pool, system, bad, proof, solver),
    }
}

struct Questions<'a, F> {
    system: &'a System,
    solver: &'a F,
}

impl<F: Fn() -> Solver> Questions<'_, F> {
    fn invariant(&mut self, pool: &mut Pool, bad: Term, clauses: &[Term]) -> Result<Option<String>, Error> {
        let invariant = pool.and_all(clauses);
        let violated = pool.mk(Op::Not, &[invariant]);
        let initial = [(0, violated)];
        let kept = [(0, invariant), (1, violated)];
        let excludes = [(0, invariant), (0, bad)];
        for (initial, conditions, fault) in [
            (true, &initial[..], "an initial state does not satisfy the invariant"),
            (false, &kept[..], "a step leads out of the invariant"),
            (false, &excludes[..], "a bad state satisfies the invariant"),
        ] {
            if self.is_possible(pool, initial, 1, conditions, &[])? {
                return Ok(Some(fault.into()));
            }
        }
        Ok(None)
    }

    fn induction(
        &mut self,
        pool: &mut Pool,
        bad: Term,
        k: usize,
        distinct: &[(usize, usize)],
    ) -> Result<Option<String>, Error> {
        for frame in 0..k {
            if self.is_possible(pool, true, frame + 1, &[(frame, bad)], &[])? {
                return Ok(Some(format!("frame {frame} can be bad")));
            }
        }
        let good = pool.mk(Op::Not, &[bad]);
        let step: Vec<(usize, Term)> = (0..k).map(|frame| (frame, good)).chain([(k, bad)]).collect();
        let fails = self.is_possible(pool, false, k + 1, &step, distinct)?;
        Ok(fails.then(|| format!("the step over {k} frames fails")))
    }

    fn no_longer_run(&mut self, pool: &mut Pool, bad: Term, frames: usize) -> Result<Option<String>, Error> {
        for frame in 0..frames {
            if self.is_possible(pool, true, frame + 1, &[(frame, bad)], &[])? {
                return Ok(Some(format!("frame {frame} can be bad")));
            }
        }
        let fails = self.is_possible(pool, true, frames + 1, &[], &[])?;
        Ok(fails.then(|| format!("there is a run of {} frames", frames + 1)))
    }

    /// Whether there is a run with these conditions, each in a frame, constraints in the first `frames`
    /// frames, and different states in pairs of frames.
    fn is_possible(
        &mut self,
        pool: &mut Pool,
        initial: bool,
        frames: usize,
        conditions: &[(usize, Term)],
        distinct: &[(usize, usize)],
    ) -> Result<bool, Error> {
        let mut unrolling = Unrolling::new(self.system.clone(), initial);
        let mut solver = (self.solver)();
        let constraints = self.system.constraints.iter().map(|constraint| constraint.term);
        let constraints = (0..frames).flat_map(|frame| constraints.clone().map(move |term| (frame, term)));
        for (frame, term) in constraints.chain(conditions.iter().copied()) {
            let condition = unrolling.at(pool, frame, term);
            solver.assert(pool, condition)?;
        }
        let states: Vec<Term> = self.system.states.iter().map(|state| state.term).collect();
        for &(i, j) in distinct {
            let differ = differ(pool, &mut unrolling, &states, i, j);
            solver.assert(pool, differ)?;
        }
        Ok(solver.check(pool)? == CheckResult::Sat)
    }
}
