//! `cargo xtask torture`: all generators, all judges, the reducer, for as long as you like.
//!
//! Runs the library's `torture` on all cores until the time is over or so many cases are done, shows findings
//! as they come, and leaves each, made small, as a script under `tests/regressions`, in a folder named by the
//! options that showed it. Such a script is run by the test of scripts from then on.

use crate::args::TortureArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use crate::ticker::Ticker;
use bivalve_harness::Cancel;
use bivalve_judge::{Campaign, Judge, Outcome, Tally, USUAL_PERCENT};
use campaign::torture::{CHUNK, Finding, Torture, plain};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A reduction takes no longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Findings that are made small; behind that they are only counted.
const ENOUGH: usize = 40;

/// Runs the torture.
///
/// # Errors
/// When a file cannot be written; findings are no error but the exit code.
pub(crate) fn run(place: &Place, args: &TortureArgs) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| place.root().join("tests/regressions"));
    let torture = Arc::new(Torture::new(args.seed));
    let trusted = plain();
    let jobs = args.jobs.unwrap_or(0);
    let from = args.from / CHUNK * CHUNK;
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let campaign =
        Campaign { jobs, task: CHUNK as usize, ..Campaign::new(torture.solvers(from / CHUNK), judge) };
    let deadline =
        args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes.max(0.0)));
    let count = args.count.or_else(|| args.minutes.is_none().then_some(1000)).unwrap_or(u64::MAX);
    let mut ticker = Ticker::start(count);
    let (mut tally, mut kept, mut problem) = (Tally::default(), vec![], None);
    let hook = std::panic::take_hook();
    // Panics of the tortured are findings, not messages.
    std::panic::set_hook(Box::new(|_| {}));
    let last = from.saturating_add(count);
    let cases = (from..last).map(|number| torture.case(number));
    let done = campaign.run(cases, &Cancel::new(), &mut |outcome| {
        let Some(record) = &outcome.record else { return ControlFlow::Continue(()) };
        tally.add(record);
        if record.is_finding() && kept.len() < ENOUGH {
            for finding in small(&torture, &outcome) {
                ticker.shout(&format!(
                    "FINDING {}: {}/{}\n{}",
                    record.case, finding.folder, finding.name, finding.text
                ));
                if let Err(error) = keep(&out, &finding) {
                    problem = Some(error);
                    return ControlFlow::Break(());
                }
                kept.push(format!("{}/{}", finding.folder, finding.name));
            }
        }
        ticker.reached(tally.cases, &format!("{} findings", tally.findings));
        let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    std::panic::set_hook(hook);
    ticker.finish();
    done.map_err(Error::Usage)?;
    problem.map_or(Ok(()), Err)?;
    print!("{}", tally.table());
    println!("seed {}: {} cases from {}, {} findings", args.seed, tally.cases, from, tally.findings);
    kept.iter().for_each(|name| println!("  {}", out.join(name).display()));
    Ok(ExitCode::from(u8::from(tally.findings > 0)))
}

/// What was found at a case, made small within the limit of patience.
pub(crate) fn small(torture: &Torture, outcome: &Outcome) -> Vec<Finding> {
    let number = outcome.name.rsplit(' ').next().and_then(|number| number.parse::<u64>().ok());
    number.map_or(vec![], |number| patiently(|cancel| torture.reduce(outcome, number, cancel)))
}

/// Does something that can be ended early, and ends it when patience is over.
fn patiently<T>(act: impl FnOnce(&Cancel) -> T) -> T {
    let cancel = Cancel::new();
    let (done, waiting) = channel::<()>();
    let raised = cancel.clone();
    let clock = std::thread::spawn(move || {
        if waiting.recv_timeout(PATIENCE).is_err() {
            raised.raise();
        }
    });
    let result = act(&cancel);
    // The clock may have struck already.
    let _ = done.send(());
    let _ = clock.join();
    result
}

fn keep(out: &Path, finding: &Finding) -> Result<()> {
    let folder = out.join(&finding.folder);
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let path = folder.join(&finding.name);
    fs::write(&path, &finding.text).map_err(Error::io(&path))
}
