//! Explicit-state search on systems whose answers are plain.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_systems::explicit::{Decision, ExplicitError, decide};
use bivalve_systems::{Justice, Property, State, System};
use bivalve_terms::{Pool, Sort, Term};

/// A counter that begins with 0, with the property that it is 5, and the justice property that it is 2.
fn counter(width: u32) -> (Pool, System, Term) {
    let mut pool = Pool::new();
    let term = pool.symbol("count", Sort::bitvec(width).unwrap());
    let [zero, one, two, five] = [0, 1, 2, 5].map(|value| pool.bv(value, width).unwrap());
    let next = pool.bvadd(term, one).unwrap();
    let [is_two, is_five] = [two, five].map(|value| pool.eq(term, value).unwrap());
    let system = System {
        states: vec![State { term, init: Some(zero), next: Some(next), name: None }],
        bads: vec![Property { term: is_five, name: None }],
        justices: vec![Justice { terms: vec![is_two], name: None }],
        ..System::default()
    };
    (pool, system, term)
}

#[test]
fn constraints_make_dead_ends() {
    let (mut pool, mut system, count) = counter(3);
    assert_eq!(decide(&pool, &system), Ok(Decision { bads: vec![Some(5)], justices: vec![true] }));
    // The frame in which the counter is 5 is the last one of all.
    let five = pool.bv(5, 3).unwrap();
    let term = pool.bvule(count, five).unwrap();
    system.constraints.push(Property { term, name: None });
    assert_eq!(decide(&pool, &system), Ok(Decision { bads: vec![Some(5)], justices: vec![false] }));
    // It does not come to 5 any more.
    let term = pool.bvult(count, five).unwrap();
    system.constraints.push(Property { term, name: None });
    assert_eq!(decide(&pool, &system), Ok(Decision { bads: vec![None], justices: vec![false] }));
}

/// A state without a next value has its initial value in the first frame and is free afterwards.
#[test]
fn states_without_a_next_value_are_free() {
    let (pool, mut system, _) = counter(3);
    system.states[0].next = None;
    assert_eq!(decide(&pool, &system), Ok(Decision { bads: vec![Some(1)], justices: vec![true] }));
    system.states[0].init = None;
    assert_eq!(decide(&pool, &system), Ok(Decision { bads: vec![Some(0)], justices: vec![true] }));
}

#[test]
fn large_systems_are_refused() {
    let (pool, system, _) = counter(21);
    let error = decide(&pool, &system).unwrap_err();
    assert_eq!(error.to_string(), "states are expected to have at most 20 bits, found 21");
    let (pool, system, _) = counter(65);
    assert!(matches!(decide(&pool, &system), Err(ExplicitError::TooLarge { what: "values", .. })));
}
