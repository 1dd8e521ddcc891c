//! The folder of results of an experiment: its log, what it was, its table and its plots.
//!
//! The log is appended to line by line while runs are made, so that whatever ends the process leaves every
//! run that had ended. Runs that belong to no column of today stay in it.

use super::args::Drawing;
use crate::limits::INTERRUPTED_EXIT;
use crate::outputs;
use crate::tools::flags::print;
use bivalve_experiment::log::Log;
use bivalve_experiment::plot::{self, Answers};
use bivalve_experiment::report::Report;
use bivalve_experiment::setup::Setup;
use bivalve_experiment::verdict::{Verdict, judge};
use bivalve_harness::log;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder, and the log, which usually lies in it.
pub(super) struct Results {
    folder: PathBuf,
    log: PathBuf,
}

impl Results {
    /// The results in this folder.
    pub(super) fn at(folder: &Path, log: Option<&Path>) -> Results {
        let log = log.map_or_else(|| folder.join("run.jsonl"), Path::to_owned);
        Results { folder: folder.to_owned(), log }
    }

    /// The log.
    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// Where it is written down what the experiment was.
    pub(super) fn setup(&self) -> PathBuf {
        self.folder.join("setup.json")
    }

    /// Makes the folder, and writes down what the experiment is.
    ///
    /// # Errors
    /// A sentence, when the folder cannot be written.
    pub(super) fn open(&self, setup: &Setup) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        setup.write(&self.setup()).map_err(|error| error.to_string())
    }

    /// Judges the runs of an experiment, writes table and plots, and prints the table.
    ///
    /// # Errors
    /// A sentence, when something cannot be read or written, or what is to be shown is not there.
    pub(super) fn report(
        &self,
        setup: &Setup,
        drawing: &Drawing<'_>,
        logs: &[PathBuf],
        json: bool,
    ) -> Result<Reported, String> {
        let mut log = setup.runs(&log::read(logs).map_err(|error| error.to_string())?);
        let verdict = judge(&mut log, &setup.index());
        let Drawing { show, against, families, .. } = *drawing;
        let report = Report { setup, log: &log, verdict: &verdict, show, against, families };
        report.check_shown()?;
        let text = report.markdown();
        let mut written = vec!["table.md".to_owned()];
        self.write("table.md", &text)?;
        for (name, svg) in plots(setup, &log, drawing)? {
            self.write(&name, &svg)?;
            written.push(name);
        }
        if json {
            let runs: Result<Vec<String>, _> = log.runs().map(serde_json::to_string).collect();
            print(&(runs.map_err(|error| error.to_string())?.join("\n") + "\n"))?;
        } else {
            print(&format!("{text}\nIn {}: {}\n", self.folder.display(), written.join(" ")))?;
        }
        Ok(Reported { verdict })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        outputs::write(&self.folder.join(name), text)
    }
}

/// All plots that are asked for: file names and SVG text.
fn plots(setup: &Setup, log: &Log, drawing: &Drawing<'_>) -> Result<Vec<(String, String)>, String> {
    let kinds: &[(Answers, &str)] = match drawing.split {
        true => &[(Answers::Sat, "-sat"), (Answers::Unsat, "-unsat")],
        false => &[(Answers::All, "")],
    };
    let columns: Vec<&str> = setup.columns.iter().map(|column| column.name.as_str()).collect();
    let mut plots = vec![];
    for &(answers, suffix) in kinds {
        for (one, other) in drawing.scatters(setup)? {
            let name = plot::file_name(&format!("scatter-{}-{}{suffix}.svg", one.name, other.name));
            plots.push((name, plot::scatter(log, &one.name, &other.name, answers)));
        }
        if drawing.cactus {
            plots.push((format!("cactus{suffix}.svg"), plot::cactus(log, &columns, answers)));
        }
    }
    let drawn = plots.into_iter().map(|(name, svg)| Ok((name, svg.map_err(|error| error.to_string())?)));
    drawn.collect()
}

/// What came out.
pub(super) struct Reported {
    verdict: Verdict,
}

impl Reported {
    /// The exit code.
    pub(super) fn exit(&self, cancelled: bool) -> ExitCode {
        match (self.verdict.is_clean(), cancelled) {
            (false, _) => ExitCode::from(1),
            (true, true) => ExitCode::from(INTERRUPTED_EXIT),
            (true, false) => ExitCode::SUCCESS,
        }
    }
}
