//! What a failure is, so that a smaller script can be asked whether it still shows it.
//!
//! A [`Failure`] is a list of symptoms, all of which a reply must show. It is given by hand, or taken from
//! the reply to the first script ([`Failure::of`]): a crash is recognised by its signal or its words
//! (numbers aside, which are addresses and lines), a hang by the limit of time, anything else by its exit
//! code and, where that is zero, by what was printed. Wrong verdicts, models and cores are recognised by
//! the rules of [`Judge`]: a verdict is wrong if trusted solvers answer otherwise, a model if it is false
//! under evaluation, a core if its members are satisfiable.
//!
//! *Time* (Brummayer's thesis, section 4.3.1). Solvers crash early, so a candidate gets one and a half times
//! what the failing script took, and a margin; the limit falls with each failing script that was faster. A
//! candidate that takes longer does not show the failure; unless the failure is that it takes for ever, when
//! the limit is the whole definition, and fixed.

use crate::case::{Case, Wanted};
use crate::inside::Inside;
use crate::judge::{Judge, Kind};
use crate::vote::vote;
use bivalve_harness::{Cancel, Command, Ending, Limits, Oracle, Reply, Verdict};
use regex_lite::Regex;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Text that is looked for.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// As it stands.
    Literal(String),
    /// A regular expression.
    Regex(Box<Regex>),
}

impl Pattern {
    /// The regular expression of this text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn regex(text: &str) -> Result<Pattern, String> {
        Regex::new(text).map(|regex| Pattern::Regex(Box::new(regex))).map_err(|error| error.to_string())
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Pattern::Literal(literal) => text.contains(literal),
            Pattern::Regex(regex) => regex.is_match(text),
        }
    }
}

/// A symptom.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The process ends with this code.
    Exit(i32),
    /// It dies by this signal.
    Signal(i32),
    /// It reports an internal error, in these words, numbers aside; in any words if there are
    /// none.
    Crash(Option<String>),
    /// It does not end in time.
    Hang,
    /// Standard output has this.
    Output(Pattern),
    /// Standard error has this.
    Stderr(Pattern),
    /// Standard output is this.
    SameOutput(String),
    /// The script has this text, which a small script has to keep.
    Script(Pattern),
    /// Some check is answered by this.
    Says(Verdict),
    /// The verdicts are these, in order.
    Verdicts(Vec<Verdict>),
    /// Some definite verdict is not that of the trusted solvers.
    WrongVerdict,
    /// Some model violates the assertions.
    WrongModel,
    /// Some core or list of failed assumptions is satisfiable.
    WrongCore,
}

/// The words of a crash without its numbers.
fn without_numbers(words: &str) -> String {
    let numbers = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    words.split_whitespace().filter(|word| !numbers(word)).collect::<Vec<_>>().join(" ")
}

impl Failure {
    /// The symptoms of a reply by which it is known again.
    pub fn of(reply: &Reply) -> Vec<Failure> {
        match &reply.ending {
            Ending::Signal(number) => vec![Failure::Signal(*number)],
            Ending::Crashed(words) => vec![Failure::Crash(Some(words.clone()))],
            Ending::TimedOut => vec![Failure::Hang],
            Ending::Exited(0) => vec![Failure::Exit(0), Failure::SameOutput(reply.output.clone())],
            Ending::Exited(code) => vec![Failure::Exit(*code)],
            Ending::OutOfMemory | Ending::Cancelled | Ending::NotStarted(_) => vec![],
        }
    }

    /// A few words for people.
    pub fn describe(&self) -> String {
        match self {
            Failure::Exit(code) => format!("exit code {code}"),
            Failure::Signal(number) => format!("signal {number}"),
            Failure::Crash(Some(words)) => format!("crash: {words}"),
            Failure::Crash(None) => "any crash".to_owned(),
            Failure::Hang => "no end within the limit of time".to_owned(),
            Failure::Output(Pattern::Literal(text)) => format!("output has {text:?}"),
            Failure::Output(Pattern::Regex(regex)) => format!("output matches /{}/", regex.as_str()),
            Failure::Stderr(Pattern::Literal(text)) => format!("standard error has {text:?}"),
            Failure::Stderr(Pattern::Regex(regex)) => {
                format!("standard error matches /{}/", regex.as_str())
            }
            Failure::SameOutput(text) => format!("output {:?}", text.chars().take(60).collect::<String>()),
            Failure::Script(Pattern::Literal(text)) => format!("the script has {text:?}"),
            Failure::Script(Pattern::Regex(regex)) => format!("the script matches /{}/", regex.as_str()),
            Failure::Says(verdict) => format!("it answers {verdict}"),
            Failure::Verdicts(verdicts) => {
                let words: Vec<&str> = verdicts.iter().map(|verdict| verdict.word()).collect();
                format!("verdicts {}", words.join(" "))
            }
            Failure::WrongVerdict => "a verdict that trusted solvers deny".to_owned(),
            Failure::WrongModel => "a model that violates the assertions".to_owned(),
            Failure::WrongCore => "a core that is satisfiable".to_owned(),
        }
    }

    /// Does the reply show the symptom, as far as the reply alone tells?
    fn is_shown(&self, reply: &Reply) -> bool {
        match self {
            Failure::Exit(code) => reply.ending == Ending::Exited(*code),
            Failure::Signal(number) => reply.ending == Ending::Signal(*number),
            Failure::Crash(None) => reply.crash().is_some(),
            Failure::Crash(Some(words)) => match &reply.ending {
                Ending::Crashed(others) => without_numbers(others) == without_numbers(words),
                _ => false,
            },
            Failure::Hang => reply.ending == Ending::TimedOut,
            Failure::Output(pattern) => pattern.is_in(&reply.output),
            Failure::Stderr(pattern) => pattern.is_in(&reply.stderr),
            Failure::SameOutput(text) => reply.output == *text,
            // The solver is not asked if it has not.
            Failure::Script(_) => true,
            Failure::Says(verdict) => reply.verdicts().contains(verdict),
            Failure::Verdicts(verdicts) => reply.verdicts() == *verdicts,
            // A reply to another question proves nothing.
            Failure::WrongVerdict | Failure::WrongModel | Failure::WrongCore => {
                reply.errors.is_empty() && !reply.checks.is_empty()
            }
        }
    }
}

/// The solver that fails.
pub enum Suspect {
    /// A program.
    Command(Command),
    /// Bivalve in this process.
    Inside(Box<Inside>),
}

impl Suspect {
    fn ask(&self, script: &str, limit: Duration, cancel: &Cancel) -> Reply {
        match self {
            Suspect::Command(command) => {
                let limits = Limits { time: limit, ..command.limits() };
                command.clone().with_limits(limits).ask(script, cancel)
            }
            Suspect::Inside(inside) => {
                inside.set_limit(limit);
                inside.ask(script, cancel)
            }
        }
    }
}

/// The target of a reduction: the solver, the symptoms of its failure, and the solvers that are trusted.
pub struct Target {
    suspect: Suspect,
    failures: Vec<Failure>,
    trusted: Vec<Box<dyn Oracle>>,
    /// Asked about cores.
    referee: Inside,
    percent: u32,
    /// The limit of time in microseconds.
    limit: AtomicU64,
    /// Added to one and a half times what a failing script takes; `None` if the limit is fixed.
    margin: Option<Duration>,
    spent: Mutex<Duration>,
}

impl Target {
    /// A target. `limit` is the limit of time at the beginning; with a `margin` it adapts. At least
    /// `percent` of those trusted have to agree, two or more of them if there are several.
    pub fn new(
        suspect: Suspect,
        failures: Vec<Failure>,
        trusted: Vec<Box<dyn Oracle>>,
        percent: u32,
        limit: Duration,
        margin: Option<Duration>,
    ) -> Target {
        let margin = margin.filter(|_| !failures.iter().any(|failure| matches!(failure, Failure::Hang)));
        Target {
            suspect,
            failures,
            trusted,
            referee: Inside::new("bivalve", bivalve::Settings::default(), Duration::from_secs(20)),
            percent,
            limit: AtomicU64::new(micros(limit)),
            margin,
            spent: Mutex::default(),
        }
    }

    /// The same, with another solver that is asked about cores and partial values.
    #[must_use]
    pub fn with_referee(mut self, referee: Inside) -> Target {
        self.referee = referee;
        self
    }

    /// The reply of the suspect to a script now.
    pub fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let reply = self.suspect.ask(&self.asked(script), self.limit(), cancel);
        self.spend(reply.time);
        reply
    }

    /// The symptoms.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Other symptoms.
    pub fn set_failures(&mut self, failures: Vec<Failure>) {
        if failures.iter().any(|failure| matches!(failure, Failure::Hang)) {
            self.margin = None;
        }
        self.failures = failures;
    }

    /// The present limit of time.
    pub fn limit(&self) -> Duration {
        Duration::from_micros(self.limit.load(Ordering::Relaxed))
    }

    /// The time that solvers took, all threads together.
    pub fn spent(&self) -> Duration {
        *self.spent.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Does the failure show on this script?
    pub fn shows(&self, script: &str, cancel: &Cancel) -> bool {
        let lacks = |failure: &Failure| matches!(failure, Failure::Script(pattern) if !pattern.is_in(script));
        if self.failures.iter().any(lacks) {
            return false;
        }
        let reply = self.ask(script, cancel);
        let shows = self.is_shown(script, &reply, cancel);
        if let (true, Some(margin)) = (shows, self.margin) {
            let limit = reply.time.mul_f64(1.5) + margin;
            self.limit.fetch_min(micros(limit), Ordering::Relaxed);
        }
        shows
    }

    fn spend(&self, time: Duration) {
        *self.spent.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += time;
    }

    /// The script with the questions that the symptoms are about.
    fn asked(&self, script: &str) -> String {
        let has = |test: fn(&Failure) -> bool| self.failures.iter().any(test);
        let models = has(|failure| matches!(failure, Failure::WrongModel));
        let cores = has(|failure| matches!(failure, Failure::WrongCore));
        if !models && !cores {
            return script.to_owned();
        }
        Case::new("", "", script).script(Wanted { models, cores }, false)
    }

    fn is_shown(&self, script: &str, reply: &Reply, cancel: &Cancel) -> bool {
        // A run that was stopped shows no failure, unless the failure is that it does not end.
        let stopped = matches!(reply.ending, Ending::TimedOut | Ending::Cancelled | Ending::OutOfMemory);
        if stopped && !self.failures.iter().any(|failure| matches!(failure, Failure::Hang)) {
            return false;
        }
        if self.failures.is_empty() || !self.failures.iter().all(|failure| failure.is_shown(reply)) {
            return false;
        }
        self.failures.iter().all(|failure| match failure {
            Failure::WrongVerdict => self.is_denied(script, reply, cancel),
            Failure::WrongModel => self.judged(script, reply) == Kind::WrongModel,
            Failure::WrongCore => self.judged(script, reply) == Kind::WrongCore,
            _ => true,
        })
    }

    fn judged(&self, script: &str, reply: &Reply) -> Kind {
        let judge = Judge { trusted: &self.referee, percent: self.percent };
        let verdicts = judge.judge(&Case::new("", "", script), &[reply]);
        verdicts.judgements.first().filter(|judgement| !judgement.imprecise).map_or(Kind::Passed, |j| j.kind)
    }

    /// Do the trusted solvers deny a verdict?
    fn is_denied(&self, script: &str, reply: &Reply, cancel: &Cancel) -> bool {
        let verdicts = reply.verdicts();
        if !verdicts.iter().any(|verdict| verdict.is_definite()) {
            return false;
        }
        let replies: Vec<Reply> = self.trusted.iter().map(|trusted| trusted.ask(script, cancel)).collect();
        replies.iter().for_each(|reply| self.spend(reply.time));
        let sound = |other: &&Reply| other.errors.is_empty() && other.checks.len() == verdicts.len();
        let said: Vec<Vec<Verdict>> = replies.iter().filter(sound).map(Reply::verdicts).collect();
        verdicts.iter().enumerate().any(|(at, &verdict)| {
            let truth = match (self.trusted.len(), said.as_slice()) {
                (1, [only]) => Some(only[at]),
                _ => vote(said.iter().map(|verdicts| verdicts[at]), self.percent),
            };
            verdict.is_definite() && truth.is_some_and(|truth| truth.is_definite() && truth != verdict)
        })
    }
}

/// Candidates of a reduction are asked about the failure.
impl bivalve_delta::Oracle for Target {
    fn fails(&self, script: &str, cancel: &Cancel) -> bool {
        self.shows(script, cancel)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(command: &str, failures: Vec<Failure>) -> Target {
        let limits = Limits::default();
        let suspect = Suspect::Command(Command::new("it", command, limits).expect("a command"));
        let honest = Inside::new("bivalve", bivalve::Settings::default(), Duration::from_secs(10));
        let margin = Some(Duration::from_millis(400));
        Target::new(suspect, failures, vec![Box::new(honest)], 66, limits.time, margin)
    }

    #[test]
    fn endings_are_known_again() {
        let cases = [("sh -c 'exit 3'", "exit code 3"), ("sh -c 'kill -SEGV $$'", "signal 11")];
        for (command, words) in cases {
            let mut it = target(command, vec![]);
            let reply = it.ask("", &Cancel::new());
            it.set_failures(Failure::of(&reply));
            assert_eq!(it.failures()[0].describe(), words);
            assert!(it.shows("", &Cancel::new()));
            assert!(it.limit() < Duration::from_secs(5), "the limit adapts");
        }
        let crash = "sh -c 'echo \"Assertion `x\" failed at $$ >&2; exit 1'";
        let mut it = target(crash, vec![]);
        let reply = it.ask("", &Cancel::new());
        it.set_failures(Failure::of(&reply));
        assert!(it.shows("", &Cancel::new()), "{:?}", it.failures());
    }

    #[test]
    fn patterns_are_looked_for() {
        let out = |pattern| vec![Failure::Output(pattern)];
        let echo = "sh -c 'echo some words; echo more >&2'";
        assert!(target(echo, out(Pattern::Literal("me wo".into()))).shows("", &Cancel::new()));
        let regex = Pattern::regex("^so.e w[a-z]+\n$").expect("a regular expression");
        assert!(target(echo, out(regex)).shows("", &Cancel::new()));
        assert!(!target(echo, out(Pattern::Literal("more".into()))).shows("", &Cancel::new()));
        let err = vec![Failure::Stderr(Pattern::Literal("more".into()))];
        assert!(target(echo, err).shows("", &Cancel::new()));
        assert!(Pattern::regex("(").is_err());
        let both = [Failure::Exit(0), Failure::Script(Pattern::Literal("(store".into()))];
        assert!(target(echo, both.to_vec()).shows("(store", &Cancel::new()));
        let mut lost = target(echo, both.to_vec());
        assert!(!lost.shows("(select", &Cancel::new()) && lost.spent() == Duration::ZERO);
        lost.set_failures(vec![]);
        assert!(!lost.shows("", &Cancel::new()), "no symptom is no failure");
    }

    #[test]
    fn a_hang_is_what_does_not_end_in_time() {
        let suspect = Suspect::Command(Command::new("it", "sleep 5", Limits::default()).expect("a command"));
        let limit = Duration::from_millis(100);
        let it = Target::new(suspect, vec![Failure::Hang], vec![], 66, limit, Some(Duration::from_secs(1)));
        assert!(it.shows("", &Cancel::new()));
        assert_eq!(it.limit(), limit);
    }

    #[test]
    fn wrong_verdicts_models_and_cores_are_seen() {
        let sat = "(declare-const p Bool)(assert (! p :named a))(check-sat)";
        let says = |text: &str| format!("sh -c 'cat > /dev/null; echo \"{text}\"'");
        let shows = |text: &str, failure: Failure, script: &str| {
            target(&says(text), vec![failure]).shows(script, &Cancel::new())
        };
        assert!(shows("unsat", Failure::WrongVerdict, sat));
        assert!(!shows("sat", Failure::WrongVerdict, sat));
        assert!(!shows("(error \\\"x\\\")\nunsat", Failure::WrongVerdict, sat));
        let model = |value: &str| format!("sat\n((define-fun p () Bool {value}))");
        assert!(shows(&model("false"), Failure::WrongModel, sat));
        assert!(!shows(&model("true"), Failure::WrongModel, sat));
        let unsat = "(declare-const p Bool)(assert (! p :named a))(assert (! (not p) :named b))(check-sat)(get-unsat-core)";
        assert!(shows("unsat\n(a)", Failure::WrongCore, unsat));
        assert!(!shows("unsat\n(a b)", Failure::WrongCore, unsat));
    }
}
