//! The folder of results of an experiment: its log, what it was, its table and its plots.
//!
//! The log is added to line by line while runs are made, so that whatever ends the process leaves every run
//! that had ended. When an experiment is done the log is put in order (by column, by file), which makes it
//! the same however many runs were made at a time; runs that belong to no column of today stay.

use super::args::Drawing;
use crate::limits::INTERRUPTED_EXIT;
use bivalve_experiment::Error;
use bivalve_experiment::log::{Log, Run};
use bivalve_experiment::plot::{self, Answers};
use bivalve_experiment::report::Report;
use bivalve_experiment::setup::Setup;
use bivalve_experiment::verdict::{Index, Verdict, judge};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder.
pub(super) struct Results(PathBuf);

/// The log while runs are added.
pub(super) struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Adds a run.
    pub(super) fn line(&mut self, run: &Run) -> Result<(), Error> {
        let line = serde_json::to_string(run).expect("words and numbers are always JSON") + "\n";
        self.file.write_all(line.as_bytes()).map_err(Error::io(&self.path))
    }
}

impl Results {
    /// The results in this folder.
    pub(super) fn at(folder: &Path) -> Results {
        Results(folder.to_owned())
    }

    fn log(&self) -> PathBuf {
        self.0.join("run.jsonl")
    }

    /// Where it is written down what the experiment was.
    pub(super) fn setup(&self) -> PathBuf {
        self.0.join("setup.json")
    }

    /// Makes the folder, writes down what the experiment is, and says which runs are there.
    ///
    /// # Errors
    /// A sentence, when the folder cannot be written, or its log cannot be read.
    pub(super) fn open(&self, setup: &Setup) -> Result<Log, String> {
        fs::create_dir_all(&self.0).map_err(|error| format!("{}: {error}", self.0.display()))?;
        setup.write(&self.setup()).map_err(|error| error.to_string())?;
        if !self.log().exists() {
            return Ok(Log::default());
        }
        let log = Log::read_names(&self.log()).map_err(|error| error.to_string())?;
        self.end_line().map_err(|error| format!("{}: {error}", self.log().display()))?;
        Ok(log)
    }

    /// Cuts off a last line without an end, which would spoil the one behind it.
    fn end_line(&self) -> std::io::Result<()> {
        let mut file = OpenOptions::new().read(true).write(true).open(self.log())?;
        let (mut length, mut byte) = (file.seek(SeekFrom::End(0))?, [b' ']);
        while length > 0 {
            file.seek(SeekFrom::Start(length - 1))?;
            file.read_exact(&mut byte)?;
            if byte == [b'\n'] {
                break;
            }
            length -= 1;
        }
        file.set_len(length)
    }

    /// The runs that are there.
    fn read(&self) -> Result<Log, String> {
        match self.log().exists() {
            true => Log::read(&self.log()).map_err(|error| error.to_string()),
            false => Ok(Log::default()),
        }
    }

    /// The log, to be added to.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    pub(super) fn append(&self) -> Result<Writer, String> {
        let path = self.log();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.map(|file| Writer { path: path.clone(), file })
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Puts the log in order; it is there all the time, before or after.
    ///
    /// # Errors
    /// A sentence, when it cannot be read or written.
    pub(super) fn settle(&self) -> Result<(), String> {
        let text = self.read()?.to_text().map_err(|error| error.to_string())?;
        let (path, beside) = (self.log(), self.0.join("run.jsonl.new"));
        let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Judges the runs of an experiment, writes table and plots, and prints the table.
    ///
    /// # Errors
    /// A sentence, when something cannot be read or written, or what is to be shown is not there.
    pub(super) fn report(&self, setup: &Setup, drawing: &Drawing<'_>) -> Result<Reported, String> {
        let (mut log, _) = setup.sort(&self.read()?);
        let verdict = judge(&mut log, &Index::new());
        let report = Report { setup, log: &log, verdict: &verdict, show: drawing.show };
        report.check_shown()?;
        let text = report.markdown(drawing.by_family);
        let mut written = vec!["table.md".to_owned()];
        self.write("table.md", &text)?;
        for (name, svg) in plots(setup, &log, drawing)? {
            self.write(&name, &svg)?;
            written.push(name);
        }
        // Everything is in the folder already: a reader who closes the pipe early misses nothing.
        let end = format!("\nIn {}: {}\n", self.0.display(), written.join(" "));
        let _ = std::io::stdout().write_all((text + &end).as_bytes());
        Ok(Reported { verdict })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
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
            plots.push((format!("cactus{suffix}.svg"), plot::cactus(log, &columns, None, answers)));
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
