//! Preprocesses scripts, without a solver: what is left at each check, and what each pass did.
//!
//! `cargo run --release -p bivalve-preprocess --example preprocess -- FILE ...`. Named assertions are
//! tracked. Measuring needs a clock, so this is not part of the library.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a measuring tool")]

use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_limits::Deadline;
use bivalve_preprocess::{Preprocessor, Request, Settings};
use bivalve_terms::{Pool, Term, cone};
use std::fs::File;
use std::time::Duration;

/// Time that this thread has run: the machine may be shared.
fn now() -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = statistics.split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.expect("nanoseconds"))
}

fn main() {
    for name in std::env::args().skip(1) {
        let file = File::open(&name).expect("a readable file");
        let mut pool = Pool::new();
        let mut parser = Parser::new(file, &name, ParserOptions::default());
        let mut preprocessor = Preprocessor::new(Settings { clock: now, ..Settings::default() });
        let (mut runs, mut time) = (0, Duration::ZERO);
        while let Some(command) = parser.next_command(&mut pool).expect("a well-formed script") {
            parser.symbols_mut().follow(&command);
            let assumptions: Vec<Term> = match command {
                Command::Push(levels) => {
                    (0..levels).for_each(|_| preprocessor.push());
                    continue;
                }
                Command::Pop(levels) => {
                    (0..levels).for_each(|_| preprocessor.pop());
                    continue;
                }
                Command::Assert { term, named, .. } => {
                    if named.iter().any(|(_, named)| *named == term) {
                        preprocessor.add_tracked(term);
                    } else {
                        preprocessor.add(&[term]);
                    }
                    continue;
                }
                Command::CheckSat => vec![],
                Command::CheckSatAssuming(assumptions) => {
                    assumptions.into_iter().map(|(_, term)| term).collect()
                }
                _ => continue,
            };
            let deadline = Deadline::unlimited();
            let request = Request { assumptions: &assumptions, has_empty_levels: false, deadline: &deadline };
            let before = now();
            let run = preprocessor.run(&mut pool, &request).expect("nothing stops it");
            preprocessor.images(&mut pool, &assumptions, &deadline).expect("nothing stops it");
            time += now() - before;
            runs += 1;
            if let Some(level) = run.contradiction {
                println!("check {runs}: level {level} is contradictory");
            }
        }
        let levels = preprocessor.levels().iter();
        let left: Vec<Term> =
            levels.flat_map(|level| level.conjuncts().iter().chain(level.tracked())).copied().collect();
        let statistics = preprocessor.statistics();
        println!(
            "{name}: {runs} checks in {time:.3?}; {} conjuncts over {} terms are left, {} symbols eliminated, {} restarts",
            left.len(),
            cone(&pool, &left).len(),
            statistics.eliminated,
            statistics.restarts
        );
        for (pass, counts) in statistics.passes.iter().filter(|(_, counts)| counts.tried > 0) {
            println!("  {pass}: tried {}, changed {}, {:.3?}", counts.tried, counts.changed, counts.time);
        }
    }
}
