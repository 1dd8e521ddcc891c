//! Running solvers on files, by way of the runner script beside the workspace.
//!
//! The script starts each solver as a process of its own under limits of CPU time and memory, measures what
//! the system charged to it, and writes one JSON line a run. It is trusted with exactly that; selection,
//! scores and plots are ours. A measurement is handed over in batches, because a command line holds only so
//! many file names; every batch after the first continues the log. A finished run is in the log at once, so a
//! stopped measurement loses only what was running, and `--resume` goes on from there.

use super::progress::Progress;
use super::select::Problem;
use super::setup::Setup;
use crate::error::{Error, Result};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::thread;

/// Files of one batch: at 200 bytes a name well below the system's limit for a command line.
const BATCH: usize = 4000;

/// One measurement to be made.
pub(crate) struct Order<'o> {
    /// The runner script.
    pub(crate) script: PathBuf,
    /// Where relative file names start.
    pub(crate) folder: PathBuf,
    /// Solvers and limits.
    pub(crate) setup: &'o Setup,
    /// The files.
    pub(crate) problems: &'o [Problem],
    /// The log to write, or to continue.
    pub(crate) log: PathBuf,
    /// Whether the log has runs to keep.
    pub(crate) resume: bool,
}

impl Order<'_> {
    /// Runs everything; the log holds the result.
    ///
    /// # Errors
    /// When python3 or the script cannot be started or fail.
    pub(crate) fn execute(&self) -> Result<()> {
        let mut progress = Progress::start();
        let done = self.problems.chunks(BATCH).enumerate().try_for_each(|(nth, batch)| {
            let done = self.execute_batch(batch, self.resume || nth > 0, &mut progress);
            progress.next_batch();
            done
        });
        progress.finish();
        done
    }

    fn execute_batch(&self, batch: &[Problem], resume: bool, progress: &mut Progress) -> Result<()> {
        let mut child = Command::new("python3")
            .args(self.arguments(batch, resume))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Error::io(Path::new("python3")))?;
        let complaints = child.stderr.take().map(|stderr| thread::spawn(move || last_words(stderr)));
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).split(b'\n') {
                progress.line(&String::from_utf8_lossy(&line.map_err(Error::io(&self.script))?));
            }
        }
        let status = child.wait().map_err(Error::io(&self.script))?;
        let tail = complaints.and_then(|thread| thread.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        Err(Error::Failed { command: format!("python3 {} ...", self.script.display()), status, tail })
    }

    /// The words after `python3`.
    fn arguments(&self, batch: &[Problem], resume: bool) -> Vec<OsString> {
        let peers: Vec<&str> = self.setup.peers.iter().map(|(name, _)| name.as_str()).collect();
        let subject = &self.setup.subject;
        let command = format!("{}={} {} {{}}", super::OURS, quoted(&subject.binary), subject.options);
        let mut words: Vec<OsString> = vec![self.script.clone().into()];
        words.extend(["-s".into(), peers.join(",").into(), "-c".into(), command.into()]);
        words.extend(["-t".into(), self.setup.time_limit.to_string().into()]);
        words.extend(["-m".into(), self.setup.memory.to_string().into()]);
        words.extend(["-j".into(), self.setup.jobs.to_string().into(), "--cpu".into()]);
        words.extend(["-o".into(), self.log.clone().into()]);
        words.extend(resume.then(|| "--resume".into()));
        words.push("--".into());
        words.extend(batch.iter().map(|problem| OsString::from(&problem.file)));
        words
    }
}

/// A path as one word of a shell's command line.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r#"'"'"'"#))
}

/// The last lines of what a process complains about.
fn last_words(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    // A pipe that breaks has said all it will say; the exit status tells the rest.
    let _ = stderr.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(4)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::OURS;
    use super::super::setup::Subject;
    use super::*;
    use crate::place::Place;
    use bivalve_experiment::log::{Log, Status};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn setup(binary: PathBuf) -> Setup {
        Setup {
            request: String::new(),
            time_limit: 5.0,
            memory: 4000,
            jobs: 1,
            files: 2,
            peers: Vec::new(),
            subject: Subject {
                binary,
                options: "--answer sat".into(),
                fingerprint: String::new(),
                commit: String::new(),
            },
        }
    }

    fn problem(file: String) -> Problem {
        Problem { file, logic: String::new(), family: String::new(), status: None, features: Vec::new() }
    }

    #[test]
    fn the_runner_is_told_everything() {
        let mut setup = setup("/a dir/it's".into());
        setup.peers = vec![("z3".into(), String::new()), ("bitwuzla:a=1 b=2".into(), String::new())];
        let order = Order {
            script: "bench.py".into(),
            folder: ".".into(),
            setup: &setup,
            problems: &[],
            log: "out/run.jsonl".into(),
            resume: true,
        };
        let words = order.arguments(&[problem("x.smt2".into())], true);
        let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(
            words,
            [
                "bench.py",
                "-s",
                "z3,bitwuzla:a=1 b=2",
                "-c",
                r#"bivalve='/a dir/it'"'"'s' --answer sat {}"#,
                "-t",
                "5",
                "-m",
                "4000",
                "-j",
                "1",
                "--cpu",
                "-o",
                "out/run.jsonl",
                "--resume",
                "--",
                "x.smt2"
            ]
        );
    }

    /// The whole way with the real script and a solver that is a shell script.
    #[test]
    fn runs_end_up_in_the_log_and_are_not_repeated() {
        let Ok(script) = Place::find().runner() else {
            println!("skipped: the runner is not on this machine");
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let solver = folder.path().join("a solver");
        fs::write(&solver, "#!/bin/sh\necho ran >> \"$0.count\"\necho $2\n").unwrap();
        fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("a.smt2"), "(set-info :status sat)(check-sat)").unwrap();
        fs::write(folder.path().join("b.smt2"), "(set-info :status unsat)(check-sat)").unwrap();
        let setup = setup(solver.clone());
        let problems = ["a.smt2", "b.smt2"].map(|name| problem(name.to_owned()));
        let log = folder.path().join("run.jsonl");
        let mut order = Order {
            script,
            folder: folder.path().to_path_buf(),
            setup: &setup,
            problems: &problems,
            log: log.clone(),
            resume: false,
        };
        order.execute().unwrap();
        order.resume = true;
        order.execute().unwrap();
        let read = Log::read(&log).unwrap();
        let statuses: Vec<Status> = read.of(OURS).map(|run| run.status).collect();
        assert_eq!(statuses, [Status::Sat, Status::Wrong]);
        assert_eq!(
            fs::read_to_string(folder.path().join("a solver.count")).unwrap(),
            "ran\nran\n",
            "each file once"
        );
    }

    #[test]
    fn a_failing_runner_is_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("broken.py");
        fs::write(&script, "raise SystemExit('no such thing as a solver')").unwrap();
        let setup = setup("/b".into());
        let order = Order {
            script,
            folder: folder.path().to_path_buf(),
            setup: &setup,
            problems: &[problem("x.smt2".into())],
            log: folder.path().join("run.jsonl"),
            resume: false,
        };
        let said = order.execute().unwrap_err().to_string();
        assert!(said.contains("no such thing as a solver"), "{said}");
    }
}
