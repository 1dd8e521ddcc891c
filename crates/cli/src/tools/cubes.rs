//! `bivalve cubes`: one hard formula, split into cubes for many workers.
//!
//! Reads what was typed, lets `bivalve-cubes` grow the tree, and keeps its state: the log has what was found
//! of each node, keyed by the job and the node's cube, and a folder beside the certificate has those of the
//! leaves. A run that was killed at any point goes on where the log ends. Nodes of a round are the tasks of
//! [`tasks`](super::tasks): threads of this process do them, or shards that an engine starts.
//!
//! Beside the log stands a file `LOG.job` that says what the log is about; another formula, or another way to
//! ask, is refused, so that no log has the nodes of two trees.
//!
//! Exit codes: 0 decided; 1 the script has an error, the answer is unknown, a limit is reached, or a
//! certificate is missing; 2 the command line is wrong, a file cannot be read or written, or nodes are left;
//! 130 Ctrl-C.

mod report;
mod store;

use super::campaign::write_plan;
use super::flags::{JobArgs, OutputArgs, print};
use super::interruptible;
use super::limited::{self, Limited};
use super::tasks::{TaskArgs, this_command};
use crate::limits::INTERRUPTED_EXIT;
use crate::messages::{Color, Diagnostics, TROUBLE_EXIT, complain, error, unreadable};
use bivalve::{Settings, Stop, Why};
use bivalve_cubes::{Answer, Cube, Fault, Job, Optimum, Outcome, Problem, State, Tree};
use bivalve_harness::tasks::Planned;
use bivalve_harness::{Cancel, Key, work};
use bivalve_session::Form;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use store::Store;

/// The script has an error, or there is no answer.
const ERROR_EXIT: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  bivalve cubes hard.smt2                                   split as long as it takes, on all processors
  bivalve cubes hard.smt2 -j 2 --log hard.jsonl             the same, and it may be killed: typed again, it goes on
  bivalve cubes hard.smt2 --certificate hard.bvc            one certificate of all leaves, for bivalve-check
  bivalve cubes hard.smt2 --log hard.jsonl --engine slurm --shards 200 --engine-option=--partition=long
                                                            each round of nodes as a Slurm job array
  bivalve cubes hard.smt2 --log hard.jsonl --plan tasks.jsonl
                                                            the nodes that are next, a command each, for other engines
  bivalve cubes hard.smt2 --log hard.jsonl --report         what is known of the tree
  bivalve cubes hard.smt2 --log hard.jsonl --simulate -o speed.svg
                                                            how many workers would help, from the times in the log

The first check of the script is answered; if the script has objectives, with their optimum, one question after another. Its formula is a node; one that is not decided within its budget of conflicts is
split on a term, chosen by what both halves lose, into two nodes. Budgets are steps, so the tree, the answer, the model
and the certificate are the same for any number of workers, and however often it was killed. A model is that of the leftmost
leaf of the first round that has one, evaluated on all assertions.

Exit codes: 0 decided, 1 the script has an error, the answer is unknown or a certificate is missing, 2 the command line is
wrong, a file cannot be used or nodes are left, 130 Ctrl-C.";

/// Split a hard formula into cubes, for many workers, with one answer and one certificate.
#[derive(Parser)]
#[command(
    name = "bivalve cubes",
    after_help = EXAMPLES,
    args_override_self = true,
    mut_arg("output", |arg| arg.value_name("PATH").help("Write the plot of --simulate there, as SVG")),
)]
struct Args {
    /// The script, in SMT-LIB 2
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Conflicts of the root; cubes of 4, 8, ... literals have 4 times as many for each literal
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// Write one certificate of all leaves there; as text if the name ends in .txt
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
    /// Print the model
    #[arg(short, long)]
    model: bool,
    /// An option of the solvers of all nodes: --set seed=7
    #[arg(long, value_name = "OPTION=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Write a line of JSON for each node, and use the results that the file has
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Show how fast 10 to 10,000 workers are on a tree of so many leaves, with the times of the log
    #[arg(long, value_name = "LEAVES", num_args = 0..=1, default_missing_value = "100000", requires = "log",
        value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    simulate: Option<u64>,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    tasks: TaskArgs,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    /// The cube, for those who read the log.
    cube: String,
    #[serde(flatten)]
    outcome: Outcome,
}

/// `option=value`, an option that there is.
fn setting(text: &str) -> Result<(String, String), String> {
    let (option, value) =
        text.split_once('=').ok_or_else(|| format!("expected OPTION=VALUE, found '{text}'"))?;
    Settings::default().set(option, value).map_err(|refusal| refusal.to_string())?;
    Ok((option.to_owned(), value.to_owned()))
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    // A model has the letter of the limit of memory.
    let letter = |arg: Arg| if arg.get_id() == "memory-limit" { arg.short(None) } else { arg };
    Args::command().args(limited::args().map(letter))
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = &Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    let limits = limited::limits(matches);
    let reading = Limited::by(limits);
    let begun = Search::begin(args);
    drop(reading);
    match begun {
        Ok(mut search) => {
            let (limit, _watched) = limited::ending(&search.cancel, limits);
            search.limit = limit;
            search.run()
        }
        Err(Problematic::Fault(fault)) => Ok(show(fault)),
        Err(Problematic::Sentence(sentence)) => Err(sentence),
    }
}

/// Shows what is wrong with the script, or with the solver.
fn show(fault: Fault) -> ExitCode {
    match fault {
        Fault::Refused(diagnostic) => Diagnostics::new(Color::Auto, false).show(&diagnostic),
        other => error(&other.to_string()),
    }
    ExitCode::from(ERROR_EXIT)
}

/// Why there is nothing to run.
enum Problematic {
    Fault(Fault),
    Sentence(String),
}

impl From<String> for Problematic {
    fn from(sentence: String) -> Problematic {
        Problematic::Sentence(sentence)
    }
}

/// A search for the answer.
struct Search<'a> {
    args: &'a Args,
    job: Job,
    hash: Key,
    store: Store,
    known: BTreeMap<Key, Record>,
    cancel: Cancel,
    /// Has the limit that ends the search, if one does.
    limit: Stop,
}

impl Search<'_> {
    fn begin(args: &Args) -> Result<Search<'_>, Problematic> {
        if args.output.output.is_some() && args.simulate.is_none() {
            return Err("--output: expected --simulate beside it, found none: there is nothing to draw"
                .to_owned()
                .into());
        }
        let name = args.file.display().to_string();
        let text = std::fs::read_to_string(&args.file).map_err(|error| unreadable(&name, &error))?;
        let mut settings = Settings::default();
        for (option, value) in &args.set {
            settings.set(option, value).map_err(|refusal| refusal.to_string())?;
        }
        let problem = Problem::read(text, &name, settings).map_err(Problematic::Fault)?;
        if args.certificate.is_some() && !problem.goals().is_empty() {
            return Err("--certificate: expected a script without objectives, found some: an optimum has no certificate here"
                .to_owned()
                .into());
        }
        let is_text = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "txt");
        let form = |path| if is_text(path) { Form::Text } else { Form::Binary };
        let job = Job { problem, budget: args.budget, certificates: args.certificate.as_ref().map(form) };
        let hash = job.hash();
        let mut store = Store::open(args, &job)?;
        let known = store.read(&args.tasks.logs(args.log.as_deref()))?;
        Ok(Search { args, job, hash, store, known, cancel: interruptible(), limit: Stop::new() })
    }

    fn found(&self) -> Optimum {
        self.found_in(&self.known)
    }

    fn found_in(&self, known: &BTreeMap<Key, Record>) -> Optimum {
        let outcome = |cube: &Cube| known.get(&Job::key(&self.hash, cube)).map(|record| &record.outcome);
        Optimum::grown(self.job.problem.goals(), outcome)
    }

    fn run(&mut self) -> Result<ExitCode, String> {
        let args = self.args;
        if let Some(leaves) = args.simulate {
            return report::simulate(args, &self.found().tree, leaves).map(|()| ExitCode::SUCCESS);
        }
        if let Some(file) = &args.tasks.plan {
            return self.plan(file).map(|()| ExitCode::SUCCESS);
        }
        loop {
            let found = self.found();
            let tree = &found.tree;
            let State::Open(missing) = &tree.state else {
                // A part has nothing to say, and does not write what others may write.
                return if args.tasks.is_part() { Ok(ExitCode::SUCCESS) } else { self.finish(&found) };
            };
            if args.tasks.report {
                return report::state(args, tree).map(|()| ExitCode::from(TROUBLE_EXIT));
            }
            self.tell(&found);
            let done = match args.tasks.is_distributed() && !self.store.has_lost() {
                true => self.distribute(tree),
                false => self.look_at(tree, missing),
            };
            if let Err(fault) = done {
                return match fault {
                    Problematic::Fault(fault) => Ok(show(fault)),
                    Problematic::Sentence(sentence) => Err(sentence),
                };
            }
            if let Some(why) = self.limit.reason() {
                // A part has nothing to say.
                return if args.tasks.is_part() { Ok(ExitCode::from(ERROR_EXIT)) } else { self.give_up(why) };
            }
            if self.cancel.is_raised() {
                return Ok(ExitCode::from(INTERRUPTED_EXIT));
            }
            // A part does its tasks of one round.
            if args.tasks.is_part() {
                return Ok(ExitCode::SUCCESS);
            }
        }
    }

    /// Says which round begins.
    fn tell(&self, found: &Optimum) {
        let Optimum { tree, values, questions } = found;
        let (round, nodes, refuted) = (tree.rounds(), tree.round.len(), tree.leaves().len());
        if self.args.output.quiet || round == 0 {
            return;
        }
        let question = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let question = match values[..] {
            [] => String::new(),
            _ => format!("question {}, {question} is the best so far: ", questions + 1),
        };
        complain(&format!("{question}round {round}: {nodes} nodes, {refuted} leaves are refuted\n"));
    }

    /// Has an engine look at the nodes of a round.
    fn distribute(&mut self, tree: &Tree) -> Result<(), Problematic> {
        let args = self.args;
        let mut known = std::mem::take(&mut self.known);
        let missing = |known: &BTreeMap<Key, Record>| {
            let now = self.found_in(known).tree;
            Ok(match now.state {
                State::Open(missing) if now.round == tree.round => missing.len(),
                _ => 0,
            })
        };
        args.tasks.distribute(args.log.as_deref(), &mut known, &self.cancel, &missing)?;
        self.known = known;
        self.store.check(&mut self.known);
        Ok(())
    }

    /// Looks at nodes of a round in this process.
    fn look_at(&mut self, tree: &Tree, missing: &[Cube]) -> Result<(), Problematic> {
        let (args, selection) = (self.args, self.args.tasks.selection());
        let is_mine = |&(number, cube): &(u64, &Cube)| selection.has(number) && missing.contains(cube);
        let mine: Vec<&Cube> = (0..).zip(&tree.round).filter(is_mine).map(|(_, cube)| cube).collect();
        let (job, store) = (&self.job, &self.store);
        let look = |cube: &Cube, over: &Cancel| -> Result<Option<(Cube, Outcome)>, Problematic> {
            let begin = Instant::now();
            let Some((mut outcome, steps)) = job.run(cube, over).map_err(Problematic::Fault)? else {
                return Ok(None);
            };
            outcome.seconds = (begin.elapsed().as_secs_f64() * 1e3).round() / 1e3;
            if let Some((key, _)) = &outcome.certificate {
                store.keep(key, &steps)?;
            }
            Ok(Some((cube.clone(), outcome)))
        };
        let (mut log, mut failed) = (store.log(args)?, None);
        let (hash, known) = (&self.hash, &mut self.known);
        let mut see = |found: Result<Option<(Cube, Outcome)>, Problematic>| {
            let kept = found.and_then(|found| {
                let Some((cube, outcome)) = found else { return Ok(ControlFlow::Continue(())) };
                if args.output.verbose {
                    complain(&report::line(&cube, &outcome));
                }
                let is_model = matches!(outcome.answer, Answer::Sat { .. });
                let (key, record) = (Job::key(hash, &cube), Record { cube: cube.to_string(), outcome });
                store::append(&mut log, &key, &record)?;
                known.insert(key, record);
                // What is further to the right decides nothing.
                Ok(if is_model { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            });
            kept.unwrap_or_else(|problem| {
                failed = Some(problem);
                ControlFlow::Break(())
            })
        };
        work::in_order(mine.into_iter(), args.jobs.count(), &self.cancel, look, &mut see)?;
        self.store.found();
        failed.map_or(Ok(()), Err)
    }

    /// Writes the list of nodes that are next.
    fn plan(&self, file: &Path) -> Result<(), String> {
        let tree = self.found().tree;
        let State::Open(missing) = &tree.state else { return write_plan(file, &[]) };
        let command = this_command();
        let planned = |(task, cube): (u64, &Cube)| {
            let words = command.iter().map(String::as_str).chain(["--task"]);
            let command = format!("{} {task}", shlex::try_join(words).unwrap_or_default());
            Planned { task, keys: vec![Job::key(&self.hash, cube)], names: vec![cube.to_string()], command }
        };
        let tasks = (0..).zip(&tree.round).filter(|(_, cube)| missing.contains(cube)).map(planned);
        write_plan(file, &tasks.collect::<Vec<_>>())
    }

    /// Says that a limit was reached; a search with the same log goes on.
    fn give_up(&self, why: Why) -> Result<ExitCode, String> {
        let found = self.found();
        match self.args.output.json {
            true => report::json(&found, self.job.problem.goals())?,
            false => print("unknown\n")?,
        }
        error(&format!("unknown: {why}"));
        if !self.args.output.quiet {
            complain(&report::summary(&found.tree));
        }
        Ok(ExitCode::from(ERROR_EXIT))
    }

    /// Says the answer, and writes the certificate.
    fn finish(&self, found: &Optimum) -> Result<ExitCode, String> {
        let (args, goals, tree) = (self.args, self.job.problem.goals(), &found.tree);
        if args.output.json {
            report::json(found, goals)?;
        }
        let say = |word: &str| if args.output.json { Ok(()) } else { print(&format!("{word}\n")) };
        let mut exit = ExitCode::SUCCESS;
        match &tree.state {
            State::Sat { model, .. } => {
                say("sat")?;
                if !goals.is_empty() {
                    say(&report::objectives(found, goals))?;
                }
                if args.model {
                    say(model)?;
                }
            }
            State::Unsat => {
                say("unsat")?;
                let without = |(_, outcome): &(&Cube, &Outcome)| outcome.uncertified.clone();
                match tree.leaves().iter().find_map(without).filter(|_| args.certificate.is_some()) {
                    Some(why) => {
                        error(&format!("there is no certificate: {why}"));
                        exit = ExitCode::from(ERROR_EXIT);
                    }
                    None => self.store.merge(&self.job, tree)?,
                }
            }
            State::Unknown(why) => {
                say("unknown")?;
                error(&format!("unknown: {why}"));
                exit = ExitCode::from(ERROR_EXIT);
            }
            State::Open(_) => {}
        }
        if !args.output.quiet {
            complain(&report::summary(tree));
        }
        Ok(exit)
    }
}
