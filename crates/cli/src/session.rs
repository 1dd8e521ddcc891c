//! A session: SMT-LIB commands in, answers out.
//!
//! One command is read, carried out and answered before the next is read, and every answer is flushed, so a client on
//! a pipe never waits for what is already decided. Every command gets exactly one answer: `success` if asked for,
//! what it asks for, `unsupported`, or `(error "...")`; after an error the session goes on, with the state as it was
//! before the command.
//!
//! Two rules keep answers honest where something was refused. A formula outside of the theories that are decided
//! is part of the question all the same, so from then on `sat` would answer another question, and `unknown` is
//! said instead (`unsat` stays right: what is unsatisfiable without a formula is so with it). A `push` or `pop` that
//! was not carried out makes any later answer doubtful, so from then on all checks are `unknown`.

use crate::args::Invocation;
use crate::dump;
use crate::limits::Watchdog;
use crate::options::ScriptOptions;
use crate::progress::ProgressLine;
use crate::report::Report;
use bivalve::terms::{Pool, Term};
use bivalve::{Answer, AssertError, Solver, Why};
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

/// How much of what was asked is known to the solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trust {
    /// All of it.
    Full,
    /// A formula was refused: only `unsat` may be said.
    FormulaMissing,
    /// A change of the assertion stack was refused: nothing may be said.
    StackUnknown,
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
    trust: Trust,
    last: Option<Answer>,
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
            trust: Trust::Full,
            last: None,
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
                Err(diagnostic) => Err(self.explain(&diagnostic)),
            };
            match answered.or_else(|refusal| self.refuse(refusal)) {
                Ok(Then::GoOn) if !self.watchdog.interrupted() => {}
                _ => break,
            }
        }
        self.outcome
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
                if self.solver.assertions().is_empty() {
                    self.solver = new_solver(self.invocation, &self.options);
                }
            }
            Command::SetInfo { .. }
            | Command::DeclareSort { .. }
            | Command::DefineSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineConst { .. } => {}
            Command::Assert { term, .. } => self.assert(term, parser)?,
            Command::CheckSat => return self.check_sat().map(|()| Then::GoOn),
            Command::GetValue(terms) => return self.get_value(&terms).map(|()| Then::GoOn),
            Command::GetModel => return self.get_model(parser.symbols().declared()).map(|()| Then::GoOn),
            Command::GetAssertions => return self.get_assertions().map(|()| Then::GoOn),
            Command::GetInfo(keyword) => return self.get_info(&keyword).map(|()| Then::GoOn),
            Command::GetOption(keyword) => return self.get_option(&keyword).map(|()| Then::GoOn),
            Command::Echo(text) => return self.answer(&print::string(&text)).map(|()| Then::GoOn),
            Command::Reset => {
                parser.symbols_mut().reset();
                self.options = ScriptOptions::new(self.invocation);
                self.watchdog.limits = self.invocation.limits;
                self.forget(Pool::new());
            }
            Command::ResetAssertions => {
                parser.symbols_mut().reset_assertions();
                let pool = std::mem::take(&mut self.pool);
                self.forget(pool);
            }
            Command::Exit => return self.success().map(|()| Then::Exit),
            Command::Push(_) | Command::Pop(_) => {
                self.trust = Trust::StackUnknown;
                return Err(not_yet("push and pop are"));
            }
            Command::CheckSatAssuming(_) => return Err(not_yet("check-sat-assuming is")),
            Command::GetUnsatCore => return Err(not_yet("get-unsat-core is")),
            Command::GetUnsatAssumptions => return Err(not_yet("get-unsat-assumptions is")),
            Command::GetAssignment => return Err(not_yet("get-assignment is")),
            Command::GetProof => return Err(not_yet("get-proof is")),
            Command::Unsupported { .. } => return Err(Refusal::Unsupported),
        }
        self.success().map(|()| Then::GoOn)
    }

    fn set_logic(&mut self, logic: &str) -> Result<(), Refusal> {
        if LOGICS.contains(&logic) {
            return Ok(());
        }
        Err(Refusal::Error(format!("expected one of the logics {}, found {logic}", LOGICS.join(" "))))
    }

    fn assert<R: Read>(&mut self, formula: Term, parser: &Parser<R>) -> Result<(), Refusal> {
        self.last = None;
        self.solver.assert(&self.pool, formula).map_err(|refusal| {
            if let AssertError::Unsupported(_) = refusal {
                self.trust = self.trust.max(Trust::FormulaMissing);
            }
            let (line, column) = parser.location();
            Refusal::Error(format!("{}:{line}:{column}: {refusal}", self.file))
        })
    }

    fn check_sat(&mut self) -> Result<(), Refusal> {
        let _line = (self.invocation.verbose).then(|| ProgressLine::start(self.solver.progress()));
        let stop = self.solver.stop_handle();
        let Session { solver, pool, watchdog, .. } = self;
        let answer = watchdog
            .guard(&stop, || solver.check(pool))
            .map_err(|fault| Refusal::Fault(fault.to_string()))?;
        self.dump()?;
        let answer = match (answer, self.trust) {
            (Answer::Unsat, Trust::Full | Trust::FormulaMissing) | (Answer::Sat, Trust::Full) => answer,
            (Answer::Unknown(_), _) => answer,
            (_, _) => Answer::Unknown(Why::Backend("a command before was not carried out")),
        };
        self.last = Some(answer);
        self.answer(match answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
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

    /// Starts over with this pool.
    fn forget(&mut self, pool: Pool) {
        self.pool = pool;
        self.solver = new_solver(self.invocation, &self.options);
        self.trust = Trust::Full;
        self.last = None;
    }

    fn model(&self) -> Result<&bivalve::Model, Refusal> {
        // The texts are those that clients look for.
        let missing = || Refusal::Error("model is not available".into());
        if self.last != Some(Answer::Sat) { Err(missing()) } else { self.solver.model().ok_or_else(missing) }
    }

    fn get_value(&mut self, terms: &[(String, Term)]) -> Result<(), Refusal> {
        let model = self.model()?;
        let printer = print::Values::new(&self.pool, self.options.format);
        let pairs = terms.iter().map(|(text, term)| {
            let value = model.value(&self.pool, *term);
            format!("({text} {})", printer.value(self.pool.sort(*term), &value))
        });
        let pairs: Vec<String> = pairs.collect();
        self.answer(&format!("({})", pairs.join("\n ")))
    }

    fn get_model(&mut self, declared: &[Term]) -> Result<(), Refusal> {
        let model = self.model()?;
        let printer = print::Values::new(&self.pool, self.options.format);
        let mut text = String::from("(\n");
        for &symbol in declared {
            let value = model.value(&self.pool, symbol);
            text.push_str("  ");
            text.push_str(&printer.definition(symbol, &value));
            text.push('\n');
        }
        text.push(')');
        self.answer(&text)
    }

    fn get_assertions(&mut self) -> Result<(), Refusal> {
        let texts: Vec<String> =
            self.solver.assertions().iter().map(|&t| print::term(&self.pool, t)).collect();
        self.answer(&format!("({})", texts.join("\n ")))
    }

    fn get_info(&mut self, keyword: &str) -> Result<(), Refusal> {
        let value = match keyword {
            ":name" => print::string("Bivalve"),
            ":version" => print::string(env!("CARGO_PKG_VERSION")),
            ":authors" => print::string(env!("CARGO_PKG_AUTHORS")),
            ":error-behavior" => "continued-execution".into(),
            ":assertion-stack-levels" => "0".into(),
            ":reason-unknown" => match self.last {
                Some(Answer::Unknown(why)) => reason(why).into(),
                _ => return Err(Refusal::Error("the last answer was not unknown".into())),
            },
            ":all-statistics" => return self.answer(&self.report().smtlib()),
            _ => return Err(Refusal::Unsupported),
        };
        self.answer(&format!("({keyword} {value})"))
    }

    fn get_option(&mut self, keyword: &str) -> Result<(), Refusal> {
        let value = self.options.get(keyword).ok_or(Refusal::Unsupported)?;
        self.answer(&value)
    }

    /// The refusal of a text that was not understood, shown to people with its line.
    fn explain(&mut self, diagnostic: &Diagnostic) -> Refusal {
        if diagnostic.kind == DiagnosticKind::Unsupported {
            self.trust = self.trust.max(Trust::FormulaMissing);
        }
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
const LOGICS: &[&str] =
    &["QF_BV", "QF_ABV", "QF_UFBV", "QF_AUFBV", "QF_UF", "QF_AX", "QF_BOOL", "QF_ALL", "BV", "CORE", "ALL"];

fn new_solver(invocation: &Invocation, options: &ScriptOptions) -> Solver {
    let mut solver = Solver::new(options.settings.clone());
    if invocation.statistics.is_some() {
        solver.set_clock(crate::limits::clock);
    }
    solver
}

fn not_yet(what: &str) -> Refusal {
    Refusal::Error(format!("{what} not supported yet"))
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
