//! The process that does the work of `cargo xtask mutate`, and may die of it.
//!
//! It speaks to its parent by lines on standard output (see [`super`]); a panic becomes such a line by way of
//! the panic hook, is caught, and the next input is run. One thread sleeps beside it and raises the stop flag
//! of a solver that has been at an input for some seconds: so the flag is tested, too, and an input that
//! merely is much work is no hang.

use super::Inputs;
use crate::error::{Error, Result};
use bivalve::Stop;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_oracle::Watch;
use campaign::drive::{Transcript, drive, small_budget};
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// After this long a solver is stopped.
const LONG: Duration = Duration::from_secs(4);

/// Resident memory in megabytes that is a finding.
const MUCH_MEMORY: u64 = 1024;

/// Backends that take turns: those that keep budgets.
const BACKENDS: [&str; 2] = ["batsat", "cadical"];

/// Runs the inputs of a range; every so many of them also go to the binary.
///
/// # Errors
/// When the binary cannot be started.
pub(super) fn work(
    inputs: &Inputs,
    range: Range<u64>,
    binary: Option<(PathBuf, u64)>,
    out: &Path,
) -> Result<ExitCode> {
    std::panic::set_hook(Box::new(|panic| say('!', &panic.to_string())));
    let watch = Watch::new(LONG);
    for number in range {
        say('>', &number.to_string());
        let started = Instant::now();
        let text = inputs.text(number);
        let transcript = run_twice(&text, number, &watch);
        if let Some((binary, every)) = &binary
            && number.is_multiple_of(*every)
        {
            run_binary(binary, &text, out)?;
        }
        let megabytes = peak_megabytes();
        if megabytes > MUCH_MEMORY {
            say('!', &format!("{megabytes} MB of memory"));
        }
        let count = |what| transcript.answers.iter().filter(|&&answer| answer == what).count();
        let (sat, unsat, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let Transcript { commands, refusals, .. } = transcript;
        let milliseconds = started.elapsed().as_millis();
        say('=', &format!("{commands} {refusals} {sat} {unsat} {unknown} {milliseconds} {megabytes}"));
        if megabytes > MUCH_MEMORY {
            say('.', "retired");
            return Ok(ExitCode::SUCCESS);
        }
    }
    say('.', "");
    Ok(ExitCode::SUCCESS)
}

/// One line to the parent.
fn say(mark: char, text: &str) {
    let text: String = text.chars().map(|c| if c == '\n' { ' ' } else { c }).take(600).collect();
    let mut out = std::io::stdout().lock();
    // A parent that no longer listens will not miss it.
    let _ = writeln!(out, "{mark} {text}").and_then(|()| out.flush());
}

/// Two rewrite levels; the first transcript. A panic has been reported by the hook.
fn run_twice(text: &[u8], number: u64, watch: &Watch) -> Transcript {
    let options = ParserOptions { strict: number.is_multiple_of(5) };
    let level = (number % 4) as u8;
    let backend = BACKENDS[(number / 2) as usize % BACKENDS.len()];
    let run = |sat: &str, level: u8| {
        let settings = small_budget(sat, level);
        let mut started = |stop: &Stop| watch.begin(stop);
        let outcome = catch_unwind(AssertUnwindSafe(|| drive(text, &settings, options, &mut started)));
        watch.end();
        match outcome {
            Ok(Ok(transcript)) => Some(transcript),
            Ok(Err(fault)) => {
                say('!', &format!("{sat}, level {level}: {fault}"));
                None
            }
            Err(_) => None,
        }
    };
    let (first, second) = (run(backend, level), run("cadical", 3 - level));
    if let (Some(first), Some(second)) = (&first, &second) {
        let differ = |(a, b): (&Option<bool>, &Option<bool>)| a.is_some() && b.is_some() && a != b;
        if first.answers.len() != second.answers.len()
            || first.answers.iter().zip(&second.answers).any(differ)
        {
            say(
                '!',
                &format!("level {level}, {backend}: {:?}; the other: {:?}", first.answers, second.answers),
            );
        }
    }
    first.or(second).unwrap_or_default()
}

/// The binary must understand or refuse: exit code 0 or 1, soon, within its memory.
fn run_binary(binary: &Path, text: &[u8], out: &Path) -> Result<()> {
    let file = out.join(format!("input-{}.smt2", std::process::id()));
    fs::write(&file, text).map_err(Error::io(&file))?;
    let status = Command::new("timeout")
        .args(["-k", "1", "40"])
        .arg(binary)
        .args(["--time-limit", "5", "--conflict-limit", "200", "--gate-limit", "2000000"])
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(Error::io(Path::new("timeout")))?;
    fs::remove_file(&file).map_err(Error::io(&file))?;
    if !matches!(status.code(), Some(0 | 1)) {
        say('!', &format!("the binary ended with {status}"));
    }
    Ok(())
}

/// The most memory this process has had resident; 0 where the system does not tell.
fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}
