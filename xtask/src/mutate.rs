//! `cargo xtask mutate`: broken scripts, each of which must end in an answer or a located error.
//!
//! Whatever can go wrong here can take the process with it (memory that runs out, a stack that overflows, a
//! fault in a linked library), so the work is done by *workers*, processes of this same program that run one
//! input after the other and say before each which one it is. The parent listens: a worker that dies or says
//! nothing for too long has named its last input, which is the finding; the next worker goes on behind it.
//!
//! A worker runs each input twice, at both rewrite levels and by different SAT backends, and compares the
//! answers. It has the address space that the parent gives it, raises the stop flag of a solver that takes
//! seconds, and reports when its memory has once been large; then it ends, so that the next input starts
//! afresh.
//!
//! The lines of a worker: `> N` input N begins; `! ...` a finding in it; `= ...` its counts; `.` all inputs
//! are done.

mod worker;

use crate::args::MutateArgs;
use crate::bench::{release_build, setup::commit};
use crate::error::{Error, Result};
use crate::place::Place;
use crate::ticker::Ticker;
use campaign::{mutation, nasty, seed_of, seeds};
use fastrand::Rng;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Address space of a worker in kilobytes; beyond it allocations fail.
const ADDRESS_SPACE: u32 = 4_000_000;

/// How long an input may take before it counts as a hang. Generous: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(180);

/// Files of the collection that are broken, and the longest of them in bytes.
const FOLDERS: &[&str] = &["parser", "regress"];
const LONGEST: u64 = 20_000;

/// The inputs by number.
enum Inputs {
    /// Broken copies of these.
    Mutants { seed: u64, scripts: Vec<Vec<u8>> },
    /// Those with names.
    Named(Vec<nasty::Nasty>),
}

impl Inputs {
    fn new(place: &Place, args: &MutateArgs) -> Inputs {
        if args.nasty {
            return Inputs::Named(nasty::inputs());
        }
        let mut scripts = seeds::of_collection(&place.shared(), FOLDERS, LONGEST);
        scripts.extend(seeds::of_own_making(200));
        Inputs::Mutants { seed: args.seed, scripts }
    }

    /// The numbers that exist, of those asked for.
    fn range(&self, args: &MutateArgs) -> std::ops::Range<u64> {
        match self {
            Inputs::Mutants { .. } => args.from..args.from + args.count,
            Inputs::Named(inputs) => args.from..(args.from + args.count).min(inputs.len() as u64),
        }
    }

    fn text(&self, number: u64) -> Vec<u8> {
        match self {
            Inputs::Mutants { seed, scripts } => {
                mutation::mutate(&mut Rng::with_seed(seed_of(*seed, number)), scripts)
            }
            Inputs::Named(inputs) => inputs[number as usize].1.clone(),
        }
    }

    fn name(&self, number: u64) -> String {
        match self {
            Inputs::Mutants { .. } => format!("mutant {number}"),
            Inputs::Named(inputs) => format!("input {number} ({})", inputs[number as usize].0),
        }
    }
}

/// Counts of a campaign.
#[derive(Default)]
struct Tally {
    done: u64,
    commands: u64,
    refusals: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    findings: u64,
    /// The slowest inputs: milliseconds and numbers, slowest first.
    slow: Vec<(u64, u64)>,
    /// The most memory that a worker had, in megabytes.
    megabytes: u64,
}

/// Runs the campaign, or is a worker of one.
///
/// # Errors
/// When a process cannot be started or a file not be written; findings are no error but the exit code.
pub(crate) fn run(place: &Place, args: &MutateArgs) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| place.findings());
    fs::create_dir_all(&out).map_err(Error::io(&out))?;
    let inputs = Inputs::new(place, args);
    let range = inputs.range(args);
    if args.worker {
        let binary = args.binary_every.map(|every| (place.release_binary(), every));
        return worker::work(&inputs, range, binary, &out);
    }
    if args.binary_every.is_some() {
        release_build(place)?;
    }
    let kind = match &inputs {
        Inputs::Mutants { seed, scripts } => format!("mutants of {} scripts, seed {seed}", scripts.len()),
        Inputs::Named(_) => "inputs with names".to_owned(),
    };
    let total = range.end - range.start;
    eprintln!("{total} {kind}, commit {}", commit(place.root()));
    let shared = Mutex::new((Tally::default(), Ticker::start(total)));
    let parent = Parent { args, out: &out, inputs: &inputs, shared: &shared };
    let share = total.div_ceil(u64::from(args.jobs)).max(1);
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let starts = (range.start..range.end).step_by(share as usize);
        let jobs: Vec<_> = starts
            .map(|start| {
                let part = start..(start + share).min(range.end);
                let parent = &parent;
                scope.spawn(move || parent.supervise(part))
            })
            .collect();
        jobs.into_iter().map(|job| job.join().expect("a supervisor does not panic")).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    let (tally, ticker) = shared.into_inner().expect("a supervisor does not panic");
    ticker.finish();
    print!("{}", tally.summary(&inputs));
    Ok(ExitCode::from(u8::from(tally.findings > 0)))
}

/// What all supervisors share.
struct Parent<'a> {
    args: &'a MutateArgs,
    out: &'a Path,
    inputs: &'a Inputs,
    shared: &'a Mutex<(Tally, Ticker)>,
}

/// How a worker ended, with the input it was at.
enum End {
    Done,
    /// It asked for a successor.
    Retired(u64),
    Silent(u64),
    Died(u64),
}

impl Parent<'_> {
    /// Runs workers until all of a range is done.
    fn supervise(&self, mut range: std::ops::Range<u64>) -> Result<()> {
        while !range.is_empty() {
            let mut child = self.start(&range)?;
            let lines = listen(&mut child);
            let end = self.follow(&lines, range.start);
            if !matches!(end, End::Done | End::Retired(_)) {
                // A process that is gone already cannot be killed, and need not be.
                let _ = child.kill();
            }
            let status = child.wait().map_err(Error::io(Path::new("worker")))?;
            let at = match end {
                End::Done => return Ok(()),
                End::Retired(at) => at,
                End::Silent(at) => {
                    self.finding(at, &format!("no end within {} s", PATIENCE.as_secs()))?;
                    at
                }
                End::Died(at) => {
                    self.finding(at, &format!("the process died: {status}"))?;
                    at
                }
            };
            range.start = at + 1;
        }
        Ok(())
    }

    fn start(&self, range: &std::ops::Range<u64>) -> Result<Child> {
        let program = std::env::current_exe().map_err(Error::io(Path::new("this program")))?;
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" \"$@\"")]).arg(program);
        command.args(["mutate", "--worker", "--seed", &self.args.seed.to_string()]);
        command.args(["--from", &range.start.to_string()]);
        command.args(["--count", &(range.end - range.start).to_string()]);
        command.arg("--out").arg(self.out);
        if self.args.nasty {
            command.arg("--nasty");
        }
        if let Some(every) = self.args.binary_every {
            command.args(["--binary-every", &every.to_string()]);
        }
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().map_err(Error::io(Path::new("sh")))
    }

    /// Hears a worker out.
    fn follow(&self, lines: &Receiver<String>, start: u64) -> End {
        let mut at = start;
        loop {
            let line = match lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return End::Silent(at),
                Err(RecvTimeoutError::Disconnected) => return End::Died(at),
            };
            let (mark, rest) = line.split_at(line.len().min(1));
            let rest = rest.trim();
            match mark {
                ">" => {
                    at = rest.parse().unwrap_or(at);
                    if self.args.keep {
                        // What cannot be saved can still be run.
                        let _ = self.save(at);
                    }
                }
                "=" => self.count(at, rest),
                "!" => {
                    if let Err(why) = self.finding(at, rest) {
                        eprintln!("FINDING in {}: {rest}; and {why}", self.inputs.name(at));
                    }
                }
                "." if rest == "retired" => return End::Retired(at),
                "." => return End::Done,
                _ => {}
            }
        }
    }

    fn count(&self, at: u64, line: &str) {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [commands, refusals, sat, unsat, unknown, milliseconds, megabytes] = numbers[..] else { return };
        let mut shared = self.shared.lock().expect("a supervisor does not panic");
        let (tally, ticker) = &mut *shared;
        tally.done += 1;
        tally.commands += commands;
        tally.refusals += refusals;
        tally.sat += sat;
        tally.unsat += unsat;
        tally.unknown += unknown;
        tally.megabytes = tally.megabytes.max(megabytes);
        tally.slow.push((milliseconds, at));
        tally.slow.sort_unstable_by(|a, b| b.cmp(a));
        tally.slow.truncate(8);
        ticker.reached(tally.done, &tally.line());
    }

    /// Prints a finding and saves its input.
    fn finding(&self, at: u64, what: &str) -> Result<()> {
        let path = self.save(at)?;
        let mut shared = self.shared.lock().expect("a supervisor does not panic");
        shared.0.findings += 1;
        shared.1.shout(&format!("FINDING in {}: {what}\n  {}", self.inputs.name(at), path.display()));
        Ok(())
    }

    /// Writes an input to a file of its own.
    fn save(&self, at: u64) -> Result<PathBuf> {
        let kind = if self.args.nasty { "nasty" } else { "mutant" };
        let path = self.out.join(format!("{kind}-{at}.smt2"));
        fs::write(&path, self.inputs.text(at)).map_err(Error::io(&path))?;
        Ok(path)
    }
}

/// The lines of a worker, as they come.
fn listen(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let stdout = child.stdout.take().expect("the worker's output is a pipe");
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(|line| line.ok()) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Tally {
    fn line(&self) -> String {
        let Tally { refusals, sat, unsat, unknown, findings, .. } = self;
        format!("{sat} sat, {unsat} unsat, {unknown} unknown, {refusals} refusals, {findings} findings")
    }

    fn summary(&self, inputs: &Inputs) -> String {
        let mut text =
            format!("{} inputs with {} known commands: {}\n", self.done, self.commands, self.line());
        text += &format!("most memory of a worker: {} MB; the slowest:\n", self.megabytes);
        for &(milliseconds, number) in &self.slow {
            text += &format!("  {:8.3} s  {}\n", milliseconds as f64 / 1000.0, inputs.name(number));
        }
        text
    }
}
