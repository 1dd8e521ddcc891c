//! A session: SMT-LIB commands in, answers out.
//!
//! One command is read, carried out and answered before the next is read, and every answer is flushed, so a
//! client on a pipe never waits for what is already decided. Every command gets exactly one answer: `success`
//! if asked for, what it asks for, `unsupported`, or `(error "...")`; after an error the session goes on,
//! with the state as it was before the command.
//!
//! One rule keeps answers honest where something was refused. A formula outside of the theories that are
//! decided, or one that is malformed, is part of the question all the same, so until its level is popped
//! `sat` would answer another question, and `unknown` is said instead (`unsat` stays right: what is
//! unsatisfiable without a formula is so with it).
//!
//! What changes the assertions stands here; commands that only look ([`queries`]) have a file of their own.

mod queries;

use crate::args::Invocation;
use crate::dump;
use crate::limits::Watchdog;
use crate::options::ScriptOptions;
use crate::progress::ProgressLine;
use crate::report::Report;
use bivalve::terms::{Pool, Term, cone};
use bivalve::{CheckError, CheckResult, Solver, Why};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_formats::{Diagnostic, DiagnosticKind};
use std::io::{self, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

/// How a session ended, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// Every command was understood.
    Understood,
    /// The reader of the answers is gone.
    Hangup,
    /// Some command was answered by an error.
    Refused,
    /// A self-check failed.
    Fault,
}

/// Why a command gets no answer of its own.
pub(crate) enum Refusal {
    /// Known to the standard or to other solvers, but not here: `unsupported`.
    Unsupported,
    /// `(error "...")` with this text.
    Error(String),
    /// A self-check failed; the text names it.
    Fault(String),
    /// Nobody reads the answers any more.
    Hangup,
}

impl From<io::Error> for Refusal {
    fn from(_: io::Error) -> Refusal {
        Refusal::Hangup
    }
}

/// One script: its terms, its solver, its options, and where the answers go.
pub(crate) struct Session<'a, W> {
    file: &'a str,
    invocation: &'a Invocation,
    watchdog: &'a mut Watchdog,
    out: W,
    pool: Pool,
    solver: Solver,
    options: ScriptOptions,
    /// The lowest level on which a formula was refused: `sat` is not to be said while it is there.
    missing: Option<u64>,
    last: Option<CheckResult>,
    /// What the last check was answered by, whatever came after it.
    verdict: Option<CheckResult>,
    /// The names of tracked assertions, by their numbers.
    names: Vec<String>,
    /// The assumptions of the last check, as sent.
    assumptions: Vec<String>,
    /// The number of terms at which dead ones are looked for.
    next_compaction: usize,
    outcome: Outcome,
    started: Instant,
    parsing: Duration,
    bytes: u64,
}

/// Does the session go on behind a command?
enum Then {
    GoOn,
    Exit,
}

impl<'a, W: Write> Session<'a, W> {
    /// A session that has read nothing yet. `file` is the name of the input in messages.
    pub(crate) fn new(file: &'a str, invocation: &'a Invocation, watchdog: &'a mut Watchdog, out: W) -> Self {
        Session {
            file,
            invocation,
            watchdog,
            out,
            pool: Pool::new(),
            solver: new_solver(invocation, &ScriptOptions::new(invocation)),
            options: ScriptOptions::new(invocation),
            missing: None,
            last: None,
            verdict: None,
            names: vec![],
            assumptions: vec![],
            next_compaction: invocation.compact_from,
            outcome: Outcome::Understood,
            started: Instant::now(),
            parsing: Duration::ZERO,
            bytes: 0,
        }
    }

    /// Reads and answers commands until the input ends, `exit`, or Ctrl-C.
    pub(crate) fn run(&mut self, input: impl Read) -> Outcome {
        let options = ParserOptions { strict: self.invocation.strict };
        let mut parser = Parser::new(input, self.file, options);
        loop {
            let before = Instant::now();
            let next = parser.next_command(&mut self.pool);
            self.parsing += before.elapsed();
            self.bytes = parser.position();
            let answered = match next {
                Ok(None) => break,
                Ok(Some(command)) => self.carry_out(command, &mut parser),
                Err(diagnostic) => {
                    if parser.was_assertion() || diagnostic.kind == DiagnosticKind::Unsupported {
                        self.formula_is_missing();
                    }
                    Err(self.explain(&diagnostic))
                }
            };
            match answered.or_else(|refusal| self.refuse(refusal)) {
                Ok(Then::GoOn) if !self.watchdog.interrupted() => {}
                _ => break,
            }
        }
        self.outcome
    }

    /// What the last check was answered by.
    pub(crate) fn verdict(&self) -> Option<CheckResult> {
        self.verdict
    }

    /// What the session cost so far.
    pub(crate) fn report(&self) -> Report<'_> {
        let statistics = self.solver.statistics(&self.pool);
        Report::new(self.file, self.started.elapsed(), self.parsing, self.bytes, statistics)
    }

    fn carry_out<R: Read>(&mut self, command: Command, parser: &mut Parser<R>) -> Result<Then, Refusal> {
        match command {
            Command::SetLogic(logic) => self.set_logic(&logic)?,
            Command::SetOption { keyword, value } => {
                self.options.set(&keyword, value.as_ref(), &mut self.watchdog.limits)?;
                parser.symbols_mut().set_global_declarations(self.options.global_declarations);
                self.solver.set_settings(self.options.settings.clone());
            }
            Command::SetInfo { .. }
            | Command::DeclareSort { .. }
            | Command::DefineSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineConst { .. } => {}
            Command::Assert { term, named } => self.assert(term, &named, parser)?,
            Command::Push(levels) => self.push(levels, parser)?,
            Command::Pop(levels) => self.pop(levels, parser)?,
            Command::CheckSat => return self.check_sat(vec![]).map(|()| Then::GoOn),
            Command::CheckSatAssuming(mut assumptions) => {
                self.last = None;
                self.compact(parser, &mut assumptions);
                return self.check_sat(assumptions).map(|()| Then::GoOn);
            }
            Command::Reset => {
                parser.symbols_mut().reset();
                self.options = ScriptOptions::new(self.invocation);
                self.watchdog.limits = self.invocation.limits;
                self.pool = Pool::new();
                self.solver = new_solver(self.invocation, &self.options);
                self.forget();
            }
            Command::ResetAssertions => {
                parser.symbols_mut().reset_assertions();
                self.solver.reset_assertions();
                self.forget();
                self.compact(parser, &mut []);
            }
            Command::Exit => return self.success().map(|()| Then::Exit),
            Command::Unsupported { .. } => return Err(Refusal::Unsupported),
            Command::GetValue(_)
            | Command::GetModel
            | Command::GetAssertions
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetAssignment
            | Command::GetProof => return self.query(command, parser).map(|()| Then::GoOn),
        }
        self.success().map(|()| Then::GoOn)
    }

    fn set_logic(&mut self, logic: &str) -> Result<(), Refusal> {
        if LOGICS.contains(&logic) {
            return Ok(());
        }
        Err(Refusal::Error(format!("expected one of the logics {}, found {logic}", LOGICS.join(" "))))
    }

    /// Asserts a formula; one that has a name is tracked if cores are asked for.
    fn assert<R: Read>(
        &mut self,
        formula: Term,
        named: &[(String, Term)],
        parser: &Parser<R>,
    ) -> Result<(), Refusal> {
        self.last = None;
        let name = named.iter().rev().find(|&&(_, term)| term == formula).map(|(name, _)| name);
        let asserted = match name.filter(|_| self.options.unsat_cores()) {
            None => self.solver.assert(&self.pool, formula),
            Some(name) => self.solver.assert_tracked(&self.pool, formula).map(|number| {
                self.names.truncate(number);
                self.names.push(name.clone());
            }),
        };
        asserted.map_err(|refusal| {
            self.formula_is_missing();
            self.locate(&refusal.to_string(), parser)
        })
    }

    /// A formula that belongs to the topmost level was not understood. What follows may still be
    /// contradictory without it; but who reads `sat` takes it for an answer about all that was asserted.
    fn formula_is_missing(&mut self) {
        let level = self.solver.levels();
        self.missing = Some(self.missing.map_or(level, |lowest| lowest.min(level)));
    }

    fn push<R: Read>(&mut self, levels: u32, parser: &mut Parser<R>) -> Result<(), Refusal> {
        self.solver.push(levels.into()).map_err(|refusal| self.locate(&refusal.to_string(), parser))?;
        parser.symbols_mut().push(levels);
        self.last = None;
        Ok(())
    }

    fn pop<R: Read>(&mut self, levels: u32, parser: &mut Parser<R>) -> Result<(), Refusal> {
        self.solver.pop(levels.into()).map_err(|refusal| {
            self.locate(&format!("expected at most {} levels to pop, found {levels}", refusal.depth), parser)
        })?;
        assert!(parser.symbols_mut().pop(levels), "declarations have as many levels as assertions");
        self.missing = self.missing.filter(|&level| level <= self.solver.levels());
        self.last = None;
        self.compact(parser, &mut []);
        Ok(())
    }

    /// Has the pool rebuilt with the terms in use when there are much fewer of them than terms. That is
    /// looked at only when the pool has grown by a factor, so that it costs little however many levels come
    /// and go. The terms of the command at hand are in use, too, and are called otherwise afterwards.
    fn compact<R: Read>(&mut self, parser: &mut Parser<R>, at_hand: &mut [(String, Term)]) {
        if self.pool.len() < self.next_compaction {
            return;
        }
        let mut in_use = [self.solver.in_use(), parser.symbols().in_use()].concat();
        in_use.extend(at_hand.iter().map(|&(_, term)| term));
        let live = cone(&self.pool, &in_use).len();
        // Whoever wants no dead terms at all gets it.
        let eager = self.invocation.compact_from == 0;
        if live < if eager { self.pool.len() } else { self.pool.len() / 2 } {
            let renaming = self.pool.compact(&in_use);
            self.solver.rename(&renaming);
            parser.symbols_mut().rename(&renaming);
            at_hand.iter_mut().for_each(|(_, term)| *term = renaming.of(*term));
        }
        self.next_compaction =
            if eager { 0 } else { (4 * self.pool.len()).max(self.invocation.compact_from) };
    }

    /// An error of the command that was read last, with its place.
    fn locate<R: Read>(&self, problem: &str, parser: &Parser<R>) -> Refusal {
        let (line, column) = parser.location();
        Refusal::Error(format!("{}:{line}:{column}: {problem}", self.file))
    }

    fn check_sat(&mut self, assumptions: Vec<(String, Term)>) -> Result<(), Refusal> {
        self.last = None;
        let (texts, terms): (Vec<String>, Vec<Term>) = assumptions.into_iter().unzip();
        let _line = (self.invocation.verbose).then(|| ProgressLine::start(self.solver.progress()));
        let stop = self.solver.stop_handle();
        let Session { solver, pool, watchdog, .. } = self;
        let answer =
            watchdog.guard(&stop, || solver.check_assuming(pool, &terms)).map_err(|error| match error {
                CheckError::Assumption { .. } => Refusal::Error(error.to_string()),
                CheckError::Internal(fault) => Refusal::Fault(fault.to_string()),
            })?;
        self.dump()?;
        let answer = match answer {
            CheckResult::Sat if self.missing.is_some() => {
                CheckResult::Unknown(Why::Backend("a formula was not understood"))
            }
            answer => answer,
        };
        self.last = Some(answer);
        self.verdict = self.last;
        self.assumptions = texts;
        self.answer(match answer {
            CheckResult::Sat => "sat",
            CheckResult::Unsat => "unsat",
            CheckResult::Unknown(_) => "unknown",
        })
    }

    fn dump(&mut self) -> Result<(), Refusal> {
        let Invocation { dump_aiger, dump_cnf, .. } = self.invocation;
        if let Some(path) = dump_aiger {
            dump::aiger(path, &self.solver, &self.pool).map_err(Refusal::Error)?;
        }
        if let Some(path) = dump_cnf {
            dump::cnf(path, &self.solver, &self.pool).map_err(Refusal::Error)?;
        }
        Ok(())
    }

    /// Nothing is asserted any more.
    fn forget(&mut self) {
        self.missing = None;
        self.last = None;
        self.names.clear();
    }

    /// The refusal of a text that was not understood, shown to people with its line.
    fn explain(&self, diagnostic: &Diagnostic) -> Refusal {
        // On a pipe the two streams may be one, and a client counts lines.
        if self.file != STDIN || io::stderr().is_terminal() {
            eprint!("{}", diagnostic.render());
        }
        Refusal::Error(diagnostic.to_string())
    }

    fn refuse(&mut self, refusal: Refusal) -> Result<Then, Refusal> {
        let error = |text: &str| format!("(error {})", print::string(text));
        let (outcome, text) = match refusal {
            Refusal::Hangup => {
                self.outcome = self.outcome.max(Outcome::Hangup);
                return Ok(Then::Exit);
            }
            Refusal::Unsupported => (Outcome::Understood, "unsupported".to_owned()),
            Refusal::Error(text) => (Outcome::Refused, error(&text)),
            Refusal::Fault(text) => (Outcome::Fault, error(&text)),
        };
        self.outcome = self.outcome.max(outcome);
        match self.answer(&text) {
            Ok(()) => Ok(Then::GoOn),
            Err(_) => {
                self.outcome = self.outcome.max(Outcome::Hangup);
                Ok(Then::Exit)
            }
        }
    }

    fn success(&mut self) -> Result<(), Refusal> {
        if self.options.print_success { self.answer("success") } else { Ok(()) }
    }

    fn answer(&mut self, text: &str) -> Result<(), Refusal> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(self.out.flush()?)
    }
}

/// How standard input is called in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// Logics whose scripts are read; what goes beyond bit-vectors in them is refused formula by formula.
const LOGICS: &[&str] = &[
    "QF_BV", "QF_ABV", "QF_UFBV", "QF_AUFBV", "QF_UF", "QF_AX", "QF_BOOL", "QF_ALL", "BV", "CORE", "ALL",
    // Names that scripts have for what is decided here, or where it is a part.
    "SAT", "QF_SAT", "UF", "ABV", "UFBV", "AUFBV",
];

fn new_solver(invocation: &Invocation, options: &ScriptOptions) -> Solver {
    let mut solver = Solver::new(options.settings.clone());
    if invocation.statistics.is_some() {
        solver.set_clock(crate::limits::clock);
    }
    solver
}

/// The words of SMT-LIB clients for why an answer is unknown.
fn reason(why: Why) -> &'static str {
    match why {
        Why::TimeLimit => "timeout",
        Why::MemoryLimit => "memout",
        Why::Budget => "resourceout",
        Why::Interrupted => "interrupted",
        Why::Backend(_) | Why::Incomplete(_) => "incomplete",
    }
}
