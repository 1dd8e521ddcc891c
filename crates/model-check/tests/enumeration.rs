//! Every engine against enumeration, on small random systems with memories, constraints, dead ends and
//! liveness.
//!
//! `BIVALVE_SYSTEMS` sets the number of systems, `BIVALVE_SYSTEMS_FROM` the first one.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and takes its size from the environment"
)]

use bivalve::Stop;
use bivalve::terms::Pool;
use bivalve_fuzz::systems::{data_path, small};
use bivalve_model_check::{Engine, Options, Verdict, check};
use bivalve_systems::System;
use bivalve_systems::explicit::decide;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Whether each verdict is what enumeration says. A violation was replayed before it was reported.
fn judge(pool: &mut Pool, system: &System, engine: Engine, number: u64) {
    let truth = decide(pool, system).unwrap();
    // All violations of systems this small are shown by 260 frames: they have 8 bits of states.
    let most_frames = (engine == Engine::Bmc).then(|| truth.bads.iter().flatten().max().map_or(3, |k| k + 1));
    // Checking each proof anew costs as much as finding it.
    let options = Options { engine, most_frames, recheck: number.is_multiple_of(4), ..Options::default() };
    let verdicts = check(pool, system, &options, &Stop::new(), &mut |_| {}).unwrap();
    for (bad, (verdict, truth)) in verdicts.bads.iter().zip(&truth.bads).enumerate() {
        let what = format!("system {number}, {engine:?}, b{bad}: {verdict:?}, but {truth:?}");
        match (verdict, truth) {
            (Verdict::Violated(witness), Some(frame)) => {
                let found = witness.frames.len() - 1;
                assert!(if engine == Engine::Bmc { found == *frame } else { found >= *frame }, "{what}");
            }
            (Verdict::Holds(_), None) => {}
            (Verdict::Unknown(_, frames), None) if engine == Engine::Bmc => assert!(*frames > 0, "{what}"),
            _ => panic!("{what}"),
        }
    }
    for (justice, (verdict, &truth)) in verdicts.justices.iter().zip(&truth.justices).enumerate() {
        let what = format!("system {number}, {engine:?}, j{justice}: {verdict:?}, but {truth}");
        match verdict {
            Verdict::Violated(_) => assert!(truth, "{what}"),
            Verdict::Holds(_) => assert!(!truth, "{what}"),
            Verdict::Unknown(..) => assert_eq!(engine, Engine::Bmc, "{what}"),
        }
    }
}

#[test]
fn engines_agree_with_enumeration() {
    let (from, count) = (number("BIVALVE_SYSTEMS_FROM", 0), number("BIVALVE_SYSTEMS", 40));
    for number in from..from + count {
        for engine in [Engine::Bmc, Engine::Induction, Engine::Ic3, Engine::Auto] {
            let (mut pool, system) = small(7, number);
            judge(&mut pool, &system, engine, number);
        }
    }
}

/// Their words become narrow before engines see them.
#[test]
fn engines_agree_with_enumeration_on_data_paths() {
    let (from, count) = (number("BIVALVE_SYSTEMS_FROM", 0), number("BIVALVE_SYSTEMS", 25));
    for number in from..from + count {
        for engine in [Engine::Bmc, Engine::Induction, Engine::Ic3, Engine::Auto] {
            let (mut pool, system) = data_path(7, number);
            judge(&mut pool, &system, engine, number);
        }
    }
}
