//! `cargo xtask faults`: is torture worth anything?
//!
//! For each deliberate fault of `bivalve-faults` a Bivalve that has it is tortured, as `cargo xtask torture`
//! would, until something is found; that is made small by the reducer in this process. All solvers that take
//! part have the fault, the plain one and the referee of cores too, as they would have a real one. A finding
//! counts when it is confirmed by the plain Bivalve without the fault, who plays the part of other solvers
//! then, as it does while the finding is made small.
//!
//! Faults are in no ordinary build. The chore runs itself once more with the feature that brings them in.
//!
//! What is printed, a line for each fault: how long it stayed hidden, in seconds (they depend on the machine)
//! and in cases (they do not); the kind of the finding, as in the tables of `bivalve campaign`, `?` where
//! solvers disagree and nobody knows who is right; the generator that made the case; and the bytes of the
//! script before and after, without the comments in its head.

use crate::args::FaultsArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use crate::torture::small;
use bivalve_faults::{FAULTS, FaultRow};
use bivalve_harness::Cancel;
use bivalve_judge::{Campaign, Judge, USUAL_PERCENT};
use campaign::torture::{CHUNK, Finding, Torture, plain_with};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Instant;

/// Scripts that a reader sees at a glance.
const SMALL: usize = 300;

/// What became of a fault.
struct Hunt {
    cases: u64,
    /// Findings that nobody confirmed.
    doubtful: u64,
    /// Until it was found.
    seconds: f64,
    /// The generator and the small script.
    found: Option<(String, Finding)>,
}

/// Hunts all faults, or those that are named.
///
/// # Errors
/// When there is no fault of a name, when the build fails, or when a file cannot be written.
pub(crate) fn run(place: &Place, args: &FaultsArgs) -> Result<ExitCode> {
    if let Some(name) = args.names.iter().find(|name| FAULTS.iter().all(|row| row.name != **name)) {
        return Err(Error::Usage(format!("there is no fault '{name}'")));
    }
    if !cfg!(feature = "faults") {
        return run_with_faults(place);
    }
    let wanted = |row: &&FaultRow| args.names.is_empty() || args.names.iter().any(|name| name == row.name);
    let hook = std::panic::take_hook();
    // Panics of the tortured are findings, not messages.
    std::panic::set_hook(Box::new(|_| {}));
    println!(
        "{:<18} {:<8} {:>8} {:>7}  {:<4} {:<18} {:>6} {:>6}",
        "fault", "part", "seconds", "cases", "kind", "generator", "before", "after"
    );
    let (mut all, mut found, mut small, mut problem) = (0, 0, 0, None);
    for row in FAULTS.iter().filter(wanted) {
        let hunt = hunt(row, args);
        all += 1;
        found += usize::from(hunt.found.is_some());
        small += usize::from(hunt.found.as_ref().is_some_and(|(_, finding)| finding.after < SMALL));
        println!("{}", line(row, &hunt));
        if let (Some(out), Some((_, finding))) = (&args.out, &hunt.found) {
            let path = out.join(format!("{}.smt2", row.name));
            let kept = fs::create_dir_all(out).and_then(|()| fs::write(&path, &finding.text));
            problem = problem.or(kept.map_err(Error::io(&path)).err());
        }
    }
    std::panic::set_hook(hook);
    problem.map_or(Ok(()), Err)?;
    println!("seed {}: {found} of {all} found, {small} of them under {SMALL} bytes", args.seed);
    Ok(ExitCode::from(u8::from(found < all)))
}

/// The same chore in a build that has faults.
fn run_with_faults(place: &Place) -> Result<ExitCode> {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    cargo.current_dir(place.root());
    cargo.args(["run", "--quiet", "--release", "--package", "xtask", "--features", "faults", "--"]);
    cargo.args(std::env::args_os().skip(1));
    let status = cargo.status().map_err(Error::io(Path::new("cargo")))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// Tortures a Bivalve with a fault until something is found, and makes that small.
fn hunt(row: &FaultRow, args: &FaultsArgs) -> Hunt {
    let always = vec![("plant", row.name.to_owned())];
    let trusted = plain_with(&always);
    let torture = Arc::new(Torture::with(args.seed, always));
    let jobs = args.jobs.unwrap_or(0);
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let campaign = Campaign { jobs, task: CHUNK as usize, ..Campaign::new(torture.solvers(0), judge) };
    let begin = Instant::now();
    let mut hunt = Hunt { cases: 0, doubtful: 0, seconds: 0.0, found: None };
    let done =
        campaign.run((0..args.cases).map(|number| torture.case(number)), &Cancel::new(), &mut |outcome| {
            let Some(record) = &outcome.record else { return ControlFlow::Continue(()) };
            hunt.cases += 1;
            if record.is_finding() {
                hunt.seconds = begin.elapsed().as_secs_f64();
                let findings =
                    small(&torture, &outcome).into_iter().filter(|finding| finding.refusal.is_none());
                let smallest = findings.min_by_key(|finding| finding.after);
                hunt.doubtful += u64::from(smallest.is_none());
                hunt.found = smallest.map(|finding| (record.group.clone(), finding));
            }
            if hunt.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    done.expect("threads start");
    hunt
}

fn line(row: &FaultRow, hunt: &Hunt) -> String {
    let (generator, kind, before, after) = match &hunt.found {
        None => ("not found", "-", "-".to_owned(), "-".to_owned()),
        Some((generator, finding)) => {
            let kind = finding.kind.map_or("?", |kind| kind.word());
            (&generator[..], kind, finding.before.to_string(), finding.after.to_string())
        }
    };
    format!(
        "{:<18} {:<8} {:>8.1} {:>7}  {kind:<4} {generator:<18} {before:>6} {after:>6}  {}",
        row.name,
        row.part.name(),
        hunt.seconds,
        hunt.cases,
        if hunt.doubtful > 0 { format!("{} not confirmed before", hunt.doubtful) } else { String::new() },
    )
    .trim_end()
    .to_owned()
}
