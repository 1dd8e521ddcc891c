//! The command line: what was typed, and what it means.
//!
//! Options of the solver come from its option table, so a new row there is a new flag here; what concerns the
//! process (limits of time and memory, output, dumps) stands below. Two stages: clap reads what was typed,
//! [`Invocation`] is what it means. `--help` teaches by examples.

use crate::compat::{PERSONAS, is_drop_in, translate};
use crate::limits::{Limits, clock, granted_memory, resident_bytes};
use crate::messages::Color;
use crate::outputs;
use crate::units::{parse_bytes, parse_duration};
use bivalve::{OPTIONS, Settings};
use bivalve_formats::smtlib::print::BitVecFormat;
use bivalve_formats::{Language, ModelFormat};
use bivalve_session::{Config, Options};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How statistics and explanations are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Report {
    /// Aligned text for people.
    Text,
    /// One JSON object, on a line, for programs.
    Json,
}

/// When models are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PrintModel {
    /// After each answer `sat`.
    Each,
    /// At the end of the input, if the last answer was `sat`.
    End,
}

/// What one invocation is to do.
pub(crate) struct Invocation {
    /// The files in order; none means standard input.
    pub(crate) files: Vec<PathBuf>,
    /// The language of the inputs, if it was given; `Some(None)` is SMT-LIB 2.
    pub(crate) language: Option<Option<Language>>,
    /// Answers go to this file instead of standard output.
    pub(crate) output: Option<PathBuf>,
    /// How each session begins.
    pub(crate) session: Config,
    /// Limits of the process.
    pub(crate) limits: Limits,
    /// The exit code tells the last answer: 10 for sat, 20 for unsat.
    pub(crate) exit_codes: bool,
    /// Print statistics at the end.
    pub(crate) statistics: Option<Report>,
    /// Explain each check.
    pub(crate) explain: Option<Report>,
    /// Show the progress of long checks.
    pub(crate) verbose: bool,
    /// Colour of what is shown on standard error.
    pub(crate) color: Color,
    /// Stand in for another solver.
    pub(crate) drop_in: bool,
    /// When models are printed without a command of the input.
    pub(crate) print_model: Option<PrintModel>,
    /// How models are printed, if not as the language of the input has it.
    pub(crate) model_format: Option<ModelFormat>,
    /// Only print what the input asserts, in this format.
    pub(crate) print_formula: Option<bivalve_convert::Format>,
    /// End at the first check, once it was dumped.
    pub(crate) exit_after_dump: bool,
    /// Only print the SAT backends.
    pub(crate) list_backends: bool,
    /// Write the gates of each check here; `{}` is the number of the check.
    pub(crate) dump_aiger: Option<PathBuf>,
    /// Write the clauses of each check here; `{}` is the number of the check.
    pub(crate) dump_cnf: Option<PathBuf>,
    /// Write a certificate of each `unsat` here.
    pub(crate) certificate: Option<PathBuf>,
    /// Say `unsat` only with a certificate.
    pub(crate) check_unsat: bool,
}

impl Invocation {
    /// Whether more is told of checks than their answers, although nothing in the input asks for it.
    pub(crate) fn tells_more(&self) -> bool {
        self.dump_aiger.is_some() || self.dump_cnf.is_some() || self.print_model.is_some()
    }
}

const SHORT: &str = "\
Examples:
  bivalve formula.smt2                 decide a script; answers on standard output
  bivalve                              type a script at a prompt
  echo '(check-sat)' | bivalve         read from a pipe, answer as commands arrive
  bivalve -t 10 *.smt2                 10 seconds for each file, then `unknown`

`bivalve --help` says more, `bivalve COMMAND --help` is about a command.";

const EXAMPLES: &str = "\
Examples:
  bivalve formula.smt2                      decide a script; answers on standard output
  bivalve                                   type a script at a prompt, with completion
  echo '(check-sat)' | bivalve              read from a pipe, answer as commands arrive
  bivalve --time-limit 10 *.smt2            10 seconds for each file, then `unknown`
  bivalve --time-limit-per 500ms s.smt2     half a second for each check-sat
  bivalve --memory-limit 2G big.smt2        `unknown` instead of exhausting the machine
  bivalve --sat batsat formula.smt2         another SAT solver; see --sat list
  bivalve --sat 'dimacs:kissat -q' f.smt2   any SAT solver that reads DIMACS
  bivalve --sat ipasir:libsolver.so f.smt2  any SAT solver that is a shared library
  bivalve -v formula.smt2                   a row each second: conflicts, clauses, memory
  bivalve --stats formula.smt2              where time and memory went; --stats=json for programs
  bivalve --explain formula.smt2            why each answer is what it is; --explain=json for programs
  bivalve --compat z3 -in -T:10             flags of z3, cvc5, yices, boolector, bitwuzla, stp or mathsat;
                                            a link of such a name to this program does the same
  bivalve --dump-cnf f.cnf formula.smt2     the clauses, with inputs named in comments

Answers are `sat`, `unsat` or `unknown`; every model is checked on the input before `sat` is said.
Errors are printed as (error \"file:line:column: ...\") and the run goes on; the exit code is then 1.
Exit codes: 0 every command was understood, 1 some command was answered by an error, 2 a self-check failed,
an answer could not be written or the command line is wrong, 130 after Ctrl-C.

`bivalve --help research` has the options for experiments with the solver.";

/// The command line of the solver, as clap understands it.
pub(crate) fn command() -> Command {
    Command::new("bivalve")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Decides formulas over bit-vectors, arrays, functions and floats (SMT-LIB 2), with checked models.")
        .after_help(SHORT)
        .after_long_help(EXAMPLES)
        .args_override_self(true)
        .arg(Arg::new("files").value_name("FILE").num_args(0..).value_parser(value_parser!(PathBuf)).help(
            "formulas, each run in a session of its own; standard input when there is none, or for '-'",
        ))
        .args(solver_args(false))
        .args(thread_args())
        .args(limit_args())
        .args(output_args())
        .args(client_args())
        .args(solver_args(true).map(|arg| arg.hide_long_help(true)))
}

/// A flag for each option of the solver, with its default: those for research, which the short help leaves
/// out, or the others.
pub(crate) fn solver_args(is_research: bool) -> impl Iterator<Item = Arg> {
    let defaults = Settings::default();
    OPTIONS.iter().filter(move |row| row.is_research == is_research).map(move |row| {
        let default = defaults.get(row.name).expect("rows have names of options");
        Arg::new(row.name)
            .long(row.name)
            .value_name(row.placeholder)
            .help(format!("{} [default: {default}]", row.help))
            .allow_negative_numbers(true)
            .value_parser(Offered(row.values()))
            .hide_possible_values(true)
            .help_heading(if is_research { "Research" } else { "Solver" })
            .hide_short_help(is_research)
    })
}

/// Takes any text, which the option table judges, and offers these values to the completions of shells.
#[derive(Clone)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = self.0.iter().map(PossibleValue::new);
        (!self.0.is_empty()).then(|| Box::new(values) as Box<dyn Iterator<Item = PossibleValue>>)
    }
}

/// `bivalve --help research`: the options for experiments with the solver.
fn research() -> Command {
    Command::new("bivalve")
        .about("Options for experiments with the solver, which no other use has need of. Most tools have them, too.")
        .help_template("{about}\n\n{all-args}{after-help}")
        .after_help("`bivalve --help` has the others, and docs/options.md says of each what it is for.")
        .args(solver_args(true).map(|arg| arg.hide_short_help(false)))
        .mut_args(|arg| arg.help_heading("Research"))
}

fn thread_args() -> [Arg; 3] {
    [
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .allow_negative_numbers(true)
            .help("differently configured engines beside the solver, in N threads, for checks that take long; the answer is the same for any N")
            .help_heading("Solver"),
        Arg::new("racing")
            .long("racing")
            .requires("threads")
            .action(ArgAction::SetTrue)
            .help("with --threads: the first answer wins; models and cores depend on time")
            .help_heading("Solver"),
        Arg::new("courses")
            .long("courses")
            .value_name("on|off")
            .value_parser(["on", "off"])
            .hide_possible_values(true)
            .help("without --threads: give differently configured engines a small part of a first check that takes long [default: on]")
            .help_heading("Solver"),
    ]
}

fn limit_args() -> [Arg; 4] {
    let limit = |name: &'static str, value: &'static str, help: &'static str| {
        let arg = Arg::new(name).long(name).value_name(value).allow_negative_numbers(true);
        arg.help(help).help_heading("Limits")
    };
    let time = ValueParser::new(|text: &str| parse_duration(text));
    let memory = ValueParser::new(|text: &str| parse_bytes(text));
    [
        limit("time-limit", "TIME", "for a whole file: 10 (seconds), 1.5s, 500ms, 2min; checks beyond answer unknown; 0 is no limit")
            .short('t')
            .value_parser(time.clone()),
        limit("time-limit-per", "TIME", "for each check; 0 is no limit").value_parser(time),
        limit(
            "compact-from",
            "N",
            "beyond N terms, forget those that popped levels left behind, if they are many",
        )
        .value_parser(value_parser!(usize)),
        limit(
            "memory-limit",
            "SIZE",
            "resident memory of the process: 800 (megabytes), 512MiB, 2G; three quarters of `ulimit -v`, if that is set; 0 is no limit",
        )
        .short('m')
        .value_parser(memory),
    ]
}

fn output_args() -> [Arg; 17] {
    let output = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).help_heading("Input and output")
    };
    [
        lang().help_heading("Input and output"),
        output("output", "write answers to FILE instead of standard output")
            .short('o')
            .visible_alias("out")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf)),
        output("print-model", "print a model after each answer sat, or at the end of the input if the last answer was sat")
            .value_name("WHEN")
            .value_parser(["each", "end"])
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("each"),
        output("model-format", "how models are printed [otherwise as the language of the input has it]")
            .value_name("FORMAT")
            .value_parser(ModelFormat::ALL.map(|row| row.0)),
        output("parse-only", "read the input, and ask nothing: no checks, no queries")
            .action(ArgAction::SetTrue),
        output("print-formula", "print what the input asserts at its first check, and check nothing")
            .value_name("FORMAT")
            .value_parser(|text: &str| text.parse::<bivalve_convert::Format>())
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("smt2"),
        output("strict", "refuse what SMT-LIB 2.7 does not allow, such as other operators, late options, and sorts that the logic lacks")
            .action(ArgAction::SetTrue),
        output("bv-output-format", "base of printed bit-vectors")
            .value_name("BASE")
            .value_parser(["2", "10", "16"])
            .default_value("2"),
        output("stats", "print time, counts and memory on standard error")
            .value_name("FORMAT")
            .value_parser(["table", "json"])
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("table"),
        output("explain", "after each check, print why: lemmas, inputs that matter, a minimal contradiction")
            .long_help(EXPLAIN)
            .value_name("FORMAT")
            .value_parser(["text", "json"])
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("text"),
        output("verbose", "show the progress of long checks on standard error, a row each second")
            .short('v')
            .action(ArgAction::SetTrue),
        output("color", "colour of what is shown on standard error")
            .value_name("WHEN")
            .value_parser(value_parser!(Color))
            .default_value("auto"),
        output("dump-aiger", "write the gates of each check to FILE (ASCII AIGER for .aag, else binary); {} in FILE is the number of the check, from 0")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf)),
        output("dump-cnf", "write the clauses of each check to FILE (DIMACS); {} in FILE is the number of the check, from 0")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf)),
        output("exit-after-dump", "end at the first check, when it was dumped, without an answer")
            .action(ArgAction::SetTrue),
        output("certificate", "write to FILE why each unsat is right, for bivalve-check (.txt: as text)")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf)),
        output("check-unsat", "say unsat only with a certificate that the checker agrees with")
            .action(ArgAction::SetTrue),
    ]
}

const EXPLAIN: &str = "\
after each check, print why on standard error: the lemmas that were learned; after sat, the bits of the
model that matter (the others may be anything); after unsat, conjuncts and bits that are contradictory";

/// `--lang`, which all commands have that read formulas or systems.
pub(crate) fn lang() -> Arg {
    Arg::new("lang")
        .long("lang")
        .value_name("LANG")
        .value_parser(PossibleValuesParser::new(Language::names()))
        .help("the language of the input [otherwise shown by its text]")
}

/// What `--lang` says, if it was said; `Some(None)` is SMT-LIB 2.
pub(crate) fn language(matches: &ArgMatches) -> Option<Option<Language>> {
    matches.get_one::<String>("lang").and_then(|name| Language::named(name))
}

fn client_args() -> [Arg; 3] {
    let client =
        |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help).help_heading("Clients");
    [
        client("compat", "understand the flags of another solver, with its units of time")
            .value_name("SOLVER")
            .value_parser(PERSONAS),
        client("set-option", "set an option of SMT-LIB before the script begins")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .value_parser(ValueParser::new(preset)),
        client("exit-codes", "end with 10 after sat and 20 after unsat, if all commands were understood")
            .value_name("on|off")
            .num_args(0..=1)
            .require_equals(true)
            .value_parser(["on", "off", "1", "0"])
            .default_missing_value("on"),
    ]
}

/// `name=value`.
fn preset(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found '{text}'"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The refusal of a value.
fn wrong(problem: impl std::fmt::Display) -> clap::Error {
    command().error(clap::error::ErrorKind::InvalidValue, problem)
}

/// What the words of a command line mean, or what is wrong with them. Help is that of the whole `tree`, which
/// takes longer to build than to solve a small formula.
pub(crate) fn parse(
    words: impl Iterator<Item = std::ffi::OsString>,
    tree: fn() -> Command,
) -> Result<Invocation, clap::Error> {
    let words: Vec<_> = words.collect();
    let drop_in = is_drop_in(&words);
    let words = translate(words.into_iter());
    let is_help = |word: &std::ffi::OsString| word == "-h" || word == "--help";
    let asks_for_help = words.iter().any(is_help) || words.get(1).is_some_and(|word| word == "help");
    if asks_for_help && words.iter().any(|word| word == "research") {
        // Help is an error to clap.
        research().try_get_matches_from(["bivalve", "--help"])?;
    }
    let whole = if asks_for_help { tree() } else { command() };
    let matches = whole.try_get_matches_from(words)?;
    if matches.contains_id("memory-limit") && resident_bytes().is_none() {
        return Err(wrong("--memory-limit: this system does not tell the memory of a process"));
    }
    let list_backends = matches.get_one::<String>("sat").is_some_and(|name| name == "list");
    let mut settings = match list_backends {
        true => Settings::default(),
        false => settings(&matches).map_err(wrong)?,
    };
    // A dump shows what the SAT solver is asked, so it has to be asked, with bits for all symbols.
    if matches.contains_id("dump-aiger") || matches.contains_id("dump-cnf") {
        settings = settings.to_builder().probe(false).orders_from(0).lemmas_first(0).afresh_after(0).build();
    }
    // The search is not what is asked for.
    if matches.get_flag("exit-after-dump") {
        settings = settings.to_builder().local_search(0).conflict_limit(1).build();
    }
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let files: Vec<PathBuf> = matches.get_many("files").unwrap_or_default().cloned().collect();
    outputs::note("bivalve", &matches).map_err(wrong)?;
    if matches.contains_id("certificate") && files.len() > 1 {
        let count = files.len();
        return Err(wrong(format!(
            "--certificate: expected one input, found {count}; FILE is about one script"
        )));
    }
    let output = path("output").filter(|path| path != Path::new("-"));
    Ok(Invocation {
        files,
        language: language(&matches),
        output,
        session: session(&matches, settings)?,
        limits: Limits {
            total_time: time(&matches, "time-limit"),
            memory: match matches.get_one("memory-limit") {
                Some(&bytes) => Some(bytes).filter(|&bytes| bytes > 0),
                None => granted_memory(),
            },
        },
        exit_codes: matches.get_one::<String>("exit-codes").is_some_and(|v| v == "on" || v == "1"),
        statistics: report(&matches, "stats"),
        explain: report(&matches, "explain"),
        verbose: matches.get_flag("verbose"),
        color: matches.get_one("color").copied().unwrap_or(Color::Auto),
        drop_in,
        print_model: matches.get_one::<String>("print-model").map(|when| match &**when {
            "end" => PrintModel::End,
            _ => PrintModel::Each,
        }),
        model_format: matches.get_one::<String>("model-format").and_then(|name| ModelFormat::named(name)),
        print_formula: matches.get_one("print-formula").copied(),
        exit_after_dump: matches.get_flag("exit-after-dump"),
        list_backends,
        dump_aiger: path("dump-aiger"),
        dump_cnf: path("dump-cnf"),
        certificate: path("certificate"),
        check_unsat: matches.get_flag("check-unsat"),
    })
}

/// The settings of the solver that were typed.
///
/// # Errors
/// A sentence, when an option does not take its value.
pub(crate) fn settings(matches: &ArgMatches) -> Result<Settings, String> {
    let mut settings = Settings::default();
    for row in OPTIONS {
        if let Some(value) = matches.get_one::<String>(row.name) {
            settings.set(row.name, value).map_err(|refusal| refusal.to_string())?;
        }
    }
    Ok(settings)
}

/// How each session begins: options of the solver, flags of the session, and `--set-option`, in this order.
fn session(matches: &ArgMatches, settings: Settings) -> Result<Config, clap::Error> {
    let mut options = Options::new(settings);
    options.format = format(matches);
    options.check_time = time(matches, "time-limit-per");
    let threads = matches.get_one::<String>("threads");
    threads.map_or(Ok(()), |count| options.set_text("threads", count)).map_err(wrong)?;
    if matches.get_flag("racing") {
        options.set_text("racing", "true").map_err(wrong)?;
    }
    if let Some(courses) = matches.get_one::<String>("courses") {
        options.set_text("courses", &(courses == "on").to_string()).map_err(wrong)?;
    }
    for (name, value) in matches.get_many::<(String, String)>("set-option").unwrap_or_default() {
        let set = options.set_text(name, value);
        set.map_err(wrong)?;
    }
    let default = Config::default();
    Ok(Config {
        options,
        compact_from: matches.get_one("compact-from").copied().unwrap_or(default.compact_from),
        clock,
        profile: matches.contains_id("stats"),
        strict: matches.get_flag("strict"),
        parse_only: matches.get_flag("parse-only"),
        explain: matches.contains_id("explain"),
        // The limits of time and memory are those of the command line.
        most_terms: u64::MAX,
    })
}

/// A limit of time; 0 is none.
fn time(matches: &ArgMatches, name: &str) -> Option<Duration> {
    matches.get_one(name).copied().filter(|limit: &Duration| !limit.is_zero())
}

/// How something is reported, if it was asked for.
fn report(matches: &ArgMatches, name: &str) -> Option<Report> {
    let format = matches.get_one::<String>(name)?;
    Some(if format == "json" { Report::Json } else { Report::Text })
}

/// The base of bit-vectors, if it was given.
fn format(matches: &ArgMatches) -> Option<BitVecFormat> {
    if matches.value_source("bv-output-format") != Some(ValueSource::CommandLine) {
        return None;
    }
    Some(match matches.get_one::<String>("bv-output-format").map(String::as_str) {
        Some("10") => BitVecFormat::Decimal,
        Some("16") => BitVecFormat::Hexadecimal,
        _ => BitVecFormat::Binary,
    })
}
