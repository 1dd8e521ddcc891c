//! `bivalve reduce`: makes a script small on which a solver fails.
//!
//! The command is run on the script once to see how it fails; what is seen there, or what the options
//! name, is the failure (`judge::Failure`), and `bivalve-delta` does the rest. The result has been tested
//! once more.
//!
//! Exit codes: 0 when the script was reduced; 1 when it does not fail, or not every time; 2 when the command
//! line is wrong, the command cannot be started, or a file not be read or written; 130 after Ctrl-C, when
//! what was reached is written.

use super::flags::{JobArgs, LimitArgs, OutputArgs, percentage, print, time};
use super::interruptible;
use super::progress::Bar;
use super::solvers::{inside, named};
use crate::messages::{TROUBLE_EXIT, error, unreadable};
use crate::outputs;
use bivalve::Settings;
use bivalve_delta::{Mode, Options, Progress, Reduction, Refusal, View, reduce};
use bivalve_harness::{Cancel, Command, Ending, Limits, Oracle, Table, Verdict};
use bivalve_judge::{Failure, Inside, Pattern, Suspect, Target};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const DOES_NOT_FAIL: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  bivalve reduce bug.smt2 -- solver {}                 the way the solver ends on bug.smt2 is the failure:
                                                       its crash, its hang, its exit code, or what it prints
  bivalve reduce bug.smt2 -o small.smt2 -- solver {}   into a file; without {} the script goes to standard input
  bivalve reduce bug.smt2 -- ./interesting.sh {}       a script of your own: its exit code is the failure
  bivalve reduce bug.smt2 --err 'Assertion' -- solver {}      standard error has this
  bivalve reduce bug.smt2 --out-regex '^unsat' -- solver {}   standard output matches this
  bivalve reduce bug.smt2 --says unsat --contains '(store' -- solver {}
                                                       it answers unsat, and there is a write still
  bivalve reduce bug.smt2 --hang --timeout 2s -- solver {}    the solver does not end within two seconds
  bivalve reduce bug.smt2 --against 'z3 {}' --against 'cvc5 {}' -- solver {}
                                                       the solver contradicts the majority of the others
  bivalve reduce bug.smt2 --wrong-model -- solver {}   its model violates the assertions (by evaluation)
  bivalve reduce bug.smt2 --wrong-core -- solver {}    its core is satisfiable
  bivalve reduce bug.smt2 --inside --option rewrite-level=0 --against 'z3 {}'
                                                       Bivalve in this process is the solver: no processes, 100 times as fast

Several of these options together must all hold. Exit codes: 0 reduced, 1 the script does not fail (or not every time),
2 wrong use, 130 interrupted (what was reached is written).";

/// Makes a script small on which a solver fails: typed delta debugging.
#[derive(Parser, Debug)]
#[command(
    name = "bivalve reduce",
    after_help = EXAMPLES,
    version,
    mut_arg("output", |arg| arg.value_name("FILE").help("Write the result to this file [default: standard output]")),
    mut_arg("jobs", |arg| arg.help("Candidates judged at the same time, 0 for as many as there are processors; the result is the same")),
    mut_arg("time_limit", |arg| {
        arg.help("Time of a run [default: one and a half times what the failing script takes, and --margin]")
    }),
    mut_arg("json", |arg| arg.help("Print the summary as JSON, on standard error")),
)]
struct Args {
    /// The SMT-LIB script.
    file: PathBuf,
    /// The solver and its options; a word `{}` is replaced by a file with the script.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Where time and tests went, on standard error.
    #[arg(long)]
    stats: bool,
    /// Reduce text, even where terms can be read.
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    failure: FailureArgs,
    #[command(flatten)]
    solver: SolverArgs,
}

/// What the failure is.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "What the failure is (all of these; else as the command ends on FILE)")]
struct FailureArgs {
    /// The command ends with this exit code.
    #[arg(long, value_name = "CODE")]
    exit: Option<i32>,
    /// The command dies by a signal or reports an internal error.
    #[arg(long)]
    crash: bool,
    /// The command does not end within --timeout.
    #[arg(long)]
    hang: bool,
    /// Standard output contains this.
    #[arg(long = "match-out", visible_alias = "stdout", value_name = "TEXT")]
    printed: Vec<String>,
    /// Standard error contains this.
    #[arg(long = "match-err", visible_aliases = ["err", "stderr"], value_name = "TEXT")]
    stderr: Vec<String>,
    /// Standard output matches this regular expression.
    #[arg(long = "out-regex", value_name = "REGEX")]
    output_regex: Vec<String>,
    /// Standard error matches this regular expression.
    #[arg(long = "err-regex", value_name = "REGEX")]
    stderr_regex: Vec<String>,
    /// The script keeps this text: names get short, so best an operator with its parenthesis.
    #[arg(long, value_name = "TEXT")]
    contains: Vec<String>,
    /// Some check is answered by this: `sat`, `unsat` or `unknown`.
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    says: Option<Verdict>,
    /// The verdicts are these: `sat`, `unsat`, `unknown`, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = verdict)]
    verdicts: Vec<Verdict>,
    /// A verdict is not that of this solver, or of the majority of several.
    #[arg(long, value_name = "COMMAND")]
    against: Vec<String>,
    /// A verdict is not that of Bivalve in this process, which votes beside those of --against.
    #[arg(long)]
    against_inside: bool,
    /// So many percent of those that answer are a majority.
    #[arg(long, value_name = "N", default_value_t = bivalve_judge::USUAL_PERCENT, value_parser = percentage)]
    percent: u32,
    /// A model violates the assertions.
    #[arg(long)]
    wrong_model: bool,
    /// An unsat core is satisfiable.
    #[arg(long)]
    wrong_core: bool,
}

/// How the solver is run.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "The solver")]
struct SolverArgs {
    /// Bivalve in this process instead of a command.
    #[arg(long, conflicts_with = "command")]
    inside: bool,
    /// An option of Bivalve in this process.
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "inside")]
    options: Vec<String>,
    /// What is added to the limit of time that is measured: else 400ms, and 100ms in this process.
    #[arg(long, value_name = "TIME", value_parser = time)]
    margin: Option<Duration>,
    /// The limit of time of the first run.
    #[arg(long, value_name = "TIME", default_value = "300s", value_parser = time)]
    first_timeout: Duration,
}

fn verdict(text: &str) -> Result<Verdict, String> {
    Verdict::parse(text).ok_or_else(|| "expected sat, unsat or unknown".to_owned())
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    let code = execute(&args).unwrap_or_else(|(code, sentence)| {
        error(&sentence);
        code
    });
    Ok(ExitCode::from(code))
}

/// What went wrong: the exit code, and a sentence.
type Wrong = (u8, String);

fn wrong_use(sentence: impl Into<String>) -> Wrong {
    (TROUBLE_EXIT, sentence.into())
}

fn execute(args: &Args) -> Result<u8, Wrong> {
    let read = std::fs::read(&args.file);
    let bytes = read.map_err(|error| wrong_use(unreadable(args.file.display(), &error)))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let cancel = interruptible();
    let begin = Instant::now();
    let target = target(args, &text, &cancel)?;
    if target.shows("", &cancel) {
        let sentence = "an empty script fails in the same way, so every script does; name the failure";
        return Err((DOES_NOT_FAIL, format!("{sentence}, for example by --match-out or --says")));
    }
    let bar = Bar::new(&args.output, text.len() as u64);
    let jobs = args.jobs.count();
    let options = Options { jobs, view: if args.text { View::Text } else { View::Best } };
    let reduced = reduce(&text, &options, &target, &cancel, &mut |progress| show(&bar, progress));
    bar.close();
    let reduction = reduced.map_err(|refusal| match refusal {
        Refusal::DoesNotFail => {
            (DOES_NOT_FAIL, format!("{} does not fail: expected {}", args.file.display(), symptoms(&target)))
        }
        Refusal::Unstable => (DOES_NOT_FAIL, refusal.to_string()),
        Refusal::Stopped => (crate::limits::INTERRUPTED_EXIT, refusal.to_string()),
    })?;
    match &args.output.output {
        None => print(&reduction.text).map_err(wrong_use)?,
        Some(path) => outputs::write(path, &reduction.text).map_err(wrong_use)?,
    }
    if !args.output.quiet {
        summary(args, &text, &reduction, begin.elapsed());
    }
    if args.stats || args.output.verbose {
        eprint!("{}", statistics(&reduction, &target, begin.elapsed(), jobs));
    }
    Ok(if reduction.complete { 0 } else { crate::limits::INTERRUPTED_EXIT })
}

/// The target: the solver and its failure. Where the options do not name the failure, the script is run.
fn target(args: &Args, text: &str, cancel: &Cancel) -> Result<Target, Wrong> {
    let FailureArgs { percent, .. } = args.failure;
    let failures = failures(&args.failure).map_err(wrong_use)?;
    let SolverArgs { first_timeout, margin, .. } = args.solver;
    let LimitArgs { time_limit: timeout, memory_limit: memory } = args.limits;
    let limit = timeout.unwrap_or(if args.failure.hang { Duration::from_secs(5) } else { first_timeout });
    let limits = Limits { time: limit, cpu: None, memory };
    let suspect = suspect(args, limits).map_err(wrong_use)?;
    let mut trusted: Vec<Box<dyn Oracle>> = vec![];
    for command in &args.failure.against {
        trusted.push(Box::new(Command::new(command, command, limits).map_err(wrong_use)?));
    }
    if args.failure.against_inside {
        trusted.push(Box::new(Inside::new("bivalve", Settings::default(), limit)));
    }
    let usual = Duration::from_millis(if args.solver.inside { 100 } else { 400 });
    let margin = timeout.is_none().then(|| margin.unwrap_or(usual));
    let mut target = Target::new(suspect, failures, trusted, percent, limit, margin);
    let is_of_the_script = |failure: &Failure| matches!(failure, Failure::Script(_));
    if target.failures().iter().all(is_of_the_script) {
        let reply = target.ask(text, cancel);
        if let Ending::NotStarted(why) = &reply.ending {
            return Err(wrong_use(format!("the command cannot be started: {why}")));
        }
        if reply.ending == Ending::TimedOut && timeout.is_none() {
            let sentence = format!(
                "the command does not end within {} s; if that is the failure, add --hang and --timeout",
                limit.as_secs()
            );
            return Err((DOES_NOT_FAIL, sentence));
        }
        let mut failures = Failure::of(&reply);
        if failures.is_empty() {
            return Err((
                DOES_NOT_FAIL,
                format!("the end of the command cannot be recognised again: {:?}", reply.ending),
            ));
        }
        failures.extend_from_slice(target.failures());
        target.set_failures(failures);
    }
    if !args.output.quiet {
        eprintln!("bivalve reduce: the failure is {}", symptoms(&target));
    }
    Ok(target)
}

fn suspect(args: &Args, limits: Limits) -> Result<Suspect, String> {
    if args.solver.inside {
        let options = args.solver.options.iter().map(|option| named(option, "NAME=VALUE"));
        let options = options.collect::<Result<Vec<_>, _>>()?;
        return Ok(Suspect::Inside(Box::new(inside("bivalve", options, limits.time)?)));
    }
    let program = args.command.first().ok_or("expected a command behind --, or --inside")?;
    Ok(Suspect::Command(Command::of_words(program, args.command.clone(), limits)?))
}

fn failures(args: &FailureArgs) -> Result<Vec<Failure>, String> {
    let mut failures = vec![];
    failures.extend(args.exit.map(Failure::Exit));
    failures.extend(args.crash.then_some(Failure::Crash(None)));
    failures.extend(args.hang.then_some(Failure::Hang));
    failures.extend(args.printed.iter().cloned().map(Pattern::Literal).map(Failure::Output));
    failures.extend(args.stderr.iter().cloned().map(Pattern::Literal).map(Failure::Stderr));
    for regex in &args.output_regex {
        failures.push(Failure::Output(Pattern::regex(regex)?));
    }
    for regex in &args.stderr_regex {
        failures.push(Failure::Stderr(Pattern::regex(regex)?));
    }
    failures.extend(args.contains.iter().cloned().map(Pattern::Literal).map(Failure::Script));
    failures.extend(args.says.map(Failure::Says));
    if !args.verdicts.is_empty() {
        failures.push(Failure::Verdicts(args.verdicts.clone()));
    }
    let differs = !args.against.is_empty() || args.against_inside;
    failures.extend(differs.then_some(Failure::WrongVerdict));
    failures.extend(args.wrong_model.then_some(Failure::WrongModel));
    failures.extend(args.wrong_core.then_some(Failure::WrongCore));
    Ok(failures)
}

fn symptoms(target: &Target) -> String {
    let all: Vec<String> = target.failures().iter().map(Failure::describe).collect();
    all.join(", ")
}

fn show(bar: &Bar, progress: &Progress) {
    let Progress { bytes, tests, pass } = progress;
    bar.set_left(*bytes as u64);
    bar.set_message(format!("{bytes} bytes, {} tests, {} successes, {pass}", tests.used, tests.successes));
}

fn summary(args: &Args, before: &str, reduction: &Reduction, wall: Duration) {
    let mode = match reduction.mode {
        Mode::Terms => "as terms",
        Mode::NamedTerms => "as terms, with their names: with short ones it does not fail",
        Mode::Text => "as text",
    };
    let (file, bytes, tests) = (args.file.display(), reduction.text.len(), reduction.tests.used);
    if args.output.json {
        let summary = serde_json::json!({
            "file": file.to_string(), "before": before.len(), "after": bytes, "tests": tests,
            "seconds": wall.as_secs_f64(), "mode": mode, "complete": reduction.complete,
        });
        return eprintln!("{summary}");
    }
    let ended = if reduction.complete { "" } else { "; interrupted" };
    let (before, wall) = (before.len(), wall.as_secs_f64());
    eprintln!(
        "bivalve reduce: {file}: {before} to {bytes} bytes, {tests} tests, {wall:.2} s, reduced {mode}{ended}"
    );
}

fn statistics(reduction: &Reduction, target: &Target, wall: Duration, jobs: usize) -> String {
    let tests = reduction.tests;
    let solvers = target.spent();
    let mut table = Table::new(["<pass", "tests", "successes", "bytes"]);
    for pass in &reduction.passes {
        table.row([
            pass.name.to_string(),
            pass.tests.to_string(),
            pass.successes.to_string(),
            pass.bytes.to_string(),
        ]);
    }
    let mut text = table.text();
    text += &format!(
        "candidates tested: {} used, {} in all; not tested: {} duplicates, {} not smaller\n",
        tests.used, tests.asked, tests.duplicates, tests.larger
    );
    text + &format!(
        "wall {:.3} s, in solvers {:.3} s by {jobs} at a time, limit of time at the end {:.3} s\n",
        wall.as_secs_f64(),
        solvers.as_secs_f64(),
        target.limit().as_secs_f64()
    )
}
