//! `bivalve campaign`: cases against solvers.
//!
//! Reads what was typed, hands it to the runner of `bivalve-oracle`, and shows what comes back: a bar on
//! standard error while it runs, findings as they come, the table in the end. The log of JSON lines is the
//! state of the campaign: cases that it has for all solvers are counted and not run again.
//!
//! Exit codes: 0 no solver was wrong or crashed; 1 one was, or a case is; 2 the campaign could not be run;
//! 130 Ctrl-C.

use super::cases::Cases;
use super::{construct, fuzz, interruptible, solvers, trouble};
use crate::limits::INTERRUPTED_EXIT;
use bivalve_oracle::{Campaign, Case, Inside, Judge, Kind, Outcome, Record, Tally};
use clap::Parser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  bivalve campaign cases/                                Bivalve itself on a folder of scripts
  bivalve campaign cases/ --solver 'z3=z3 {}' --solver 'cvc5=cvc5 --incremental {}' --inside bivalve
                                                         three solvers, judged by status, models, cores and votes
  bivalve campaign cases/ --solver 'z3=z3 {}' --batch 50 --log z3.jsonl --out findings
                                                         go on where z3.jsonl ends; scripts of findings to a folder
  bivalve campaign --construct='--theory bv' --inside bivalve:minimize-core=on --solver 'z3=z3 smt.core.minimize=true {}'
                                                         Becker's bit-vector formulas of 4 bits
  bivalve campaign --fuzz='--shape no-division --count 23100' --verdicts-only --solver 'z3=z3 {}' --inside bivalve
                                                         the first table of Brummayer's thesis, chapter 4
  bivalve campaign cases/ --random-options --inside a:sat=cadical --inside b:sat=batsat
                                                         options of Bivalve at random

Columns: IS incorrect satisfiability, IM incorrect model, IC incorrect unsat core, U unknown, T timeout (or memory),
E error; `crash` of the errors are crashes, `imprecise` of the incorrect cores are contradictory but not minimal.
A case is a script with `(set-info :status sat|unsat)`, and `(set-info :bivalve-core \"names\")` for an expected core. Where
the status is not known, a model that holds decides, and then the majority.

Exit codes: 0 nobody was wrong or crashed, 1 somebody was, 2 the campaign could not be run.";

/// Run cases against any solvers, judge every answer, and count who is wrong.
#[derive(Parser)]
#[command(name = "bivalve campaign", after_help = EXAMPLES)]
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
    #[command(flatten)]
    solvers: solvers::SolverArgs,
    /// Threads [default: as many as the machine has]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// A majority needs so many percent of the solvers that say anything
    #[arg(long, value_name = "N", default_value_t = bivalve_oracle::USUAL_PERCENT)]
    percent: u32,
    /// Ask nobody for models or cores
    #[arg(long)]
    verdicts_only: bool,
    /// Count unknown, timeout and error as findings, too
    #[arg(long)]
    all_must_pass: bool,
    /// Stop after so many findings
    #[arg(long, value_name = "N")]
    stop_after: Option<u64>,
    /// Write a line of JSON for each case, and skip cases that the file has
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write the scripts of findings to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// One row for all groups that begin with the same word, such as a theory
    #[arg(long)]
    coarse: bool,
    /// Print the lines of JSON instead of the table
    #[arg(long)]
    json: bool,
    /// No bar, and findings not as they come
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the tool.
pub(super) fn main(words: Vec<OsString>) -> ExitCode {
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(refusal) => refusal.exit(),
    };
    match run(&args) {
        Ok(code) => code,
        Err(problem) => trouble(&problem),
    }
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let mut contestants = args.solvers.contestants()?;
    if args.verdicts_only {
        contestants.iter_mut().for_each(|c| (c.wanted.models, c.wanted.cores) = (false, false));
    }
    let names: Vec<String> = contestants.iter().map(|contestant| contestant.name.clone()).collect();
    let done = args.log.as_deref().map_or(Ok(BTreeMap::new()), |log| known(log, &names))?;
    let total = pending(args)?.count;
    let trusted = Inside::new("judge", solvers::settings("conflict-limit=100000")?, args.solvers.timeout);
    let campaign = Campaign {
        contestants,
        judge: Judge { trusted: &trusted, percent: args.percent },
        jobs: args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)),
        chunk: args.solvers.largest_batch().max(if args.solvers.random_options.is_some() { 1 } else { 4 }),
    };
    let cancel = interruptible();
    let mut desk = Desk::open(args, total)?;
    if !done.is_empty() {
        pending(args)?.list.filter_map(|case| done.get(&case.name)).for_each(|record| desk.count(record));
    }
    let new = pending(args)?.list.filter(|case| !done.contains_key(&case.name));
    // What panics in this process is a crash of a contestant, and is in the table.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut problem = None;
    campaign.run(new, &cancel, &mut |outcome| match desk.see(&outcome) {
        Ok(flow) => flow,
        Err(error) => {
            problem = Some(error);
            ControlFlow::Break(())
        }
    });
    std::panic::set_hook(hook);
    problem.map_or(Ok(()), Err)?;
    desk.close();
    Ok(desk.exit(cancel.is_raised()))
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

/// The records of a log that have all these solvers, by the names of the cases.
fn known(log: &Path, solvers: &[String]) -> Result<BTreeMap<String, Record>, String> {
    let text = match fs::read_to_string(log) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", log.display())),
    };
    let records = text.lines().filter_map(Record::parse);
    let has_all = |record: &Record| {
        record.results.len() == solvers.len()
            && solvers.iter().all(|name| record.results.iter().any(|entry| entry.solver == *name))
    };
    Ok(records.filter(has_all).map(|record| (record.case.clone(), record)).collect())
}

/// Where outcomes are written down.
struct Desk<'a> {
    args: &'a Args,
    log: Option<File>,
    tally: Tally,
    bar: ProgressBar,
    others: u64,
}

impl Desk<'_> {
    fn open(args: &Args, total: u64) -> Result<Desk<'_>, String> {
        let mut log = None;
        if let Some(path) = &args.log {
            let problem = |error| format!("{}: {error}", path.display());
            let cut = fs::read(path).is_ok_and(|text| text.last().is_some_and(|&byte| byte != b'\n'));
            let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(problem)?;
            // A line that was cut off is no record; the next one begins anew.
            if cut {
                file.write_all(b"\n").map_err(problem)?;
            }
            log = Some(file);
        }
        if let Some(out) = &args.out {
            fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
        }
        let bar = match args.quiet || !std::io::stderr().is_terminal() {
            true => ProgressBar::hidden(),
            false => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
        };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {per_sec} {eta} {msg}");
        bar.set_style(style.map_err(|error| error.to_string())?);
        bar.enable_steady_tick(Duration::from_millis(200));
        Ok(Desk { args, log, tally: Tally::default(), bar, others: 0 })
    }

    /// Counts a record.
    fn count(&mut self, record: &Record) {
        match self.args.coarse {
            false => self.tally.add(record),
            true => {
                let group = record.group.split_whitespace().next().unwrap_or("").to_owned();
                self.tally.add(&Record { group, ..record.clone() });
            }
        }
        let idle = [Kind::Unknown, Kind::Timeout, Kind::Error].map(|kind| record.count(kind) as u64);
        self.others += idle.iter().sum::<u64>();
        self.bar.inc(1);
        self.bar.set_message(format!("{} findings", self.tally.findings));
        if self.args.json {
            print!("{}", record.line());
        }
    }

    /// Writes an outcome down; does the campaign go on?
    fn see(&mut self, outcome: &Outcome) -> Result<ControlFlow<()>, String> {
        if let (Some(log), Some(path)) = (&mut self.log, &self.args.log) {
            log.write_all(outcome.record.line().as_bytes())
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
        self.count(&outcome.record);
        if outcome.record.is_finding() {
            self.report(&outcome.record, outcome.finding.as_ref())?;
        }
        let enough = self.args.stop_after.is_some_and(|count| self.tally.findings >= count);
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Shows a finding, and keeps its script.
    fn report(&self, record: &Record, case: Option<&Case>) -> Result<(), String> {
        let mut lines: Vec<String> =
            record.remark.iter().map(|remark| format!("{}: {remark}", record.case)).collect();
        for entry in record.results.iter().filter(|entry| entry.judgement.is_finding()) {
            let (kind, options) = (entry.judgement.kind.word(), &entry.options);
            lines.push(format!("{}: {} {kind} {}", record.case, entry.solver, entry.judgement.detail));
            if !options.is_empty() {
                lines.push(format!("{}: with {options}", record.case));
            }
        }
        if !self.args.quiet {
            self.bar.suspend(|| lines.iter().for_each(|line| eprintln!("{line}")));
        }
        let (Some(out), Some(case)) = (&self.args.out, case) else { return Ok(()) };
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = case.name.chars().map(plain).collect();
        let path =
            out.join(format!("{}.smt2", name.trim_start_matches(['-', '.']).trim_end_matches(".smt2")));
        let head: String = lines.iter().map(|line| format!("; {}\n", line.replace('\n', " "))).collect();
        fs::write(&path, head + &case.text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn close(&self) {
        self.bar.finish_and_clear();
        if !self.args.json {
            print!("{}", self.tally.table());
            println!(
                "{} cases, {} findings, {} of them cases that are wrong or unresolved",
                self.tally.cases, self.tally.findings, self.tally.remarks
            );
        }
    }

    fn exit(&self, cancelled: bool) -> ExitCode {
        let failed = self.tally.findings > 0 || self.args.all_must_pass && self.others > 0;
        match (failed, cancelled) {
            (true, _) => ExitCode::from(1),
            (false, true) => ExitCode::from(INTERRUPTED_EXIT),
            (false, false) => ExitCode::SUCCESS,
        }
    }
}
