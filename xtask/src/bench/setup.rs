//! Under which conditions a measurement was made, kept beside its log as `setup.json`.
//!
//! A table without its limits, versions and commit is a rumour. The record also makes `--resume` safe: the
//! runs of an earlier measurement are kept only under the same limits, and Bivalve's own runs only while its
//! binary (by a hash of its bytes) and its options are the same. Peers do not change between two commits of
//! ours, so their runs are kept, and "measure again after a change" costs Bivalve's time alone.

use super::OURS;
use crate::args::ContestArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use bivalve_experiment::log::Log;
use bivalve_experiment::subject::fingerprint;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The conditions of one measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The words after `cargo xtask` that asked for it.
    pub(crate) request: String,
    /// Seconds of CPU time a run.
    pub(crate) time_limit: f64,
    /// MB of address space a run.
    pub(crate) memory: u32,
    /// Runs at the same time.
    pub(crate) jobs: u32,
    /// Files selected.
    pub(crate) files: usize,
    /// The peers as they were asked for, each with the roster's word on its version.
    pub(crate) peers: Vec<(String, String)>,
    /// Bivalve.
    pub(crate) subject: Subject,
}

/// The measured binary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// Its absolute path.
    pub(crate) binary: PathBuf,
    /// Its options.
    pub(crate) options: String,
    /// A hash of its bytes.
    pub(crate) fingerprint: String,
    /// The commit of the workspace, `+` when it had changes; empty where git does not say.
    pub(crate) commit: String,
}

impl Setup {
    /// The conditions that these arguments ask for; the binary must exist.
    ///
    /// # Errors
    /// When a peer is unknown, the roster cannot be asked, or the binary cannot be read.
    pub(crate) fn new(place: &Place, contest: &ContestArgs, binary: &Path, files: usize) -> Result<Self> {
        let bytes = fs::read(binary).map_err(Error::io(binary))?;
        Ok(Self {
            request: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
            time_limit: contest.time_limit,
            memory: contest.memory,
            jobs: contest.jobs,
            files,
            peers: versions(place, &contest.peers)?,
            subject: Subject {
                binary: std::path::absolute(binary).map_err(Error::io(binary))?,
                options: contest.options.trim().to_owned(),
                fingerprint: fingerprint(&bytes),
                commit: commit(place.root()),
            },
        })
    }

    /// Reads the record of an earlier measurement; `None` if there is none.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).map_err(Error::io(path))?;
        let parsed = serde_json::from_str(&text);
        parsed.map(Some).map_err(|source: serde_json::Error| {
            let (path, line) = (path.to_path_buf(), source.line());
            bivalve_experiment::Error::Line { path, line, source }.into()
        })
    }

    /// Writes the record.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).expect("a record of words and numbers is always JSON");
        fs::write(path, text + "\n").map_err(Error::io(path))
    }

    /// Leaves in an earlier log what still holds under these conditions; says what was dropped, if anything.
    ///
    /// # Errors
    /// When the limits differ: then the log is another measurement.
    pub(crate) fn keep_valid(&self, earlier: Option<&Self>, log: &mut Log) -> Result<Option<String>> {
        if let Some(run) = log.runs().find(|run| run.timeout != self.time_limit || run.mem != self.memory) {
            return Err(Error::Usage(format!(
                "cannot resume: the log was made with {} s and {} MB; use these limits, or another --out",
                run.timeout, run.mem
            )));
        }
        let same = |earlier: &Self| {
            earlier.subject.fingerprint == self.subject.fingerprint
                && earlier.subject.options == self.subject.options
        };
        let ours = log.of(OURS).count();
        if ours == 0 || earlier.is_some_and(same) {
            return Ok(None);
        }
        log.retain(|run| run.solver != OURS);
        Ok(Some(format!(
            "the binary or its options have changed: runs of {OURS} to be measured again: {ours}"
        )))
    }

    /// These conditions with the earlier peers, whose runs a resumed log still holds.
    pub(crate) fn remembering(&self, earlier: Option<&Self>) -> Self {
        let mut all = self.clone();
        for (name, version) in earlier.into_iter().flat_map(|earlier| &earlier.peers) {
            if !all.peers.iter().any(|(known, _)| known == name) {
                all.peers.push((name.clone(), version.clone()));
            }
        }
        all
    }

    /// The conditions as Markdown items.
    pub(crate) fn description(&self) -> String {
        let peers: Vec<String> =
            self.peers.iter().map(|(name, version)| format!("{name} ({version})")).collect();
        let options = if self.subject.options.is_empty() { "no options" } else { &self.subject.options };
        let commit = if self.subject.commit.is_empty() { "unknown" } else { &self.subject.commit };
        format!(
            "- request: `{}`\n- {OURS}: {}, commit {commit}, binary {}\n- peers: {}\n\
             - limits: {} s CPU, {} MB, {} at a time\n- files: {}\n\n",
            self.request,
            options,
            self.subject.fingerprint,
            if peers.is_empty() { "none".to_owned() } else { peers.join(", ") },
            self.time_limit,
            self.memory,
            self.jobs,
            self.files
        )
    }
}

/// The peers with what the roster says of their versions.
///
/// # Errors
/// When there is no roster, or a peer is not on it.
pub(crate) fn versions(place: &Place, peers: &[String]) -> Result<Vec<(String, String)>> {
    let wanted: Vec<&String> = peers.iter().filter(|name| *name != "none" && !name.is_empty()).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let script = place.roster()?;
    place.peers_installed()?;
    let out = Command::new("python3")
        .arg(&script)
        .arg("--list")
        .output()
        .map_err(Error::io(Path::new("python3")))?;
    let roster = roster(&String::from_utf8_lossy(&out.stdout));
    let version = |name: &&String| {
        let base = name.split(':').next().unwrap_or_default();
        match roster.iter().find(|(known, _)| known == base) {
            Some((_, version)) => Ok(((*name).clone(), version.clone())),
            None => {
                let known: Vec<&str> = roster.iter().map(|(name, _)| name.as_str()).collect();
                Err(Error::Usage(format!(
                    "there is no peer `{base}`; the roster has: {}, or none",
                    known.join(", ")
                )))
            }
        }
    };
    wanted.iter().map(version).collect()
}

/// Reads the roster's lines: a name, its kind, words on its version, the suffixes it reads.
fn roster(text: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, _kind) = (words.next()?, words.next()?);
        let version: Vec<&str> = words.take_while(|word| !word.starts_with('.')).collect();
        Some((name.to_owned(), version.join(" ")))
    };
    text.lines().filter_map(line).collect()
}

/// The short commit of the workspace, with `+` when files under version control have changed.
pub(crate) fn commit(root: &Path) -> String {
    let git = |args: &[&str]| {
        let out = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(args)
            .output()
            .ok()
            .filter(|out| out.status.success())?;
        Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|lines| !lines.is_empty());
    git(&["rev-parse", "--short", "HEAD"]).map_or_else(String::new, |id| id + if changed { "+" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn setup() -> Setup {
        Setup {
            request: "bench --suite perf".into(),
            time_limit: 10.0,
            memory: 6000,
            jobs: 2,
            files: 6,
            peers: vec![("bitwuzla".into(), "0.9.1 wheel".into())],
            subject: Subject {
                binary: "/b".into(),
                options: String::new(),
                fingerprint: "0f".into(),
                commit: "50da61c+".into(),
            },
        }
    }

    #[test]
    fn the_same_conditions_keep_every_run() {
        let mut log = sample::log();
        let before = log.runs().count();
        assert_eq!(setup().keep_valid(Some(&setup()), &mut log).unwrap(), None);
        assert_eq!(log.runs().count(), before);
    }

    #[test]
    fn a_new_binary_new_options_or_no_record_drop_our_runs_only() {
        let mut other_binary = setup();
        other_binary.subject.fingerprint = "10".into();
        let mut other_options = setup();
        other_options.subject.options = "--x".into();
        for earlier in [Some(&other_binary), Some(&other_options), None] {
            let mut log = sample::log();
            assert!(setup().keep_valid(earlier, &mut log).unwrap().unwrap().ends_with("again: 6"));
            assert_eq!(log.solvers().collect::<Vec<_>>(), ["bitwuzla", "yices"]);
        }
    }

    #[test]
    fn other_limits_are_another_measurement() {
        let longer = Setup { time_limit: 20.0, ..setup() };
        let said = longer.keep_valid(Some(&setup()), &mut sample::log()).unwrap_err().to_string();
        assert!(said.contains("10 s and 6000 MB"), "{said}");
    }

    #[test]
    fn earlier_peers_are_remembered_once() {
        let now = Setup { peers: vec![("z3".into(), "5".into())], ..setup() };
        let both = now.remembering(Some(&setup())).remembering(Some(&setup()));
        assert_eq!(both.peers.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["z3", "bitwuzla"]);
        assert_eq!(now.remembering(None), now);
    }

    #[test]
    fn the_record_survives_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("setup.json");
        assert_eq!(Setup::read(&path).unwrap(), None);
        setup().write(&path).unwrap();
        assert_eq!(Setup::read(&path).unwrap(), Some(setup()));
        assert!(setup().description().contains("limits: 10 s CPU, 6000 MB, 2 at a time"));
    }

    #[test]
    fn roster_lines_are_read() {
        let lines =
            "bitwuzla      py   0.9.1 wheel (CaDiCaL 2.1.2)     .smt2 .btor2\nz3  exe  5.4.0 wheel .smt2\n\n";
        assert_eq!(
            roster(lines),
            [("bitwuzla".into(), "0.9.1 wheel (CaDiCaL 2.1.2)".into()), ("z3".into(), "5.4.0 wheel".into())]
        );
    }
}
