//! How many cases of each theory and kind: `cargo run --release -p bivalve-fuzz --example table`.
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use bivalve_fuzz::construct::{Construction, Kind, Options, Theory};
use std::time::Instant;

fn main() {
    for theory in Theory::ALL {
        let construction =
            Construction::new(Options { theory, ..Options::default() }).expect("a legal width");
        for kind in Kind::ALL {
            let start = Instant::now();
            let tally = construction.tally(kind);
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{:7} {:14} {:8} numbers {:7} sat {:7} unsat {seconds:7.2} s",
                theory.name(),
                kind.name(),
                tally.numbers,
                tally.sat,
                tally.unsat
            );
        }
    }
}
