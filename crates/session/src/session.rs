//! The session: one command in, one reply out.
//!
//! Commands change the state only if they are carried out; after an error the session goes on with the state
//! as it was before the command.
//!
//! One rule keeps answers sound where an assertion was refused, because it is malformed or outside of the
//! theories that are decided. It is part of the question all the same, so until its level is popped `sat`
//! would answer another question, and the reply is `unknown` instead. `unsat` stays: what is unsatisfiable
//! without an assertion is so with it.
//!
//! What changes the assertions is here; commands that change nothing are in `queries`.

use crate::certification::{self, Certification, Early};
use crate::explain::Records;
use crate::frontend::Frontend;
use crate::logics::set_logic;
use crate::monitor::Monitor;
use crate::options::Options;
use crate::queries::asks;
use crate::reply::Reply;
use crate::report::Report;
use bivalve::terms::{Pool, Term, cone};
use bivalve::{CheckError, CheckResult, Clock, Solver, Statistics, Stop, Why, panic_message};
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{AttributeValue, Command, Limited, MOST_TERMS, few_terms};
use bivalve_optimise::{Objectives, Sense};
use bivalve_portfolio::Portfolio;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Why a check does not say `sat`.
const ASSERTION_REFUSED: Why = Why::Incomplete("an assertion was refused");

/// How a session begins.
#[derive(Clone, Debug)]
pub struct Config {
    /// The options in force at the beginning and after `(reset)`.
    pub options: Options,
    /// Dead terms are looked for when the pool has this many terms; 0 removes them after every command.
    pub compact_from: usize,
    /// Where times in statistics come from, and how long a command is read.
    pub clock: Clock,
    /// Measure the phases of the solver, too.
    pub profile: bool,
    /// Carry out what SMT-LIB 2.7 allows alone.
    pub strict: bool,
    /// Read commands and ask nothing: no checks, no queries, which have no reply but `success` then.
    pub parse_only: bool,
    /// Write down what [`Session::explain`] says of checks: their course, and the places of assertions.
    pub explain: bool,
    /// The most terms that definitions stand for; a monitor may have other limits.
    pub most_terms: u64,
}

/// Terms have some dozens of bytes each; fewer are not worth a search.
const COMPACT_FROM: usize = 1 << 17;

impl Default for Config {
    fn default() -> Config {
        Config {
            options: Options::default(),
            compact_from: COMPACT_FROM,
            clock: || Duration::ZERO,
            profile: false,
            strict: false,
            parse_only: false,
            explain: false,
            most_terms: MOST_TERMS,
        }
    }
}

/// An SMT-LIB session.
pub struct Session {
    pub(crate) config: Config,
    pub(crate) pool: Pool,
    pub(crate) solver: Solver,
    pub(crate) options: Options,
    /// The lowest level on which an assertion was refused, and the place of the first one there: the reply is
    /// not `sat` while it is there.
    missing: Option<(u64, String)>,
    /// The lowest level on which an assertion has a name and is not tracked: there are no cores while it is
    /// there.
    untracked: Option<u64>,
    /// The answer of the last check, while it is about the assertions at hand.
    pub(crate) last: Option<CheckResult>,
    /// Whether the next check is stated to be satisfiable, by `(set-info :status ...)`, and where.
    pub(crate) stated: Option<(CheckResult, String)>,
    /// What the last check was answered against what was stated.
    pub(crate) mismatch: Option<String>,
    /// The names of tracked assertions, by their numbers.
    pub(crate) names: Vec<String>,
    /// The assumptions of the last check, as sent.
    pub(crate) assumptions: Vec<String>,
    /// What explanations need, if there are to be any.
    pub(crate) records: Option<Records>,
    /// What is to be minimised or maximised, and what was found of it.
    pub(crate) objectives: Objectives,
    /// The number of terms at which dead ones are looked for.
    next_compaction: usize,
    is_over: bool,
    /// What solvers before the last reset cost.
    past: Statistics,
    started: Duration,
    parsing: Duration,
    /// The terms that definitions stood for.
    expanded: u64,
    bytes: u64,
    /// The number of checks so far.
    pub(crate) checks: u64,
    certification: Option<Certification>,
    /// Other engines beside the solver, if there are to be any.
    portfolio: Option<Portfolio>,
}

impl Session {
    /// A session without assertions.
    pub fn new(config: Config) -> Session {
        let options = config.options.clone();
        let records = config.explain.then(|| Records::new(config.clock));
        Session {
            pool: Pool::new(),
            solver: new_solver(&config, &options, records.as_ref(), Stop::new()),
            portfolio: options.engines().map(Portfolio::new),
            options,
            missing: None,
            untracked: None,
            last: None,
            stated: None,
            mismatch: None,
            names: vec![],
            assumptions: vec![],
            records,
            objectives: Objectives::default(),
            next_compaction: config.compact_from,
            is_over: false,
            past: Statistics::default(),
            started: (config.clock)(),
            parsing: Duration::ZERO,
            expanded: 0,
            bytes: 0,
            checks: 0,
            certification: None,
            config,
        }
    }

    /// Certifies `unsat` answers from now on. For a session without checks.
    pub fn set_certification(&mut self, certification: Certification) {
        self.certification = Some(certification);
    }

    /// What certifies `unsat` answers, if something does.
    pub fn certification(&self) -> Option<&Certification> {
        self.certification.as_ref()
    }

    /// Reads a command and carries it out; `None` at the end of the input and after `(exit)`. A panic is
    /// caught and reported as a fault, and ends the session.
    pub fn step(&mut self, input: &mut dyn Frontend, monitor: &mut dyn Monitor) -> Option<Reply> {
        if self.is_over {
            return None;
        }
        let step = || {
            Some(match self.read(input, monitor).transpose()? {
                Ok(command) => self.carry_out(command, input, monitor),
                Err(diagnostic) => Reply::Refused(Box::new(diagnostic)),
            })
        };
        // Nothing of the session is used after a panic.
        catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|panic| {
            self.is_over = true;
            Some(Reply::Fault(format!("internal: panic: {}", panic_message(&*panic))))
        })
    }

    /// Reads a command; `None` at the end of the input. A command that stands for very many terms has the
    /// time of a check, and ends at the limits of the monitor.
    ///
    /// # Errors
    ///
    /// When the command is refused. A refused assertion is part of the state: see the head of this module.
    pub fn read(
        &mut self,
        input: &mut dyn Frontend,
        monitor: &dyn Monitor,
    ) -> Result<Option<Command>, Diagnostic> {
        input.symbols_mut().set_global_declarations(self.options.global_declarations);
        let (clock, limit) = (self.config.clock, self.options.check_time);
        let before = clock();
        // The command may have been waited for, so its time begins when it is found to be long.
        let mut began = None;
        let mut is_late = || {
            let spent = clock().saturating_sub(*began.get_or_insert_with(clock));
            limit.is_some_and(|limit| spent >= limit)
        };
        let mut expanded = self.expanded;
        let mut counted = few_terms(self.config.most_terms, &mut expanded);
        let mut guard = |limited| match limited {
            Limited::Command | Limited::Definitions if is_late() => Some(Why::TimeLimit),
            limited => monitor.exhausted().or_else(|| counted(limited)),
        };
        let next = input.next_command(&mut self.pool, &mut guard);
        drop(counted);
        self.expanded = expanded;
        self.parsing += clock().saturating_sub(before);
        self.bytes = input.position();
        if next.is_err() && input.was_assertion() {
            self.assertion_is_missing(input);
        }
        next
    }

    /// Carries out a command that [`Session::read`] returned last. An error has the place of the command.
    pub fn carry_out(
        &mut self,
        command: Command,
        input: &mut dyn Frontend,
        monitor: &mut dyn Monitor,
    ) -> Reply {
        self.records.iter_mut().for_each(|records| records.begin(input));
        match self.replied(command, input, monitor) {
            Ok(Some(Reply::Error(problem))) | Err(Reply::Error(problem)) => {
                Reply::Error(format!("{}: {problem}", input.place()))
            }
            Ok(Some(Reply::NotAvailable(kind, problem))) | Err(Reply::NotAvailable(kind, problem)) => {
                Reply::NotAvailable(kind, format!("{}: {problem}", input.place()))
            }
            Ok(Some(reply)) | Err(reply) => reply,
            Ok(None) if self.options.print_success => Reply::Success,
            Ok(None) => Reply::Done,
        }
    }

    /// The place of the assertion without which the last check cannot say `sat`: `file:line:column`. It is
    /// one of those that were refused, if there are several.
    pub fn missing_assertion(&self) -> Option<&str> {
        let is_missed = self.last == Some(CheckResult::Unknown(ASSERTION_REFUSED));
        self.missing.as_ref().filter(|_| is_missed).map(|(_, place)| place.as_str())
    }

    /// The solver with its terms.
    pub fn solver_mut(&mut self) -> (&mut Solver, &mut Pool) {
        (&mut self.solver, &mut self.pool)
    }

    /// What the session cost so far; `file` is the name of its input.
    pub fn report<'a>(&self, file: &'a str, monitor: &dyn Monitor) -> Report<'a> {
        let total = (self.config.clock)().saturating_sub(self.started);
        let mut statistics = self.past.clone();
        statistics += self.solver.statistics(&self.pool);
        let engines = self.portfolio.as_ref().map(|portfolio| portfolio.statistics().clone());
        let engines = engines.filter(|engines| self.options.threads.is_some() || engines.contested > 0);
        let report = Report::new(file, total, self.parsing, self.bytes, monitor.peak_memory(), statistics);
        Report { engines, ..report }
    }

    /// The reply to a command; `None` for one that has no reply but `success`. Refusals are errors.
    fn replied(
        &mut self,
        command: Command,
        input: &mut dyn Frontend,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Reply>, Reply> {
        match command {
            command if self.config.parse_only && asks(&command) => {}
            Command::SetLogic(logic) => set_logic(&logic)?,
            Command::SetOption { keyword, value } => self.set_option(&keyword, value.as_ref())?,
            Command::SetInfo { keyword, value } => self.state(&keyword, value.as_ref(), input),
            Command::DeclareSort { .. }
            | Command::DeclareDataTypes { .. }
            | Command::DefineSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineConst { .. } => {}
            Command::Assert { term, named, .. } => self.assert(term, &named, input)?,
            Command::Optimise { term, maximise, is_signed, id } => {
                self.last = None;
                let sense = if maximise { Sense::Maximise } else { Sense::Minimise };
                let place = (self.solver.levels(), id.unwrap_or(term.0));
                let is_one = self.objectives.optimise(&self.pool, place, term.1, sense, is_signed);
                debug_assert!(is_one, "the reader takes words and floats alone");
            }
            Command::AssertSoft { term, weight, id } => {
                self.last = None;
                let place = (self.solver.levels(), id.unwrap_or_default());
                self.objectives.soften(place, term.1, weight);
            }
            Command::PassedOver(_) => {
                self.last = None;
                self.assertion_is_missing(input);
            }
            Command::Push(levels) => self.push(levels, input)?,
            Command::Pop(levels) => self.pop(levels, input)?,
            Command::CheckSat => {
                let reply = self.check(vec![], input, monitor)?;
                return self.compared(reply, input).map(Some);
            }
            Command::CheckSatAssuming(mut assumptions) => {
                self.last = None;
                self.compact(input, &mut assumptions);
                let reply = self.check(assumptions, input, monitor)?;
                return self.compared(reply, input).map(Some);
            }
            Command::GetConsequences { assumptions, variables } => {
                return self.consequences(&assumptions, &variables, monitor).map(Some);
            }
            Command::GetAllModels { terms, limit, cubes } => {
                return self.all_models(&terms, limit, cubes, monitor).map(Some);
            }
            Command::GetInterpolants(asked) => return self.interpolants(&asked, monitor).map(Some),
            Command::CountModels(terms) => return self.model_count(&terms, monitor).map(Some),
            Command::Reset => self.reset(input),
            Command::ResetAssertions => {
                input.symbols_mut().reset_assertions();
                self.solver.reset_assertions();
                self.forget();
                self.compact(input, &mut []);
            }
            Command::Exit => self.is_over = true,
            Command::Unsupported { .. } => return Err(Reply::Unsupported),
            Command::GetInfo(keyword) if keyword == ":instances" => {
                return self.instances(monitor).map(Some);
            }
            Command::GetValue(_)
            | Command::GetModel
            | Command::GetAssertions
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetAssignment
            | Command::GetObjectives => return self.query(command, input.symbols(), monitor).map(Some),
            Command::GetProof => return self.proof(monitor).map(Some),
        }
        Ok(None)
    }

    fn set_option(&mut self, keyword: &str, value: Option<&AttributeValue>) -> Result<(), Reply> {
        let mut options = self.options.clone();
        options.set(keyword, value)?;
        // A core without what cannot be in it would be wrong.
        if self.untracked.is_some() && options.unsat_cores() && !self.options.unsat_cores() {
            let problem = format!("option '{keyword}' has to be set before an assertion has a name");
            return Err(Reply::Error(problem));
        }
        self.options = options;
        self.objectives.changed();
        self.solver.set_settings(self.options.settings.clone());
        if self.portfolio.as_ref().map(Portfolio::threads) != self.options.engines() {
            self.renew_portfolio();
        }
        Ok(())
    }

    /// Begins anew with other engines, which go on counting.
    fn renew_portfolio(&mut self) {
        let counted = self.portfolio.take().map(|portfolio| portfolio.statistics().clone());
        let engines = self.options.engines();
        self.portfolio = engines.map(|threads| Portfolio::counting_on(threads, counted.unwrap_or_default()));
    }

    /// Asserts a formula; one that has a name is tracked if cores are asked for.
    fn assert(&mut self, formula: Term, named: &[(String, Term)], input: &dyn Frontend) -> Result<(), Reply> {
        self.last = None;
        self.objectives.changed();
        let name = named.iter().rev().find(|&&(_, term)| term == formula).map(|(name, _)| name);
        let asserted = match name.filter(|_| self.options.unsat_cores()) {
            None => self.solver.assert(&self.pool, formula),
            Some(name) => self.solver.assert_tracked(&self.pool, formula).map(|number| {
                self.names.truncate(number);
                self.names.push(name.clone());
            }),
        };
        asserted.map_err(|refusal| {
            self.assertion_is_missing(input);
            Reply::Error(refusal.to_string())
        })?;
        if name.is_some() && !self.options.unsat_cores() {
            self.untracked = lowered(self.untracked, self.solver.levels());
        }
        let number = self.solver.assertions().len() - 1;
        self.records.iter_mut().for_each(|records| records.asserted(number, name));
        Ok(())
    }

    /// The place of an assertion or an objective that was refused, and belongs to the question.
    pub(crate) fn missing(&self) -> Option<&str> {
        self.missing.as_ref().map(|(_, place)| place.as_str())
    }

    /// An assertion that belongs to the topmost level was refused.
    fn assertion_is_missing(&mut self, input: &dyn Frontend) {
        let level = self.solver.levels();
        if self.missing.as_ref().is_none_or(|&(lowest, _)| level < lowest) {
            self.missing = Some((level, input.place()));
        }
    }

    fn push(&mut self, levels: u32, input: &mut dyn Frontend) -> Result<(), Reply> {
        self.solver.push(levels.into()).map_err(|refusal| Reply::Error(refusal.to_string()))?;
        input.symbols_mut().push(levels);
        self.last = None;
        self.objectives.changed();
        Ok(())
    }

    fn pop(&mut self, levels: u32, input: &mut dyn Frontend) -> Result<(), Reply> {
        self.solver.pop(levels.into()).map_err(|refusal| {
            Reply::Error(format!("expected at most {} levels to pop, found {levels}", refusal.depth))
        })?;
        assert!(input.symbols_mut().pop(levels), "declarations have as many levels as assertions");
        self.missing = self.missing.take().filter(|&(level, _)| level <= self.solver.levels());
        self.untracked = self.untracked.filter(|&level| level <= self.solver.levels());
        self.objectives.pop_to(self.solver.levels());
        self.last = None;
        self.compact(input, &mut []);
        Ok(())
    }

    /// Begins anew; `:print-success` stays, as in other solvers, because a client in lockstep waits for an
    /// answer to this command, too.
    fn reset(&mut self, input: &mut dyn Frontend) {
        let print_success = self.options.print_success;
        self.options = self.config.options.clone();
        self.options.print_success = print_success;
        input.symbols_mut().reset();
        self.past += self.solver.statistics(&self.pool);
        self.pool = Pool::new();
        self.certification.iter_mut().for_each(Certification::forget_terms);
        self.next_compaction = self.config.compact_from;
        // What certifies answers holds the handle, too, so that limits reach it.
        let stop = self.solver.stop_handle();
        self.solver = new_solver(&self.config, &self.options, self.records.as_ref(), stop);
        self.renew_portfolio();
        self.forget();
    }

    /// Nothing is asserted any more.
    fn forget(&mut self) {
        self.missing = None;
        self.untracked = None;
        self.last = None;
        self.names.clear();
        self.objectives = Objectives::default();
    }

    /// Rebuilds the pool with the terms in use when there are much fewer of them than terms. The pool is
    /// searched only when it has grown by a factor, so that it costs little however many levels come and go.
    /// The terms of the command at hand are in use, too, and are renamed.
    fn compact(&mut self, input: &mut dyn Frontend, at_hand: &mut [(String, Term)]) {
        if self.pool.len() < self.next_compaction {
            return;
        }
        let mut in_use = [self.solver.in_use(), input.symbols().in_use()].concat();
        in_use.extend(at_hand.iter().map(|&(_, term)| term).chain(self.objectives.in_use()));
        let live = cone(&self.pool, &in_use).len();
        let eager = self.config.compact_from == 0;
        if live < if eager { self.pool.len() } else { self.pool.len() / 2 } {
            let renaming = self.pool.compact(&in_use);
            self.solver.rename(&renaming);
            self.portfolio.iter_mut().for_each(Portfolio::forget_terms);
            self.certification.iter_mut().for_each(Certification::forget_terms);
            input.symbols_mut().rename(&renaming);
            self.objectives.rename(&renaming);
            at_hand.iter_mut().for_each(|(_, term)| *term = renaming.of(*term));
        }
        self.next_compaction = if eager { 0 } else { (4 * self.pool.len()).max(self.config.compact_from) };
    }

    fn check(
        &mut self,
        assumptions: Vec<(String, Term)>,
        input: &mut dyn Frontend,
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        // An explanation or a certificate tells more than the answer, and under a limit it depends on the
        // engine whether there is one.
        let is_plain = self.records.is_none() && self.certification.is_none();
        let is_limited = self.options.settings.limits_conflicts();
        if let Some(portfolio) = &mut self.portfolio {
            portfolio.set_last(is_plain && !is_limited && input.asks_nothing_more());
        }
        let (texts, terms): (Vec<String>, Vec<Term>) = assumptions.into_iter().unzip();
        self.checks += 1;
        if let Some(certification) = &mut self.certification {
            certification.begin_check();
        }
        let check =
            if self.objectives.is_empty() { Session::check_certifying } else { Session::check_optimising };
        let answer = self.check_under(&terms, monitor, check)?;
        monitor.checked(&mut self.solver, &mut self.pool, answer).map_err(Reply::Error)?;
        self.last = Some(answer);
        self.assumptions = texts;
        self.records.iter_mut().for_each(Records::checked);
        Ok(Reply::Checked(answer))
    }

    /// The answer of a check, with a certificate if it is `unsat` and the session certifies.
    pub(crate) fn check_certifying(&mut self, assumptions: &[Term]) -> Result<CheckResult, CheckError> {
        let Session { certification: Some(certification), solver, pool, .. } = self else {
            return self.ask(assumptions);
        };
        let terms = [solver.assertions(), assumptions].concat();
        certification.note(solver, &terms);
        let stop = solver.stop_handle();
        let mut soon = None;
        let is_quantified = solver.is_quantified(pool, assumptions);
        if !self.options.settings.minimizes_cores() && !is_quantified && certification.goes_first() {
            soon = certification::short_check(solver, pool, assumptions)?;
            if soon.is_none() {
                soon = match certification.go_first(pool, &terms, &stop) {
                    Some(Early::Refuted(used)) => {
                        return solver.adopt_contradiction(pool, assumptions, &used);
                    }
                    Some(Early::Model(model)) => solver.check_model(pool, assumptions, model)?,
                    None => None,
                };
            }
        }
        let answer = match soon {
            Some(answer) => answer,
            None => self.ask(assumptions)?,
        };
        let Session { certification: Some(certification), solver, pool, .. } = self else {
            return Ok(answer);
        };
        if answer != CheckResult::Unsat {
            certification.was_other();
            if answer == CheckResult::Sat && is_quantified && !certification.certify_model(solver, pool) {
                return Ok(CheckResult::Unknown(Why::Incomplete("the sat answer has no certificate")));
            }
        } else if !match is_quantified {
            true => certification.certify_quantified(solver, pool, &terms),
            false => certification.certify(pool, &terms, &stop),
        } {
            return Ok(CheckResult::Unknown(Why::Incomplete("the unsat answer has no certificate")));
        }
        Ok(answer)
    }

    /// The answer of a check under the monitor, with regard to assertions that are missing.
    pub(crate) fn check_assuming(
        &mut self,
        assumptions: &[Term],
        monitor: &mut dyn Monitor,
    ) -> Result<CheckResult, Reply> {
        self.check_under(assumptions, monitor, Session::ask)
    }

    /// The answer of the solver, or of an engine beside it.
    fn ask(&mut self, assumptions: &[Term]) -> Result<CheckResult, CheckError> {
        let Session { solver, pool, portfolio, .. } = self;
        match portfolio {
            None => solver.check_assuming(pool, assumptions),
            Some(portfolio) => portfolio.check_assuming(solver, pool, assumptions),
        }
    }

    /// The same for a check that is made in this way.
    fn check_under(
        &mut self,
        assumptions: &[Term],
        monitor: &mut dyn Monitor,
        check: impl FnOnce(&mut Session, &[Term]) -> Result<CheckResult, CheckError>,
    ) -> Result<CheckResult, Reply> {
        self.last = None;
        if let Some(portfolio) = &self.portfolio {
            portfolio.accepts(&self.options.settings).map_err(|refusal| Reply::Error(refusal.to_string()))?;
        }
        let (stop, progress) = (self.solver.stop_handle(), self.solver.progress());
        monitor.begins(&stop, Some(&progress), self.options.check_time);
        let answer = check(self, assumptions);
        monitor.ended();
        let answer = answer.map_err(|error| match error {
            CheckError::Assumption { .. } => Reply::Error(error.to_string()),
            CheckError::Internal(fault) => Reply::Fault(fault.to_string()),
        })?;
        Ok(match answer {
            CheckResult::Sat if self.missing.is_some() => CheckResult::Unknown(ASSERTION_REFUSED),
            answer => answer,
        })
    }
}

/// The lowest level on which something is, once it is on this level, too.
fn lowered(lowest: Option<u64>, level: u64) -> Option<u64> {
    Some(lowest.map_or(level, |lowest| lowest.min(level)))
}

fn new_solver(config: &Config, options: &Options, records: Option<&Records>, stop: Stop) -> Solver {
    let mut solver = Solver::stopped_by(options.settings.clone(), stop);
    records.iter().for_each(|records| records.listen_to(&mut solver));
    if config.profile {
        solver.set_clock(config.clock);
    }
    solver
}
