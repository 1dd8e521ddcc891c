//! The cone of influence: the part of a system that some properties depend on.
//!
//! A state or an input outside of it can have any value without a difference to a property or to a
//! constraint, so engines leave it out. Constraints are always inside, since a run ends where one fails.
//! The cone is the least set of terms with the properties, the constraints, and with each state its initial
//! and next value. Cost: each term once.

use bivalve::terms::{Pool, Term, TermMap, TermSet};
use bivalve_systems::{Property, System};

/// The part of a system that decides whether `bads` are reached, with these as its only properties.
pub(crate) fn cone_of_influence(pool: &Pool, system: &System, bads: Vec<Property>) -> System {
    let mut values = TermMap::new();
    for state in &system.states {
        values.insert(state.term, [state.init, state.next]);
    }
    let mut seen = TermSet::new();
    let mut todo: Vec<Term> = bads.iter().chain(&system.constraints).map(|property| property.term).collect();
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            todo.extend(pool.args(term));
            todo.extend(values.get(term).into_iter().flatten().flatten());
        }
    }
    System {
        states: system.states.iter().filter(|state| seen.contains(state.term)).cloned().collect(),
        inputs: system.inputs.iter().filter(|input| seen.contains(input.term)).cloned().collect(),
        constraints: system.constraints.clone(),
        bads,
        ..System::default()
    }
}
