//! The two queues of the case study of Boolector's model checker, small, with every engine.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::Stop;
use bivalve::terms::Pool;
use bivalve_formats::btor2;
use bivalve_fuzz::fifo::equivalence;
use bivalve_model_check::{Engine, Options, Proof, Verdict, check};
use bivalve_systems::System;

fn verdict(pool: &mut Pool, system: &System, options: &Options) -> Verdict {
    check(pool, system, options, &Stop::new(), &mut |_| {}).unwrap().bads.remove(0)
}

/// The queues, with the flags alone as outputs.
fn flags() -> (Pool, System) {
    let (mut pool, mut system) = equivalence(1, 2).unwrap();
    let mut differ = |flag: &str| {
        let [one, other] = ["stack", "queue"].map(|queue| {
            let name = Some(format!("{queue}.{flag}"));
            system.states.iter().find(|state| state.name == name).unwrap().term
        });
        pool.distinct(one, other).unwrap()
    };
    let (full, empty) = (differ("full"), differ("empty"));
    let differ = pool.or(full, empty).unwrap();
    system.bads[0].term = pool.and(system.inputs[0].term, differ).unwrap();
    (pool, system)
}

/// They do not differ; what is printed is the same system.
#[test]
fn queues_are_equivalent() {
    let (pool, system) = equivalence(1, 2).unwrap();
    let text = btor2::print(&pool, &system).unwrap();
    for engine in [Engine::Ic3, Engine::Auto] {
        let mut pool = Pool::new();
        let system = btor2::read(&mut pool, text.as_bytes(), "text", Default::default()).unwrap();
        let options = Options { engine, recheck: true, ..Options::default() };
        let verdict = verdict(&mut pool, &system, &options);
        assert!(matches!(verdict, Verdict::Holds(_)), "{engine:?}: {verdict:?}");
    }
    let (mut pool, system) = equivalence(32, 5).unwrap();
    let options = Options { engine: Engine::Bmc, most_frames: Some(6), ..Options::default() };
    assert!(matches!(verdict(&mut pool, &system, &options), Verdict::Unknown(_, 6)));
}

/// Induction proves that the flags are equal, if no two states of its frames are: without that, unreachable
/// states in which nothing happens are before every number of frames.
#[test]
fn induction_needs_different_states() {
    let (mut pool, system) = flags();
    let options = Options { engine: Engine::Induction, recheck: true, ..Options::default() };
    let proved = verdict(&mut pool, &system, &options);
    assert!(matches!(proved, Verdict::Holds(Proof::Induction { k: 4.., .. })), "{proved:?}");
    let options = Options { simple_paths: false, most_frames: Some(20), ..options };
    let open = verdict(&mut pool, &system, &options);
    assert!(matches!(open, Verdict::Unknown(_, 20)), "{open:?}");
}

/// As in the thesis, steps of a few frames prove nothing, with and without different states.
#[test]
fn few_frames_prove_nothing() {
    for simple_paths in [true, false] {
        let (mut pool, system) = equivalence(32, 5).unwrap();
        let options =
            Options { engine: Engine::Induction, most_frames: Some(3), simple_paths, ..Options::default() };
        let verdict = verdict(&mut pool, &system, &options);
        assert!(matches!(verdict, Verdict::Unknown(_, 3)), "{verdict:?}");
    }
}

/// Without a reset in the first frame neither queue is empty, and what leaves is what memories begin with.
#[test]
fn queues_that_were_not_reset_differ() {
    for engine in [Engine::Bmc, Engine::Induction, Engine::Ic3, Engine::Interpolation, Engine::Auto] {
        let (mut pool, mut system) = equivalence(2, 2).unwrap();
        system.constraints.clear();
        let verdict = verdict(&mut pool, &system, &Options { engine, ..Options::default() });
        assert!(matches!(&verdict, Verdict::Violated(witness) if witness.frames.len() == 2), "{verdict:?}");
    }
}

#[test]
fn sizes_without_room_are_refused() {
    for (width, address_bits) in [(8, 1), (8, 17), (0, 4)] {
        assert!(equivalence(width, address_bits).is_err(), "{width}, {address_bits}");
    }
}
