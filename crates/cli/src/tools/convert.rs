//! `bivalve convert`: a formula or a transition system from one format to another.
//!
//! The format of the input is shown by its text, that of the output by its suffix, unless options say
//! otherwise. Exit codes: 0 when it was written; 1 when the text has a fault or the format cannot express
//! it; 2 when the command line is wrong or a file cannot be read or written.

use super::flags;
use super::limited::{self, Limited};
use crate::messages::{complain, error, unreadable};
use crate::outputs;
use bivalve_convert::{Document, Format};
use clap::{Arg, ArgAction, ArgMatches};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The text has a fault, or cannot be expressed.
const ERROR_EXIT: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  bivalve convert design.btor2 design.aig              bit-level, for hardware model checkers
  bivalve convert old.btor formula.smt2                for every SMT solver
  bivalve convert query.cvc --to btor2                 to standard output
  bivalve convert --simplify formula.smt2 small.smt2   rewritten by local rules
  bivalve convert --bound 10 design.btor2 ten.smt2     is there a bad state in the first 10 frames?
  bivalve convert small.btor2 small.dot && dot -Tsvg -O small.dot

Formats: smt2, smt1, btor2, btor, cvc, aag, aig, dot; dot is only written.
Of a script with several checks the first is converted.";

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    let format = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("FORMAT")
            .value_parser(|text: &str| text.parse::<Format>())
            .help(help)
    };
    let path = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).value_name(value).value_parser(clap::value_parser!(PathBuf)).help(help)
    };
    clap::Command::new("bivalve convert")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Converts a formula or a transition system between SMT-LIB, BTOR2, BTOR, CVC, AIGER and DOT.")
        .after_help(EXAMPLES)
        .args_override_self(true)
        .arg(path("in", "IN", "The input; '-' is standard input").required(true))
        .arg(path("out", "OUT", "The output; standard output when there is none, or for '-'"))
        .arg(path("output", "FILE", "The output, as OUT").short('o').long("output").conflicts_with("out"))
        .arg(format("from", "The format of the input [shown by its text]").visible_alias("lang"))
        .arg(format("to", "The format of the output [shown by its suffix]"))
        .arg(
            Arg::new("simplify")
                .long("simplify")
                .action(ArgAction::SetTrue)
                .help("Rewrite all terms to normal forms by local rules"),
        )
        .arg(
            Arg::new("bound")
                .short('k')
                .long("bound")
                .value_name("N")
                .value_parser(flags::positive)
                .help("Make a formula of the first N frames: one of them has a bad state"),
        )
        .args(limited::args())
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    match convert(matches) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Failure::Text(problem)) => {
            error(&problem);
            Ok(ExitCode::from(ERROR_EXIT))
        }
        Err(Failure::Trouble(problem)) => Err(problem),
    }
}

/// Why nothing was written.
enum Failure {
    /// It is the text.
    Text(String),
    /// It is the command line or a file.
    Trouble(String),
}

/// Says so where a text has more checks than the one that is converted.
pub(crate) fn note_what_is_left_out(document: &Document, name: &str) {
    match document.checks_left_out() {
        0 => {}
        left => complain(&format!(
            "note: {name}: of {} checks the first is converted, {left} {} left out\n",
            left + 1,
            if left == 1 { "is" } else { "are" }
        )),
    }
}

fn convert(matches: &ArgMatches) -> Result<(), Failure> {
    let limited = Limited::by(limited::limits(matches));
    let file = |name: &str| matches.get_one::<PathBuf>(name).filter(|path| **path != Path::new("-"));
    let (source, target) = (file("in"), file("out").or_else(|| file("output")));
    let name = source.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let text = match source {
        Some(path) => std::fs::read(path),
        None => {
            let mut text = vec![];
            io::stdin().lock().read_to_end(&mut text).map(|_| text)
        }
    };
    let text = text.map_err(|error| Failure::Trouble(unreadable(&name, &error)))?;
    let from = matches.get_one::<Format>("from").copied().or_else(|| Format::of_text(&text));
    let from =
        from.ok_or_else(|| Failure::Text(format!("{name}:1:1: expected a formula, found another language")))?;
    let to = matches.get_one::<Format>("to").copied().or_else(|| Format::of_path(target?));
    let to = to.ok_or_else(|| {
        let formats: Vec<&str> = Format::names().collect();
        Failure::Trouble(format!(
            "no format is shown by the output; give one by --to ({})",
            formats.join(", ")
        ))
    })?;
    let mut document =
        Document::read(from, &text, &name).map_err(|error| Failure::Text(error.to_string()))?;
    note_what_is_left_out(&document, &name);
    if let Some(&frames) = matches.get_one::<usize>("bound") {
        document.unroll(frames).map_err(|error| Failure::Text(format!("{name}: {error}")))?;
    }
    if matches.get_flag("simplify") {
        document.simplify();
    }
    let written = document.print(to).map_err(|error| Failure::Text(format!("{name}: {error}")))?;
    drop(limited);
    match target {
        Some(path) => outputs::write(path, &written).map_err(Failure::Trouble),
        None => flags::print(&written).map_err(Failure::Trouble),
    }
}
