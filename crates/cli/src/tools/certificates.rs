//! `bivalve certificates`: certificates with one thing altered, against their checker.
//!
//! Random scripts are certified, and each certificate is altered many times. What the checker shows from an
//! altered one must be true: of the script, whose checks were decided, and of a *twin* of it, in which
//! assertions became `true` until a check that was unsatisfiable has a model. For that check nothing at all
//! may be accepted. An altered certificate that is accepted is right by another way, and it is said how:
//! the step that was altered is not needed, nor is the word, or the order, or it says something else that is
//! right. A panic of the checker is a fault, too.
//!
//! Exit codes: 0 nothing wrong was accepted; 1 something was, or the checker panicked; 2 the command line is
//! wrong; 130 Ctrl-C.

use super::alteration::{Examination, Finding, examine};
use super::flags::{JobArgs, LimitArgs, OutputArgs, SeedArgs, print};
use super::interruptible;
use super::progress::Bar;
use crate::limits::INTERRUPTED_EXIT;
use crate::outputs;
use bivalve_fuzz::mixture::Mixture;
use bivalve_harness::{Cancel, Table, work};
use bivalve_judge::Inside;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  bivalve certificates                         a thousand altered certificates
  bivalve certificates -n 100000 --seed 7      more of them, by other chance
  bivalve certificates -n 500 --verbose        each one that is accepted, and why that is right
  bivalve certificates -n 5000 -o found        what is wrong, as scripts and certificates in a folder

Exit codes: 0 nothing wrong was accepted, 1 something was, or the checker panicked, 2 the command line is wrong.";

/// Alter certificates at random, and see that the checker accepts nothing wrong.
#[derive(Parser)]
#[command(
    name = "bivalve certificates",
    after_help = EXAMPLES,
    mut_arg("time_limit", |arg| arg.default_value("10")),
    mut_arg("output", |arg| arg.value_name("FOLDER").help("Write what is wrong to this folder")),
)]
struct Args {
    /// So many altered certificates, at least
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000)]
    count: u64,
    /// Altered certificates of one script
    #[arg(long, value_name = "N", default_value_t = 40)]
    each: u64,
    /// The number of the first script
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    if let Some(folder) = &args.output.output {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let (cancel, mixture) = (interruptible(), Mixture::new(args.seed.seed));
    let inside =
        Inside::new("bivalve", bivalve::Settings::default(), args.limits.time_limit.unwrap_or_default());
    let bar = Bar::new(&args.output, args.count);
    let (mut total, mut problem) = (Examination::default(), None);
    // A panic of the checker is a finding, and is reported as one.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let work = |number, over: &Cancel| examine(&mixture, args.seed.seed, number, args.each, &inside, over);
    let done = work::in_order(args.from.., args.jobs.count(), &cancel, work, &mut |one: Examination| {
        bar.pass_over(one.altered());
        let shown = show(&args, &bar, &one);
        total.add(one);
        problem = shown.err();
        match problem.is_some() || total.altered() >= args.count {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    std::panic::set_hook(hook);
    done.and(problem.map_or(Ok(()), Err))?;
    bar.close();
    print(&if args.output.json { line(&total) } else { table(&total) })?;
    // Scripts have no end: what is not whole was interrupted.
    Ok(match (total.findings.is_empty(), total.altered() < args.count) {
        (false, _) => ExitCode::from(1),
        (true, true) => ExitCode::from(INTERRUPTED_EXIT),
        (true, false) => ExitCode::SUCCESS,
    })
}

/// Shows what was found with one script.
fn show(args: &Args, bar: &Bar, one: &Examination) -> Result<(), String> {
    if args.output.verbose {
        one.accepted.iter().for_each(|line| bar.show(line));
    }
    for Finding { name, what, script, certificate } in &one.findings {
        bar.show(&args.output.color.alarm(&format!("{name}: {what}")));
        let Some(folder) = &args.output.output else { continue };
        for (ending, text) in [
            ("smt2", format!("; {}\n{script}", what.replace('\n', " ")).into_bytes()),
            ("bvc", certificate.clone()),
        ] {
            let path = folder.join(format!("{name}.{ending}"));
            outputs::write(&path, text)?;
        }
    }
    Ok(())
}

/// The counts of each kind of alteration, as columns.
fn rows(total: &Examination) -> BTreeMap<&'static str, [u64; 6]> {
    let mut rows: BTreeMap<&str, [u64; 6]> = BTreeMap::new();
    for (&(kind, outcome), &count) in &total.counts {
        rows.entry(kind).or_default()[outcome as usize] += count;
    }
    rows
}

fn table(total: &Examination) -> String {
    let mut table = Table::new([
        "<Altered",
        "Certificates",
        "Rejected",
        "Not needed",
        "In any order",
        "Right as well",
        "Shows less",
        "Wrong",
    ]);
    let mut sums = [0; 6];
    for (kind, counts) in rows(total) {
        let cells = [counts.iter().sum::<u64>()].into_iter().chain(counts).map(|count| count.to_string());
        table.row(std::iter::once(kind.to_owned()).chain(cells));
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let cells = [sums.iter().sum::<u64>()].into_iter().chain(sums).map(|count| count.to_string());
    table.row(std::iter::once("all".to_owned()).chain(cells));
    table.text() + &format!("{} scripts, {} of them with a satisfiable twin\n", total.scripts, total.twins)
}

fn line(total: &Examination) -> String {
    let rows: BTreeMap<&str, serde_json::Value> = rows(total)
        .into_iter()
        .map(|(kind, [rejected, unneeded, order, right, less, wrong])| {
            let counts = json!({ "rejected": rejected, "not-needed": unneeded, "any-order": order,
                "right": right, "less": less, "wrong": wrong });
            (kind, counts)
        })
        .collect();
    json!({ "altered": total.altered(), "scripts": total.scripts, "twins": total.twins,
        "findings": total.findings.len(), "kinds": rows })
    .to_string()
        + "\n"
}
