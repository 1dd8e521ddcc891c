//! `bivalve experiment`: combinations of options, and other solvers, on many files.
//!
//! Reads what was typed, makes columns of it, hands them to `bivalve-experiment`, and shows what comes back:
//! a bar on standard error while it runs, findings and one table in the end, plots into the folder of
//! results. The log there is the state of the experiment: runs that it has under the same conditions are not
//! made again, whether it was cut off or has grown. Columns of ours are this very program, started by its own
//! path with `--stats=json`, so every number that the solver counts can be shown.
//!
//! Exit codes: 0 nobody was wrong; 1 an answer is wrong or disputed; 2 the experiment could not be made; 130
//! Ctrl-C.

mod args;
mod results;

use super::{cases, interruptible, trouble};
use args::{Args, Drawing};
use bivalve::{OPTIONS, Settings};
use bivalve_experiment::column::{Column, Dimension, FILE, SEED, Setting, matrix};
use bivalve_experiment::log::Run;
use bivalve_experiment::setup::Setup;
use bivalve_experiment::subject::{Subject, fingerprint, fingerprint_of};
use bivalve_oracle::{Cancel, words};
use clap::Parser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use results::Results;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Runs the tool.
pub(super) fn main(words: Vec<OsString>) -> ExitCode {
    let request =
        words.iter().skip(1).map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ");
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(refusal) => refusal.exit(),
    };
    match run(&args, format!("bivalve experiment {request}")) {
        Ok(code) => code,
        Err(problem) => trouble(&problem),
    }
}

/// A word as a shell would have it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:{}+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn run(args: &Args, request: String) -> Result<ExitCode, String> {
    let results = Results::at(&args.out);
    if args.report {
        let setup = Setup::read(&results.setup()).map_err(|error| error.to_string())?;
        return Ok(results.report(&setup, &Drawing::of(args))?.exit(false));
    }
    let setup = setup(args, request)?;
    let drawing = Drawing::of(args);
    // A plot that cannot be is refused before hours are spent.
    drawing.check(&setup)?;
    let cancel = interruptible();
    make(args, &setup, &results, &cancel)?;
    Ok(results.report(&setup, &drawing)?.exit(cancel.is_raised()))
}

/// What the words ask for.
fn setup(args: &Args, request: String) -> Result<Setup, String> {
    let paths = files(args)?;
    if paths.is_empty() {
        return Err("there are no files; name files or folders, or use --list".to_owned());
    }
    let columns = columns(args)?;
    let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
        return Err(format!("two columns are called '{}'", twice[0]));
    }
    Ok(Setup {
        request,
        version: format!("bivalve {}", env!("CARGO_PKG_VERSION")),
        time_limit: args.time_limit.as_secs_f64(),
        memory_limit: u32::try_from(args.memory_limit >> 20).unwrap_or(u32::MAX).max(1),
        seeds: args.seeds,
        columns,
        subjects: Subject::read_all(&paths).map_err(|error| error.to_string())?,
    })
}

/// The files that were named, each once, in the order of the request; below a folder in the order of their
/// paths.
fn files(args: &Args) -> Result<Vec<PathBuf>, String> {
    let mut named = args.files.clone();
    for list in &args.list {
        let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        named.extend(lines.filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    let mut files = cases::scripts(&named)?;
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    if let Some(step) = args.every {
        files = files.into_iter().step_by(step).collect();
    }
    Ok(files)
}

/// Our columns, one for each combination, and those of others. Without `--vary` and with others there is none
/// of ours, unless options are fixed for one.
fn columns(args: &Args) -> Result<Vec<Column>, String> {
    let dimensions = args.vary.iter().map(|text| Dimension::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let fixed = args.set.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
    check(&dimensions, &fixed)?;
    let mut columns = vec![];
    if !dimensions.is_empty() || !fixed.is_empty() || args.solver.is_empty() {
        let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let print = fingerprint_of(&program).map_err(|error| error.to_string())?;
        for settings in matrix(&dimensions) {
            columns.push(own(&program, &print, settings, &fixed));
        }
    }
    for text in &args.solver {
        let (name, command) =
            text.split_once('=').ok_or_else(|| format!("expected NAME=COMMAND, found '{text}'"))?;
        let words = words(command)?;
        let fingerprint = fingerprint(words.join("\n").as_bytes());
        columns.push(Column { name: name.trim().to_owned(), settings: vec![], words, fingerprint });
    }
    Ok(columns)
}

/// A column of this program.
fn own(program: &Path, print: &str, settings: Vec<Setting>, fixed: &[Setting]) -> Column {
    let mut words = vec![program.display().to_string(), "--stats=json".to_owned()];
    for (option, value) in fixed.iter().chain(&settings) {
        words.extend([format!("--{option}"), value.clone()]);
    }
    // Also for one seed, so that its runs are kept when there are more.
    if !settings.iter().chain(fixed).any(|(option, _)| option == "seed") {
        words.extend(["--seed".to_owned(), SEED.to_owned()]);
    }
    words.push(FILE.to_owned());
    let name = match settings.is_empty() {
        true => "bivalve".to_owned(),
        false => Column::name_of(&settings),
    };
    // Where the program lies is of no matter, what it is and is told does.
    let fingerprint = fingerprint([&[print.to_owned()], &words[1..]].concat().join("\n").as_bytes());
    Column { name, settings, words, fingerprint }
}

/// `option=value`.
fn setting(text: &str) -> Result<Setting, String> {
    let (option, value) =
        text.split_once('=').ok_or_else(|| format!("expected OPTION=VALUE, found '{text}'"))?;
    Ok((option.to_owned(), value.to_owned()))
}

/// Are these options of the solver, with values that it takes?
fn check(dimensions: &[Dimension], fixed: &[Setting]) -> Result<(), String> {
    let varied = dimensions.iter().flat_map(|one| one.values.iter().map(move |value| (&one.option, value)));
    for (option, value) in varied.chain(fixed.iter().map(|(option, value)| (option, value))) {
        Settings::default().set(option, value).map_err(|refusal| {
            let known: Vec<&str> = OPTIONS.iter().map(|row| row.name).collect();
            format!("{refusal}; options are {}", known.join(", "))
        })?;
    }
    let mut options: Vec<&String> =
        dimensions.iter().map(|one| &one.option).chain(fixed.iter().map(|one| &one.0)).collect();
    options.sort_unstable();
    match options.windows(2).find(|two| two[0] == two[1]) {
        Some(twice) => Err(format!("the option '{}' is given twice", twice[0])),
        None => Ok(()),
    }
}

/// Makes the runs that the log does not have.
fn make(args: &Args, setup: &Setup, results: &Results, cancel: &Cancel) -> Result<(), String> {
    let (kept, todo) = setup.sort(&results.open(setup)?);
    let kept = kept.runs().count();
    let mut desk = Desk::open(args, (todo.len() + kept) as u64, kept as u64);
    let mut writer = results.append()?;
    let done = setup.run(&todo, args.jobs, cancel, &mut |run| {
        writer.line(&run)?;
        desk.see(&run);
        Ok(())
    });
    desk.bar.finish_and_clear();
    done.map_err(|error| error.to_string())?;
    drop(writer);
    results.settle()
}

/// What is shown while it runs.
struct Desk {
    bar: ProgressBar,
    quiet: bool,
    /// Runs by status, beside solved ones.
    tally: BTreeMap<&'static str, u64>,
}

impl Desk {
    fn open(args: &Args, total: u64, kept: u64) -> Desk {
        if kept > 0 && !args.quiet {
            eprintln!("{kept} of {total} runs are in the log already");
        }
        let bar = match args.quiet || !std::io::stderr().is_terminal() {
            true => ProgressBar::hidden(),
            false => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
        };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed} (eta {eta})  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(kept);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(200));
        Desk { bar, quiet: args.quiet, tally: BTreeMap::new() }
    }

    fn see(&mut self, run: &Run) {
        let word = if run.status.is_solved() { "solved" } else { run.status.word() };
        *self.tally.entry(word).or_default() += 1;
        let counts: Vec<String> = self.tally.iter().map(|(word, count)| format!("{count} {word}")).collect();
        self.bar.set_message(counts.join(", "));
        self.bar.inc(1);
        if run.status == bivalve_experiment::log::Status::Wrong && !self.quiet {
            let (solver, file) = (&run.solver, run.instance());
            self.bar.suspend(|| eprintln!("WRONG {solver}: {}: {file}", run.answers.join(" ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_can_be_typed_again() {
        assert_eq!(quoted("--vary"), "--vary");
        assert_eq!(quoted("z3=z3 {}"), "'z3=z3 {}'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn every_example_is_understood() {
        let pages = [include_str!("../../../../docs/experiments.md"), include_str!("../../../../README.md")];
        let text = [args::EXAMPLES, pages[0], pages[1]].join("\n").replace("\\\n", " ");
        let examples: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix("bivalve experiment ")).collect();
        assert!(examples.len() >= 10, "{examples:?}");
        for example in examples {
            let typed = words(example).unwrap();
            let args = Args::try_parse_from(["experiment".to_owned()].into_iter().chain(typed))
                .unwrap_or_else(|why| panic!("{example}: {why}"));
            if !args.report {
                let columns = columns(&args).unwrap_or_else(|why| panic!("{example}: {why}"));
                let setup = Setup {
                    request: String::new(),
                    version: String::new(),
                    time_limit: 1.0,
                    memory_limit: 1,
                    seeds: 1,
                    columns,
                    subjects: vec![],
                };
                Drawing::of(&args).check(&setup).unwrap_or_else(|why| panic!("{example}: {why}"));
            }
        }
    }

    #[test]
    fn only_options_of_the_solver_can_vary() {
        let said = |words: &[&str]| {
            let args = Args::try_parse_from([&["experiment"], words].concat()).unwrap();
            columns(&args).map(|columns| columns.len())
        };
        assert_eq!(
            said(&["--vary", "rewrite-level=0,1", "--vary", "probe=on,off", "--set", "seed=1"]),
            Ok(4)
        );
        assert_eq!((said(&[]), said(&["--solver", "z3=z3 {}"])), (Ok(1), Ok(1)));
        assert_eq!(said(&["--solver", "z3=z3 {}", "--set", "probe=off"]), Ok(2));
        assert!(
            said(&["--vary", "frob=1"]).unwrap_err().contains("unknown option 'frob'; options are sat, ")
        );
        assert!(said(&["--vary", "rewrite-level=0,9"]).unwrap_err().contains("found '9'"));
        assert!(said(&["--vary", "probe=on", "--set", "probe=off"]).unwrap_err().contains("twice"));
        assert!(said(&["--solver", "z3"]).unwrap_err().contains("NAME=COMMAND"));
    }
}
