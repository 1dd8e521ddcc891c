//! Every engine against enumeration, on small random systems with memories, constraints, dead ends and
//! liveness.
//!
//! `BIVALVE_SYSTEMS` sets the number of systems, `BIVALVE_SYSTEMS_FROM` the first one.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and takes its size from the environment"
)]

use bivalve::terms::{Op, Pool, Term, cone};
use bivalve::{Stop, Why};
use bivalve_fuzz::systems::{data_path, small};
use bivalve_model_check::{Engine, Options, Proof, Verdict, check};
use bivalve_systems::explicit::decide;
use bivalve_systems::{State, System};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Engines, and the threads that they run in.
const COURSES: [(Engine, usize); 7] = [
    (Engine::Bmc, 1),
    (Engine::Induction, 1),
    (Engine::Ic3, 1),
    (Engine::Cuts, 1),
    (Engine::Interpolation, 1),
    (Engine::Auto, 1),
    (Engine::Auto, 2),
];

/// Whether each verdict is what enumeration says. A violation was replayed before it was reported. Returns
/// the number of proofs over abstract memories.
fn judge(
    pool: &mut Pool,
    system: &System,
    (engine, threads): (Engine, usize),
    memory_bits: u64,
    number: u64,
) -> usize {
    let truth = decide(pool, system).unwrap();
    // All violations of systems this small are shown by 260 frames: they have 8 bits of states.
    let most_frames = (engine == Engine::Bmc).then(|| truth.bads.iter().flatten().max().map_or(3, |k| k + 1));
    // Checking each proof anew costs as much as finding it.
    let recheck = number.is_multiple_of(4);
    let options = Options { engine, most_frames, recheck, memory_bits, threads, ..Options::default() };
    // An abstraction of memories may not be fine enough.
    let is_by_gates = matches!(engine, Engine::Ic3 | Engine::Cuts | Engine::Interpolation);
    let may_be_open = engine == Engine::Bmc || is_by_gates && memory_bits == 0;
    let mut abstracted = 0;
    let verdicts = check(pool, system, &options, &Stop::new(), &mut |_| {}).unwrap();
    for (bad, (verdict, truth)) in verdicts.bads.iter().zip(&truth.bads).enumerate() {
        let what = format!("system {number}, {engine:?} on {threads}, b{bad}: {verdict:?}, but {truth:?}");
        match (verdict, truth) {
            (Verdict::Violated(witness), Some(frame)) => {
                let found = witness.frames.len() - 1;
                let is_shortest = matches!(engine, Engine::Bmc | Engine::Induction | Engine::Interpolation);
                assert!(if is_shortest { found == *frame } else { found >= *frame }, "{what}");
            }
            (Verdict::Holds(proof), None) => {
                abstracted += usize::from(matches!(proof, Proof::Abstracted { .. }));
            }
            (Verdict::Unknown(why, _), _) if is_by_gates && may_be_open => {
                assert!(matches!(why, Why::Incomplete(_)), "{what}");
            }
            (Verdict::Unknown(_, frames), None) if engine == Engine::Bmc => assert!(*frames > 0, "{what}"),
            _ => panic!("{what}"),
        }
    }
    for (justice, (verdict, &truth)) in verdicts.justices.iter().zip(&truth.justices).enumerate() {
        let what = format!("system {number}, {engine:?} on {threads}, j{justice}: {verdict:?}, but {truth}");
        match verdict {
            Verdict::Violated(_) => assert!(truth, "{what}"),
            Verdict::Holds(_) => assert!(!truth, "{what}"),
            Verdict::Unknown(..) => assert!(may_be_open, "{what}"),
        }
    }
    abstracted
}

/// A violation in a later frame takes seconds where frames are checked one by one. Unless a number of systems
/// is set, such systems are left to IC3 and to the engine that tries all.
const DEEP: usize = 50;

#[test]
fn engines_agree_with_enumeration() {
    let (from, count) = (number("BIVALVE_SYSTEMS_FROM", 0), number("BIVALVE_SYSTEMS", 40));
    let is_short = std::env::var_os("BIVALVE_SYSTEMS").is_none();
    for number in from..from + count {
        for course in COURSES {
            let (mut pool, system) = small(7, number);
            let is_deep = decide(&pool, &system).unwrap().bads.iter().flatten().any(|&frame| frame > DEEP);
            if is_short
                && is_deep
                && matches!(course.0, Engine::Bmc | Engine::Induction | Engine::Interpolation)
            {
                continue;
            }
            judge(&mut pool, &system, course, Options::default().memory_bits, number);
        }
    }
}

/// Their words become narrow before engines see them.
#[test]
fn engines_agree_with_enumeration_on_data_paths() {
    let (from, count) = (number("BIVALVE_SYSTEMS_FROM", 0), number("BIVALVE_SYSTEMS", 25));
    for number in from..from + count {
        for course in COURSES {
            let (mut pool, system) = data_path(7, number);
            judge(&mut pool, &system, course, Options::default().memory_bits, number);
        }
    }
}
/// Whether what is decided depends on a memory that is written and read.
fn has_memory_at_work(pool: &Pool, system: &System) -> bool {
    let conditions = system.bads.iter().chain(&system.constraints).map(|property| property.term);
    let is_array = |term: Term| pool.sorts().array_parts(pool.sort(term)).is_some();
    let mut roots: Vec<Term> = conditions.collect();
    loop {
        let terms = cone(pool, &roots);
        let below = system.states.iter().filter(|state| terms.contains(&state.term));
        let next: Vec<Term> = below.flat_map(|state| state.init.into_iter().chain(state.next)).collect();
        if next.iter().all(|term| terms.contains(term)) {
            let is_written = |state: &&State| is_array(state.term) && state.next != Some(state.term);
            let is_stored = |next: Term| cone(pool, &[next]).iter().any(|&term| pool.op(term) == Op::Store);
            let mut written = system.states.iter().filter(is_written).filter_map(|state| state.next);
            let is_read = terms.iter().any(|&term| pool.op(term) == Op::Select);
            return is_read && written.any(|next| terms.contains(&next) && is_stored(next));
        }
        roots.extend(next);
    }
}

/// All memories are abstracted here. Systems in which they matter are rare, so many are drawn.
#[test]
fn abstract_memories_agree_with_enumeration() {
    let (from, count) = (number("BIVALVE_SYSTEMS_FROM", 0), number("BIVALVE_SYSTEMS", 40));
    let (mut abstracted, mut open) = (0, count);
    for number in from.. {
        let (mut pool, system) = small(11, number);
        if !has_memory_at_work(&pool, &system) {
            continue;
        }
        for course in [(Engine::Ic3, 1), (Engine::Interpolation, 1), (Engine::Auto, 1), (Engine::Auto, 2)] {
            abstracted += judge(&mut pool, &system, course, 0, number);
        }
        open -= 1;
        if open == 0 {
            break;
        }
    }
    assert!(abstracted > 0 || count < 40, "no proof is over an abstraction");
}
