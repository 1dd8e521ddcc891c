//! `cargo xtask bench`: Bivalve beside its peers over a list of files.
//!
//! Three steps, and what each leaves in the results' folder:
//!
//! 1. select ([`select`]): `files.jsonl`, the files with what is known of them;
//! 2. run ([`setup`], [`runner`], [`progress`]): `setup.json`, the conditions; `run.jsonl`, one line a run;
//! 3. report ([`family`], [`duel`], [`report`], and the plots): `table.md`, `scatter-*.svg`, `cactus.svg`.
//!
//! Log, scores, verdicts, tables and plots are those of `bivalve-experiment`. The third step reads only what
//! the first two have left, so `--report DIR` is the same step alone, on any machine. Times are CPU times
//! throughout, because measurements are made on machines that do other things as well; numbers to quote are
//! ratios between solvers of one run.

mod duel;
mod family;
mod progress;
mod report;
mod runner;
#[cfg(test)]
mod sample;
pub(crate) mod select;
pub(crate) mod setup;

use crate::args::BenchArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use bivalve_experiment::log::Log;
use bivalve_experiment::plot::{self, Answers};
use bivalve_experiment::verdict::{self, Index};
use report::{Length, Report};
use runner::Order;
use select::Problem;
use setup::Setup;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The name under which Bivalve itself stands in every log.
const OURS: &str = "bivalve";

/// Makes a measurement and reports it, or reports an earlier one.
///
/// # Errors
/// When something needed is missing or fails; wrong answers are no error but the exit code.
pub(crate) fn run(place: &Place, args: &BenchArgs) -> Result<ExitCode> {
    let out = match &args.report {
        Some(folder) => Folder(folder.clone()),
        None => {
            let out = Folder(args.out.clone().unwrap_or_else(|| place.default_out()));
            measure(place, args, &out)?;
            out
        }
    };
    write_report(&out, args.against.as_deref())
}

/// The results' folder.
struct Folder(PathBuf);

impl Folder {
    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn log(&self) -> PathBuf {
        self.file("run.jsonl")
    }

    fn selection(&self) -> PathBuf {
        self.file("files.jsonl")
    }

    fn setup(&self) -> PathBuf {
        self.file("setup.json")
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.file(name);
        fs::write(&path, text).map_err(Error::io(&path))
    }
}

/// Selects, runs, and leaves log, selection and conditions in the folder.
fn measure(place: &Place, args: &BenchArgs, out: &Folder) -> Result<()> {
    let script = place.runner()?;
    let problems = select::pick(place, &args.pick)?;
    let binary = subject(place, args.contest.bivalve.as_deref())?;
    let setup = Setup::new(place, &args.contest, &binary, problems.len())?;
    fs::create_dir_all(&out.0).map_err(Error::io(&out.0))?;
    let log = std::path::absolute(out.log()).map_err(Error::io(&out.0))?;
    if args.resume {
        keep_earlier(&setup, out)?
    } else {
        anew(&setup, out, &log)?
    }
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| serde_json::to_string(problem).expect("words are always JSON") + "\n")
        .collect();
    out.write("files.jsonl", &lines.concat())?;
    let peers: Vec<&str> = setup.peers.iter().map(|(name, _)| name.as_str()).collect();
    eprintln!("files: {}; {} beside {}; into {}", problems.len(), OURS, peers.join(", "), out.0.display());
    let folder = match place.collection() {
        folder if folder.is_dir() => folder,
        _ => place.root().to_path_buf(),
    };
    Order { script, folder, setup: &setup, problems: &problems, log, resume: args.resume }.execute()
}

/// The binary to measure: the one named, else the release build, brought up to date first.
fn subject(place: &Place, named: Option<&Path>) -> Result<PathBuf> {
    match named {
        None => release_build(place),
        Some(path) if path.is_file() => Ok(path.to_path_buf()),
        Some(path) => Err(missing(path, "give --bivalve the path of a solver")),
    }
}

fn missing(path: &Path, hint: &str) -> Error {
    Error::Missing { what: "the binary to measure", path: path.to_path_buf(), hint: hint.to_owned() }
}

/// The release binary, brought up to date.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn release_build(place: &Place) -> Result<PathBuf> {
    let status = Command::new("cargo")
        .args(["build", "--release", "-p", "cli"])
        .current_dir(place.root())
        .status()
        .map_err(Error::io(Path::new("cargo")))?;
    if !status.success() {
        let tail = "build it, or measure another binary with --bivalve PATH".to_owned();
        return Err(Error::Failed { command: "cargo build --release -p cli".to_owned(), status, tail });
    }
    let path = place.release_binary();
    if path.is_file() {
        Ok(path)
    } else {
        Err(missing(&path, "the build should have made it: see package cli"))
    }
}

/// For `--resume`: rewrites the log with what still holds.
fn keep_earlier(setup: &Setup, out: &Folder) -> Result<()> {
    if !out.log().exists() {
        return setup.write(&out.setup());
    }
    let mut log = Log::read(&out.log())?;
    let earlier = Setup::read(&out.setup())?;
    if let Some(note) = setup.keep_valid(earlier.as_ref(), &mut log)? {
        eprintln!("{note}");
    }
    out.write("run.jsonl", &log.to_text().expect("runs are words and numbers, always JSON"))?;
    setup.remembering(earlier.as_ref()).write(&out.setup())
}

/// Starts a new log. A log costs hours: the last one in the same folder is renamed, not overwritten.
fn anew(setup: &Setup, out: &Folder, log: &Path) -> Result<()> {
    if log.exists() {
        let aside = log.with_file_name("run.previous.jsonl");
        fs::rename(log, &aside).map_err(Error::io(log))?;
        eprintln!("the log that was there is now {}", aside.display());
    }
    setup.write(&out.setup())
}

/// Reads the folder, writes tables and plots into it, and prints the short form.
fn write_report(out: &Folder, against: Option<&str>) -> Result<ExitCode> {
    let path = out.log();
    if !path.exists() {
        let hint = "`--report` wants the folder of an earlier measurement".to_owned();
        return Err(Error::Missing { what: "the log", path, hint });
    }
    let mut log = Log::read(&path)?;
    let problems: Vec<Problem> =
        if out.selection().exists() { select::read_problems(&out.selection())? } else { Vec::new() };
    if !problems.is_empty() {
        let selected: BTreeSet<&str> = problems.iter().map(|problem| problem.file.as_str()).collect();
        log.retain(|run| selected.contains(run.file.as_str()));
    }
    if log.runs().next().is_none() {
        return Err(Error::Usage(format!("{} holds no runs on the selected files", path.display())));
    }
    let setup = Setup::read(&out.setup())?;
    let verdict = verdict::judge(&mut log, &index(&problems));
    let reference = report::reference(&log, against).map_err(Error::Usage)?;
    let report = Report {
        log: &log,
        problems: &problems,
        verdict: &verdict,
        setup: setup.as_ref(),
        reference: reference.as_deref(),
    };
    out.write("table.md", &report.markdown(Length::Full))?;
    let plots = plots(&log)?;
    for (name, svg) in &plots {
        out.write(name, svg)?;
    }
    let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
    let text = report.markdown(Length::Short);
    // Everything is in the folder already: a reader who closes the pipe early (`| head`) misses nothing.
    let _ = writeln!(std::io::stdout(), "{text}Written to {}: table.md {}", out.0.display(), names.join(" "));
    if !verdict.is_clean() {
        eprint!("\n{}", verdict.findings());
    }
    Ok(match (verdict.is_clean(), verdict.involves(OURS)) {
        (true, _) => ExitCode::SUCCESS,
        (false, true) => ExitCode::from(1),
        (false, false) => ExitCode::from(3),
    })
}

/// What the collection knows of the files.
fn index(problems: &[Problem]) -> Index {
    let known = problems.iter().filter_map(|one| Some((one.file.clone(), one.status.as_deref()?)));
    known.map(|(file, status)| (file, status.split(',').map(str::to_owned).collect())).collect()
}

/// All plots of a log: file name and SVG text.
fn plots(log: &Log) -> Result<Vec<(String, String)>> {
    let mut plots = Vec::new();
    if log.ran(OURS) {
        for peer in log.others(OURS) {
            let svg = plot::scatter(log, OURS, peer, Answers::All)?;
            plots.push((format!("scatter-{}.svg", plot::file_name(peer)), svg));
        }
    }
    let solvers: Vec<&str> = log.solvers().collect();
    plots.push(("cactus.svg".to_owned(), plot::cactus(log, &solvers, Some(OURS), Answers::All)?));
    Ok(plots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_scatter_plot_for_each_peer_and_one_cactus_plot() {
        let names: Vec<String> = plots(&sample::log()).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["scatter-bitwuzla.svg", "scatter-yices.svg", "cactus.svg"]);
    }
}
