//! The solvers of a campaign, as they are named on a command line.
//!
//! `--solver NAME=COMMAND` is a program: words as in a shell, `{}` for the file, standard input without
//! it. `--inside NAME:OPTION=VALUE,...` is Bivalve in this process; without any solver there is one of
//! these, called `bivalve`. What a solver cannot do is given by its name: `--without NAME=models`. Options
//! at random are drawn anew for every few cases, from the option table for those inside, from the pool of
//! `--pool NAME=WORDS` for a program. One option more, `check-unsat`, has Bivalve in this process write
//! certificates that are checked.

use super::flags::LimitArgs;
use bivalve::{OPTIONS, Settings};
use bivalve_harness::{Command, Oracle, words};
use bivalve_judge::{Choice, Factory, Inside, Reference, Solver, Wanted, quick_backends, random_settings};
use clap::Args;
use fastrand::Rng;
use std::sync::Arc;
use std::time::Duration;

/// The part of a tool's command line that names solvers.
#[derive(Args, Clone)]
#[command(next_help_heading = "Solvers")]
pub(crate) struct SolverArgs {
    /// A program: `z3=z3 -smt2 {}`; `{}` is the file, without it the script goes to standard input
    #[arg(long = "solver", value_name = "NAME=COMMAND")]
    pub(crate) programs: Vec<String>,
    /// Bivalve in this process: `bivalve`, or `NAME:OPTION=VALUE,OPTION=VALUE` [default without --solver:
    /// bivalve]; `check-unsat=on` has each unsat certified and checked, `check-unsat=sometimes` now and then
    #[arg(long = "inside", value_name = "NAME:OPTIONS")]
    pub(crate) inside: Vec<String>,
    /// The same, whose options are never drawn at random
    #[arg(long, value_name = "NAME:OPTIONS")]
    pub(crate) fixed: Vec<String>,
    /// The reference semantics on small formulas, as a solver called `reference`; it has no models
    #[arg(long)]
    pub(crate) reference: bool,
    /// Options for all Bivalves in this process
    #[arg(long, value_name = "OPTION=VALUE,...", default_value = "", hide_default_value = true)]
    pub(crate) always: String,
    /// Ask programs, or the one of that name, about so many cases at once, separated by `(reset)`; a
    /// script with an error is asked again alone
    #[arg(long, value_name = "[NAME=]N")]
    pub(crate) batch: Vec<String>,
    /// With --batch, let errors and unknown count without asking again alone
    #[arg(long)]
    batch_flaws: bool,
    /// Do not ask this solver for `models`, `cores` or `models,cores`
    #[arg(long, value_name = "NAME=WHAT")]
    pub(crate) without: Vec<String>,
    /// Give this solver the forms over integers where a case has one
    #[arg(long, value_name = "NAME")]
    pub(crate) integers: Vec<String>,
    /// Draw options of Bivalve in this process at random, by this seed
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    pub(crate) random_options: Option<u64>,
    /// Add words to this program's command at random: `z3=smt.relevancy=0 sat.euf=true`
    #[arg(long = "pool", value_name = "NAME=WORDS")]
    pub(crate) pools: Vec<String>,
}

/// `NAME=REST`.
pub(crate) fn named<'a>(text: &'a str, what: &str) -> Result<(&'a str, &'a str), String> {
    text.split_once('=').ok_or_else(|| format!("expected {what}, found '{text}'"))
}

impl SolverArgs {
    /// The solvers, in the order of the command line, programs last. Programs are looked for, and all names
    /// and numbers checked.
    ///
    /// # Errors
    /// A sentence, when something cannot be.
    pub(crate) fn solvers(&self, limits: &LimitArgs) -> Result<Vec<Solver>, String> {
        let none = self.inside.is_empty() && self.fixed.is_empty() && self.programs.is_empty();
        let own = none.then(|| "bivalve".to_owned());
        let random = self.inside.iter().chain(&own).map(|text| (text, self.random_options));
        let mut found: Vec<Solver> = vec![];
        for (text, seed) in random.chain(self.fixed.iter().map(|text| (text, None))) {
            let (name, options) = text.split_once(':').unwrap_or((text, ""));
            found.push(self.solver(name, self.making_inside(name, options, seed, limits)?)?);
        }
        if self.reference {
            let limit = limits.time_limit.unwrap_or_default();
            let options = settings(&format!("conflict-limit=2000,gate-limit=2000000,{}", self.always))?;
            let shared = Arc::new(Reference::new("reference", Inside::new("bits", options, limit)));
            let make: Factory =
                Box::new(move |_| (Box::new(shared.clone()) as Box<dyn Oracle>, String::new()));
            found.push(self.solver("reference", make)?);
        }
        for text in &self.programs {
            let (name, command) = named(text, "NAME=COMMAND")?;
            found.push(self.solver(name, self.making_program(name, command, limits)?)?);
        }
        let is_known = |name: &str| found.iter().any(|solver| solver.name == name);
        let mut mentioned: Vec<&str> = self.integers.iter().map(String::as_str).collect();
        for text in self.without.iter().chain(&self.pools) {
            mentioned.push(named(text, "NAME=...")?.0);
        }
        mentioned.extend(self.batches()?.iter().filter_map(|(name, _)| *name));
        for name in mentioned {
            if !is_known(name) {
                return Err(format!("there is no solver of the name '{name}'"));
            }
        }
        match (1..found.len()).find(|&at| found[..at].iter().any(|other| other.name == found[at].name)) {
            Some(at) => Err(format!("two solvers are called '{}'", found[at].name)),
            None => Ok(found),
        }
    }

    /// How many cases a program is asked about at once: the last value that applies to it.
    fn batch_of(&self, name: &str) -> Result<usize, String> {
        let batches = self.batches()?;
        let of_this = batches.iter().rev().find(|(of, _)| of.is_none_or(|of| of == name));
        Ok(of_this.map_or(1, |(_, count)| *count))
    }

    /// The numbers of --batch, each with the name of the program that it is about, or none for all.
    fn batches<'a>(&'a self) -> Result<Vec<(Option<&'a str>, usize)>, String> {
        let parsed = |text: &'a String| {
            let (name, count) = text.split_once('=').map_or((None, &**text), |(name, n)| (Some(name), n));
            let count = count.parse().ok().filter(|&count: &usize| count > 0);
            let count =
                count.ok_or_else(|| format!("--batch: expected [NAME=]N, N from 1 on, found '{text}'"))?;
            Ok((name, count))
        };
        self.batch.iter().map(parsed).collect()
    }

    /// How many cases belong together: the largest batch.
    pub(crate) fn largest_batch(&self) -> usize {
        let batches = self.batches().unwrap_or_default();
        batches.into_iter().map(|(_, count)| count).max().unwrap_or(1)
    }

    fn solver(&self, name: &str, make: Factory) -> Result<Solver, String> {
        let mut wanted = Wanted { models: true, cores: true };
        for text in &self.without {
            let (of, list) = named(text, "NAME=models,cores")?;
            for word in list.split(',') {
                match word {
                    "models" => wanted.models &= of != name,
                    "cores" => wanted.cores &= of != name,
                    _ => return Err(format!("--without: expected models or cores, found '{word}'")),
                }
            }
        }
        let integers = self.integers.iter().any(|other| other == name);
        Ok(Solver { name: name.to_owned(), make, wanted, integers })
    }

    fn making_inside(
        &self,
        name: &str,
        options: &str,
        seed: Option<u64>,
        limits: &LimitArgs,
    ) -> Result<Factory, String> {
        let options = format!("{options},{}", self.always);
        let (check_unsat, options) = certifying(pairs(&options)?)?;
        let settings = set(options)?;
        let (name, limit) = (name.to_owned(), limits.time_limit.unwrap_or_default());
        let shared = Inside::new(&name, settings.clone(), limit).certifying(check_unsat == CheckUnsat::On);
        let shared = Arc::new(shared);
        Ok(Box::new(move |number| {
            let Some(seed) = seed else {
                return (Box::new(shared.clone()) as Box<dyn Oracle>, String::new());
            };
            let mut rng = Rng::with_seed(mixed(seed, &name, number));
            let (settings, chosen) = random_settings(&settings, &quick_backends(), &mut rng);
            let mut words: Vec<String> =
                chosen.iter().map(|(name, value)| format!("--{name} {value}")).collect();
            let is_certified = match check_unsat {
                CheckUnsat::Off => false,
                CheckUnsat::On => true,
                CheckUnsat::Sometimes => rng.u8(..4) == 0,
            };
            if is_certified && check_unsat == CheckUnsat::Sometimes {
                words.push(format!("--{CHECK_UNSAT} on"));
            }
            (Box::new(Inside::new(&name, settings, limit).certifying(is_certified)), words.join(" "))
        }))
    }

    fn making_program(&self, name: &str, command: &str, limits: &LimitArgs) -> Result<Factory, String> {
        let mut command = Command::new(name, command, limits.of_a_run())?.with_batches(self.batch_of(name)?);
        if self.batch_flaws {
            command = command.with_flaws();
        }
        command.program()?;
        let mut pool = vec![];
        for text in &self.pools {
            let (of, list) = named(text, "NAME=WORDS")?;
            if of == name {
                pool.extend(words(list)?);
            }
        }
        let (seed, name) = (self.random_options.unwrap_or(1), name.to_owned());
        Ok(Box::new(move |number| {
            let mut rng = Rng::with_seed(mixed(seed, &name, number));
            let chosen: Vec<&String> = pool.iter().filter(|_| rng.bool()).collect();
            let words = chosen.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
            (Box::new(command.clone().with_options(chosen)), words)
        }))
    }
}

/// A solver with all its options, as it was for one case.
#[derive(Clone)]
pub(crate) enum Subject {
    /// A program.
    Program(Command),
    /// Bivalve in this process.
    Inside(Vec<Choice>),
}

impl Subject {
    /// The options of Bivalve in this process.
    pub(crate) fn choices(&self) -> &[Choice] {
        match self {
            Subject::Program(_) => &[],
            Subject::Inside(choices) => choices,
        }
    }

    /// The same with an option of Bivalve in this process.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> Subject {
        match self {
            Subject::Program(command) => Subject::Program(command.clone()),
            Subject::Inside(choices) => {
                let others = choices.iter().filter(|choice| choice.0 != name).cloned();
                Subject::Inside(others.chain([(name, value.to_owned())]).collect())
            }
        }
    }

    /// The same without the option of this position.
    pub(crate) fn without(&self, at: usize) -> Subject {
        match self {
            Subject::Program(command) => Subject::Program(command.clone()),
            Subject::Inside(choices) => Subject::Inside([&choices[..at], &choices[at + 1..]].concat()),
        }
    }
}

impl SolverArgs {
    /// The solver of this name with the options that its result names; `None` for the reference.
    ///
    /// # Errors
    /// A sentence, when the options are none.
    pub(crate) fn subject(
        &self,
        name: &str,
        drawn: &str,
        limits: &LimitArgs,
    ) -> Result<Option<Subject>, String> {
        let options_of =
            |text: &&String| text.split_once(':').map_or(text.as_str(), |(name, _)| name) == name;
        if let Some(text) = self.inside.iter().chain(&self.fixed).find(options_of) {
            let own = text.split_once(':').map_or("", |(_, options)| options);
            let mut choices = vec![];
            for option in
                format!("{own},{}", self.always).split(',').map(str::trim).filter(|text| !text.is_empty())
            {
                let (name, value) = named(option, "OPTION=VALUE")?;
                choices.push(choice(name, value)?);
            }
            for pair in words(drawn)?.chunks(2) {
                let [name, value] = pair else { return Err(format!("not options: {drawn}")) };
                let (name, value) = choice(name, value)?;
                choices.retain(|other| other.0 != name);
                choices.push((name, value));
            }
            return Ok(Some(Subject::Inside(choices)));
        }
        for text in &self.programs {
            let (of, command) = named(text, "NAME=COMMAND")?;
            if of == name {
                let command = Command::new(name, command, limits.of_a_run())?.with_options(words(drawn)?);
                return Ok(Some(Subject::Program(command)));
            }
        }
        Ok(None)
    }
}

/// An option of the table, or of certificates, with its value.
fn choice(name: &str, value: &str) -> Result<Choice, String> {
    let name = name.trim_start_matches("--");
    if name == CHECK_UNSAT {
        return Ok((CHECK_UNSAT, value.to_owned()));
    }
    let row =
        OPTIONS.iter().find(|row| row.name == name).ok_or_else(|| format!("unknown option '{name}'"))?;
    Ok((row.name, value.to_owned()))
}

/// A seed for each solver and number.
fn mixed(seed: u64, name: &str, number: u64) -> u64 {
    let seed = name.bytes().fold(seed, |seed, byte| seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number.wrapping_mul(0xbf58_476d_1ce4_e5b9))
}

/// The option of Bivalve in this process that is none of the table.
pub(crate) const CHECK_UNSAT: &str = "check-unsat";

/// Whether unsat answers are certified and checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckUnsat {
    Off,
    On,
    /// In one task of four, if options are drawn at random.
    Sometimes,
}

/// An option with its value.
type Pair<'a> = (&'a str, &'a str);

/// The options of `OPTION=VALUE,...`, with their values.
fn pairs(options: &str) -> Result<Vec<Pair<'_>>, String> {
    let options = options.split(',').map(str::trim).filter(|option| !option.is_empty());
    let pairs = options.map(|option| named(option, "OPTION=VALUE"));
    pairs.map(|pair| pair.map(|(name, value)| (name.trim_start_matches("--"), value))).collect()
}

/// What options say of certificates, and the other options.
fn certifying<'a>(
    options: impl IntoIterator<Item = Pair<'a>>,
) -> Result<(CheckUnsat, Vec<Pair<'a>>), String> {
    let mut check_unsat = CheckUnsat::Off;
    let (own, others): (Vec<_>, Vec<_>) = options.into_iter().partition(|pair| pair.0 == CHECK_UNSAT);
    for (_, value) in own {
        check_unsat = match value {
            "off" => CheckUnsat::Off,
            "on" => CheckUnsat::On,
            "sometimes" => CheckUnsat::Sometimes,
            _ => return Err(format!("{CHECK_UNSAT}: expected off, on or sometimes, found '{value}'")),
        };
    }
    Ok((check_unsat, others))
}

/// Bivalve in this process with these options; `check-unsat=sometimes` is never.
pub(crate) fn inside<'a>(
    name: &str,
    options: impl IntoIterator<Item = Pair<'a>>,
    limit: Duration,
) -> Result<Inside, String> {
    let (check_unsat, options) = certifying(options)?;
    Ok(Inside::new(name, set(options)?, limit).certifying(check_unsat == CheckUnsat::On))
}

/// The settings that `OPTION=VALUE,...` asks for, those for certificates aside.
pub(crate) fn settings(options: &str) -> Result<Settings, String> {
    set(certifying(pairs(options)?)?.1)
}

/// Settings with these options.
pub(crate) fn set<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Settings, String> {
    let mut settings = Settings::default();
    for (name, value) in options {
        settings.set(name, value).map_err(|refusal| refusal.to_string())?;
    }
    Ok(settings)
}
