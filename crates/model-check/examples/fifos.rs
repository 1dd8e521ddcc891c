//! Table A.5 of Brummayer's thesis (2009): two queues, bounded model checking and k-induction up to a bound,
//! incrementally and not, with and without all-different constraints.
//!
//! `fifos WIDTH ADDRESS_BITS` prints the system in BTOR2; with bounds behind that, a line for each. As in the
//! thesis, a row has the time to look for a violation in the frames up to `k` and to try the steps up to
//! that (the model checker tries one more, for which these frames are enough); without increments each frame
//! and each step is a formula of its own for a fresh solver, in which every two states differ, and the times
//! of all of them are added up.
//!
//! `cargo run --release -p bivalve-model-check --example fifos 32 5 0 1 2 3 4 5`
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures time")]

use bivalve::terms::{Op, Pool, Substitution, Term};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_formats::btor2;
use bivalve_fuzz::fifo::equivalence;
use bivalve_model_check::{Engine, Options, Verdict, check};
use bivalve_systems::System;
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [width, address_bits, bounds @ ..] = &numbers[..] else {
        return Err("expected WIDTH ADDRESS_BITS [K]...".into());
    };
    if bounds.is_empty() {
        let (pool, system) = equivalence(*width, *address_bits)?;
        print!("{}", btor2::print(&pool, &system)?);
        return Ok(());
    }
    println!("| k | inc adc | inc noadc | non-inc adc | non-inc noadc |\n|---|---|---|---|---|");
    let mut sums = [Duration::ZERO; 2];
    let mut next = 0;
    for &bound in bounds {
        let mut row = format!("| {bound:02} |");
        for differ in [true, false] {
            row += &format!(" {:.2} |", incremental(*width, *address_bits, bound, differ)?.as_secs_f64());
        }
        while next <= bound {
            let base = fresh(*width, *address_bits, next, Query::Base)?;
            for (sum, differ) in sums.iter_mut().zip([true, false]) {
                *sum += base + fresh(*width, *address_bits, next, Query::Step { differ })?;
            }
            next += 1;
        }
        println!("{row} {:.2} | {:.2} |", sums[0].as_secs_f64(), sums[1].as_secs_f64());
    }
    Ok(())
}

/// The time of the model checker for frames `0..=bound`, and for steps up to the one behind all of them.
fn incremental(width: u32, address_bits: u32, bound: u32, differ: bool) -> Result<Duration, Box<dyn Error>> {
    let (mut pool, system) = equivalence(width, address_bits)?;
    let frames = bound as usize + 1;
    let most_frames = Some(frames);
    let options =
        Options { engine: Engine::Induction, most_frames, simple_paths: differ, ..Options::default() };
    let begin = Instant::now();
    let verdict = check(&mut pool, &system, &options, &Stop::new(), &mut |_| {})?.bads.remove(0);
    match verdict {
        Verdict::Unknown(_, searched) if searched == frames => Ok(begin.elapsed()),
        other => Err(format!("bound {bound}: {other:?}").into()),
    }
}

/// The formulas for one number of frames.
#[derive(Clone, Copy)]
enum Query {
    /// A run whose last frame is bad.
    Base,
    /// Frames from anywhere, of which the last one alone is bad.
    Step { differ: bool },
}

/// The time of a fresh solver for frames `0..=bound`, of which the last one is bad.
fn fresh(width: u32, address_bits: u32, bound: u32, query: Query) -> Result<Duration, Box<dyn Error>> {
    let (mut pool, system) = equivalence(width, address_bits)?;
    let begin = Instant::now();
    let mut solver = Solver::new(Settings::default());
    let (mut frames, mut last) = (vec![], None);
    for number in 0..=bound {
        let is_initial = matches!(query, Query::Base);
        let mut frame = frame(&mut pool, &system, number, is_initial, last.as_mut());
        let states = system.states.iter().map(|state| frame.apply(&mut pool, state.term));
        frames.push(states.collect::<Vec<Term>>());
        for constraint in &system.constraints {
            let constraint = frame.apply(&mut pool, constraint.term);
            solver.assert(&pool, constraint)?;
        }
        let bad = frame.apply(&mut pool, system.bads[0].term);
        let wanted = if number == bound { bad } else { pool.not(bad)? };
        solver.assert(&pool, wanted)?;
        last = Some(frame);
    }
    let expected = match query {
        Query::Base => CheckResult::Unsat,
        Query::Step { differ } => {
            for (number, one) in frames.iter().enumerate().filter(|_| differ) {
                for other in &frames[..number] {
                    let differ = differ_somewhere(&mut pool, one, other);
                    solver.assert(&pool, differ)?;
                }
            }
            CheckResult::Sat
        }
    };
    match solver.check(&mut pool)? {
        result if result == expected => Ok(begin.elapsed()),
        result => Err(format!("bound {bound}: {result:?}").into()),
    }
}

/// The symbols of a frame: states have the next values over the frame before, inputs are new.
fn frame(
    pool: &mut Pool,
    system: &System,
    number: u32,
    is_initial: bool,
    mut before: Option<&mut Substitution>,
) -> Substitution {
    let fresh = |pool: &mut Pool, term: Term| {
        let name = format!("{}@{number}", pool.name(term).unwrap_or_default());
        pool.symbol(&name, pool.sort(term))
    };
    let mut frame = Substitution::new();
    for state in &system.states {
        let value = match (&mut before, state.next, state.init) {
            (Some(before), Some(next), _) => before.apply(pool, next),
            (None, _, Some(init)) if is_initial => init,
            _ => fresh(pool, state.term),
        };
        frame.insert(pool, state.term, value);
    }
    for input in &system.inputs {
        let symbol = fresh(pool, input.term);
        frame.insert(pool, input.term, symbol);
    }
    frame
}

/// Some state has other values in one frame than in the other.
fn differ_somewhere(pool: &mut Pool, one: &[Term], other: &[Term]) -> Term {
    let equal: Vec<Term> = one.iter().zip(other).map(|(&a, &b)| pool.mk(Op::Eq, &[a, b])).collect();
    let all_equal = pool.mk(Op::And, &equal);
    pool.mk(Op::Not, &[all_equal])
}
