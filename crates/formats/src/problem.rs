//! Formulas in the languages beside SMT-LIB 2, as the commands of a session.
//!
//! A text is read as a whole and becomes declarations, assertions and checks. A transition system of BTOR,
//! BTOR2 or AIGER is a formula if no frame influences another: its constraints hold, and one of its bad
//! states, if it has any. A query of CVC is a check of its negation on a level of its own.

use crate::smtlib::Command;
use bivalve_systems::System;
use bivalve_terms::{Op, Pool, Term};

/// The commands of a text, with their terms in one pool.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The declared symbols, of different names.
    pub symbols: Vec<Term>,
    /// Assertions, levels, checks and questions, without declarations.
    pub commands: Vec<Command>,
    /// Where the commands begin, in bytes; empty where a text is no list of commands.
    pub places: Vec<usize>,
}

impl Problem {
    /// The assertions and one check.
    pub fn of_assertions(symbols: Vec<Term>, assertions: Vec<Term>) -> Problem {
        let asserted =
            assertions.into_iter().map(|term| Command::Assert { term, named: vec![], groups: vec![] });
        Problem { symbols, commands: asserted.chain([Command::CheckSat]).collect(), places: vec![] }
    }

    /// The asserted terms, whatever their levels.
    pub fn assertions(&self) -> Vec<Term> {
        let asserted = self.commands.iter().filter_map(|command| match command {
            Command::Assert { term, .. } => Some(*term),
            _ => None,
        });
        asserted.collect()
    }

    /// The formula of a system without influence between frames: constraints and a bad state.
    pub fn of_system(pool: &mut Pool, system: &System) -> Problem {
        let mut assertions: Vec<Term> = system.constraints.iter().map(|constraint| constraint.term).collect();
        let bads: Vec<Term> = system.bads.iter().map(|bad| bad.term).collect();
        match bads[..] {
            [] => {}
            [bad] => assertions.push(bad),
            _ => assertions.push(pool.mk(Op::Or, &bads)),
        }
        Problem::of_assertions(system.symbols().collect(), assertions)
    }
}
