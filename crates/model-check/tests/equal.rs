//! Systems beside a copy of themselves: what equal registers show, by induction and by its circuits.
//!
//! `BIVALVE_SYSTEMS` sets the number of systems.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and takes its size from the environment"
)]

use bivalve::terms::{Op, Pool, Substitution, Term};
use bivalve::{Settings, Stop};
use bivalve_fuzz::systems::{data_path, small};
use bivalve_model_check::{Engine, Options, Outcome, Proof, Verdict, check, check_circuit};
use bivalve_systems::explicit::decide;
use bivalve_systems::{Property, State, System};

/// A system and its copy over the same inputs, with the bad state that one of them is bad and the other is
/// not. With `altered`, the first state of the copy keeps its value where it is bad.
fn beside_copy(pool: &mut Pool, system: &System, altered: bool) -> System {
    let mut copies = Substitution::new();
    let mut terms = vec![];
    for state in &system.states {
        let copy = pool.symbol("copy", pool.sort(state.term));
        copies.insert(pool, state.term, copy);
        terms.push(copy);
    }
    let bads: Vec<Term> = system.bads.iter().map(|bad| bad.term).collect();
    let mut double =
        System { inputs: system.inputs.clone(), states: system.states.clone(), ..System::default() };
    double.constraints = system.constraints.clone();
    for (number, (state, &term)) in system.states.iter().zip(&terms).enumerate() {
        let [init, mut next] =
            [state.init, state.next].map(|value| value.map(|value| copies.apply(pool, value)));
        if let (0, true, Some(other)) = (number, altered, next) {
            let bad = copies.apply(pool, bads[0]);
            next = Some(pool.mk(Op::Ite, &[bad, term, other]));
        }
        double.states.push(State { term, init, next, name: None });
    }
    let differs = bads.iter().map(|&bad| {
        let copy = copies.apply(pool, bad);
        let equal = pool.mk(Op::Eq, &[bad, copy]);
        Property { term: pool.mk(Op::Not, &[equal]), name: None }
    });
    double.bads = differs.collect();
    double
}

#[test]
fn copies_are_equal_unless_they_are_altered() {
    let count = std::env::var("BIVALVE_SYSTEMS").map_or(30, |text| text.parse().unwrap());
    let (mut shown, mut violated) = (0, 0);
    for number in 0..count {
        for (make, altered) in [(small as fn(u64, u64) -> _, false), (small, true), (data_path, true)] {
            for engine in [Engine::Induction, Engine::Auto] {
                let (mut pool, system): (Pool, System) = make(29, number);
                let bits: u32 = system.states.iter().map(|state| pool.width(state.term).unwrap_or(3)).sum();
                if bits > 5 || system.bads.is_empty() || system.states.is_empty() {
                    continue;
                }
                let double = beside_copy(&mut pool, &system, altered);
                // Some have too many values to be enumerated.
                let Ok(truth) = decide(&pool, &double) else { continue };
                let options = Options {
                    engine,
                    circuit: true,
                    simple_paths: false,
                    recheck: true,
                    ..Options::default()
                };
                let most_frames = (engine == Engine::Induction).then_some(12);
                let options = Options { most_frames, ..options };
                let verdicts = check(&mut pool, &double, &options, &Stop::new(), &mut |_| {}).unwrap();
                for (verdict, truth) in verdicts.bads.iter().zip(&truth.bads) {
                    let what = format!("system {number}, {engine:?}: {verdict:?}, but {truth:?}");
                    match verdict {
                        Verdict::Holds(proof) => {
                            assert!(truth.is_none(), "{what}");
                            let is_by_equations =
                                matches!(proof, Proof::Induction { equal, .. } if !equal.is_empty());
                            shown += usize::from(is_by_equations);
                        }
                        Verdict::Violated(_) => {
                            assert!(truth.is_some(), "{what}");
                            violated += 1;
                        }
                        Verdict::Unknown(..) => assert!(engine == Engine::Induction, "{what}"),
                    }
                }
                if let Ok(circuit) = verdicts.circuit.unwrap() {
                    let outcome =
                        check_circuit(&mut pool, &double, &circuit, &Settings::default(), &Stop::new());
                    assert_eq!(outcome.unwrap(), Outcome::Holds, "system {number}, {engine:?}");
                }
            }
        }
    }
    assert!(shown > 0 && violated > 0 || count < 30, "{shown} shown, {violated} violated");
}
