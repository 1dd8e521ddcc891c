//! Running one input: its commands go to a session, the replies to standard output.
//!
//! One command is read, carried out and answered before the next is read, and every answer is flushed, so a
//! client on a pipe never waits for what is already decided. An answer that cannot be written ends the run: a
//! closed pipe quietly, because a client may leave at any time, and anything else (a full disk) with an error
//! and exit code 2, because the answer is lost.

use crate::args::{Invocation, PrintModel, Report};
use crate::certificates::{certification, unread};
use crate::dump;
use crate::limits::{Watchdog, peak_bytes};
use crate::messages::{Diagnostics, complain, open, unreadable};
use crate::progress::ProgressTable;
#[cfg(feature = "line-editor")]
use crate::terminal::{Names, Typed};
use crate::tools;
use crate::waiting::{self, Waiting};
use bivalve::terms::Pool;
use bivalve::{CheckResult, Progress, Solver, Stop, Why};
use bivalve_checker::budget::GoesOn;
use bivalve_convert::{Document, Format};
use bivalve_explain::Budget;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_formats::{Language, ModelFormat, Recognition};
use bivalve_session::{Evidence, Foreign, Frontend, Monitor, Reply, Session};
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How a run ended, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// Every command was understood.
    Understood,
    /// Some command was answered by an error.
    Refused,
    /// A self-check failed.
    Fault,
}

/// Why a run ended before its input.
pub(crate) enum End {
    /// The reader of the answers is gone.
    Hangup,
    /// An answer could not be written.
    Lost(io::Error),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        if error.kind() == ErrorKind::BrokenPipe { End::Hangup } else { End::Lost(error) }
    }
}

/// Runs inputs one after the other, each in a session of its own.
pub(crate) struct Runner<'a> {
    invocation: &'a Invocation,
    watchdog: &'a mut Watchdog,
    diagnostics: Diagnostics,
    /// The worst outcome so far.
    pub(crate) worst: Outcome,
    /// The answer to the last check of all inputs.
    pub(crate) verdict: Option<CheckResult>,
    /// The language of the input at hand, if it is not SMT-LIB 2.
    language: Option<Language>,
    /// The model of the last check was printed with its answer.
    is_shown: bool,
    /// The number of checks so far.
    checks: u64,
}

impl<'a> Runner<'a> {
    /// A runner that has run nothing yet.
    pub(crate) fn new(invocation: &'a Invocation, watchdog: &'a mut Watchdog) -> Runner<'a> {
        let diagnostics = Diagnostics::new(invocation.color, false);
        let (worst, verdict, language) = (Outcome::Understood, None, None);
        Runner { invocation, watchdog, diagnostics, worst, verdict, language, is_shown: false, checks: 0 }
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.watchdog.interrupted()
    }

    /// Reads and answers the commands of a file, or of standard input, until it ends, `exit`, or Ctrl-C.
    ///
    /// # Errors
    ///
    /// When an answer cannot be written; further inputs are not run then.
    pub(crate) fn run(&mut self, file: Option<&Path>, out: &mut dyn Write) -> Result<(), End> {
        self.language = self.invocation.language.flatten();
        // Programs that compare the messages of a solver for two inputs expect no path in them.
        let name = match file {
            None => "<stdin>".to_owned(),
            Some(_) if self.invocation.drop_in => "<input>".to_owned(),
            Some(file) => file.display().to_string(),
        };
        let is_typed = is_typed(self.invocation);
        #[cfg(feature = "line-editor")]
        let names = Names::default();
        #[cfg(feature = "line-editor")]
        let typed =
            || Ok(Box::new(Typed::new(self.invocation.color.is_on(), names.clone())?) as Box<dyn Read>);
        #[cfg(not(feature = "line-editor"))]
        let typed = || Ok(Box::new(io::stdin()) as Box<dyn Read>);
        self.watchdog.restart();
        let is_timed = self.invocation.limits.total_time.is_some();
        let input = match input(file, is_typed, is_timed, &name, typed) {
            Ok(input) => input,
            Err((name, problem)) => return self.answer(&Reply::Error(problem), &name, out),
        };
        let (language, mut input) = self.told_apart(input, is_typed);
        self.language = language;
        self.is_shown = false;
        if let Some(format) = self.invocation.print_formula {
            return self.print_formula(format, input, &name, out);
        }
        self.diagnostics =
            Diagnostics::new(self.invocation.color, file.is_none() && io::stdin().is_terminal());
        let mut config = self.invocation.session.clone();
        let options = ParserOptions { strict: config.strict, unused_data_types: self.invocation.drop_in };
        config.options.model_format =
            self.invocation.model_format.unwrap_or_else(|| ModelFormat::of(language));
        let looks_ahead = is_complete(file) && !self.invocation.tells_more();
        let mut parser: Box<dyn Frontend + '_> = match language {
            None => {
                let parser = Parser::new(input, &name, options);
                Box::new(if looks_ahead { parser.looking_ahead() } else { parser })
            }
            Some(language) => {
                let text = match waiting::whole(&mut *input, &name, self.watchdog) {
                    Ok(text) => text,
                    Err(problem) => return self.answer(&Reply::Error(problem), &name, out),
                };
                config.compact_from = usize::MAX;
                Box::new(Foreign::new(language, text, &name, options).looking_ahead(looks_ahead))
            }
        };
        let mut session = Session::new(config);
        let goes_on = self.watchdog.goes_on();
        // The checker reads the script by itself, if it can be read twice.
        let script = file.filter(|_| language.is_none() && is_complete(file));
        match certification(self.invocation, script, &goes_on) {
            Ok(Some(certification)) => session.set_certification(certification),
            Ok(None) => {}
            Err(problem) => return self.answer(&Reply::Error(problem), &name, out),
        }
        let (mut noted, mut is_refuted) = (None, false);
        let result = loop {
            #[cfg(feature = "line-editor")]
            if is_typed {
                names.replace(known_names(&*parser));
            }
            let mut monitor = self.monitor();
            let Some(reply) = session.step(&mut *parser, &mut monitor) else {
                break self.print_model(PrintModel::End, &session, &*parser, out);
            };
            if self.invocation.exit_after_dump && matches!(reply, Reply::Checked(_)) {
                break Ok(());
            }
            is_refuted |= matches!(reply, Reply::Checked(CheckResult::Unsat));
            self.note_uncertified(&session, &reply, &name);
            let mut written = self.answer(&reply, &name, out);
            if let (Ok(()), Reply::Checked(CheckResult::Sat)) = (&written, &reply) {
                written = self.print_model(PrintModel::Each, &session, &*parser, out);
            }
            self.note_missing(&session, &reply, &name, &mut noted);
            if let (Ok(()), Some(format), Reply::Checked(_)) = (&written, self.invocation.explain, &reply) {
                written = self.explain(&mut session, format, &name, out);
            }
            if is_typed {
                self.watchdog.forget_interrupt();
            }
            if written.is_err() || self.watchdog.interrupted() {
                break written;
            }
        };
        self.diagnostics.end();
        self.note_unread(script.filter(|_| is_refuted), &goes_on, &name);
        let statistics = self.invocation.statistics;
        let monitor = self.monitor();
        match statistics {
            None => {}
            Some(Report::Text) => complain(&session.report(&name, &monitor).table()),
            Some(Report::Json) => complain(&(session.report(&name, &monitor).json() + "\n")),
        }
        result
    }

    /// An input and its language, which is given or shown by the text. Time begins with the text.
    fn told_apart(&mut self, input: Box<dyn Read>, is_typed: bool) -> (Option<Language>, Box<dyn Read>) {
        match self.invocation.language {
            Some(language) => (language, input),
            None if is_typed => (None, input),
            None => recognised(input, |is_begun| {
                if !is_begun {
                    self.watchdog.restart();
                }
                self.watchdog.exhausted().is_none()
            }),
        }
    }

    fn monitor(&mut self) -> CheckMonitor<'_> {
        let Runner { invocation, watchdog, checks, .. } = self;
        CheckMonitor { invocation, watchdog, table: None, number: *checks }
    }

    /// Prints the model of the last check, if this is when models are printed.
    fn print_model(
        &mut self,
        when: PrintModel,
        session: &Session,
        input: &dyn Frontend,
        out: &mut dyn Write,
    ) -> Result<(), End> {
        // Nothing of a session is used after a panic.
        let is_now = self.invocation.print_model == Some(when) && self.worst < Outcome::Fault;
        match session.printed_model(input).filter(|text| is_now && !text.is_empty()) {
            None => Ok(()),
            Some(text) => {
                self.is_shown = true;
                Ok(write_line(out, &text)?)
            }
        }
    }

    /// Prints what an input asserts at its first check.
    fn print_formula(
        &mut self,
        to: Format,
        mut input: Box<dyn Read>,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), End> {
        let text = match waiting::whole(&mut *input, name, self.watchdog) {
            Ok(text) => text,
            Err(problem) => return self.answer(&Reply::Error(problem), name, out),
        };
        let limited = tools::Limited::by(self.invocation.limits);
        let printed = match Format::of_language(self.language, &text) {
            None => Err(format!("{name}:1:1: expected a formula, found another language")),
            Some(from) => Document::read(from, &text, name)
                .and_then(|document| {
                    tools::note_what_is_left_out(&document, name);
                    document.print(to)
                })
                .map_err(|error| error.to_string()),
        };
        drop(limited);
        match printed {
            Err(problem) => self.answer(&Reply::Error(problem), name, out),
            Ok(printed) => {
                out.write_all(&printed)?;
                Ok(out.flush()?)
            }
        }
    }

    /// Tells why an answer has no certificate, where there should be one.
    fn note_uncertified(&mut self, session: &Session, reply: &Reply, name: &str) {
        if let (Reply::Checked(_), Some(certification)) = (reply, session.certification())
            && let Some(why) = certification.missing()
        {
            self.worst = self.worst.max(Outcome::Refused);
            complain(&format!("{name}: an answer has no certificate: {why}\n"));
        }
    }

    /// Tells that a certificate is of no use, where the checker does not read its script. What it has read
    /// along it has told already.
    fn note_unread(&mut self, script: Option<&Path>, goes_on: &GoesOn, name: &str) {
        let is_written = self.invocation.certificate.is_some() && !self.invocation.check_unsat;
        if let Some(why) = script.filter(|_| is_written).and_then(|script| unread(script, goes_on)) {
            self.worst = self.worst.max(Outcome::Refused);
            complain(&format!("{name}: the certificate cannot be checked: {why}\n"));
        }
    }

    /// Tells people which assertion is missed where a check cannot say `sat`. Later checks miss the same one.
    /// Tells, too, that an answer is not the one that is stated.
    fn note_missing(&self, session: &Session, reply: &Reply, name: &str, noted: &mut Option<String>) {
        if let (Reply::Checked(_), Some(warning)) = (reply, session.mismatch()) {
            complain(&format!("{warning}\n"));
        }
        let Some(place) = session.missing_assertion().filter(|_| self.is_for_people(name)) else { return };
        if noted.as_deref() != Some(place) {
            complain(&format!(
                "{place}: note: without this assertion, which was refused, the answer is unknown\n"
            ));
        }
        *noted = Some(place.to_owned());
    }

    /// Prints why the last check was answered as it was.
    fn explain(
        &mut self,
        session: &mut Session,
        format: Report,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), End> {
        let course = session.take_timeline();
        let mut monitor = self.monitor();
        match session.explain(&Budget::default(), course, &mut monitor) {
            Ok(None) => Ok(()),
            Ok(Some(report)) => {
                complain(&match format {
                    Report::Text => report.to_string(),
                    Report::Json => report.json() + "\n",
                });
                Ok(())
            }
            Err(fault) => self.answer(&fault, name, out),
        }
    }

    /// Whether a person is told more than the replies of an input. On a pipe, or for another solver's client,
    /// the two streams may be one.
    fn is_for_people(&self, name: &str) -> bool {
        !name.starts_with('<') || io::stderr().is_terminal()
    }

    /// Prints a reply, and remembers what it means for the exit code.
    fn answer(&mut self, reply: &Reply, name: &str, out: &mut dyn Write) -> Result<(), End> {
        match reply {
            // A counterexample that was printed with the answer is not printed again.
            Reply::Evidence(Evidence::Model, _) if self.is_shown && self.language == Some(Language::Cvc) => {
                return Ok(());
            }
            Reply::Checked(answer) => {
                self.verdict = Some(*answer);
                self.checks += 1;
                self.is_shown = false;
            }
            Reply::Done | Reply::Success | Reply::Evidence(..) | Reply::Info(_) | Reply::Unsupported => {}
            Reply::Fault(_) => self.worst = Outcome::Fault,
            // STP has nothing to show where a query is valid.
            Reply::NotAvailable(..) if self.language == Some(Language::Cvc) => return Ok(()),
            Reply::NotAvailable(..) | Reply::Error(_) => self.worst = self.worst.max(Outcome::Refused),
            Reply::Refused(diagnostic) => {
                self.worst = self.worst.max(Outcome::Refused);
                if self.is_for_people(name) {
                    self.diagnostics.show(diagnostic);
                }
                // Both streams on one screen: once is enough. Another solver's client looks for the reply.
                let is_one_screen = io::stderr().is_terminal() && io::stdout().is_terminal();
                if is_one_screen && !self.invocation.drop_in {
                    return Ok(());
                }
            }
        }
        if let Some(text) = text_of(reply, self.language) {
            write_line(out, &text)?;
        }
        Ok(())
    }
}

/// Whether a person types the script at a terminal, and sees the replies there. Who stands in for another
/// solver has no prompt.
pub(crate) fn is_typed(invocation: &Invocation) -> bool {
    let is_here = invocation.files.is_empty() && !invocation.drop_in;
    is_here && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The names that a term or sort can be made of, as they are written.
#[cfg(feature = "line-editor")]
fn known_names(parser: &dyn Frontend) -> Vec<String> {
    let written = |name: &str| match name.bytes().any(|byte| b" \t\r\n()\";".contains(&byte)) {
        true => format!("|{name}|"),
        false => name.to_owned(),
    };
    parser.symbols().bound_names().map(written).collect()
}

/// Whether an input is a file, of which the end is there already.
fn is_complete(file: Option<&Path>) -> bool {
    file.and_then(|file| file.metadata().ok()).is_some_and(|metadata| metadata.is_file())
}

/// The text of a reply. Answers to queries of CVC are those of STP, whose users read them.
fn text_of(reply: &Reply, language: Option<Language>) -> Option<Cow<'_, str>> {
    match (reply, reply.error()) {
        _ if language != Some(Language::Cvc) => reply.text(),
        (Reply::Checked(CheckResult::Unsat), _) => Some("Valid.".into()),
        (Reply::Checked(CheckResult::Sat), _) => Some("Invalid.".into()),
        (Reply::Checked(CheckResult::Unknown(_)), _) => Some("Unknown.".into()),
        (_, Some(problem)) => Some(format!("Error: {problem}").into()),
        _ => reply.text().filter(|text| !text.is_empty()),
    }
}

/// The input to read: a file, or what is typed or sent. Otherwise the name to blame, and what is wrong. Where
/// there is a time limit, it is not waited for without end.
fn input(
    file: Option<&Path>,
    is_typed: bool,
    is_timed: bool,
    name: &str,
    typed: impl FnOnce() -> io::Result<Box<dyn Read>>,
) -> Result<Box<dyn Read>, (String, String)> {
    let found: io::Result<Box<dyn Read>> = match file {
        None if is_typed => typed(),
        None if is_timed => Waiting::boxed(io::stdin()),
        None => Ok(Box::new(io::stdin())),
        Some(path) => open(path).and_then(|open| match is_timed && !is_complete(file) {
            true => Waiting::boxed(open),
            false => Ok(Box::new(open)),
        }),
    };
    found.map_err(|error| {
        let name = file.map_or_else(|| name.to_owned(), |file| file.display().to_string());
        let similar = file.and_then(|_| tools::similar(&name));
        let tip = similar.map(|tool| format!("; there is a command '{tool}', see bivalve {tool} --help"));
        let problem = unreadable(&name, &error) + &tip.unwrap_or_default();
        (name, problem)
    })
}

/// The language of an input if it is another one than SMT-LIB 2, and the whole input again. What cannot be
/// read is an error where the parser meets it. Where nothing comes for a while, `goes_on` is asked, which is
/// told whether a text has begun.
pub(crate) fn recognised(
    mut input: Box<dyn Read>,
    mut goes_on: impl FnMut(bool) -> bool,
) -> (Option<Language>, Box<dyn Read>) {
    let (mut prefix, mut chunk, mut is_all) = (vec![], [0; 4096], false);
    let mut recognition = Recognition::default();
    let language = loop {
        if let Some(language) = recognition.look(&prefix, is_all) {
            break language;
        }
        match input.read(&mut chunk) {
            Ok(0) => is_all = true,
            Ok(read) => prefix.extend(&chunk[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::TimedOut && goes_on(!prefix.trim_ascii().is_empty()) => {
            }
            Err(_) => break None,
        }
    };
    (language, Box::new(io::Cursor::new(prefix).chain(input)))
}

/// Writes a line that is not kept back.
pub(crate) fn write_line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Runs each check under the limits, shows its progress, and writes dumps of it.
struct CheckMonitor<'a> {
    invocation: &'a Invocation,
    watchdog: &'a mut Watchdog,
    table: Option<ProgressTable>,
    /// The number of checks before this one.
    number: u64,
}

impl CheckMonitor<'_> {
    /// The file of a dump.
    fn file(&self, path: &Path) -> PathBuf {
        match path.to_str() {
            Some(path) => path.replace("{}", &self.number.to_string()).into(),
            None => path.to_owned(),
        }
    }
}

impl Monitor for CheckMonitor<'_> {
    fn begins(&mut self, stop: &Stop, progress: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        // A script that is typed takes as long as it likes; the limit is for each check then.
        if is_typed(self.invocation) {
            self.watchdog.forget_interrupt();
            self.watchdog.restart();
        }
        self.watchdog.begin(stop, time_limit);
        let progress = progress.filter(|_| self.invocation.verbose).cloned();
        self.table = progress.map(|progress| ProgressTable::start(progress, stop.clone()));
    }

    fn ended(&mut self) {
        self.watchdog.end();
        self.table = None;
    }

    fn checked(&mut self, solver: &mut Solver, pool: &mut Pool, answer: CheckResult) -> Result<(), String> {
        let Invocation { dump_aiger, dump_cnf, .. } = self.invocation;
        dump_aiger.as_ref().map_or(Ok(()), |path| dump::aiger(&self.file(path), solver, pool, answer))?;
        dump_cnf.as_ref().map_or(Ok(()), |path| dump::cnf(&self.file(path), solver, pool, answer))
    }

    fn exhausted(&self) -> Option<Why> {
        // What is typed takes as long as it likes.
        if is_typed(self.invocation) { self.watchdog.exhausted_memory() } else { self.watchdog.exhausted() }
    }

    fn peak_memory(&self) -> Option<u64> {
        peak_bytes()
    }
}
