//! Text in and out: formulas in SMT-LIB, BTOR and BTOR2, whole scripts, statistics.

use crate::checker::{Checker, clock};
use crate::fault::{Fault, Outcome, Status};
use bivalve::terms::print::is_reserved;
use bivalve::terms::print::taken_names;
use bivalve::terms::{Op, Pool, Term, cone};
use bivalve::{Progress, Stop, Why};
use bivalve_formats::smtlib::print::{Script, script};
use bivalve_formats::smtlib::{Command, Limited, MOST_TERMS, Parser, ParserOptions, few_terms};
use bivalve_formats::{btor, btor2};
use bivalve_session::{Config, Monitor, Session};
use bivalve_systems::System;
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

/// What a text says.
pub(crate) struct Formulas {
    pub(crate) assertions: Vec<Term>,
    pub(crate) declared: Vec<Term>,
}

/// Reads declarations, definitions and assertions over symbols that are known and new ones. Questions and
/// settings are read and skipped; levels are refused, since what is on them would be asserted elsewhere.
/// Terms are made until `over` says why no more are, and of definitions no more than [`MOST_TERMS`].
pub(crate) fn read_smtlib(
    pool: &mut Pool,
    known: &[Term],
    text: &str,
    over: impl Fn() -> Option<Why>,
) -> Outcome<Formulas> {
    let mut parser = Parser::new(text.as_bytes(), "text", ParserOptions::default());
    let is_taken = |name: &str| is_reserved(name) || taken_names().any(|taken| taken == name);
    let known: Vec<Term> =
        known.iter().copied().filter(|&symbol| !is_taken(pool.name(symbol).unwrap_or_default())).collect();
    parser.symbols_mut().declare_all(pool, &known);
    let (mut assertions, mut terms) = (vec![], 0);
    let mut counted = few_terms(MOST_TERMS, &mut terms);
    let mut guard = |limited| match limited {
        Limited::Definitions => over().or_else(|| counted(limited)),
        // The text is here, and nothing of it is passed over.
        Limited::Command | Limited::Run => None,
    };
    while let Some(command) = parser.next_written_command(pool, &mut guard)? {
        let refused = match command {
            Command::Assert { term, .. } => {
                assertions.push(term);
                continue;
            }
            Command::Exit => break,
            Command::Push(_) => "push",
            Command::Pop(_) => "pop",
            Command::Reset => "reset",
            Command::ResetAssertions => "reset-assertions",
            _ => continue,
        };
        let (line, column) = parser.location();
        let message =
            format!("text:{line}:{column}: '{refused}' is not carried out here; bivalve_run_script does");
        return Err(Fault::new(Status::Unsupported, message));
    }
    Ok(Formulas { assertions, declared: parser.symbols().declared()[known.len()..].to_vec() })
}

/// The limit that a script sets for its checks.
struct OwnLimit;

impl Monitor for OwnLimit {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        stop.reset();
        let deadline = time_limit.and_then(|limit| clock().checked_add(limit));
        stop.ask_why(move || deadline.filter(|&deadline| clock() >= deadline).map(|_| Why::TimeLimit));
    }

    fn ended(&mut self) {}
}

/// Carries a script out, in a session of its own; its replies, one a line.
pub(crate) fn run_script(text: &str) -> Outcome<String> {
    let mut parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config { clock, ..Config::default() });
    let mut replies = String::new();
    while let Some(reply) = session.step(&mut parser, &mut OwnLimit) {
        if let Some(text) = reply.text() {
            replies += &text;
            replies.push('\n');
        }
    }
    Ok(replies)
}

/// A language that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    SmtLib2,
    Btor,
    Btor2,
}

impl Language {
    pub(crate) fn of_name(name: &str) -> Outcome<Language> {
        match name {
            "smt2" => Ok(Language::SmtLib2),
            "btor" => Ok(Language::Btor),
            "btor2" => Ok(Language::Btor2),
            _ => Err(Fault::argument(format!("expected a format smt2, btor or btor2, found '{name}'"))),
        }
    }
}

/// The text of assertions, with declarations of their symbols.
pub(crate) fn print(pool: &Pool, assertions: &[Term], language: Language) -> Outcome<String> {
    if language == Language::SmtLib2 {
        return Ok(script(pool, &Script { assertions, ..Script::default() }));
    }
    let mut symbols = cone(pool, assertions);
    symbols.retain(|&term| pool.op(term) == Op::Symbol);
    let system = System::of_assertions(pool, symbols, assertions.to_vec());
    Ok(if language == Language::Btor { btor::print(pool, &system)? } else { btor2::print(pool, &system)? })
}

/// The number of checks of a script that a certificate shows to be unsatisfiable.
pub(crate) fn verified(script: &str, certificate: &str) -> Outcome<c_int> {
    let verified = bivalve_checker::check::check(script, certificate.as_bytes())
        .map_err(|why| Fault::new(Status::Parse, why))?;
    let count = verified.unsatisfiable.len();
    c_int::try_from(count).map_err(|_| Fault::unsupported(format!("{count} checks are too many")))
}

/// What the checks cost so far, as JSON.
pub(crate) fn statistics(checker: &Checker, pool: &Pool) -> Outcome<String> {
    let statistics = checker.solver().statistics(pool);
    serde_json::to_string(&statistics)
        .map_err(|error| Fault::new(Status::Internal, format!("internal: statistics: {error}")))
}
