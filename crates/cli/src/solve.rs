//! Running one input: its commands go to a session, the replies to standard output.
//!
//! One command is read, carried out and answered before the next is read, and every answer is flushed, so a
//! client on a pipe never waits for what is already decided. An answer that cannot be written ends the run: a
//! closed pipe quietly, because a client may leave at any time, and anything else (a full disk) with an error
//! and exit code 2, because the answer is lost.

use crate::args::{Format, Invocation};
use crate::certificates::certification;
use crate::dump;
use crate::limits::{Watchdog, peak_bytes};
use crate::messages::{Diagnostics, complain, open, unreadable};
use crate::progress::ProgressTable;
#[cfg(feature = "line-editor")]
use crate::terminal::{Names, Typed};
use crate::tools;
use bivalve::terms::Pool;
use bivalve::{CheckResult, Progress, Solver, Stop, Why};
use bivalve_explain::Budget;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_formats::{Language, Recognition};
use bivalve_session::{Foreign, Frontend, Monitor, Reply, Session};
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
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
}

impl<'a> Runner<'a> {
    /// A runner that has run nothing yet.
    pub(crate) fn new(invocation: &'a Invocation, watchdog: &'a mut Watchdog) -> Runner<'a> {
        let diagnostics = Diagnostics::new(invocation.color, false);
        let (worst, verdict, language) = (Outcome::Understood, None, None);
        Runner { invocation, watchdog, diagnostics, worst, verdict, language }
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
        // Programs that compare the messages of a solver for two inputs expect no path in them.
        self.language = None;
        let name = match file {
            None => "<stdin>".to_owned(),
            Some(_) if self.invocation.drop_in => "<input>".to_owned(),
            Some(file) => file.display().to_string(),
        };
        let is_typed = is_typed(self.invocation);
        #[cfg(feature = "line-editor")]
        let names = Names::default();
        let input: Box<dyn Read> = match file.map(open) {
            #[cfg(feature = "line-editor")]
            None if is_typed => match Typed::new(self.invocation.color.is_on(), names.clone()) {
                Ok(typed) => Box::new(typed),
                Err(error) => return self.answer(&Reply::Error(unreadable(&name, &error)), &name, out),
            },
            None => Box::new(io::stdin()),
            Some(Ok(open)) => Box::new(open),
            Some(Err(error)) => {
                let tip = tools::similar(&name).map_or(String::new(), |tool| {
                    format!("; there is a command '{tool}', see bivalve {tool} --help")
                });
                let problem = unreadable(&name, &error) + &tip;
                return self.answer(&Reply::Error(problem), &name, out);
            }
        };
        let (language, mut input) = match self.invocation.is_smtlib || is_typed {
            true => (None, input),
            false => recognised(input),
        };
        self.language = language;
        self.watchdog.restart();
        self.diagnostics =
            Diagnostics::new(self.invocation.color, file.is_none() && io::stdin().is_terminal());
        let options = ParserOptions { strict: self.invocation.session.strict };
        let mut config = self.invocation.session.clone();
        // What is dumped of a check is more than its answer.
        let is_dumped = self.invocation.dump_aiger.is_some() || self.invocation.dump_cnf.is_some();
        let looks_ahead = is_complete(file) && !is_dumped;
        let mut parser: Box<dyn Frontend + '_> = match language {
            None => {
                let parser = Parser::new(input, &name, options);
                Box::new(if looks_ahead { parser.looking_ahead() } else { parser })
            }
            Some(language) => {
                let mut text = vec![];
                if let Err(error) = input.read_to_end(&mut text) {
                    return self.answer(&Reply::Error(unreadable(&name, &error)), &name, out);
                }
                config.compact_from = usize::MAX;
                Box::new(Foreign::new(language, text, &name, options).looking_ahead(looks_ahead))
            }
        };
        let mut session = Session::new(config);
        let script = file.filter(|_| language.is_none());
        match certification(self.invocation, script) {
            Ok(Some(certification)) => session.set_certification(certification),
            Ok(None) => {}
            Err(problem) => return self.answer(&Reply::Error(problem), &name, out),
        }
        let mut noted = None;
        let result = loop {
            #[cfg(feature = "line-editor")]
            if is_typed {
                names.replace(known_names(&*parser));
            }
            let mut monitor =
                CheckMonitor { invocation: self.invocation, watchdog: self.watchdog, table: None };
            let Some(reply) = session.step(&mut *parser, &mut monitor) else { break Ok(()) };
            if let (Reply::Checked(_), Some(certification)) = (&reply, session.certification())
                && let Some(why) = certification.missing()
            {
                self.worst = self.worst.max(Outcome::Refused);
                complain(&format!("{name}: an unsat answer has no certificate: {why}\n"));
            }
            let mut written = self.answer(&reply, &name, out);
            if let Some(place) = session.missing_assertion().filter(|_| self.is_for_people(&name)) {
                // Later checks miss the same one.
                if noted.as_deref() != Some(place) {
                    complain(&format!(
                        "{place}: note: without this assertion, which was refused, the answer is unknown\n"
                    ));
                }
                noted = Some(place.to_owned());
            }
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
        let monitor = CheckMonitor { invocation: self.invocation, watchdog: self.watchdog, table: None };
        match self.invocation.statistics {
            None => {}
            Some(Format::Text) => complain(&session.report(&name, &monitor).table()),
            Some(Format::Json) => complain(&(session.report(&name, &monitor).json() + "\n")),
        }
        result
    }

    /// Prints why the last check was answered as it was.
    fn explain(
        &mut self,
        session: &mut Session,
        format: Format,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), End> {
        let course = session.take_timeline();
        let mut monitor = CheckMonitor { invocation: self.invocation, watchdog: self.watchdog, table: None };
        match session.explain(&Budget::default(), course, &mut monitor) {
            Ok(None) => Ok(()),
            Ok(Some(report)) => {
                complain(&match format {
                    Format::Text => report.to_string(),
                    Format::Json => report.json() + "\n",
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
            Reply::Done | Reply::Success | Reply::Evidence(..) | Reply::Info(_) | Reply::Unsupported => {}
            Reply::Checked(answer) => self.verdict = Some(*answer),
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
    match (reply, language) {
        (Reply::Checked(CheckResult::Unsat), Some(Language::Cvc)) => Some("Valid.".into()),
        (Reply::Checked(CheckResult::Sat), Some(Language::Cvc)) => Some("Invalid.".into()),
        _ => reply.text(),
    }
}

/// The language of an input if it is another one than SMT-LIB 2, and the whole input again. What cannot be
/// read is an error where the parser meets it.
fn recognised(mut input: Box<dyn Read>) -> (Option<Language>, Box<dyn Read>) {
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
}

impl Monitor for CheckMonitor<'_> {
    fn begins(&mut self, stop: &Stop, progress: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        // A script that is typed takes as long as it likes; the limit is for each check then.
        if is_typed(self.invocation) {
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

    fn checked(&mut self, solver: &Solver, pool: &Pool) -> Result<(), String> {
        let Invocation { dump_aiger, dump_cnf, .. } = self.invocation;
        dump_aiger.as_ref().map_or(Ok(()), |path| dump::aiger(path, solver, pool))?;
        dump_cnf.as_ref().map_or(Ok(()), |path| dump::cnf(path, solver, pool))
    }

    fn exhausted(&self) -> Option<Why> {
        self.watchdog.exhausted()
    }

    fn peak_memory(&self) -> Option<u64> {
        peak_bytes()
    }
}
