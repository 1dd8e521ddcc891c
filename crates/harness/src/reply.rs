//! The reply of a solver to a script.
//!
//! One type for every kind of solver, processes and Bivalve in this process alike. It holds facts and no
//! judgement: the verdict of each `check-sat`, the texts of models, values and cores as they were printed,
//! the error messages that answer no legal question, how the run ended and what it took. Whether that is
//! right is the matter of `bivalve-judge`.
//!
//! An error that only reports that there is no model after `unsat`, or no core after `sat`, is dropped:
//! scripts whose status is unknown ask for both.

use std::fmt;
use std::time::Duration;

/// The answer to one check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided.
    Unknown,
}

impl Verdict {
    /// The verdict of this name, as solvers print it and as `:status` has it.
    pub fn parse(text: &str) -> Option<Verdict> {
        match text {
            "sat" => Some(Verdict::Sat),
            "unsat" => Some(Verdict::Unsat),
            "unknown" => Some(Verdict::Unknown),
            _ => None,
        }
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }

    /// Is it `sat` or `unsat`?
    pub fn is_definite(self) -> bool {
        self != Verdict::Unknown
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The answers to one `check-sat` or `check-sat-assuming` and to the queries behind it. Texts are as they
/// were printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The verdict.
    pub verdict: Verdict,
    /// The answer to the last `get-model`.
    pub model: Option<String>,
    /// The answers to `get-value`, in order.
    pub values: Vec<String>,
    /// The answer to `get-unsat-core`.
    pub core: Option<String>,
    /// The answer to `get-unsat-assumptions`.
    pub failed: Option<String>,
}

impl Check {
    /// A verdict and nothing else.
    pub fn of(verdict: Verdict) -> Check {
        Check { verdict, model: None, values: vec![], core: None, failed: None }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, with this exit code (0 for a solver in this process).
    Exited(i32),
    /// By a signal of this number that was not sent here.
    Signal(i32),
    /// It reported an internal error, in these words.
    Crashed(String),
    /// It used up its memory.
    OutOfMemory,
    /// It was killed, or stopped, at the limit of time.
    TimedOut,
    /// It was killed because the answer is no longer needed, or asked to end by others.
    Cancelled,
    /// It could not be started.
    NotStarted(String),
}

/// All answers of a solver to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The checks that were answered, in order.
    pub checks: Vec<Check>,
    /// Error messages, without those that a question about a missing model or core deserves.
    pub errors: Vec<String>,
    /// How it ended.
    pub ending: Ending,
    /// Wall-clock time.
    pub time: Duration,
    /// Standard output, or what would have been; cut off after some megabytes.
    pub output: String,
    /// The end of standard error.
    pub stderr: String,
}

impl Reply {
    /// A reply without answers.
    pub fn ended(ending: Ending) -> Reply {
        Reply {
            checks: vec![],
            errors: vec![],
            ending,
            time: Duration::ZERO,
            output: String::new(),
            stderr: String::new(),
        }
    }

    /// The verdicts, in order.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.checks.iter().map(|check| check.verdict).collect()
    }

    /// The last verdict, which is the only one of most scripts.
    pub fn verdict(&self) -> Option<Verdict> {
        self.checks.last().map(|check| check.verdict)
    }

    /// Why this is a crash, if it is one: a signal, or the words of an internal error.
    /// An exit code alone is none: many solvers end with 1 after an error that they answered properly.
    pub fn crash(&self) -> Option<String> {
        match &self.ending {
            Ending::Signal(number) => Some(format!("signal {number}")),
            Ending::Crashed(words) => Some(words.clone()),
            Ending::Exited(_)
            | Ending::OutOfMemory
            | Ending::TimedOut
            | Ending::Cancelled
            | Ending::NotStarted(_) => None,
        }
    }

    /// Why the solver could not be started, if it could not.
    pub fn not_started(&self) -> Option<&str> {
        match &self.ending {
            Ending::NotStarted(why) => Some(why),
            _ => None,
        }
    }
}
