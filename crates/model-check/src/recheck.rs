//! Proofs, looked at by a fresh solver.
//!
//! An invariant is three questions, each about one frame or two: the initial states that satisfy the
//! constraints satisfy it; so do the successors of states that do; and none of these is bad. Induction asks
//! of each of the first `k` frames whether it can be bad, and then for the step; where registers are equal
//! by the same induction, a frame in which they are not counts as bad. A question that the fresh solver
//! leaves open, because of a limit, leaves the proof open.

use crate::induction::differ;
use crate::unroll::Unrolling;
use crate::verdict::{Halt, Proof};
use bivalve::rewrite::Level;
use bivalve::terms::{Op, Pool, Term};
use bivalve::{CheckResult, Solver, Stop, Why};
use bivalve_systems::System;

/// What a fresh solver says of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is one.
    Holds,
    /// What fails.
    Fails(String),
    /// The solver gave no answer, for this reason.
    Open(Why),
}

/// Conditions that have no model together, if a proof is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// A short name, unique among those of a proof: `base`, `step`, `property`, or with a number.
    pub name: String,
    /// What a model would mean.
    pub fault: String,
    /// Boolean terms over symbols of frames, named `symbol@frame`, as the system has them.
    pub conditions: Vec<Term>,
}

/// What a proof of `bad` comes down to, a term of a system in normal form; terms are not simplified.
///
/// # Errors
///
/// When the stop flag was raised.
pub(crate) fn obligations(
    pool: &mut Pool,
    system: &System,
    bad: Term,
    proof: &Proof,
    stop: &Stop,
) -> Result<Vec<Obligation>, Halt> {
    let mut obligations = vec![];
    for question in questions(pool, bad, proof) {
        let unrolling = Unrolling::at_level(system.clone(), question.initial, Level::Off, stop);
        let conditions = conditions(pool, system, &question, unrolling)?;
        obligations.push(Obligation { name: question.name, fault: question.fault, conditions });
    }
    Ok(obligations)
}

/// Checks a proof of `bad`, a term of a system in normal form; of the abstract system if memories were
/// abstracted.
///
/// # Errors
///
/// When a solver refuses a condition or fails, or the stop flag was raised.
pub(crate) fn check(
    pool: &mut Pool,
    system: &System,
    bad: Term,
    proof: &Proof,
    stop: &Stop,
    solver: impl Fn() -> Solver,
) -> Result<Outcome, Halt> {
    for question in questions(pool, bad, proof) {
        match answer(pool, system, &question, stop, solver())? {
            CheckResult::Unsat => {}
            CheckResult::Sat => return Ok(Outcome::Fails(question.fault)),
            CheckResult::Unknown(why) => return Ok(Outcome::Open(why)),
        }
    }
    Ok(Outcome::Holds)
}

/// Whether there is a run with these conditions, which a proof denies.
struct Question {
    /// Whether it begins with an initial state.
    initial: bool,
    /// Constraints hold in so many frames.
    frames: usize,
    /// Conditions, each in a frame.
    conditions: Vec<(usize, Term)>,
    /// Pairs of frames with different states.
    distinct: Vec<(usize, usize)>,
    /// A short name.
    name: String,
    /// What it means if there is such a run.
    fault: String,
}

/// The questions that a proof comes down to.
fn questions(pool: &mut Pool, bad: Term, proof: &Proof) -> Vec<Question> {
    let searched = |frames: usize, bad: Term| {
        (0..frames).map(move |frame| Question {
            initial: true,
            frames: frame + 1,
            conditions: vec![(frame, bad)],
            distinct: vec![],
            name: format!("base-{frame}"),
            fault: format!("frame {frame} can be bad"),
        })
    };
    match proof {
        Proof::Invariant(clauses) => {
            let invariant = pool.and_all(clauses);
            let violated = pool.mk(Op::Not, &[invariant]);
            let question = |name: &str, conditions: &[(usize, Term)], fault: &str| Question {
                initial: name == "base",
                frames: 1,
                conditions: conditions.to_vec(),
                distinct: vec![],
                name: name.into(),
                fault: fault.into(),
            };
            let step = [(0, invariant), (1, violated)];
            vec![
                question("base", &[(0, violated)], "an initial state does not satisfy the invariant"),
                question("step", &step, "a step leads out of the invariant"),
                question("property", &[(0, invariant), (0, bad)], "a bad state satisfies the invariant"),
            ]
        }
        Proof::Induction { k, distinct, equal } => {
            let good = pool.mk(Op::Not, &[bad]);
            let good = equal.iter().fold(good, |good, &condition| pool.mk(Op::And, &[good, condition]));
            let bad = pool.mk(Op::Not, &[good]);
            let step = Question {
                initial: false,
                frames: k + 1,
                conditions: (0..*k).map(|frame| (frame, good)).chain([(*k, bad)]).collect(),
                distinct: distinct.clone(),
                name: "step".into(),
                fault: format!("the step over {k} frames fails"),
            };
            searched(*k, bad).chain([step]).collect()
        }
        Proof::NoLongerRun { frames } => {
            let longer = Question {
                initial: true,
                frames: frames + 1,
                conditions: vec![],
                distinct: vec![],
                name: "end".into(),
                fault: format!("there is a run of {} frames", frames + 1),
            };
            searched(*frames, bad).chain([longer]).collect()
        }
        Proof::Abstracted { proof, .. } | Proof::NoLasso(proof) | Proof::Bounded { proof, .. } => {
            questions(pool, bad, proof)
        }
    }
}

fn answer(
    pool: &mut Pool,
    system: &System,
    question: &Question,
    stop: &Stop,
    mut solver: Solver,
) -> Result<CheckResult, Halt> {
    let unrolling = Unrolling::new(system.clone(), question.initial, stop);
    for condition in conditions(pool, system, question, unrolling)? {
        solver.assert(pool, condition)?;
    }
    Ok(solver.check(pool)?)
}

/// What a question asks of the frames of a system.
fn conditions(
    pool: &mut Pool,
    system: &System,
    question: &Question,
    mut unrolling: Unrolling,
) -> Result<Vec<Term>, Halt> {
    let mut conditions = vec![];
    let constraints = system.constraints.iter().map(|constraint| constraint.term);
    let constraints =
        (0..question.frames).flat_map(|frame| constraints.clone().map(move |term| (frame, term)));
    for (frame, term) in constraints.chain(question.conditions.iter().copied()) {
        conditions.push(unrolling.at(pool, frame, term)?);
    }
    let states: Vec<Term> = system.states.iter().map(|state| state.term).collect();
    for &(i, j) in &question.distinct {
        conditions.push(differ(pool, &mut unrolling, &states, i, j)?);
    }
    Ok(conditions)
}
