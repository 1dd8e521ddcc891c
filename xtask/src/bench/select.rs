//! Which files a measurement runs on.
//!
//! Files come from suites of the shared collection (its index says logic, family, status and features of
//! each), from paths, or from a list; then filters take away, and `--every` and `--max-files` thin out what
//! is left. A file that is part of the collection is named relative to it and is described by the index,
//! however it was asked for; of any other file the head of the text says logic and status, and its folder is
//! its family.
//!
//! Whether a script asks once is always read from the script itself ([`Script`]), never guessed from its
//! name. The order is that of the request, the index's for suites, without repetitions: the same request
//! gives the same list on every machine.

use crate::args::{PickArgs, StatusFilter};
use crate::error::{Error, Result};
use crate::place::Place;
use bivalve_experiment::script::Script;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The formats that the runner knows.
const SUFFIXES: [&str; 3] = ["smt2", "btor", "btor2"];

/// One file to run on, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Problem {
    /// Its path: relative to the collection for files of it, else absolute.
    pub(crate) file: String,
    /// Its logic; empty if it sets none.
    pub(crate) logic: String,
    /// Where it comes from: the families of the tables.
    pub(crate) family: String,
    /// `sat`, `unsat`, or such words with commas for several checks.
    pub(crate) status: Option<String>,
    /// What it makes use of, by the words of the index.
    #[serde(default)]
    pub(crate) features: Vec<String>,
}

impl Problem {
    /// The part of the collection it belongs to.
    fn suite(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }
}

/// The files that the request names and its filters leave.
///
/// # Errors
/// When something named does not exist, the index is needed and absent, or nothing is left.
pub(crate) fn pick(place: &Place, args: &PickArgs) -> Result<Vec<Problem>> {
    let collection = Collection::open(place)?;
    let mut problems = collection.suites(place, &args.suite)?;
    for path in args.paths.iter().cloned().chain(listed(args.list.as_deref())?) {
        collection.add(&path, &mut problems)?;
    }
    if problems.is_empty() {
        return Err(Error::Usage(collection.advice()));
    }
    let mut seen = BTreeSet::new();
    problems.retain(|problem| seen.insert(problem.file.clone()) && described_as(problem, args));
    if args.single_check {
        let mut single = Vec::new();
        for problem in problems {
            if asks_once(&collection.root.join(&problem.file))? {
                single.push(problem);
            }
        }
        problems = single;
    }
    thin_out(&mut problems, args);
    if problems.is_empty() {
        return Err(Error::Usage("no file is left by these filters".to_owned()));
    }
    Ok(problems)
}

/// Whether what is known of the file passes the filters.
fn described_as(problem: &Problem, args: &PickArgs) -> bool {
    let stated = problem.status.as_deref();
    let every_check_is = |word| stated.is_some_and(|status| status.split(',').all(|one| one == word));
    let status = match args.status {
        None => true,
        Some(StatusFilter::Sat) => every_check_is("sat"),
        Some(StatusFilter::Unsat) => every_check_is("unsat"),
        Some(StatusFilter::Known) => stated.is_some(),
        Some(StatusFilter::Open) => stated.is_none(),
    };
    status
        && (args.logic.is_empty()
            || args.logic.iter().any(|logic| logic.eq_ignore_ascii_case(&problem.logic)))
        && args.with.iter().all(|feature| problem.features.contains(feature))
        && !args.without.iter().any(|feature| problem.features.contains(feature))
}

/// `--every` and `--max-files`, both spread over the whole list.
fn thin_out(problems: &mut Vec<Problem>, args: &PickArgs) {
    if let Some(step) = args.every {
        let mut at = 0..;
        problems.retain(|_| at.next().is_some_and(|n: u32| n.is_multiple_of(step)));
    }
    if let Some(most) = args.max_files {
        let (most, all) = (most as usize, problems.len());
        if all > most {
            *problems = (0..most).map(|nth| problems[nth * all / most].clone()).collect();
        }
    }
}

/// Whether the file asks one question, without scopes.
fn asks_once(path: &Path) -> Result<bool> {
    let is_script = path.extension().is_some_and(|suffix| suffix == "smt2");
    Ok(!is_script || Script::scan(&fs::read(path).map_err(Error::io(path))?).is_single_check())
}

/// The paths of a `--list` file.
fn listed(list: Option<&Path>) -> Result<Vec<PathBuf>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let text = fs::read_to_string(list).map_err(Error::io(list))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines.filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

/// The shared collection: where it is, and what its index says. Both may be empty.
struct Collection {
    root: PathBuf,
    /// In the order of the index.
    entries: Vec<Problem>,
    by_file: BTreeMap<String, usize>,
}

impl Collection {
    fn open(place: &Place) -> Result<Self> {
        let entries = match place.index() {
            Ok(index) => read_problems(&index)?,
            Err(_) => Vec::new(),
        };
        let by_file = entries.iter().enumerate().map(|(at, entry)| (entry.file.clone(), at)).collect();
        Ok(Self { root: place.collection(), entries, by_file })
    }

    /// The entries of these suites, in the order of the index.
    fn suites(&self, place: &Place, names: &[String]) -> Result<Vec<Problem>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        place.index()?;
        if let Some(name) =
            names.iter().find(|name| !self.entries.iter().any(|entry| entry.suite() == **name))
        {
            return Err(Error::Usage(format!("there is no suite `{name}`\n{}", self.advice())));
        }
        let wanted = |entry: &&Problem| names.iter().any(|name| name == entry.suite());
        let runnable = |entry: &&Problem| is_known_format(Path::new(&entry.file));
        let picked: Vec<Problem> = self.entries.iter().filter(wanted).filter(runnable).cloned().collect();
        if picked.is_empty() {
            return Err(Error::Usage(format!("the runner reads no format of suite {}", names.join(", "))));
        }
        Ok(picked)
    }

    /// Adds a file, or all files below a folder.
    fn add(&self, path: &Path, to: &mut Vec<Problem>) -> Result<()> {
        let here = if path.exists() { path.to_path_buf() } else { self.root.join(path) };
        let real = here.canonicalize().map_err(Error::io(path))?;
        if real.is_dir() {
            let mut files = Vec::new();
            walk(&real, &mut files)?;
            files.iter().try_for_each(|file| self.add_file(file, to))
        } else {
            self.add_file(&real, to)
        }
    }

    fn add_file(&self, real: &Path, to: &mut Vec<Problem>) -> Result<()> {
        let inside = real.strip_prefix(&self.root).ok().map(|inside| inside.to_string_lossy().into_owned());
        to.push(match inside.as_ref().and_then(|name| self.by_file.get(name)) {
            Some(&at) => self.entries[at].clone(),
            None => self_described(real)?,
        });
        Ok(())
    }

    /// What to say to someone who named nothing.
    fn advice(&self) -> String {
        let mut suites = BTreeMap::<&str, usize>::new();
        for entry in self.entries.iter().filter(|entry| is_known_format(Path::new(&entry.file))) {
            *suites.entry(entry.suite()).or_default() += 1;
        }
        let known: Vec<String> =
            suites.iter().map(|(name, files)| format!("{name} ({files} files)")).collect();
        let suites = if known.is_empty() { "none on this machine".to_owned() } else { known.join(", ") };
        format!("name files to run on: PATH..., --list FILE or --suite NAME\n  suites: {suites}")
    }
}

/// Reads lines of [`Problem`]; other fields are skipped.
pub(crate) fn read_problems(path: &Path) -> Result<Vec<Problem>> {
    let text = fs::read_to_string(path).map_err(Error::io(path))?;
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|source| {
            let line = number + 1;
            bivalve_experiment::Error::Line { path: path.to_path_buf(), line, source }.into()
        })
    };
    text.lines().enumerate().map(line).collect()
}

fn is_known_format(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| SUFFIXES.iter().any(|known| suffix == *known))
}

/// All files of a known format below a folder, sorted by path, without recursion.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let path = entry.map_err(Error::io(&folder))?.path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if is_known_format(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(())
}

/// A file that no index knows: it speaks for itself.
fn self_described(path: &Path) -> Result<Problem> {
    let name = |part: Option<&Path>| {
        part.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
    };
    let script = match path.extension() {
        Some(suffix) if suffix == "smt2" => Script::scan(&fs::read(path).map_err(Error::io(path))?),
        _ => Script::default(),
    };
    Ok(Problem {
        file: path.to_string_lossy().into_owned(),
        logic: script.logic.clone().unwrap_or_default(),
        family: name(path.parent()),
        status: script.status(),
        features: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(file: &str, logic: &str, status: Option<&str>, features: &[&str]) -> Problem {
        Problem {
            file: file.to_owned(),
            logic: logic.to_owned(),
            family: "f".to_owned(),
            status: status.map(str::to_owned),
            features: features.iter().map(|&f| f.to_owned()).collect(),
        }
    }

    #[test]
    fn filters_ask_for_logic_status_and_features() {
        let one = problem("perf/a.smt2", "QF_BV", Some("sat,sat"), &["mul"]);
        let pass = |args: PickArgs| described_as(&one, &args);
        let logic = |name: &str| PickArgs { logic: vec![name.to_owned()], ..PickArgs::default() };
        let status = |status| PickArgs { status: Some(status), ..PickArgs::default() };
        assert!(pass(logic("qf_bv")) && !pass(logic("QF_ABV")));
        assert!(pass(status(StatusFilter::Sat)) && pass(status(StatusFilter::Known)));
        assert!(!pass(status(StatusFilter::Unsat)) && !pass(status(StatusFilter::Open)));
        assert!(pass(PickArgs { with: vec!["mul".into()], ..PickArgs::default() }));
        assert!(!pass(PickArgs { with: vec!["div".into()], ..PickArgs::default() }));
        assert!(!pass(PickArgs { without: vec!["mul".into()], ..PickArgs::default() }));
    }

    #[test]
    fn thinning_spreads_over_the_list() {
        for (all, most) in [(10, 3), (10, 10), (10, 20), (7, 6), (1712, 40), (5, 1)] {
            let mut problems: Vec<_> = (0..all).map(|n| problem(&n.to_string(), "", None, &[])).collect();
            thin_out(&mut problems, &PickArgs { max_files: Some(most), ..PickArgs::default() });
            assert_eq!(problems.len(), all.min(most as usize), "{most} of {all}");
            let last: usize = problems.last().unwrap().file.parse().unwrap();
            assert!(last + all.div_ceil(most as usize) >= all, "the end is reached: {last} of {all}");
        }
        let mut problems: Vec<_> = (0..10).map(|n| problem(&n.to_string(), "", None, &[])).collect();
        thin_out(&mut problems, &PickArgs { every: Some(4), ..PickArgs::default() });
        assert_eq!(problems.iter().map(|p| p.file.as_str()).collect::<Vec<_>>(), ["0", "4", "8"]);
    }

    #[test]
    fn files_of_no_collection_speak_for_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("queries/deep");
        fs::create_dir_all(&deep).unwrap();
        let text = "(set-logic QF_ABV)(set-info :status sat)(check-sat)";
        fs::write(deep.join("a.smt2"), text).unwrap();
        fs::write(deep.join("b.smt2"), "(push 1)(check-sat)").unwrap();
        fs::write(deep.join("notes.txt"), "no").unwrap();
        let list = folder.path().join("list");
        fs::write(&list, format!("# all\n{}  # twice\n\n", deep.join("a.smt2").display())).unwrap();
        let args = PickArgs {
            paths: vec![folder.path().to_path_buf()],
            list: Some(list),
            single_check: true,
            ..PickArgs::default()
        };
        let picked = pick(&Place::find(), &args).unwrap();
        assert_eq!(picked.len(), 1, "{picked:?}");
        assert!(picked[0].file.ends_with("queries/deep/a.smt2"));
        assert_eq!((picked[0].logic.as_str(), picked[0].family.as_str()), ("QF_ABV", "deep"));
        assert_eq!(picked[0].status.as_deref(), Some("sat"));
    }

    #[test]
    fn absent_things_are_named() {
        let said = |args: PickArgs| pick(&Place::find(), &args).unwrap_err().to_string();
        assert!(said(PickArgs::default()).starts_with("name files to run on"));
        assert!(
            said(PickArgs { paths: vec!["no/such.smt2".into()], ..PickArgs::default() })
                .contains("no/such.smt2")
        );
        assert!(said(PickArgs { list: Some("no-list".into()), ..PickArgs::default() }).contains("no-list"));
    }

    #[test]
    fn one_command_selects_every_single_check_file_of_a_logic() {
        let place = Place::find();
        if place.index().is_err() {
            println!("skipped: the shared collection is not on this machine");
            return;
        }
        let args = PickArgs {
            suite: vec!["regress".into()],
            logic: vec!["QF_BV".into()],
            single_check: true,
            ..PickArgs::default()
        };
        let picked = pick(&place, &args).unwrap();
        assert!(picked.len() > 1000, "{}", picked.len());
        assert!(picked.iter().all(|one| one.logic == "QF_BV" && one.file.starts_with("regress/QF_BV/")));
        // The same file by its path is described by the index as well, and is not taken twice.
        let twice = PickArgs { paths: vec![picked[0].file.clone().into()], ..args };
        assert_eq!(pick(&place, &twice).unwrap(), picked);
    }
}
