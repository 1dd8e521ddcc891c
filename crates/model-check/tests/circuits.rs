//! Witness circuits: what is proved has one that holds, and no circuit is accepted for a system that has a
//! reachable bad state.
//!
//! `BIVALVE_SYSTEMS` sets the number of systems.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and takes its size from the environment"
)]

use bivalve::terms::{Op, Pool};
use bivalve::{Settings, Stop};
use bivalve_fuzz::systems::{data_path, small};
use bivalve_model_check::{
    Engine, NoCircuit, Options, Outcome, Proof, Verdict, check, check_circuit, over_symbols_of_model,
};
use bivalve_systems::System;

fn count() -> u64 {
    std::env::var("BIVALVE_SYSTEMS").map_or(30, |text| text.parse().unwrap())
}

fn outcome(pool: &mut Pool, model: &System, circuit: &System) -> Outcome {
    check_circuit(pool, model, circuit, &Settings::default(), &Stop::new()).unwrap()
}

#[test]
fn proofs_have_circuits_that_hold() {
    // Invariants; inductions that remember frames; runs that end.
    let mut kinds = [0; 3];
    for number in 0..count() {
        for make in [small, data_path] {
            for engine in [Engine::Ic3, Engine::Interpolation, Engine::Induction, Engine::Auto] {
                let (mut pool, mut system) = make(7, number);
                system.justices.clear();
                let most_frames = (engine == Engine::Induction).then_some(12);
                let options =
                    Options { engine, most_frames, circuit: true, simple_paths: false, ..Options::default() };
                let verdicts = check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap();
                let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds(_));
                let what = format!("system {number}, {engine:?}: {verdicts:?}");
                match verdicts.circuit.as_ref().unwrap() {
                    Ok(circuit) => {
                        assert!(verdicts.bads.iter().all(holds), "{what}");
                        circuit.check(&pool).unwrap();
                        assert_eq!(outcome(&mut pool, &system, circuit), Outcome::Holds, "{what}");
                    }
                    Err(NoCircuit::NotShown(bad)) => assert!(!holds(&verdicts.bads[*bad]), "{what}"),
                    Err(_) => panic!("{what}"),
                }
                for verdict in &verdicts.bads {
                    match verdict {
                        Verdict::Holds(Proof::Invariant(_)) => kinds[0] += 1,
                        Verdict::Holds(Proof::Induction { k: 2.., .. }) => kinds[1] += 1,
                        Verdict::Holds(Proof::NoLongerRun { frames: 1.. }) => kinds[2] += 1,
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(kinds.iter().all(|&seen| seen > 0) || count() < 30, "{kinds:?}");
}

/// Circuits that say less of the system, or more than is so.
fn wrong(pool: &mut Pool, system: &System) -> Vec<System> {
    let no = pool.bool(false);
    let mut circuits = vec![system.clone()];
    let mut change = |act: &mut dyn FnMut(&mut System)| {
        let mut circuit = system.clone();
        act(&mut circuit);
        circuits.push(circuit);
    };
    change(&mut |circuit| circuit.bads.iter_mut().for_each(|bad| bad.term = no));
    change(&mut |circuit| circuit.bads.clear());
    let impossible = bivalve_systems::Property { term: no, name: None };
    change(&mut |circuit| circuit.constraints.push(impossible.clone()));
    for state in 0..system.states.len() {
        change(&mut |circuit| circuit.states[state].next = Some(circuit.states[state].term));
        change(&mut |circuit| circuit.states[state].next = None);
        change(&mut |circuit| circuit.states[state].init = None);
    }
    for bad in &system.bads {
        let never = pool.mk(Op::Not, &[bad.term]);
        let never = bivalve_systems::Property { term: never, name: None };
        change(&mut |circuit| circuit.constraints.push(never.clone()));
        change(&mut |circuit| {
            circuit.constraints.push(never.clone());
            circuit.bads.clear();
        });
    }
    circuits
}

#[test]
fn no_circuit_is_accepted_for_a_violated_system() {
    let mut refused = 0;
    for number in 0..count() {
        let (mut pool, mut system) = small(9, number);
        system.justices.clear();
        let verdicts = check(&mut pool, &system, &Options::default(), &Stop::new(), &mut |_| {}).unwrap();
        if !verdicts.bads.iter().any(|verdict| matches!(verdict, Verdict::Violated(_))) {
            continue;
        }
        for circuit in wrong(&mut pool, &system) {
            let found = outcome(&mut pool, &system, &circuit);
            assert!(matches!(found, Outcome::Fails(_)), "system {number}: {circuit:?}");
            // The same where nothing is shared.
            let alone: Vec<_> =
                circuit.symbols().map(|symbol| (symbol, pool.symbol("alone", pool.sort(symbol)))).collect();
            let alone = over_symbols_of_model(&mut pool, &circuit, &alone);
            assert!(matches!(outcome(&mut pool, &system, &alone), Outcome::Fails(_)), "system {number}");
            refused += 2;
        }
    }
    assert!(refused > 0);
}
