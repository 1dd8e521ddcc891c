//! `bivalve simplify`: what simplification leaves of a script, as a script.
//!
//! Commands are carried out up to the first check, or to the end where there is none (`set-option` aside:
//! options are those of the command line). The assertions that are live there, and what the check assumes,
//! are simplified as that check would do it, under the same options, and printed with all symbols that they
//! declare.
//!
//! The way back: an eliminated symbol is a `define-fun` over symbols that are left, and every other symbol
//! keeps its name. So what is printed has a model exactly if the script has one, and in each of its models
//! the symbols of the script, defined or declared, have values that satisfy the script; and
//! `(get-value (x))` returns one of these. Symbols that were brought in besides are declared like the others,
//! under names that the script does not use. Of scripts with floats, integers or records each assertion is
//! simplified by itself, and symbols that assertions define are eliminated.
//!
//! Exit codes: 0 when it was printed; 1 when the script has an error, or something that is not supported;
//! 2 when the command line is wrong or a file cannot be read or written.

use super::limited::{self, Limited};
use crate::args::{lang, language, settings, solver_args};
use crate::messages::{Color, Diagnostics, TROUBLE_EXIT, error, open, unreadable};
use crate::outputs;
use crate::solve::recognised;
use bivalve::Settings;
use bivalve::terms::{Op, Term, TermSet, cone};
use bivalve_formats::smtlib::print::{BitVecFormat, Script, write_script};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_formats::{Diagnostic, DiagnosticKind, Language};
use bivalve_session::{Config, Foreign, Frontend, NoMonitor, Options, Session};
use clap::{Arg, ArgMatches};
use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The script has an error.
const ERROR_EXIT: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  bivalve simplify formula.smt2                                 what is left before circuits are built
  bivalve simplify --rewrite-level 1 formula.smt2               by local rules and definitions alone
  bivalve simplify --without-passes linear,constant-bits formula.smt2    without some passes
  bivalve simplify formula.smt2 | z3 -in                        another solver on what is left

An eliminated symbol is defined by what is left, so models of the output are models of the input.
Small formulas are left as they are unless --rewrite-from is 0.
Of a script with several checks the first is taken; what it assumes is asserted.";

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    clap::Command::new("bivalve simplify")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Prints what simplification leaves of an SMT-LIB script.")
        .after_help(EXAMPLES)
        .args_override_self(true)
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help("The script; standard input when there is none, or for '-'"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .visible_alias("out")
                .value_name("PATH")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Write what is left there; standard output when there is none, or for '-'"),
        )
        .arg(lang())
        .args(limited::args())
        .args(solver_args(false))
        .args(solver_args(true))
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let settings = settings(matches)?;
    let limited = Limited::by(limited::limits(matches));
    let file = matches.get_one::<PathBuf>("file").filter(|file| **file != Path::new("-"));
    let name = file.map_or_else(|| "standard input".to_owned(), |file| file.display().to_string());
    let input: Box<dyn Read> = match file {
        Some(file) => Box::new(open(file).map_err(|error| unreadable(&name, &error))?),
        None => Box::new(io::stdin().lock()),
    };
    let output = matches.get_one::<PathBuf>("output").filter(|path| **path != Path::new("-"));
    let (target, simplified) = match output {
        None => {
            let out = &mut BufWriter::new(io::stdout().lock());
            ("standard output".to_owned(), simplify(input, language(matches), &name, settings, limited, out))
        }
        Some(path) => {
            let mut text = vec![];
            let simplified = simplify(input, language(matches), &name, settings, limited, &mut text);
            let written = || outputs::write(path, &text).map_err(Failure::File);
            (path.display().to_string(), simplified.and_then(|()| written()))
        }
    };
    match simplified {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Failure::Refused(diagnostic)) => {
            Diagnostics::new(Color::Auto, false).show(&diagnostic);
            let is_unreadable = diagnostic.kind == DiagnosticKind::Io;
            Ok(ExitCode::from(if is_unreadable { TROUBLE_EXIT } else { ERROR_EXIT }))
        }
        Err(Failure::Script(problem)) => {
            error(&problem);
            Ok(ExitCode::from(ERROR_EXIT))
        }
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(Failure::File(problem)) => Err(problem),
        Err(Failure::Output(error)) => Err(format!("{target}: {error}")),
    }
}

/// Why nothing was printed, or not all.
enum Failure {
    Refused(Diagnostic),
    Script(String),
    Output(io::Error),
    File(String),
}

fn simplify(
    input: Box<dyn Read>,
    language: Option<Option<Language>>,
    name: &str,
    settings: Settings,
    limited: Limited,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let options = Options::new(settings);
    // The terms of a text that is read as a whole have to stay.
    let mut session = Session::new(Config { options, compact_from: usize::MAX, ..Config::default() });
    read(input, language, name, &mut session)?;
    let (solver, pool) = session.solver_mut();
    let asserted = solver.assertions().to_vec();
    let simplified = solver.simplified(pool).map_err(|why| Failure::Script(why.to_string()))?;
    let mentioned = cone(pool, &asserted);
    // Symbols that were introduced and eliminated again are left out.
    let defined: Vec<(Term, Term)> = simplified
        .definitions
        .into_iter()
        .filter(|(symbol, _)| mentioned.binary_search(symbol).is_ok())
        .collect();
    let mut gone = TermSet::new();
    for &(symbol, _) in &defined {
        gone.insert(symbol);
    }
    let is_left = |term: &Term| pool.op(*term) == Op::Symbol && !gone.contains(*term);
    let declare: Vec<Term> = mentioned.iter().copied().filter(is_left).collect();
    let script = Script {
        declare: &declare,
        defined: &defined,
        assertions: &simplified.conjuncts,
        format: BitVecFormat::Binary,
        ..Script::default()
    };
    drop(limited);
    write_script(out, pool, &script).and_then(|()| out.flush()).map_err(Failure::Output)
}

/// Carries out what comes before the first check, and asserts what that assumes.
fn read(
    input: Box<dyn Read>,
    language: Option<Option<Language>>,
    name: &str,
    session: &mut Session,
) -> Result<(), Failure> {
    let (language, mut input) = match language {
        Some(language) => (language, input),
        None => recognised(input, |_| false),
    };
    let options = ParserOptions::default();
    let mut parser: Box<dyn Frontend> = match language {
        None => Box::new(Parser::new(input, name, options)),
        Some(language) => {
            let mut text = vec![];
            let read = input.read_to_end(&mut text);
            read.map_err(|error| Failure::Script(unreadable(name, &error)))?;
            Box::new(Foreign::new(language, text, name, options))
        }
    };
    let parser = &mut *parser;
    loop {
        let command = session.read(parser, &NoMonitor).map_err(Failure::Refused)?;
        match command {
            None | Some(Command::CheckSat | Command::Exit) => return Ok(()),
            Some(Command::CheckSatAssuming(assumptions)) => {
                let assumed = |(_, term)| Command::Assert { term, named: vec![], groups: vec![] };
                let mut commands = assumptions.into_iter().map(assumed);
                return commands.try_for_each(|command| carry_out(command, &mut *parser, session));
            }
            Some(Command::SetOption { keyword, .. }) if keyword != ":global-declarations" => {}
            Some(command) => carry_out(command, parser, session)?,
        }
    }
}

/// Carries out a command that may change the assertions.
fn carry_out(command: Command, parser: &mut dyn Frontend, session: &mut Session) -> Result<(), Failure> {
    let changes = changes_assertions(&command);
    let reply = session.carry_out(command, parser, &mut NoMonitor);
    let problem = reply.error().filter(|_| changes);
    problem.map_or(Ok(()), |problem| Err(Failure::Script(problem.into_owned())))
}

/// Whether the command is about the assertions. Errors of others, such as an unknown logic, do not matter.
fn changes_assertions(command: &Command) -> bool {
    matches!(command, Command::Assert { .. } | Command::Push(_) | Command::Pop(_) | Command::SetOption { .. })
}
