//! Which files an experiment runs on.
//!
//! Files are named one by one or by their folders, or come from a *suite*: a file with a line of JSON for
//! each file, `{"file": ..., "family": ..., "logic": ..., "status": ..., "features": [...]}`, of which all
//! but the first may be missing; paths are relative to the folder of the suite. A [`Filter`] takes away what
//! is not asked for, and thins out what is left. The order is that of the request, without repetitions: the
//! same request gives the same list on every machine.

use crate::error::{Error, Result};
use crate::subject::Subject;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The formats that solvers are run on.
pub const EXTENSIONS: [&str; 3] = ["smt2", "btor", "btor2"];

/// What files have to be like.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these logics, if there are any.
    pub logics: Vec<String>,
    /// Only this stated status.
    pub status: Option<Stated>,
    /// Only files that ask once: no push, no pop, no assumptions.
    pub single_check: bool,
    /// Only files with all of these features, by their suite.
    pub with: Vec<String>,
    /// No files with one of these features.
    pub without: Vec<String>,
    /// Of what is left, every so many-th file.
    pub every: Option<usize>,
    /// Of what is left, at most so many files, spread evenly.
    pub max_files: Option<usize>,
}

/// A stated status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// Every check is stated satisfiable.
    Sat,
    /// Every check is stated unsatisfiable.
    Unsat,
    /// Something is stated.
    Known,
    /// Nothing is stated.
    Open,
}

/// A line of a suite.
#[derive(Deserialize)]
struct Line {
    file: String,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    logic: Option<String>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    features: Vec<String>,
}

/// The files of these paths and suites that pass the filter. A suite is a file, or a file, a colon and the
/// beginning of the paths that are taken of it.
///
/// # Errors
/// When something cannot be read, or nothing is left.
pub fn select(paths: &[PathBuf], suites: &[String], filter: &Filter) -> Result<Vec<Subject>> {
    let mut subjects =
        Subject::read_all(&bivalve_harness::walk::files(paths, &EXTENSIONS).map_err(Error::Request)?)?;
    for suite in suites {
        subjects.extend(read_suite(suite)?);
    }
    if subjects.is_empty() {
        return Err(Error::Request(
            "there are no files; name files or folders, or use --list or --suite".to_owned(),
        ));
    }
    let mut seen = BTreeSet::new();
    subjects.retain(|subject| seen.insert(subject.file.clone()) && filter.passes(subject));
    filter.thin_out(&mut subjects);
    match subjects.is_empty() {
        true => Err(Error::Request("no file is left by the filters".to_owned())),
        false => Ok(subjects),
    }
}

fn read_suite(suite: &str) -> Result<Vec<Subject>> {
    let (path, prefix) = match suite.rsplit_once(':') {
        Some((path, prefix)) if !Path::new(suite).exists() => (Path::new(path), prefix),
        _ => (Path::new(suite), ""),
    };
    let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut subjects = vec![];
    for (line, number) in text.lines().zip(1..) {
        let Line { file, family, logic, status, features } = serde_json::from_str(line)
            .map_err(|error| Error::Request(format!("{}, line {number}: {error}", path.display())))?;
        let is_known = Path::new(&file)
            .extension()
            .is_some_and(|extension| EXTENSIONS.iter().any(|one| extension == *one));
        if !is_known || !file.starts_with(prefix) {
            continue;
        }
        let mut subject = Subject::read(&folder.join(&file))?;
        let own = folder
            .join(&file)
            .parent()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned());
        subject.family = family.or(own).unwrap_or_default();
        subject.logic = logic.unwrap_or(subject.logic);
        subject.features = features;
        subject.known = status.map_or(vec![], |status| status.split(',').map(str::to_owned).collect());
        subjects.push(subject);
    }
    Ok(subjects)
}

impl Filter {
    fn passes(&self, subject: &Subject) -> bool {
        let statuses = subject.statuses();
        let all_are = |word: &str| {
            !statuses.is_empty() && statuses.iter().all(|status| status.as_deref() == Some(word))
        };
        let is_stated = statuses.iter().any(Option::is_some);
        let status = match self.status {
            None => true,
            Some(Stated::Sat) => all_are("sat"),
            Some(Stated::Unsat) => all_are("unsat"),
            Some(Stated::Known) => is_stated,
            Some(Stated::Open) => !is_stated,
        };
        let has = |feature: &String| subject.features.contains(feature);
        status
            && (self.logics.is_empty()
                || self.logics.iter().any(|logic| logic.eq_ignore_ascii_case(&subject.logic)))
            && (!self.single_check || subject.is_single_check)
            && self.with.iter().all(has)
            && !self.without.iter().any(has)
    }

    fn thin_out(&self, subjects: &mut Vec<Subject>) {
        let mut at = 0..;
        let step = self.every.unwrap_or(1).max(1);
        subjects.retain(|_| at.next().is_some_and(|number: usize| number.is_multiple_of(step)));
        let all = subjects.len();
        if let Some(most) = self.max_files.filter(|&most| most < all) {
            *subjects = (0..most).map(|nth| subjects[nth * all / most].clone()).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Two files of a suite and one beside it.
    fn place() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("perf/x")).unwrap();
        let text = "(set-logic QF_ABV)(set-info :status sat)(check-sat)";
        fs::write(folder.path().join("perf/x/a.smt2"), text).unwrap();
        fs::write(folder.path().join("perf/b.smt2"), "(push 1)(check-sat)(check-sat)").unwrap();
        fs::write(folder.path().join("notes.txt"), "no").unwrap();
        let lines = r#"{"file": "perf/x/a.smt2", "family": "f", "logic": "QF_BV", "status": null, "features": ["mul"], "bytes": 3}
{"file": "perf/b.smt2", "status": "sat,unsat"}
{"file": "notes.txt"}
"#;
        fs::write(folder.path().join("suite.jsonl"), lines).unwrap();
        folder
    }

    fn names(subjects: Result<Vec<Subject>>) -> Vec<String> {
        let name = |subject: Subject| subject.file.rsplit('/').next().unwrap().to_owned();
        subjects.unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn suites_describe_their_files() {
        let folder = place();
        let suite = folder.path().join("suite.jsonl").display().to_string();
        let subjects = select(&[], std::slice::from_ref(&suite), &Filter::default()).unwrap();
        let [a, b] = &subjects[..] else { panic!("{subjects:?}") };
        assert_eq!((a.family.as_str(), a.logic.as_str(), a.features.len()), ("f", "QF_BV", 1));
        assert_eq!(a.statuses(), [Some("sat".to_owned())]);
        assert_eq!((b.family.as_str(), b.known.join(" ").as_str()), ("perf", "sat unsat"));
        assert_eq!(names(select(&[], &[format!("{suite}:perf/x")], &Filter::default())), ["a.smt2"]);
        let refusal = select(&[], &["none.jsonl".to_owned()], &Filter::default()).unwrap_err().to_string();
        assert!(refusal.contains("none.jsonl"), "{refusal}");
    }

    #[test]
    fn filters_ask_for_logic_status_features_and_checks() {
        let folder = place();
        let suite = [folder.path().join("suite.jsonl").display().to_string()];
        let left = |filter: Filter| match select(&[], &suite, &filter) {
            Ok(subjects) => names(Ok(subjects)),
            Err(_) => vec![],
        };
        let words = |word: &str| vec![word.to_owned()];
        assert_eq!(left(Filter { logics: words("qf_bv"), ..Filter::default() }), ["a.smt2"]);
        assert_eq!(left(Filter { status: Some(Stated::Sat), ..Filter::default() }), ["a.smt2"]);
        assert_eq!(left(Filter { status: Some(Stated::Unsat), ..Filter::default() }), Vec::<String>::new());
        assert_eq!(left(Filter { status: Some(Stated::Known), ..Filter::default() }).len(), 2);
        assert_eq!(left(Filter { single_check: true, ..Filter::default() }), ["a.smt2"]);
        assert_eq!(left(Filter { with: words("mul"), ..Filter::default() }), ["a.smt2"]);
        assert_eq!(left(Filter { without: words("mul"), ..Filter::default() }), ["b.smt2"]);
        let files = [folder.path().to_owned()];
        assert_eq!(
            names(select(&files, &[], &Filter { status: Some(Stated::Open), ..Filter::default() })),
            ["b.smt2"]
        );
    }

    #[test]
    fn thinning_spreads_over_the_list() {
        let subject = |number: usize| Subject { file: number.to_string(), ..Subject::default() };
        for (all, most) in [(10, 3), (10, 10), (10, 20), (7, 6), (1712, 40), (5, 1)] {
            let mut subjects: Vec<_> = (0..all).map(subject).collect();
            Filter { max_files: Some(most), ..Filter::default() }.thin_out(&mut subjects);
            assert_eq!(subjects.len(), all.min(most), "{most} of {all}");
            let last: usize = subjects.last().unwrap().file.parse().unwrap();
            assert!(last + all.div_ceil(most) >= all, "the end is reached: {last} of {all}");
        }
        let mut subjects: Vec<_> = (0..10).map(subject).collect();
        Filter { every: Some(4), ..Filter::default() }.thin_out(&mut subjects);
        assert_eq!(subjects.iter().map(|one| one.file.as_str()).collect::<Vec<_>>(), ["0", "4", "8"]);
    }
}
