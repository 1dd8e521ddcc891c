//! The processes of an experiment: so many at a time, each under limits, each a run when it has ended.
//!
//! Threads take jobs in their order and hand over runs as they end, so that a log loses only what was running
//! when the machine was stopped. Nothing that a solver does harms the others: it has its own process group,
//! which is killed whole, and limits of CPU time and address space. There is a limit of time on the clock,
//! too, for those who wait for something; it is ten times the CPU time and more, since a machine may be
//! shared, and a run that is stopped by it has a note. A program that cannot be started at all ends
//! the experiment.

use crate::error::{Error, Result};
use crate::log::{Run, Status};
use crate::reading;
use crate::setup::{Job, Setup};
use bivalve_harness::process::{self, Outcome};
use bivalve_harness::{Cancel, Ending, Key, Limits, work};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The limit of time on the clock, in limits of CPU time, and beyond.
const PATIENCE: u32 = 10;
const START: Duration = Duration::from_secs(10);

/// Characters of output that are kept of a run that solved nothing.
const NOTE: usize = 200;

impl Setup {
    /// Makes these runs, so many at a time, and hands each to `each` when it has ended, in any order; what
    /// was running when `cancel` was raised is no run.
    ///
    /// # Errors
    /// When a program cannot be started, a file cannot be read, or `each` fails.
    pub fn run(
        &self,
        todo: &[Job<'_>],
        at_once: usize,
        cancel: &Cancel,
        each: &(dyn Fn(Run, Key) -> Result<()> + Sync),
    ) -> Result<()> {
        let work = |job: &Job<'_>, over: &Cancel| {
            let run = self.make(job, over)?;
            run.map_or(Ok(()), |run| each(run, self.key(job)))
        };
        let mut problem = Ok(());
        let done = work::in_any_order(todo.iter(), at_once, cancel, work, |done| {
            problem = done;
            if problem.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        done.map_err(Error::Request).and(problem)
    }

    /// More than can be counted is no limit.
    fn cpu_limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.time_limit).unwrap_or(Duration::MAX)
    }

    /// Makes one run; `None` if it was cancelled.
    fn make(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Option<Run>> {
        let Job { column, subject, seed } = *job;
        let words = column.command(&subject.file, seed);
        let Some((program, words)) = words.split_first() else {
            return Err(Error::Request(format!("the column '{}' has no command", column.name)));
        };
        let path = Path::new(&subject.file);
        let input = match column.names_file() {
            true => vec![],
            false => std::fs::read(path).map_err(Error::io(path))?,
        };
        let cpu = self.cpu_limit();
        let memory = (self.memory_limit > 0).then_some(u64::from(self.memory_limit) << 20);
        let limits = Limits { memory, ..limits_of(cpu) };
        let outcome = process::run(Command::new(program).args(words), &input, limits, cancel);
        match &outcome.ending {
            Ending::NotStarted(detail) => {
                Err(Error::NotStarted { column: column.name.clone(), detail: format!("{program}: {detail}") })
            }
            Ending::Cancelled => Ok(None),
            _ => Ok(Some(self.record(job, &outcome))),
        }
    }

    /// The run of a process that has ended.
    fn record(&self, job: &Job<'_>, outcome: &Outcome) -> Run {
        let Job { column, subject, seed } = *job;
        let answers = reading::answers(&outcome.output);
        let cpu_limit = self.cpu_limit();
        let status = reading::status(outcome, &answers, &subject.stated, cpu_limit);
        let rounded = |number: f64, steps: f64| (number * steps).round() / steps;
        Run {
            solver: column.name.clone(),
            file: subject.file.clone(),
            seed,
            status,
            wall: rounded(outcome.time.as_secs_f64(), 1e4),
            cpu: rounded(outcome.cpu.as_secs_f64(), 1e4),
            rss_mb: rounded(outcome.peak as f64 / f64::from(1 << 20), 10.0),
            rc: match outcome.ending {
                Ending::Exited(code) => i64::from(code),
                Ending::Signal(signal) => -i64::from(signal),
                _ => -9,
            },
            answers,
            stated: subject.stated.clone(),
            note: if status.is_solved() { String::new() } else { note(outcome, status, cpu_limit) },
            timeout: self.time_limit,
            mem: self.memory_limit,
            stats: reading::numbers(&outcome.stderr),
        }
    }
}

/// Limits of time.
fn limits_of(cpu: Duration) -> Limits {
    Limits { time: cpu.saturating_mul(PATIENCE).saturating_add(START), cpu: Some(cpu), memory: None }
}

/// The end of the output of a process, which tells why it solved nothing.
fn note(outcome: &Outcome, status: Status, cpu_limit: Duration) -> String {
    if status == Status::Timeout && outcome.time >= limits_of(cpu_limit).time {
        let (time, cpu) = (outcome.time.as_secs_f64(), outcome.cpu.as_secs_f64());
        return format!("stopped by the clock after {time:.1} s, with {cpu:.1} s of CPU time");
    }
    let printed = outcome.stderr.lines().filter(|line| !line.starts_with('{'));
    let printed: Vec<&str> = outcome.output.lines().chain(printed).collect();
    let printed = printed.join("\n");
    let tail = printed.char_indices().rev().nth(NOTE - 1).map_or(0, |(at, _)| at);
    // What was rejected is what makes answers incomparable, so it is kept wherever it stands.
    let rejected = outcome.output.find("(error").filter(|_| status == Status::Error);
    let from = rejected.map_or(tail, |at| at.min(tail));
    let words: String = printed[from..].chars().take(NOTE).collect();
    words.trim().to_owned()
}
