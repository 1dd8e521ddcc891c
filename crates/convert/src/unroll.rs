//! Unrolling: the runs of at most so many frames as a formula.
//!
//! Biere, Cimatti, Clarke and Zhu (TACAS 1999). Inputs have a symbol `name@frame` in each frame; a state has
//! one in frame 0 unless it has an initial value, and in later frames only without a next value. Everywhere
//! else `name@frame` is the name of a term over these symbols. A bad state may be seen in any frame up to
//! which all constraints hold; what comes behind it does not matter, so a run into a dead end is not lost.
//!
//! The formula is satisfiable if and only if a run of at most so many frames ends in one of the bad states.
//! Cost: one copy of the terms for each frame.

use bivalve_systems::{DistinctNames, Input, Output, Property, System};
use bivalve_terms::{Op, Pool, Rebuild, Term};

/// The system without states whose bad states are those that the first `frames` frames reach. A system
/// without bad states becomes the constraint that there is a run of so many frames.
pub(crate) fn unrolled(pool: &mut Pool, system: &System, frames: usize) -> System {
    let mut unrolling = Unrolling { system, names: DistinctNames::new(), result: System::default() };
    let mut seen: Vec<Vec<Term>> = vec![vec![]; system.bads.len()];
    let (mut before, mut holds) = (None, vec![]);
    for number in 0..frames {
        let mut frame = unrolling.frame(pool, number, before.take());
        holds.extend(system.constraints.iter().map(|constraint| image(pool, &mut frame, constraint.term)));
        // All constraints up to here are one term, which the next frame takes over.
        holds = if holds.is_empty() { holds } else { vec![pool.and_all(&holds)] };
        for (bad, seen) in system.bads.iter().zip(&mut seen) {
            let mut terms = holds.clone();
            terms.push(image(pool, &mut frame, bad.term));
            seen.push(pool.and_all(&terms));
        }
        before = Some(frame);
    }
    let mut result = unrolling.result;
    for (bad, seen) in system.bads.iter().zip(seen) {
        let term = match seen[..] {
            [] => pool.bool(false),
            [once] => once,
            _ => pool.mk(Op::Or, &seen),
        };
        result.bads.push(Property { term, name: bad.name.clone() });
    }
    if system.bads.is_empty() {
        result.constraints = holds.into_iter().map(|term| Property { term, name: None }).collect();
    }
    result
}

fn image(pool: &mut Pool, frame: &mut Rebuild, term: Term) -> Term {
    frame.apply(pool, term, || true, |_, _, _| None).expect("nothing ends the walk")
}

struct Unrolling<'a> {
    system: &'a System,
    names: DistinctNames,
    result: System,
}

impl Unrolling<'_> {
    /// The symbols of the system over those of the frames.
    fn frame(&mut self, pool: &mut Pool, number: usize, mut before: Option<Rebuild>) -> Rebuild {
        let mut frame = Rebuild::new();
        for input in &self.system.inputs {
            let symbol = self.symbol(pool, input.term, number);
            frame.set(input.term, symbol);
        }
        // Initial values are over earlier states.
        for state in &self.system.states {
            let value = match (&mut before, state.next, state.init) {
                (Some(before), Some(next), _) => Some(image(pool, before, next)),
                (None, _, Some(init)) => Some(image(pool, &mut frame, init)),
                _ => None,
            };
            let value = match value {
                Some(value) => {
                    let name = Some(self.name(pool, state.term, number));
                    self.result.named.push(Output { term: value, name });
                    value
                }
                None => self.symbol(pool, state.term, number),
            };
            frame.set(state.term, value);
        }
        frame
    }

    fn name(&mut self, pool: &Pool, term: Term, number: usize) -> String {
        self.names.distinct(&format!("{}@{number}", pool.name(term).unwrap_or_default()))
    }

    fn symbol(&mut self, pool: &mut Pool, term: Term, number: usize) -> Term {
        let name = self.name(pool, term, number);
        let term = pool.symbol(&name, pool.sort(term));
        self.result.inputs.push(Input { term, name: Some(name) });
        term
    }
}
