//! `bivalve experiment`: combinations of options, and other solvers, on many files.
//!
//! Reads what was typed, makes columns of it, hands them to `bivalve-experiment`, and shows what comes back:
//! a bar on standard error while it runs, findings and one table in the end, plots into the folder of
//! results. The log there is the state of the experiment: runs that it has under the same conditions are not
//! made again, whether it was cut off or has grown. Columns of ours are this very program, started by its own
//! path with `--stats=json`, so every number that the solver counts can be shown.
//!
//! Exit codes: 0 no answer is wrong; 1 an answer is wrong or disputed; 2 the experiment could not be made;
//! 130 Ctrl-C.

mod args;
mod results;

use super::campaign::write_plan;
use super::flags::OutputArgs;
use super::interruptible;
use super::progress::Bar;
use super::tasks::this_command;
use crate::limits::INTERRUPTED_EXIT;
use crate::messages::unreadable;
use args::{Args, Drawing};
use bivalve::{OPTIONS, Settings};
use bivalve_experiment::column::{Column, Dimension, FILE, SEED, Setting, matrix};
use bivalve_experiment::log::{Run, Status};
use bivalve_experiment::select::select;
use bivalve_experiment::setup::{Job, Setup};
use bivalve_experiment::subject::Subject;
use bivalve_harness::log::{self, Entry, Log};
use bivalve_harness::tasks::Planned;
use bivalve_harness::{Cancel, Command, Key, Limits, Oracle, this_build, words};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use results::Results;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, words: &[OsString]) -> Result<ExitCode, String> {
    let args = &Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    let words: Vec<String> = words[1..].iter().map(|word| quoted(&word.to_string_lossy())).collect();
    let request = format!("bivalve experiment {}", words.join(" "));
    let folder = args.output.output.as_deref().unwrap_or(Path::new("."));
    let results = Results::at(folder, args.log.as_deref());
    let drawing = Drawing::of(args);
    let setup = match args.tasks.report {
        true => Setup::read(&results.setup()).map_err(|error| error.to_string())?,
        false => setup(args, request)?,
    };
    // A plot that cannot be drawn is refused before hours are spent.
    drawing.check(&setup)?;
    let cancel = interruptible();
    if let Some(file) = &args.tasks.plan {
        return plan(&setup, file).map(|()| ExitCode::SUCCESS);
    }
    if !args.tasks.report {
        make(args, &setup, &results, &cancel)?;
    }
    if args.tasks.is_part() {
        return Ok(if cancel.is_raised() { ExitCode::from(INTERRUPTED_EXIT) } else { ExitCode::SUCCESS });
    }
    let reported =
        results.report(&setup, &drawing, &args.tasks.logs(Some(results.log())), args.output.json)?;
    Ok(reported.exit(cancel.is_raised()))
}

/// A word as a shell would have it. The library `shlex` would put quotes around most words of a request.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:{}+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Writes the list of tasks, one for each run.
fn plan(setup: &Setup, file: &Path) -> Result<(), String> {
    let command = this_command();
    let planned = |(task, job): (u64, Job<'_>)| {
        let words = command.iter().map(String::as_str).chain(["--task"]);
        let command = format!("{} {task}", shlex::try_join(words).unwrap_or_default());
        let name = format!("{}: {}", job.column.name, Run::instance_of(&job.subject.file, job.seed));
        Planned { task, keys: vec![setup.key(&job)], names: vec![name], command }
    };
    write_plan(file, &(0..).zip(setup.jobs()).map(planned).collect::<Vec<_>>())
}

/// What the words ask for.
fn setup(args: &Args, request: String) -> Result<Setup, String> {
    let subjects = subjects(args)?;
    let columns = columns(args)?;
    let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
        return Err(format!("two columns are called '{}'", twice[0]));
    }
    Ok(Setup {
        request,
        version: format!("bivalve {}", env!("CARGO_PKG_VERSION")),
        time_limit: args.limits.time_limit.unwrap_or_default().as_secs_f64(),
        memory_limit: args
            .limits
            .memory_limit
            .map_or(0, |bytes| u32::try_from(bytes >> 20).unwrap_or(u32::MAX).max(1)),
        seeds: args.seeds,
        columns,
        subjects,
    })
}

/// The files that were named, each once, in the order of the request; below a folder in the order of their
/// paths.
fn subjects(args: &Args) -> Result<Vec<Subject>, String> {
    let mut named = args.files.clone();
    for list in &args.list {
        let text = fs::read_to_string(list).map_err(|error| unreadable(list.display(), &error))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        named.extend(lines.filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    select(&named, &args.filter.suite, &args.filter.filter()).map_err(|error| error.to_string())
}

/// Our columns, one for each combination, and those of others. Without `--vary` and with others there is none
/// of ours, unless options are fixed for one.
fn columns(args: &Args) -> Result<Vec<Column>, String> {
    let dimensions = args.vary.iter().map(|text| dimension(text)).collect::<Result<Vec<_>, _>>()?;
    let fixed = args.set.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
    check(&dimensions, &fixed)?;
    let mut columns = vec![];
    if !dimensions.is_empty() || !fixed.is_empty() || args.solver.is_empty() {
        let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
        for settings in matrix(&dimensions) {
            columns.push(own(&program, settings, &fixed));
        }
    }
    for text in &args.solver {
        let (name, command) =
            text.split_once('=').ok_or_else(|| format!("expected NAME=COMMAND, found '{text}'"))?;
        let (name, words) = (name.trim().to_owned(), words(command)?);
        let identity = Command::of_words(&name, words.clone(), Limits::default())?.identity();
        columns.push(Column { name, settings: vec![], words, identity });
    }
    Ok(columns)
}

/// What varies. An option without values takes all that it has.
fn dimension(text: &str) -> Result<Dimension, String> {
    if text.contains('=') {
        return Dimension::parse(text);
    }
    let values = bivalve_judge::all_values(text);
    match values.is_empty() {
        true => {
            Err(format!("expected OPTION=VALUE,VALUE,... or an option with a few values, found '{text}'"))
        }
        false => Ok(Dimension { option: text.to_owned(), values }),
    }
}

/// A column of this program.
fn own(program: &Path, settings: Vec<Setting>, fixed: &[Setting]) -> Column {
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
    // The program counts, its place does not.
    let identity = Key::of([this_build().as_str()].into_iter().chain(words[1..].iter().map(String::as_str)));
    Column { name, settings, words, identity }
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

/// Makes the runs that the logs do not have.
fn make(args: &Args, setup: &Setup, results: &Results, cancel: &Cancel) -> Result<(), String> {
    for column in &setup.columns {
        Command::of_words(&column.name, column.words.clone(), Limits::default())?.program()?;
    }
    results.open(setup)?;
    if args.tasks.is_distributed() {
        let mut known =
            log::read(&args.tasks.logs(Some(results.log()))).map_err(|error| error.to_string())?;
        let missing = |known: &BTreeMap<Key, Run>| {
            Ok(setup.jobs().filter(|job| !known.contains_key(&setup.key(job))).count())
        };
        args.tasks.distribute(Some(results.log()), &mut known, cancel, &missing)?;
    }
    let known = log::keys(&args.tasks.logs(Some(results.log()))).map_err(|error| error.to_string())?;
    let selection = args.tasks.selection();
    let mine = (0..).zip(setup.jobs()).filter(|&(number, _)| selection.has(number)).map(|(_, job)| job);
    let (kept, todo): (Vec<_>, Vec<_>) = mine.partition(|job| known.contains(&setup.key(job)));
    let (total, kept) = (kept.len() + todo.len(), kept.len());
    if kept > 0 && !args.output.quiet {
        eprintln!("{kept} of {total} runs are in the log already");
    }
    let log = Mutex::new(Log::open(results.log()).map_err(|error| error.to_string())?);
    let bar = Bar::new(&args.output, total as u64);
    bar.pass_over(kept as u64);
    let show = Mutex::new(Show { args, bar, tally: BTreeMap::new() });
    let done = setup.run(&todo, args.jobs.count(), cancel, &|run, key| {
        show.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).see(&run);
        let mut log = log.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(log.append(&Entry { key, result: run })?)
    });
    show.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).bar.close();
    done.map_err(|error| error.to_string())
}

/// What is shown while it runs.
struct Show<'a> {
    args: &'a Args,
    bar: Bar,
    /// Runs by status, beside solved ones.
    tally: BTreeMap<&'static str, u64>,
}

impl Show<'_> {
    fn see(&mut self, run: &Run) {
        let word = if run.status.is_solved() { "solved" } else { run.status.word() };
        *self.tally.entry(word).or_default() += 1;
        let counts: Vec<String> = self.tally.iter().map(|(word, count)| format!("{count} {word}")).collect();
        self.bar.set_message(counts.join(", "));
        self.bar.step();
        let (solver, file, OutputArgs { quiet, verbose, .. }) =
            (&run.solver, run.instance(), &self.args.output);
        if run.status == Status::Wrong && !quiet {
            let text = format!("WRONG {solver}: {}: {file}", run.answers.join(" "));
            self.bar.show(&self.args.output.color.alarm(&text));
        } else if *verbose {
            self.bar.show(&format!("{} {:.2} s {solver}: {file}", run.status.word(), run.cpu));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

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
            // A program that is anywhere, and backends that are in any build.
            let example = example.replace("kissat -q", "true").replace(",minisat,glucose", "");
            let typed = words(&example).unwrap();
            let args = Args::try_parse_from(["experiment".to_owned()].into_iter().chain(typed))
                .unwrap_or_else(|why| panic!("{example}: {why}"));
            if !args.tasks.report {
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
        let counted = |words: &[&str]| {
            let args = Args::try_parse_from([&["experiment"], words].concat()).unwrap();
            columns(&args).map(|columns| columns.len())
        };
        assert_eq!(
            counted(&["--vary", "rewrite-level=0,1", "--vary", "probe=on,off", "--set", "seed=1"]),
            Ok(4)
        );
        assert_eq!((counted(&[]), counted(&["--solver", "z3=z3 {}"])), (Ok(1), Ok(1)));
        assert_eq!(counted(&["--solver", "z3=z3 {}", "--set", "probe=off"]), Ok(2));
        assert!(
            counted(&["--vary", "frob=1"]).unwrap_err().contains("unknown option 'frob'; options are sat, ")
        );
        assert!(counted(&["--vary", "rewrite-level=0,9"]).unwrap_err().contains("found '9'"));
        assert!(counted(&["--vary", "probe=on", "--set", "probe=off"]).unwrap_err().contains("twice"));
        assert!(counted(&["--solver", "z3"]).unwrap_err().contains("NAME=COMMAND"));
    }
}
