//! An under-approximation of one's own, in about fifty lines, without touching the solver.
//!
//! The encoding ties the low bits instead of the high ones: at effective width k only multiples of `2^(w - k)` are left, as
//! addresses and sizes often are. The policy shares an assumption among vectors of one width, and frees those at once that
//! are in the way twice. [`Solver::use_approximation`] takes both. Neither can make an answer wrong: ties hold under an
//! assumption, and are eased as long as a refutation uses them.
//!
//! ```sh
//! cargo run --release -p bivalve --example own_approximation -- examples/square.smt2
//! ```
//!
//! decides the assertions of a script with it, and prints one answer for each check.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "an example that speaks"
)]

use bivalve::approx::{Encoding, Policy, Statistics, Tie, Vector};
use bivalve::terms::Pool;
use bivalve::{Answer, Settings, Solver};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};

/// Low bits are zero.
struct Aligned;

impl Encoding for Aligned {
    fn name(&self) -> &str {
        "aligned"
    }

    fn tie(&self, width: u32, effective: u32, bit: u32) -> Tie {
        if bit < width - effective { Tie::Constant(false) } else { Tie::Free }
    }
}

/// Those of one width together; half of the bits, then all.
struct ByWidth;

impl Policy for ByWidth {
    fn name(&self) -> &str {
        "by width"
    }

    fn group(&self, vector: &Vector) -> u32 {
        vector.width
    }

    fn ease(&self, vector: &Vector) -> u32 {
        if vector.effective < vector.width / 2 { vector.width / 2 } else { vector.width }
    }
}

/// The answers to the checks of a script, and what the approximation came to.
fn answers(name: &str, text: &str) -> (Vec<Answer>, Statistics) {
    let (mut pool, mut answers) = (Pool::new(), vec![]);
    let mut solver = Solver::new(Settings::default());
    solver.use_approximation(Some((Box::new(Aligned), Box::new(ByWidth))));
    let mut parser = Parser::new(text.as_bytes(), name, ParserOptions::default());
    while let Some(command) = parser.next_command(&mut pool).expect("a script without errors") {
        match command {
            Command::Assert { term, .. } => {
                solver.assert(&pool, term).expect("a formula that can be decided");
            }
            Command::CheckSat => {
                answers.push(solver.check(&mut pool).expect("a model that stands the check"));
            }
            // Enough for scripts that ask once; the binary knows the other commands.
            _ => {}
        }
    }
    (answers, solver.statistics(&pool).approx)
}

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        answers(&path, &text).0.iter().for_each(|answer| println!("{answer:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_eased_and_never_wrong() {
        let square = include_str!("../../../examples/square.smt2");
        let (found, statistics) = answers("square", square);
        assert_eq!((found, statistics.vectors), (vec![Answer::Sat], 1));
        assert!(statistics.refinements > 0, "the root is odd: {statistics:?}");
        let odd = square.replace("#x1ae9", "#x1aeb");
        assert_eq!(answers("odd", &odd).0, [Answer::Unsat], "no square ends in 11");
    }
}
