//! An approximation of one's own in Bivalve, in about fifty lines, without touching the solver.
//!
//! An under-approximation looks for a model among few values first. *Which* values is the business of an
//! [`Encoding`], *what to widen* when there is no model among them that of a [`Policy`]. The pair below is
//! for formulas about sizes and addresses:
//!
//! - [`Round`] restricts the low bits to zero, so that the values at effective width k are the multiples of
//!   2^(w-k): round numbers;
//! - [`ByKind`] widens all symbols together, and each read and application by itself, by a quarter of its
//!   width.
//!
//! Neither can make an answer wrong: restrictions hold under assumptions only, unsat is believed only where
//! none of them was used, and every model is checked. So experiments are cheap; what they gain is what there
//! is to find out.
//!
//! ```sh
//! cargo run --release -p bivalve --example own_approximation -- formula.smt2
//! ```
//!
//! prints one answer a check, and numbers on standard error, so it can be a column of an experiment
//! (`docs/experiments.md`).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example that speaks")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "an example that reads its command line")]

use bivalve::approx::{Encoding, Kind, Policy, Restriction, Vector};
use bivalve::terms::Pool;
use bivalve::{CheckResult, Settings, Solver, Statistics};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};

/// Low bits are zero.
struct Round;

impl Encoding for Round {
    fn name(&self) -> &str {
        "round"
    }

    fn restriction(&self, width: u32, effective: u32, bit: u32) -> Restriction {
        if bit < width - effective { Restriction::Constant(false) } else { Restriction::Free }
    }
}

/// Symbols together, all else by itself; by a quarter of the width.
struct ByKind;

impl Policy for ByKind {
    fn name(&self) -> &str {
        "by-kind"
    }

    fn group(&self, vector: &Vector) -> u32 {
        match vector.kind {
            Kind::Symbol => 0,
            Kind::Read | Kind::Application => vector.number + 1,
        }
    }

    fn refine(&self, vector: &Vector) -> u32 {
        vector.effective + vector.width.div_ceil(4)
    }
}

/// The answers to the checks of a script, and what they cost.
fn answers(name: &str, text: &str, settings: Settings) -> (Vec<&'static str>, Statistics) {
    let (mut pool, mut answers) = (Pool::new(), vec![]);
    let mut solver = Solver::new(settings);
    solver.use_approximation(Some((Box::new(Round), Box::new(ByKind))));
    let mut parser = Parser::new(text.as_bytes(), name, ParserOptions::default());
    while let Some(command) = parser.next_command(&mut pool).expect("a script without errors") {
        match command {
            Command::Assert { term, .. } => {
                solver.assert(&pool, term).expect("a formula that can be decided")
            }
            Command::CheckSat => match solver.check(&mut pool).expect("a model that stands the check") {
                CheckResult::Sat => answers.push("sat"),
                CheckResult::Unsat => answers.push("unsat"),
                CheckResult::Unknown(_) => answers.push("unknown"),
            },
            // Enough for scripts that ask once; the binary knows the other commands.
            _ => {}
        }
    }
    (answers, solver.statistics(&pool))
}

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        let (answers, statistics) = answers(&path, &text, Settings::default());
        answers.iter().for_each(|answer| println!("{answer}"));
        eprintln!("{}", serde_json::to_string(&statistics).expect("words and numbers"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Settings under which every question reaches the SAT solver.
    fn plain() -> Settings {
        Settings::builder().rewrite_level(0).probe(false).build()
    }

    /// `x * x = target` for 16 bits, and x small.
    fn square(target: &str) -> String {
        format!(
            "(declare-const x (_ BitVec 16))(assert (= (bvmul x x) {target}))(assert (bvult x #x0100))(check-sat)"
        )
    }

    #[test]
    fn round_roots_are_found_at_once() {
        let (answers, statistics) = answers("square", &square("#x4000"), plain());
        assert_eq!(answers, ["sat"], "128 * 128");
        assert!(statistics.approx.searches > 0 && statistics.approx.sat == 1, "{:?}", statistics.approx);
    }

    #[test]
    fn what_is_not_round_is_found_after_widening_and_what_is_not_there_is_not() {
        let (found, statistics) = answers("square", &square("#x1ae9"), plain());
        assert_eq!(found, ["sat"], "83 * 83");
        assert!(statistics.approx.refinements > 0, "{:?}", statistics.approx);
        assert_eq!(answers("square", &square("#x1aeb"), plain()).0, ["unsat"], "odd squares are 1 modulo 8");
    }

    #[test]
    fn widening_comes_to_an_end() {
        let mut vector = Vector { number: 4, kind: Kind::Read, width: 30, effective: 1 };
        assert_eq!((ByKind.group(&vector), ByKind.group(&Vector { kind: Kind::Symbol, ..vector })), (5, 0));
        for _ in 0..4 {
            vector.effective = ByKind.refine(&vector);
        }
        assert!(vector.effective >= vector.width);
    }
}
