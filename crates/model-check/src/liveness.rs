//! Liveness properties as bad states.
//!
//! A justice property is violated by a run on which each of its conditions, and each fairness condition,
//! holds infinitely often. Two systems watch for that:
//!
//! - *Lasso* (Biere, Artho and Schuppan, FMICS 2002): once, at a frame of its choice, the state is saved; bad
//!   is a later frame with the saved state, if every condition has held since. States are finite, so there is
//!   such a frame if the property is violated, and the run up to it, repeated from the saved frame on, is a
//!   violation.
//! - *Count* (Claessen and Sörensson, FMCAD 2012): bad is a frame by which all conditions have held, in turn,
//!   `k` times. If no run gets there, none violates the property.
//!
//! A state without a next value is free in every frame, so it is not part of what has to repeat.

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve_systems::{Claim, Frame, Input, Property, State, System, Witness};

/// A system that watches a justice property, as its only bad state.
pub(crate) struct Watch {
    pub(crate) system: System,
    /// The number of the input that saves the state.
    save: usize,
}

/// The system that looks for a lasso on which the conditions of a justice property hold.
pub(crate) fn lasso(pool: &mut Pool, original: &System, justice: usize) -> Watch {
    let mut system = plain(original);
    let save = pool.symbol("save", Sort::BOOL);
    let saved = pool.symbol("saved", Sort::BOOL);
    let [no, before] = [pool.bool(false), pool.mk(Op::Or, &[saved, save])];
    let first = {
        let not = pool.mk(Op::Not, &[saved]);
        pool.mk(Op::And, &[not, save])
    };
    let mut violation = vec![saved];
    let mut watching = vec![state(saved, Some(no), before)];
    for original in original.states.iter().filter(|state| state.next.is_some()) {
        let name = format!("saved {}", pool.name(original.term).unwrap_or_default());
        let copy = pool.symbol(&name, pool.sort(original.term));
        let next = pool.mk(Op::Ite, &[first, original.term, copy]);
        watching.push(state(copy, None, next));
        violation.push(pool.mk(Op::Eq, &[copy, original.term]));
    }
    for (number, condition) in conditions(original, justice).into_iter().enumerate() {
        let seen = pool.symbol(&format!("seen {number}"), Sort::BOOL);
        let once = pool.mk(Op::Or, &[seen, condition]);
        let next = pool.mk(Op::And, &[before, once]);
        watching.push(state(seen, Some(no), next));
        violation.push(seen);
    }
    system.states.extend(watching);
    system.inputs.push(Input { term: save, name: None });
    let term = pool.and_all(&violation);
    system.bads.push(Property { term, name: None });
    Watch { save: system.inputs.len() - 1, system }
}

/// The system that counts how often the conditions of a justice property have held, up to `k` times.
pub(crate) fn count(pool: &mut Pool, original: &System, justice: usize, k: usize) -> System {
    let mut system = plain(original);
    let (no, yes) = (pool.bool(false), pool.bool(true));
    let conditions = conditions(original, justice);
    // One place for each round and condition: the place before is reached, and the condition holds.
    let mut reached = yes;
    for round in 0..k {
        for (number, &condition) in conditions.iter().enumerate() {
            let place = pool.symbol(&format!("round {round} condition {number}"), Sort::BOOL);
            let now = pool.mk(Op::And, &[reached, condition]);
            let next = pool.mk(Op::Or, &[place, now]);
            system.states.push(state(place, Some(no), next));
            reached = place;
        }
    }
    system.bads.push(Property { term: reached, name: None });
    system
}

impl Watch {
    /// The violation that a violation of the watching system is.
    pub(crate) fn witness(&self, original: &System, justice: usize, found: Witness) -> Witness {
        let is_save = |frame: &Frame| {
            let mut saves = frame.inputs.iter().filter(|(input, _)| *input == self.save);
            saves.any(|(_, value)| value.as_bool() == Some(true))
        };
        let loop_start = found.frames.iter().position(is_save);
        let mut frames = found.frames;
        // The last frame is the first one again.
        frames.pop();
        for frame in &mut frames {
            frame.states.retain(|&(state, _)| state < original.states.len());
            frame.inputs.retain(|&(input, _)| input < original.inputs.len());
        }
        Witness { claims: vec![Claim::Justice(justice)], frames, loop_start }
    }
}

/// The states, inputs and constraints of a system.
fn plain(system: &System) -> System {
    System {
        states: system.states.clone(),
        inputs: system.inputs.clone(),
        constraints: system.constraints.clone(),
        ..System::default()
    }
}

/// What holds infinitely often on a violation of a justice property.
fn conditions(system: &System, justice: usize) -> Vec<Term> {
    let fairs = system.fairs.iter().map(|fair| fair.term);
    system.justices[justice].terms.iter().copied().chain(fairs).collect()
}

fn state(term: Term, init: Option<Term>, next: Term) -> State {
    State { term, init, next: Some(next), name: None }
}
