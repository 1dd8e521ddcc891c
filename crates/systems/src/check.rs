//! What makes a system well-formed.
//!
//! States and inputs are different symbols of the sorts that the formats have. Initial and next values have
//! the sort of their state, conditions are Boolean, and nothing mentions a symbol that is neither state nor
//! input. An initial value mentions no input and only states before its own, so that the initial values can
//! be computed in the order of the states.
//!
//! Cost: linear in the terms of the system.

use crate::system::System;
use bivalve_terms::{Op, Pool, Sort, Term, TermMap, cone};
use thiserror::Error;

/// What is wrong with a system. Numbers count the states, inputs and so on from 0.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A state or an input is no symbol, or stands in the lists twice.
    #[error("{place} is expected to be a symbol of its own, found '{found}'")]
    NoSymbol {
        /// The list and the number in it.
        place: String,
        /// The term.
        found: String,
    },
    /// A term of another sort than its place has.
    #[error("{place} is expected to be {expected}, found sort {found}")]
    Sort {
        /// The list and the number in it.
        place: String,
        /// For example "of sort Bool".
        expected: String,
        /// The sort found.
        found: String,
    },
    /// A term mentions a symbol that is neither a state nor an input.
    #[error("{place} mentions '{symbol}', which is neither a state nor an input")]
    Free {
        /// The list and the number in it.
        place: String,
        /// The name of the symbol.
        symbol: String,
    },
    /// The initial value of a state depends on an input.
    #[error("the initial value of state {state} depends on the input '{input}'")]
    InitDependsOnInput {
        /// The number of the state.
        state: usize,
        /// The name of the input's symbol.
        input: String,
    },
    /// The initial value of a state depends on the state itself or on a later one.
    #[error("the initial value of state {state} depends on state {other}, which is not before it")]
    InitDependsOnLater {
        /// The number of the state.
        state: usize,
        /// The number of the other state.
        other: usize,
    },
}

/// What a symbol of a system is. An initial value may depend on lesser symbols than its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    State(usize),
    Input(Term),
}

impl System {
    /// Whether the system is well-formed.
    ///
    /// # Errors
    ///
    /// The first fault that is found.
    pub fn check(&self, pool: &Pool) -> Result<(), Fault> {
        let roles = self.roles(pool)?;
        self.check_sorts(pool)?;
        self.check_mentioned(pool, &roles)?;
        self.check_initial(pool, &roles)
    }

    fn roles(&self, pool: &Pool) -> Result<TermMap<Role>, Fault> {
        let mut roles = TermMap::new();
        let states = self.states.iter().enumerate().map(|(i, state)| (state.term, Role::State(i)));
        let inputs = self.inputs.iter().map(|input| (input.term, Role::Input(input.term)));
        for (number, (term, role)) in states.chain(inputs).enumerate() {
            let place = || match role {
                Role::State(state) => format!("state {state}"),
                Role::Input(_) => format!("input {}", number - self.states.len()),
            };
            if pool.op(term) != Op::Symbol || roles.insert(term, role).is_some() {
                return Err(Fault::NoSymbol { place: place(), found: pool.display(term).to_string() });
            }
            if !is_of_a_system(pool, pool.sort(term)) {
                let expected = "a bit-vector, a Boolean, or an array of bit-vectors";
                return Err(sort_fault(pool, place(), expected, term));
            }
        }
        Ok(roles)
    }

    fn check_sorts(&self, pool: &Pool) -> Result<(), Fault> {
        for (number, state) in self.states.iter().enumerate() {
            for (kind, value) in [("initial", state.init), ("next", state.next)] {
                let Some(value) = value else { continue };
                if pool.sort(value) != pool.sort(state.term) {
                    let expected = format!("of sort {}", pool.sorts().display(pool.sort(state.term)));
                    let place = format!("the {kind} value of state {number}");
                    return Err(sort_fault(pool, place, &expected, value));
                }
            }
        }
        let lists = [("bad state", &self.bads), ("constraint", &self.constraints), ("fairness", &self.fairs)];
        let conditions = lists.into_iter().flat_map(|(kind, list)| {
            list.iter().enumerate().map(move |(i, property)| (format!("{kind} {i}"), property.term))
        });
        let justices = self.justices.iter().enumerate().flat_map(|(i, justice)| {
            justice.terms.iter().enumerate().map(move |(j, &term)| (format!("justice {i}.{j}"), term))
        });
        for (place, term) in conditions.chain(justices) {
            if !pool.sort(term).is_bool() {
                return Err(sort_fault(pool, place, "of sort Bool", term));
            }
        }
        for (number, output) in self.outputs.iter().enumerate() {
            if pool.sorts().array_parts(pool.sort(output.term)).is_some() {
                let place = format!("output {number}");
                return Err(sort_fault(pool, place, "a bit-vector or a Boolean", output.term));
            }
        }
        Ok(())
    }

    fn check_mentioned(&self, pool: &Pool, roles: &TermMap<Role>) -> Result<(), Fault> {
        let is_free = |&term: &Term| pool.op(term) == Op::Symbol && !roles.contains(term);
        let Some(free) = cone(pool, &self.terms()).into_iter().find(is_free) else { return Ok(()) };
        let symbol = pool.name(free).unwrap_or_default().to_owned();
        Err(Fault::Free { place: "the system".into(), symbol })
    }

    fn check_initial(&self, pool: &Pool, roles: &TermMap<Role>) -> Result<(), Fault> {
        let values: Vec<Term> = self.states.iter().filter_map(|state| state.init).collect();
        let mut latest: TermMap<Role> = TermMap::new();
        for term in cone(pool, &values) {
            let of_args = pool.args(term).iter().filter_map(|&arg| latest.get(arg)).max();
            if let Some(&role) = roles.get(term).or(of_args) {
                latest.insert(term, role);
            }
        }
        for (state, value) in self.states.iter().enumerate().filter_map(|(i, s)| Some((i, s.init?))) {
            match latest.get(value) {
                Some(&Role::Input(input)) => {
                    let input = pool.name(input).unwrap_or_default().to_owned();
                    return Err(Fault::InitDependsOnInput { state, input });
                }
                Some(&Role::State(other)) if other >= state => {
                    return Err(Fault::InitDependsOnLater { state, other });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Bit-vectors, Booleans, and arrays of these.
fn is_of_a_system(pool: &Pool, sort: Sort) -> bool {
    let is_scalar = |sort: Sort| sort.is_bool() || sort.is_bitvec();
    match pool.sorts().array_parts(sort) {
        Some((index, element)) => is_scalar(index) && is_scalar(element),
        None => is_scalar(sort),
    }
}

fn sort_fault(pool: &Pool, place: String, expected: &str, term: Term) -> Fault {
    let found = pool.sorts().display(pool.sort(term));
    Fault::Sort { place, expected: expected.into(), found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Property, State};

    /// Two states and an input of 4 bits.
    fn small() -> (Pool, System) {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(4).unwrap();
        let [a, b, i] = ["a", "b", "i"].map(|name| pool.symbol(name, sort));
        let state = |term| State { term, init: None, next: None, name: None };
        let inputs = vec![Input { term: i, name: None }];
        (pool, System { states: vec![state(a), state(b)], inputs, ..System::default() })
    }

    fn fault(pool: &Pool, system: &System) -> String {
        system.check(pool).unwrap_err().to_string()
    }

    #[test]
    fn initial_values_follow_the_order_of_the_states() {
        let (mut pool, mut system) = small();
        let [a, b] = [0, 1].map(|i| system.states[i].term);
        system.states[1].init = Some(pool.bvadd(a, a).unwrap());
        assert_eq!(system.check(&pool), Ok(()));
        system.states[1].init = Some(pool.bvadd(a, b).unwrap());
        assert_eq!(
            fault(&pool, &system),
            "the initial value of state 1 depends on state 1, which is not before it"
        );
        system.states[1].init = None;
        system.states[0].init = Some(b);
        assert!(matches!(system.check(&pool), Err(Fault::InitDependsOnLater { state: 0, other: 1 })));
        system.states[0].init = Some(system.inputs[0].term);
        assert_eq!(fault(&pool, &system), "the initial value of state 0 depends on the input 'i'");
    }

    #[test]
    fn sorts_fit_their_places() {
        let (mut pool, mut system) = small();
        let a = system.states[0].term;
        system.bads.push(Property { term: a, name: None });
        assert_eq!(
            fault(&pool, &system),
            "bad state 0 is expected to be of sort Bool, found sort (_ BitVec 4)"
        );
        system.bads[0].term = pool.eq(a, a).unwrap();
        assert_eq!(system.check(&pool), Ok(()));
        system.states[1].next = Some(pool.concat(a, a).unwrap());
        assert!(fault(&pool, &system).starts_with("the next value of state 1 is expected to be of sort"));
    }

    #[test]
    fn symbols_are_known_and_stand_once() {
        let (mut pool, mut system) = small();
        let free = pool.symbol("free", Sort::BOOL);
        system.constraints.push(Property { term: free, name: None });
        assert_eq!(
            fault(&pool, &system),
            "the system mentions 'free', which is neither a state nor an input"
        );
        system.inputs.push(Input { term: free, name: None });
        assert_eq!(system.check(&pool), Ok(()));
        system.inputs.push(Input { term: free, name: None });
        assert_eq!(fault(&pool, &system), "input 2 is expected to be a symbol of its own, found 'free'");
    }
}
