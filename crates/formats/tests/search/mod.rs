//! Explicit search in small systems of bit-vectors.

use bivalve_systems::System;
use bivalve_terms::{Assignment, BitVec, Pool, Term, Value, eval};
use std::collections::BTreeSet;

/// The values of a few bits for these symbols, which are bit-vectors.
fn assign(pool: &Pool, symbols: &[Term], mut bits: u64, assignment: &mut Assignment) {
    for &symbol in symbols {
        let width = pool.width(symbol).expect("the systems of this test have no arrays");
        assignment.set(symbol, BitVec::from_u64(bits, width));
        bits >>= width;
    }
}

fn bits(pool: &Pool, symbols: &[Term]) -> u32 {
    symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or_default()).sum()
}

/// In which of the first frames each bad state can be seen.
pub(crate) fn seen(pool: &Pool, system: &System, frames: usize) -> Vec<Vec<usize>> {
    let states: Vec<Term> = system.states.iter().map(|state| state.term).collect();
    let inputs: Vec<Term> = system.inputs.iter().map(|input| input.term).collect();
    let free: Vec<Term> = system.states.iter().filter(|s| s.init.is_none()).map(|s| s.term).collect();
    let mut reached: BTreeSet<Vec<Value>> = BTreeSet::new();
    for choice in 0..1u64 << bits(pool, &free) {
        let mut first = Assignment::new();
        assign(pool, &free, choice, &mut first);
        for state in &system.states {
            if let Some(init) = state.init {
                let value = eval(pool, init, &first);
                first.set(state.term, value);
            }
        }
        reached.insert(states.iter().map(|&state| eval(pool, state, &first)).collect());
    }
    let mut result = vec![vec![]; system.bads.len()];
    let unbound: Vec<Term> = system.states.iter().filter(|s| s.next.is_none()).map(|s| s.term).collect();
    for frame in 0..frames {
        let mut next = BTreeSet::new();
        for values in &reached {
            for choice in 0..1u64 << bits(pool, &inputs) {
                let mut now = Assignment::new();
                states.iter().zip(values).for_each(|(&state, value)| now.set(state, value.clone()));
                assign(pool, &inputs, choice, &mut now);
                let holds = |term| eval(pool, term, &now) == Value::Bool(true);
                if !system.constraints.iter().all(|constraint| holds(constraint.term)) {
                    continue;
                }
                for (bad, frames) in system.bads.iter().zip(&mut result) {
                    if holds(bad.term) && frames.last() != Some(&frame) {
                        frames.push(frame);
                    }
                }
                for choice in 0..1u64 << bits(pool, &unbound) {
                    let mut later = Assignment::new();
                    assign(pool, &unbound, choice, &mut later);
                    let value = |state: &bivalve_systems::State| match state.next {
                        Some(value) => eval(pool, value, &now),
                        None => eval(pool, state.term, &later),
                    };
                    next.insert(system.states.iter().map(value).collect());
                }
            }
        }
        reached = next;
    }
    result
}
