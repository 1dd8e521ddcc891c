//! Files to run on: what they state, and the families they belong to.
//!
//! Each file is read once before anything runs: for the `:status` of its checks, which is what answers are
//! held against, and for the key of its content, so that a run on a file that has changed since is not taken
//! for one on this file. Its family is the folder it lies in, without what all folders have in common,
//! because collections are sorted into folders by origin.

use crate::error::{Error, Result};
use crate::script::Script;
use bivalve_harness::Key;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// A file to run on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its path as it was named, which is its name in logs.
    pub file: String,
    /// The folder that gives its family a name.
    pub family: String,
    /// For each check the stated status.
    pub stated: Vec<Option<String>>,
    /// The key of its text.
    pub content: Key,
    /// For each check the status by a suite; empty without one.
    #[serde(default)]
    pub known: Vec<String>,
    /// Its logic, if it sets one, or the suite names one.
    #[serde(default)]
    pub logic: String,
    /// What it makes use of, by a suite.
    #[serde(default)]
    pub features: Vec<String>,
    /// Whether it asks once, without levels and assumptions.
    #[serde(default)]
    pub is_single_check: bool,
}

impl Subject {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Subject> {
        let text = fs::read(path).map_err(Error::io(path))?;
        let script = match path.extension() {
            Some(suffix) if suffix == "smt2" => Script::scan(&text),
            // Other formats ask once, and state nothing.
            _ => Script { checks: 1, stated: vec![None], ..Script::default() },
        };
        Ok(Subject {
            file: path.display().to_string(),
            is_single_check: script.is_single_check(),
            stated: script.stated,
            logic: script.logic.unwrap_or_default(),
            content: Key::of([&text]),
            ..Subject::default()
        })
    }

    /// For each check the status by the file, else by the suite.
    pub fn statuses(&self) -> Vec<Option<String>> {
        let checks = self.stated.len().max(self.known.len());
        let stated = |at: usize| self.stated.get(at).cloned().flatten().filter(|word| word != "unknown");
        (0..checks).map(|at| stated(at).or_else(|| self.known.get(at).cloned())).collect()
    }

    /// Reads files, and finds their families.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Subject>> {
        let mut subjects = paths.iter().map(|path| Subject::read(path)).collect::<Result<Vec<Subject>>>()?;
        let folders: Vec<&Path> = paths.iter().map(|path| path.parent().unwrap_or(Path::new(""))).collect();
        let common = common(&folders);
        for (subject, folder) in subjects.iter_mut().zip(&folders) {
            let inside: PathBuf = folder.components().skip(common).collect();
            let own = folder.file_name().map(|name| name.to_string_lossy().into_owned());
            subject.family = match inside.as_os_str().is_empty() {
                true => own.unwrap_or_else(|| ".".to_owned()),
                false => inside.display().to_string(),
            };
        }
        Ok(subjects)
    }
}

/// The number of components that all these folders begin with.
fn common(folders: &[&Path]) -> usize {
    let Some(first) = folders.first() else { return 0 };
    let shared =
        |other: &&Path| first.components().zip(other.components()).take_while(|(a, b)| a == b).count();
    folders.iter().map(shared).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_folders_without_what_they_have_in_common() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = ["x/a/1.smt2", "x/a/2.smt2", "x/b/c/3.smt2", "x/4.btor2"]
            .iter()
            .map(|name| folder.path().join(name))
            .collect();
        for path in &paths {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "(set-info :status sat)(check-sat)(check-sat)").unwrap();
        }
        let subjects = Subject::read_all(&paths).unwrap();
        let families: Vec<&str> = subjects.iter().map(|one| one.family.as_str()).collect();
        assert_eq!(families, ["a", "a", "b/c", "x"]);
        assert_eq!(subjects[0].stated, [Some("sat".to_owned()), None]);
        assert_eq!(subjects[3].stated, [None]);
        assert_eq!(subjects[0].content, subjects[1].content);
        fs::write(&paths[1], "(check-sat)").unwrap();
        assert_ne!(Subject::read(&paths[1]).unwrap().content, subjects[0].content);
        assert!(Subject::read_all(&[folder.path().join("none")]).unwrap_err().to_string().contains("none"));
    }
}
