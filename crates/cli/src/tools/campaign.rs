//! `bivalve campaign`: cases against solvers.
//!
//! Reads what was typed, hands it to the runner of `bivalve-judge`, and shows what comes back: a bar on
//! standard error while it runs, findings as they come, the table in the end. The log of JSON lines, keyed by
//! content, is the state of the campaign: cases whose results it has are counted and not run again. The tasks
//! of a campaign can be done by many machines ([`tasks`](super::tasks)).
//!
//! Exit codes: 0 no solver was wrong or crashed; 1 one was, or a case is; 2 the campaign could not be run, or
//! is not complete; 130 Ctrl-C. A campaign that comes to its own end, such as that of `--total-time`, is
//! none that Ctrl-C ended.

use super::cases::Cases;
use super::flags::{JobArgs, LimitArgs, OutputArgs, SeedArgs, percentage, print, time};
use super::presets::{self, Preset};
use super::progress::Bar;
use super::tasks::{TaskArgs, this_command};
use super::{construct, fuzz, interruptible, reduction, solvers};
use crate::limits::INTERRUPTED_EXIT;
use crate::messages::{TROUBLE_EXIT, refused};
use crate::outputs;
use bivalve_harness::log::{self, Entry, Log};
use bivalve_harness::tasks::{Planned, Selection};
use bivalve_harness::{Cancel, Key};
use bivalve_judge::{Campaign, Case, Inside, Judge, Kind, Outcome, Record, Tally};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  bivalve campaign cases/                                Bivalve itself on a folder of scripts
  bivalve campaign cases/ --solver 'z3=z3 {}' --solver 'cvc5=cvc5 --incremental {}' --inside bivalve
                                                         three solvers, judged by status, models, cores and votes
  bivalve campaign cases/ --solver 'z3=z3 {}' --batch 50 --log z3.jsonl -o findings
                                                         go on where z3.jsonl ends; scripts of findings to a folder
  bivalve campaign --construct='--theory bv' --inside bivalve:minimize-core=on --solver 'z3=z3 smt.core.minimize=true {}'
                                                         Becker's bit-vector formulas of 4 bits
  bivalve campaign --fuzz='--shape no-division --count 23100' --verdicts-only --solver 'z3=z3 {}' --inside bivalve
                                                         the first table of Brummayer's thesis, chapter 4
  bivalve campaign cases/ --random-options --inside a:sat=cadical --inside b:sat=batsat
                                                         options of Bivalve at random
  bivalve campaign --preset torture --total-time 15m --reduce found
                                                         all generators, options at random; findings made small
  bivalve campaign --preset differential -n 20000 --solver 'z3=z3 {}' --batch 100
                                                         against the reference semantics and another solver
  bivalve campaign cases/ --log all.jsonl --engine slurm --shards 200 --engine-option=--partition=long
                                                         a Slurm job array; what is lost is submitted again
  bivalve campaign cases/ --log 2.jsonl --shard 2/8      the second of eight parts, on any machine, and then
  bivalve campaign cases/ --merge 1.jsonl 2.jsonl 3.jsonl --log all.jsonl
                                                         one table of all parts; what is missing is run here
  bivalve campaign cases/ --log all.jsonl --plan tasks.jsonl
                                                         the list of tasks for another engine, a command each

Columns: IS incorrect satisfiability, IM incorrect model, IC incorrect unsat core, U unknown, T timeout (or memory),
E error; `crash` of the errors are crashes, `imprecise` of the incorrect cores are contradictory but not minimal.
A second table has the reasons, each with the first case it is about; those that differ only in numbers count as one.
A case is a script with `(set-info :status sat|unsat)`, and `(set-info :bivalve-core \"names\")` for an expected core. Where
the status is not known, a model that holds decides, and then the majority.

Exit codes: 0 no solver was wrong or crashed, 1 one was, 2 the campaign could not be run or is not complete,
130 Ctrl-C ended it. A campaign that comes to the end of its --total-time or to --stop-after exits with 0 or 1.";

/// Run cases against any solvers, judge every answer, and count the wrong ones.
#[derive(Parser)]
#[command(
    name = "bivalve campaign",
    after_help = EXAMPLES,
    args_override_self = true,
    mut_arg("time_limit", |arg| arg.default_value("15")),
    mut_arg("output", |arg| arg.value_name("FOLDER").help("Write the scripts of findings to this folder")),
)]
struct Args {
    /// Scripts, and folders of them
    #[arg(value_name = "CASES")]
    cases: Vec<PathBuf>,
    /// Random formulas, by the words of `bivalve fuzz`: `--fuzz='--shape arrays --count 1000'`
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    fuzz: Vec<String>,
    /// Formulas of known status, by the words of `bivalve construct`: `--construct='--theory bv --kind
    /// growth'`; all if empty
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    construct: Vec<String>,
    /// A generator and solvers with a name; what is typed beside it is added
    #[arg(long, value_name = "NAME", value_enum)]
    preset: Option<Preset>,
    /// Cases of the preset [default: 1000, without an end with --total-time]
    #[arg(short = 'n', long, value_name = "N", requires = "preset")]
    count: Option<u64>,
    /// The number of the first case of the preset
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    solvers: solvers::SolverArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    jobs: JobArgs,
    /// A majority needs so many percent of the solvers that answer
    #[arg(long, value_name = "N", default_value_t = bivalve_judge::USUAL_PERCENT, value_parser = percentage)]
    percent: u32,
    /// Ask no solver for models or cores
    #[arg(long)]
    verdicts_only: bool,
    /// Exit with 1 for unknown, timeout and error, too, not for findings alone
    #[arg(long)]
    all_must_pass: bool,
    /// Stop after so many findings
    #[arg(long, value_name = "N")]
    stop_after: Option<u64>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    total_time: Option<Duration>,
    /// Make findings small, and write them below this folder; only what is confirmed so counts for
    /// --stop-after
    #[arg(long, value_name = "FOLDER")]
    reduce: Option<PathBuf>,
    /// Write a line of JSON for each case, and use the results that the file has
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// One row for all groups that begin with the same word, such as a theory
    #[arg(long)]
    coarse: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    tasks: TaskArgs,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// What was asked for: the words of a preset, if one is named, and then what was typed, which wins.
fn args(matches: &ArgMatches, words: &[OsString]) -> Result<Args, clap::Error> {
    let args = Args::from_arg_matches(matches)?;
    let Some(preset) = args.preset else { return Ok(args) };
    let endless = u64::MAX - args.from;
    let count = args.count.unwrap_or(if args.total_time.is_some() { endless } else { 1000 });
    let preset = presets::words(preset, count, args.from, args.seed.seed).into_iter().map(OsString::from);
    let (program, typed) = words.split_at(1);
    Args::try_parse_from(program.iter().cloned().chain(preset).chain(typed.iter().cloned()))
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, words: &[OsString]) -> Result<ExitCode, String> {
    let args = &match args(matches, words) {
        Ok(args) => args,
        Err(refusal) => return Ok(refused(&refusal)),
    };
    let total = pending(args)?.count;
    let logs = args.tasks.logs(args.log.as_deref());
    let mut known: BTreeMap<Key, Record> = log::read(&logs).map_err(|error| error.to_string())?;
    let cancel = interruptible();
    if let Some(file) = &args.tasks.plan {
        return plan(args, file).map(|()| ExitCode::SUCCESS);
    }
    if !args.tasks.report {
        args.tasks.distribute(args.log.as_deref(), &mut known, &cancel, &|known| {
            let mut missing = 0;
            look(args, known.clone(), &mut |outcome| missing += usize::from(outcome.record.is_none()))?;
            Ok(missing)
        })?;
    }
    let log = args.log.as_deref().filter(|_| !args.tasks.report).map(Log::open).transpose();
    let log = log.map_err(|error| error.to_string())?.map(Mutex::new);
    let keep = |key: Key, record: &Record| {
        let Some(log) = &log else { return Ok(()) };
        let mut log = log.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        log.append(&Entry { key, result: record.clone() }).map_err(|error| error.to_string())
    };
    let trusted = trusted(args)?;
    let setup = Setup { known, selection: args.tasks.selection(), asks: !args.tasks.report, keep: &keep };
    let campaign = campaign(args, &trusted, setup)?;
    let mut report = Report::open(args, total)?;
    // A panic in this process is a crash of a solver, and is in the table.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut problem = None;
    let done = campaign.run(pending(args)?.list, &cancel, &mut |outcome| match report.see(&outcome) {
        Ok(flow) => flow,
        Err(error) => {
            problem = Some(error);
            ControlFlow::Break(())
        }
    });
    std::panic::set_hook(hook);
    done.and(problem.map_or(Ok(()), Err))?;
    report.close()?;
    Ok(report.exit(cancel.is_raised()))
}

/// What a campaign does with its cases.
struct Setup<'a> {
    known: BTreeMap<Key, Record>,
    selection: Selection,
    asks: bool,
    keep: bivalve_judge::Keep<'a>,
}

fn campaign<'a>(args: &Args, trusted: &'a Inside, setup: Setup<'a>) -> Result<Campaign<'a>, String> {
    let mut solvers = args.solvers.solvers(&args.limits)?;
    if args.verdicts_only {
        solvers.iter_mut().for_each(|solver| (solver.wanted.models, solver.wanted.cores) = (false, false));
    }
    let Setup { known, selection, asks, keep } = setup;
    Ok(Campaign {
        solvers,
        judge: Judge { trusted, percent: args.percent },
        jobs: args.jobs.count(),
        task: args.solvers.largest_batch().max(if args.solvers.random_options.is_some() { 1 } else { 4 }),
        selection,
        known,
        asks,
        keep,
    })
}

/// Bivalve in this process, which is asked about cores.
fn trusted(args: &Args) -> Result<Inside, String> {
    let limit = args.limits.time_limit.unwrap_or_default();
    Ok(Inside::new(
        "judge",
        solvers::settings(&format!("conflict-limit=100000,{}", args.solvers.always))?,
        limit,
    ))
}

/// Looks at all cases and runs nothing.
fn look(args: &Args, known: BTreeMap<Key, Record>, see: &mut dyn FnMut(Outcome)) -> Result<(), String> {
    let (trusted, selection) = (trusted(args)?, args.tasks.selection());
    let setup = Setup { known, selection, asks: false, keep: &|_, _| Ok(()) };
    campaign(args, &trusted, setup)?.run(pending(args)?.list, &Cancel::new(), &mut |outcome| {
        see(outcome);
        ControlFlow::Continue(())
    })
}

/// Writes the list of tasks.
fn plan(args: &Args, file: &Path) -> Result<(), String> {
    let command = this_command();
    let mut tasks: Vec<Planned> = vec![];
    look(args, BTreeMap::new(), &mut |outcome| {
        if tasks.last().is_none_or(|last| last.task != outcome.task) {
            let words = command.iter().map(String::as_str).chain(["--task"]);
            let command = format!("{} {}", shlex::try_join(words).unwrap_or_default(), outcome.task);
            tasks.push(Planned { task: outcome.task, keys: vec![], names: vec![], command });
        }
        let last = tasks.last_mut().expect("a task was pushed");
        last.keys.push(outcome.key);
        last.names.push(outcome.name);
    })?;
    write_plan(file, &tasks)
}

/// Writes a list of tasks as lines of JSON.
pub(super) fn write_plan(file: &Path, tasks: &[Planned]) -> Result<(), String> {
    let lines: Result<Vec<String>, _> = tasks.iter().map(serde_json::to_string).collect();
    let text =
        lines.map_err(|error| error.to_string())?.into_iter().map(|line| line + "\n").collect::<String>();
    outputs::write(file, text)
}

/// All cases that were asked for.
fn pending(args: &Args) -> Result<Cases, String> {
    let mut pending = Cases::of_files(&args.cases)?;
    for words in &args.fuzz {
        pending = pending.and(fuzz::cases(words)?);
    }
    for words in &args.construct {
        pending = pending.and(construct::cases(words)?);
    }
    if pending.count == 0 {
        return Err("there are no cases; name files or folders, or use --fuzz or --construct".to_owned());
    }
    Ok(pending)
}

/// What is shown of outcomes.
struct Report<'a> {
    args: &'a Args,
    tally: Tally,
    bar: Bar,
    /// Unknown, timeouts and errors.
    others: u64,
    /// Cases without a result.
    missing: u64,
    /// When time is up.
    deadline: Option<Instant>,
    /// Findings that count for --stop-after.
    confirmed: u64,
}

impl Report<'_> {
    fn open(args: &Args, total: u64) -> Result<Report<'_>, String> {
        if let Some(out) = &args.output.output {
            fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
        }
        let deadline = args.total_time.and_then(|time| Instant::now().checked_add(time));
        let (tally, bar) = (Tally::default(), Bar::new(&args.output, total));
        Ok(Report { args, tally, bar, others: 0, missing: 0, deadline, confirmed: 0 })
    }

    /// Counts and shows an outcome; does the campaign go on?
    fn see(&mut self, outcome: &Outcome) -> Result<ControlFlow<()>, String> {
        if let Some(trouble) = &outcome.trouble {
            return Err(trouble.clone());
        }
        if outcome.is_new {
            self.bar.step()
        } else {
            self.bar.pass_over(1)
        }
        let Some(record) = &outcome.record else {
            self.missing += 1;
            return Ok(ControlFlow::Continue(()));
        };
        let group = match self.args.coarse {
            false => record.group.clone(),
            true => record.group.split_whitespace().next().unwrap_or("").to_owned(),
        };
        self.tally.add(&Record { group, ..record.clone() });
        let idle = [Kind::Unknown, Kind::Timeout, Kind::Error].map(|kind| record.count(kind) as u64);
        self.others += idle.iter().sum::<u64>();
        self.bar.set_message(format!("{} findings", self.tally.findings));
        if self.args.output.json && !self.args.tasks.is_part() {
            let entry = Entry { key: outcome.key.clone(), result: record };
            print(&entry.line().map_err(|error| error.to_string())?)?;
        }
        if self.args.output.verbose {
            let word = |result: &bivalve_judge::Result| {
                format!("{} {}", result.solver, result.judgement.kind.word())
            };
            let words: Vec<String> = record.results.iter().map(word).collect();
            self.bar.show(&format!("{}: {}", record.case, words.join(", ")));
        }
        if outcome.is_new && record.is_finding() {
            self.report(record, outcome.finding.as_ref())?;
        }
        let enough = self.args.stop_after.is_some_and(|count| self.confirmed >= count);
        let is_over =
            enough && outcome.is_new || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Shows a finding, and keeps its script.
    fn report(&mut self, record: &Record, case: Option<&Case>) -> Result<(), String> {
        let mut lines: Vec<String> =
            record.remark.iter().map(|remark| format!("{}: {remark}", record.case)).collect();
        for result in record.results.iter().filter(|result| result.judgement.is_finding()) {
            let (kind, options) = (result.judgement.kind.word(), &result.options);
            lines.push(format!("{}: {} {kind} {}", record.case, result.solver, result.judgement.detail));
            if !options.is_empty() {
                lines.push(format!("{}: with {options}", record.case));
            }
        }
        if !self.args.output.quiet {
            lines.iter().for_each(|line| self.bar.show(&self.args.output.color.alarm(line)));
        }
        match (&self.args.reduce, case) {
            (Some(folder), Some(case)) => self.confirmed += self.reduce(folder, record, case)?,
            _ => self.confirmed += 1,
        }
        let (Some(out), Some(case)) = (&self.args.output.output, case) else { return Ok(()) };
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = case.name.chars().map(plain).collect();
        let path =
            out.join(format!("{}.smt2", name.trim_start_matches(['-', '.']).trim_end_matches(".smt2")));
        let head: String = lines.iter().map(|line| format!("; {}\n", line.replace('\n', " "))).collect();
        outputs::write(&path, head + &case.text)
    }

    /// Makes a finding small for each solver that is to blame; returns 1 if one was confirmed.
    fn reduce(&self, folder: &Path, record: &Record, case: &Case) -> Result<u64, String> {
        let mut confirmed = 0;
        for result in &record.results {
            // Where it is unknown which solver is right, any may be wrong.
            if !result.judgement.is_finding() && record.remark.is_none() {
                continue;
            }
            let subject = self.args.solvers.subject(&result.solver, &result.options, &self.args.limits)?;
            let Some(subject) = subject else { continue };
            if let Some(small) = reduction::small(folder, case, &result.judgement, &subject)? {
                confirmed = 1;
                let (kind, reduction::Small { path, before, after }) = (result.judgement.kind.word(), small);
                let line = format!("{}: {kind}: {before} to {after} bytes: {}", record.case, path.display());
                self.bar.show(&line);
            }
        }
        Ok(confirmed)
    }

    /// Prints the table, unless this process did only a part of the tasks.
    fn close(&self) -> Result<(), String> {
        self.bar.close();
        if self.args.output.json || self.args.tasks.is_part() {
            return Ok(());
        }
        let Tally { cases, findings, remarks, .. } = &self.tally;
        let (mut text, reasons) = (self.tally.table(), self.tally.reasons());
        if !reasons.is_empty() {
            text += &format!("\n{reasons}\n");
        }
        text += &format!(
            "{cases} cases, {findings} findings, {remarks} of them cases that are wrong or unresolved\n"
        );
        if self.missing > 0 {
            text += &format!("{} cases have no result yet\n", self.missing);
        }
        print(&text)
    }

    fn exit(&self, cancelled: bool) -> ExitCode {
        let failed = self.tally.findings > 0 || self.args.all_must_pass && self.others > 0;
        match (failed, cancelled) {
            (true, _) => ExitCode::from(1),
            (false, true) => ExitCode::from(INTERRUPTED_EXIT),
            (false, false) if self.missing > 0 => ExitCode::from(TROUBLE_EXIT),
            (false, false) => ExitCode::SUCCESS,
        }
    }
}
