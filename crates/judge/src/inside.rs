//! Bivalve, asked inside of this process.
//!
//! No process is started and no file is written, so a small script costs a fraction of a millisecond; that is
//! what makes campaigns over millions of formulas and delta debugging at thousands of candidates a second
//! possible. The script is carried out as the command line would do it, command by command, each answered or
//! refused. Options of the solver are the oracle's own and are not changed by scripts; a script starts no
//! program.
//!
//! The honest rule of sessions holds here, too: when a formula was refused, `sat` would answer another
//! question, and `unknown` is said instead. A panic is a crash, as far as it can be caught; so is a failed
//! self-check.
//!
//! Limits are steps (conflicts and gates of the settings, the same everywhere), and a thread with a clock for
//! what has no steps ([`Watch`]).
#![expect(clippy::disallowed_methods, reason = "a reply says what it took")]

use crate::watch::Watch;
use bivalve::{CheckError, CheckResult, OPTIONS, Settings, Solver, Stop, Why};
use bivalve_formats::DiagnosticKind;
use bivalve_formats::smtlib::{BitVecFormat, Command, Parser, ParserOptions, print};
use bivalve_harness::Cancel;
use bivalve_harness::{Check, Ending, Key, Oracle, Reply, Verdict, this_build};
use bivalve_terms::{Pool, Term};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Bivalve in this process, with settings and a limit of time.
#[derive(Debug)]
pub struct Inside {
    name: String,
    settings: Settings,
    watch: Watch,
}

impl Inside {
    /// Bivalve with these settings, called by `name` in tables; it is stopped after `limit`.
    pub fn new(name: &str, settings: Settings, limit: Duration) -> Inside {
        Inside { name: name.to_owned(), settings, watch: Watch::new(limit) }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// From now on it is stopped after this long.
    pub fn set_limit(&self, limit: Duration) {
        self.watch.set_limit(limit);
    }

    /// Decides the conjunction of terms, without any text: a reply with one check, or with none after a
    /// crash. Terms that the solver makes are left behind in the pool.
    pub fn decide(&self, pool: &mut Pool, assertions: &[Term], cancel: &Cancel) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::ended(Ending::Exited(0));
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut solver = Solver::new(self.settings.clone());
            for &assertion in assertions {
                if let Err(refusal) = solver.assert(pool, assertion) {
                    return reply.errors.push(refusal.to_string());
                }
            }
            let answer = self.guarded(&solver.stop_handle(), cancel, || solver.check(pool));
            match answer.map_err(CheckError::from) {
                Ok(answer) => add_check(&mut reply, answer),
                Err(fault) => reply.ending = Ending::Crashed(fault.to_string()),
            }
        }));
        crashed_if(&mut reply, done);
        reply.time = begin.elapsed();
        reply
    }

    /// Runs a check that can be stopped by the clock and by the caller.
    fn guarded<T>(&self, stop: &Stop, cancel: &Cancel, check: impl FnOnce() -> T) -> T {
        stop.listen_to(cancel.flag());
        let _at_work = self.watch.over(stop);
        check()
    }
}

/// Adds a check with this answer.
fn add_check(reply: &mut Reply, answer: CheckResult) {
    let verdict = match answer {
        CheckResult::Sat => Verdict::Sat,
        CheckResult::Unsat => Verdict::Unsat,
        CheckResult::Unknown(why) => {
            match why {
                Why::TimeLimit => reply.ending = Ending::TimedOut,
                Why::MemoryLimit => reply.ending = Ending::OutOfMemory,
                Why::Interrupted => reply.ending = Ending::Cancelled,
                Why::Budget | Why::Backend(_) | Why::Incomplete(_) => {}
            }
            reply.complaints = why.to_string();
            Verdict::Unknown
        }
    };
    reply.checks.push(Check::of(verdict));
}

fn crashed_if(reply: &mut Reply, done: Result<(), Box<dyn Any + Send>>) {
    if let Err(panic) = done {
        reply.ending = Ending::Crashed(format!("panic: {}", panic_message(&*panic)));
    }
}

/// What a panic says.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

impl Oracle for Inside {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Key {
        let limit = format!("{:?}", self.watch.limit());
        let options = OPTIONS
            .iter()
            .map(|row| format!("{}={}", row.name, self.settings.get(row.name).unwrap_or_default()));
        Key::of(options.chain([this_build().to_string(), limit]))
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::ended(Ending::Exited(0));
        let done = catch_unwind(AssertUnwindSafe(|| {
            let solver = Solver::new(self.settings.clone());
            let mut session = Session {
                oracle: self,
                cancel,
                reply: &mut reply,
                pool: Pool::new(),
                solver,
                missing: None,
                names: vec![],
                assumptions: vec![],
            };
            session.run(script);
        }));
        crashed_if(&mut reply, done);
        reply.time = begin.elapsed();
        reply
    }
}

/// A script that is being carried out.
struct Session<'a> {
    oracle: &'a Inside,
    cancel: &'a Cancel,
    reply: &'a mut Reply,
    pool: Pool,
    solver: Solver,
    /// The lowest level on which a formula was refused.
    missing: Option<u64>,
    /// The names of tracked assertions, by number.
    names: Vec<String>,
    /// The assumptions of the last check, as sent.
    assumptions: Vec<String>,
}

type Text<'a> = Parser<&'a [u8]>;

impl Session<'_> {
    fn run(&mut self, script: &str) {
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        loop {
            match parser.next_command(&mut self.pool) {
                Ok(None | Some(Command::Exit)) => return,
                Ok(Some(command)) => {
                    if let Err(problem) = self.carry_out(command, &mut parser) {
                        self.refuse(&problem);
                    }
                }
                Err(diagnostic) => {
                    if diagnostic.kind == DiagnosticKind::Unsupported {
                        self.formula_is_missing();
                    }
                    self.refuse(&diagnostic.to_string());
                }
            }
            if !matches!(self.reply.ending, Ending::Exited(_)) {
                return;
            }
        }
    }

    fn refuse(&mut self, problem: &str) {
        self.answer(&format!("(error {})", print::string(problem)));
        self.reply.errors.push(problem.to_owned());
        self.reply.ending = Ending::Exited(1);
    }

    fn answer(&mut self, text: &str) {
        self.reply.output += text;
        self.reply.output.push('\n');
    }

    fn carry_out(&mut self, command: Command, parser: &mut Text<'_>) -> Result<(), String> {
        match command {
            Command::Assert { term, named } => self.assert(term, &named)?,
            Command::Push(levels) => {
                self.solver.push(levels.into()).map_err(|refusal| refusal.to_string())?;
                parser.symbols_mut().push(levels);
            }
            Command::Pop(levels) => {
                self.solver.pop(levels.into()).map_err(|refusal| refusal.to_string())?;
                assert!(parser.symbols_mut().pop(levels), "declarations have as many levels as assertions");
                self.missing = self.missing.filter(|&level| level <= self.solver.levels());
            }
            Command::CheckSat => self.check(vec![])?,
            Command::CheckSatAssuming(assumptions) => self.check(assumptions)?,
            Command::SetOption { keyword, value: Some(value) } if keyword == ":global-declarations" => {
                parser.symbols_mut().set_global_declarations(value.as_bool() == Some(true));
            }
            Command::Reset => {
                parser.symbols_mut().reset();
                self.pool = Pool::new();
                self.solver = Solver::new(self.oracle.settings.clone());
                self.missing = None;
            }
            Command::ResetAssertions => {
                parser.symbols_mut().reset_assertions();
                self.solver.reset_assertions();
                self.missing = None;
            }
            Command::GetModel => self.get_model(parser),
            Command::GetValue(terms) => self.get_value(&terms),
            Command::GetUnsatCore => self.get_unsat_core(),
            Command::GetUnsatAssumptions => self.get_unsat_assumptions(),
            Command::Echo(text) => self.answer(&print::string(&text)),
            Command::GetAssertions => {
                let texts: Vec<String> =
                    self.solver.assertions().iter().map(|&term| print::term(&self.pool, term)).collect();
                self.answer(&format!("({})", texts.join("\n ")));
            }
            Command::GetAssignment
            | Command::GetProof
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Unsupported { .. } => self.answer("unsupported"),
            Command::SetLogic(_)
            | Command::SetOption { .. }
            | Command::SetInfo { .. }
            | Command::DeclareSort { .. }
            | Command::DefineSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineConst { .. }
            | Command::Exit => {}
        }
        Ok(())
    }

    fn formula_is_missing(&mut self) {
        let level = self.solver.levels();
        self.missing = Some(self.missing.map_or(level, |lowest| lowest.min(level)));
    }

    /// Every formula that has a name is tracked, so a core needs no option.
    fn assert(&mut self, formula: Term, named: &[(String, Term)]) -> Result<(), String> {
        let name = named.iter().rev().find(|&&(_, term)| term == formula);
        let asserted = match name {
            None => self.solver.assert(&self.pool, formula),
            Some((name, _)) => self.solver.assert_tracked(&self.pool, formula).map(|number| {
                self.names.truncate(number);
                self.names.push(name.clone());
            }),
        };
        asserted.map_err(|refusal| {
            self.formula_is_missing();
            refusal.to_string()
        })
    }

    fn check(&mut self, assumptions: Vec<(String, Term)>) -> Result<(), String> {
        let (texts, terms): (Vec<String>, Vec<Term>) = assumptions.into_iter().unzip();
        self.assumptions = texts;
        let (stop, Session { oracle, cancel, solver, pool, .. }) = (self.solver.stop_handle(), &mut *self);
        let answer = oracle.guarded(&stop, cancel, || solver.check_assuming(pool, &terms));
        let answer = match answer {
            Ok(CheckResult::Sat) if self.missing.is_some() => {
                CheckResult::Unknown(Why::Backend("a formula was not understood"))
            }
            Ok(answer) => answer,
            Err(CheckError::Assumption { position, refusal }) => {
                return Err(format!("assumption {}: {refusal}", position + 1));
            }
            Err(CheckError::Internal(fault)) => {
                self.reply.ending = Ending::Crashed(fault.to_string());
                return Ok(());
            }
        };
        add_check(self.reply, answer);
        let word = self.reply.verdict().expect("it was just given").word();
        self.answer(word);
        Ok(())
    }

    /// The last check, if there was one, and an answer to a question about it.
    fn about_check(&mut self, answer: Option<String>, keep: fn(&mut Check, String)) {
        match (answer, self.reply.checks.last_mut()) {
            (Some(text), Some(check)) => {
                keep(check, text.clone());
                self.answer(&text);
            }
            // A question about a model after `unsat` and the like deserves this, so it is no error of the
            // run.
            _ => self.answer("(error \"not available\")"),
        }
    }

    /// The solver has a model of the last check, unless something was refused.
    fn has_model(&self) -> bool {
        self.solver.model().is_some() && self.reply.verdict() == Some(Verdict::Sat)
    }

    fn get_model(&mut self, parser: &Text<'_>) {
        let text = self.solver.model().filter(|_| self.has_model()).map(|model| {
            let printer = print::Values::new(&self.pool, BitVecFormat::Binary);
            let mut text = String::from("(\n");
            for &symbol in parser.symbols().declared() {
                text += &format!("  {}\n", printer.definition(symbol, &model.value(&self.pool, symbol)));
            }
            text + ")"
        });
        self.about_check(text, |check, text| check.model = Some(text));
    }

    fn get_value(&mut self, terms: &[(String, Term)]) {
        let text = self.solver.model().filter(|_| self.has_model()).map(|model| {
            let printer = print::Values::new(&self.pool, BitVecFormat::Binary);
            let pair = |(text, term): &(String, Term)| {
                let value = model.value(&self.pool, *term);
                format!("({text} {})", printer.value(self.pool.sort(*term), &value))
            };
            format!("({})", terms.iter().map(pair).collect::<Vec<_>>().join("\n "))
        });
        self.about_check(text, |check, text| check.values.push(text));
    }

    fn get_unsat_core(&mut self) {
        let names = self.solver.unsat_core().map(|core| {
            core.iter().map(|&number| print::symbol(&self.names[number]).to_string()).collect::<Vec<_>>()
        });
        self.about_check(names.map(|names| format!("({})", names.join(" "))), |check, text| {
            check.core = Some(text)
        });
    }

    fn get_unsat_assumptions(&mut self) {
        let failed = self.solver.unsat_assumptions();
        let texts =
            failed.map(|failed| failed.iter().map(|&at| &self.assumptions[at][..]).collect::<Vec<_>>());
        self.about_check(texts.map(|texts| format!("({})", texts.join(" "))), |check, text| {
            check.failed = Some(text);
        });
    }
}
