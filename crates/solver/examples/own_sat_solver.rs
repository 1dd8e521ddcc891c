//! A SAT solver of one's own behind Bivalve, in about fifty lines, without touching the solver.
//!
//! The engine below is DPLL (Davis, Logemann and Loveland, 1962) with nothing else: decide, propagate, and on
//! a conflict turn the last decision round. It implements [`OneShot`], the small half of the seam: all
//! clauses come at once, one answer goes back. [`Incremental`] makes assumptions, cores and growing sets of
//! clauses out of it, [`Solver::with_backend`] takes it. Whoever has an incremental engine implements
//! [`SatSolver`] instead; nothing else changes.
//!
//! ```sh
//! cargo run --release -p bivalve --example own_sat_solver -- examples/square.smt2
//! ```
//!
//! decides the assertions of a script with it, and prints one answer; so it can be a column of an experiment
//! (`docs/experiments.md`). The tests at the end are what makes an engine trustworthy: the conformance suite
//! of the seam.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "an example that speaks"
)]

use bivalve::sat::{Answer, Budget, Capabilities, CnfLog, Incremental, Lit, OneShot, SatSolver, Stop};
use bivalve::terms::Pool;
use bivalve::{Settings, Solver};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};

/// Decide, propagate, turn round.
struct Dpll;

impl OneShot for Dpll {
    fn name(&self) -> &'static str {
        "dpll"
    }

    fn signature(&self) -> String {
        "dpll of 1962".to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { interrupt: true, ..Capabilities::default() }
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], _: &Budget, stop: &Stop) -> Answer {
        let clauses: Vec<&[Lit]> = cnf.clauses().chain(units.chunks(1)).collect();
        let mut value = vec![None; cnf.variables() as usize];
        // True literals in order; those decided and not yet turned round are marked.
        let mut trail: Vec<(Lit, bool)> = vec![];
        let is = |value: &[Option<bool>], lit: Lit| value[lit.var() as usize - 1].map(|v| lit.under(v));
        loop {
            if let Some(why) = stop.reason() {
                return Answer::Unknown(why);
            }
            let (mut conflict, mut forced) = (false, true);
            while forced && !conflict {
                forced = false;
                for clause in &clauses {
                    if clause.iter().any(|&lit| is(&value, lit) == Some(true)) {
                        continue;
                    }
                    let mut open = clause.iter().filter(|&&lit| is(&value, lit).is_none());
                    match (open.next(), open.next()) {
                        (None, _) => conflict = true,
                        (Some(&unit), None) => {
                            value[unit.var() as usize - 1] = Some(!unit.is_negative());
                            trail.push((unit, false));
                            forced = true;
                        }
                        (Some(_), Some(_)) => {}
                    }
                }
            }
            let next = if conflict {
                while let Some((lit, false)) = trail.last().copied() {
                    value[lit.var() as usize - 1] = None;
                    trail.pop();
                }
                let Some((decision, _)) = trail.pop() else { return Answer::Unsat };
                (!decision, false)
            } else {
                let Some(free) = value.iter().position(Option::is_none) else {
                    return Answer::Sat(value.into_iter().map(|v| v == Some(true)).collect());
                };
                (Lit::negative(free as u32 + 1), true)
            };
            value[next.0.var() as usize - 1] = Some(!next.0.is_negative());
            trail.push(next);
        }
    }
}

/// What [`Solver::with_backend`] takes: a function that makes fresh solvers.
fn make() -> Box<dyn SatSolver> {
    Box::new(Incremental::new(Dpll))
}

/// The answers to the checks of a script.
fn answers(name: &str, text: &str) -> Vec<String> {
    let (mut pool, mut answers) = (Pool::new(), vec![]);
    let mut solver = Solver::with_backend(Settings::default(), make);
    let mut parser = Parser::new(text.as_bytes(), name, ParserOptions::default());
    while let Some(command) = parser.next_command(&mut pool).expect("a script without errors") {
        match command {
            Command::Assert { term, .. } => {
                solver.assert(&pool, term).expect("a formula that can be decided")
            }
            Command::CheckSat => match solver.check(&mut pool).expect("a model that stands the check") {
                bivalve::CheckResult::Sat => answers.push("sat".to_owned()),
                bivalve::CheckResult::Unsat => answers.push("unsat".to_owned()),
                bivalve::CheckResult::Unknown(_) => answers.push("unknown".to_owned()),
            },
            // Enough for scripts that ask once; the binary knows the other commands.
            _ => {}
        }
    }
    answers
}

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        answers(&path, &text).iter().for_each(|answer| println!("{answer}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve::sat::conformance;

    #[test]
    fn it_does_all_that_the_seam_asks_for() {
        conformance::run(&make);
    }

    #[test]
    fn bivalve_decides_with_it() {
        let square = include_str!("../../../examples/square.smt2");
        assert_eq!(answers("square", square), ["sat"]);
        let odd = square.replace("#x1ae9", "#x1aeb");
        assert_eq!(answers("odd", &odd), ["unsat"], "no square ends in 11");
    }
}
