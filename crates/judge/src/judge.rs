//! What a reply is worth: passed, or one of six ways to fail.
//!
//! The six are those of Becker's table 12 (Testing SMT Solvers, 2021): incorrect satisfiability, incorrect
//! model, incorrect core, unknown, timeout, error. A reply gets one of them, the most telling: an error
//! message first, because a solver that did not take a formula answers another question; then what is wrong
//! with what was answered; then why nothing was answered.
//!
//! *The truth of a check* is its status where that is known. Where it is not, a model that holds by our
//! evaluator proves `sat`; else what a sufficient majority of the solvers reports is taken for
//! the truth; else no solver is wrong. A model that holds where the status is `unsat` proves that the case
//! is wrong, which is a finding, too.
//!
//! *A core* must name assertions that are in force, and a solver independent of the first must refute
//! them together with all that has no name (our own solver in this process is asked). A core that is
//! contained in the expected one, or minimal, is fine; one that is contradictory and neither is imprecise,
//! which table 12 counts as incorrect and its text calls a blemish. The judgement tells these apart.

use crate::case::{Case, Known};
use crate::evaluate::{self, Worth};
use crate::stack::{Piece, Stack, at_checks};
use crate::vote::vote;
use bivalve_formats::sexpr::{bare, list};
use bivalve_harness::Cancel;
use bivalve_harness::Oracle;
use bivalve_harness::{Check, Ending, Reply, Verdict};
use serde::{Deserialize, Serialize};

/// The columns of table 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Nothing is wrong.
    Passed,
    /// Incorrect satisfiability.
    WrongStatus,
    /// Incorrect model.
    WrongModel,
    /// Incorrect unsat core.
    WrongCore,
    /// Unknown.
    Unknown,
    /// Timeout, or out of memory.
    Timeout,
    /// An error, a crash, or no answer.
    Error,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Kind; 7] = [
        Kind::Passed,
        Kind::WrongStatus,
        Kind::WrongModel,
        Kind::WrongCore,
        Kind::Unknown,
        Kind::Timeout,
        Kind::Error,
    ];

    /// The head of its column.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Passed => "Passed",
            Kind::WrongStatus => "IS",
            Kind::WrongModel => "IM",
            Kind::WrongCore => "IC",
            Kind::Unknown => "U",
            Kind::Timeout => "T",
            Kind::Error => "E",
        }
    }

    /// Is it an answer that is wrong, rather than none?
    pub fn is_wrong(self) -> bool {
        matches!(self, Kind::WrongStatus | Kind::WrongModel | Kind::WrongCore)
    }
}

/// What a reply is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The column.
    pub kind: Kind,
    /// Is it an error that is a crash?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub crash: bool,
    /// Is it a core that is contradictory, but larger than it has to be?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imprecise: bool,
    /// What is wrong, in a sentence; empty if nothing is. What could not be judged is named here, too.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Judgement {
    fn of(kind: Kind, detail: impl Into<String>) -> Judgement {
        Judgement { kind, crash: false, imprecise: false, detail: detail.into() }
    }

    /// Whether it is an answer that is wrong, or a crash.
    pub fn is_finding(&self) -> bool {
        self.crash || self.kind.is_wrong() && !self.imprecise
    }
}

/// What all replies to a case come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// The truth of each check, if there is one.
    pub truth: Vec<Option<Verdict>>,
    /// One judgement for each reply.
    pub judgements: Vec<Judgement>,
    /// What is wrong with the case itself, or that it is unresolved.
    pub remark: Option<String>,
}

/// The judges' rules.
pub struct Judge<'a> {
    /// Asked about cores.
    pub trusted: &'a dyn Oracle,
    /// The percentage of votes that makes a majority.
    pub percent: u32,
}

impl Judge<'_> {
    /// Judges the replies to a case, check by check. A reply with an error message is not compared: its
    /// solver refused a formula and answered another question.
    pub fn judge(&self, case: &Case, replies: &[&Reply]) -> Verdicts {
        let (mut truth, mut remark) = (vec![], None);
        let mut flaws: Vec<Flaw> = replies.iter().map(|_| Flaw::default()).collect();
        at_checks::<()>(&case.text, |at, stack| {
            let known = case.known.get(at);
            let worths: Vec<Option<Worth>> =
                replies.iter().map(|reply| self.worth(stack, reply, at)).collect();
            let is_proved = worths.iter().any(|worth| matches!(worth, Some(Worth::Holds)));
            let (is, doubt) = self.truth(known, is_proved, replies, at);
            remark = remark.take().or(doubt);
            truth.push(is);
            for ((reply, worth), flaw) in replies.iter().zip(worths).zip(&mut flaws) {
                let check = reply.checks.get(at).filter(|_| reply.errors.is_empty() && flaw.found.is_none());
                if let Some(check) = check {
                    flaw.look(at, check, is, worth, || self.judge_core(stack, check, known));
                }
            }
            None
        });
        let judgements = replies.iter().zip(flaws).map(|(reply, flaw)| whole(reply, flaw, truth.len()));
        let judgements = judgements.collect();
        Verdicts { truth, judgements, remark: remark.map(str::to_owned) }
    }

    /// The true verdict of a check, if it is known, and what is wrong with the case or unresolved.
    fn truth(
        &self,
        known: Option<&Known>,
        is_proved: bool,
        replies: &[&Reply],
        at: usize,
    ) -> (Option<Verdict>, Option<&'static str>) {
        match known.and_then(|known| known.status) {
            Some(Verdict::Unsat) if is_proved => {
                return (Some(Verdict::Sat), Some("the case is stated to be unsat and has a model"));
            }
            Some(status) => return (Some(status), None),
            None if is_proved => return (Some(Verdict::Sat), None),
            None => {}
        }
        let sound = replies.iter().filter(|reply| reply.errors.is_empty());
        let votes: Vec<Verdict> = sound
            .filter_map(|reply| Some(reply.checks.get(at)?.verdict))
            .filter(|verdict| verdict.is_definite())
            .collect();
        let truth = vote(votes.iter().copied(), self.percent);
        let is_open = truth.is_none() && votes.contains(&Verdict::Sat) && votes.contains(&Verdict::Unsat);
        (truth, is_open.then_some("unresolved: the solvers disagree, and no majority is large enough"))
    }

    /// The worth of the model of a reply at a check; `None` if there is no model.
    fn worth(&self, stack: &Stack<'_>, reply: &Reply, at: usize) -> Option<Worth> {
        let check = reply.checks.get(at).filter(|_| reply.errors.is_empty())?;
        let has_model = check.model.is_some() || !check.values.is_empty();
        has_model.then(|| evaluate::judge(stack, check, self.trusted))
    }

    /// What is wrong with the core of a check, if it has one and something is.
    fn judge_core(&self, stack: &Stack<'_>, check: &Check, known: Option<&Known>) -> Option<Judgement> {
        if check.verdict != Verdict::Unsat || (check.core.is_none() && check.failed.is_none()) {
            return None;
        }
        let core: Option<Vec<&str>> = read(&check.core).map(|names| names.into_iter().map(bare).collect());
        let failed = read(&check.failed);
        let names: Vec<&str> = stack.names().collect();
        if let Some(stranger) = core.iter().flatten().find(|name| !names.contains(name)) {
            return Some(Judgement::of(
                Kind::WrongCore,
                format!("the core names {stranger}, which is not asserted"),
            ));
        }
        if let Some(stranger) = failed.iter().flatten().find(|text| !stack.assumptions.contains(text)) {
            return Some(Judgement::of(Kind::WrongCore, format!("{stranger} was not assumed")));
        }
        let members = core.clone().unwrap_or_else(|| names.clone());
        let assumed = failed.unwrap_or_else(|| stack.assumptions.clone());
        let refuted = |members: &[&str]| {
            let reply = self.trusted.ask(&part(stack, members, &assumed), &Cancel::new());
            reply.verdict().filter(|_| reply.errors.is_empty())
        };
        if refuted(&members) == Some(Verdict::Sat) {
            return Some(Judgement::of(
                Kind::WrongCore,
                format!("what is to blame is satisfiable: {}", members.join(" ")),
            ));
        }
        let expected = known?.core.as_ref()?;
        if core.is_none() || members.iter().all(|name| expected.iter().any(|other| other == name)) {
            return None;
        }
        let without = |redundant: usize| [&members[..redundant], &members[redundant + 1..]].concat();
        let redundant =
            (0..members.len()).find(|&redundant| refuted(&without(redundant)) == Some(Verdict::Unsat))?;
        let detail = format!("{} is redundant in the core {}", members[redundant], members.join(" "));
        Some(Judgement { imprecise: true, ..Judgement::of(Kind::WrongCore, detail) })
    }
}

/// What was found in the checks of a reply so far.
#[derive(Default)]
struct Flaw {
    found: Option<Judgement>,
    /// Why a model could not be judged.
    unjudged: String,
}

impl Flaw {
    /// Looks at one check: verdict, model, core.
    fn look(
        &mut self,
        at: usize,
        check: &Check,
        truth: Option<Verdict>,
        worth: Option<Worth>,
        core: impl FnOnce() -> Option<Judgement>,
    ) {
        let number = at + 1;
        if let Some(truth) = truth.filter(|&truth| check.verdict.is_definite() && check.verdict != truth) {
            let detail = format!("check {number}: {} instead of {truth}", check.verdict);
            self.found = Some(Judgement::of(Kind::WrongStatus, detail));
            return;
        }
        match worth {
            Some(Worth::Violates(formula)) => {
                let formula: String = formula.chars().take(200).collect();
                let detail = format!("check {number}: the model violates {formula}");
                self.found = Some(Judgement::of(Kind::WrongModel, detail));
                return;
            }
            Some(Worth::Unreadable(why)) => self.unjudged = format!("the model could not be judged: {why}"),
            Some(Worth::Holds | Worth::Consistent) | None => {}
        }
        self.found = core();
    }
}

/// The judgement of a reply to a script of so many checks, whose checks have this flaw.
fn whole(reply: &Reply, flaw: Flaw, checks: usize) -> Judgement {
    let crash = reply.crash();
    if let Some(error) = reply.errors.first() {
        let detail = crash.as_ref().unwrap_or(error).clone();
        return Judgement { crash: crash.is_some(), ..Judgement::of(Kind::Error, detail) };
    }
    if let Some(found) = flaw.found {
        return found;
    }
    if let Some(words) = crash {
        return Judgement { crash: true, ..Judgement::of(Kind::Error, words) };
    }
    match &reply.ending {
        Ending::TimedOut => return Judgement::of(Kind::Timeout, "timeout"),
        Ending::OutOfMemory => return Judgement::of(Kind::Timeout, "out of memory"),
        Ending::Cancelled => return Judgement::of(Kind::Timeout, "cancelled"),
        Ending::NotStarted(why) => return Judgement::of(Kind::Error, format!("not started: {why}")),
        Ending::Exited(_) | Ending::Signal(_) | Ending::Crashed(_) => {}
    }
    if reply.checks.len() < checks {
        let count = format!("{} of {checks} checks were answered", reply.checks.len());
        return Judgement::of(Kind::Error, count);
    }
    if reply.checks.iter().any(|check| check.verdict == Verdict::Unknown) {
        return Judgement::of(Kind::Unknown, reply.stderr.lines().next().unwrap_or("").to_owned());
    }
    Judgement::of(Kind::Passed, flaw.unjudged)
}

/// The items of a list that was printed.
fn read(text: &Option<String>) -> Option<Vec<&str>> {
    text.as_deref().and_then(list).map(Iterator::collect)
}

/// The script of one check with only these of its named assertions and these assumptions, asserted.
fn part(stack: &Stack<'_>, members: &[&str], assumed: &[&str]) -> String {
    let mut text = String::new();
    for piece in &stack.pieces {
        let piece = match piece {
            Piece::Assertion { name: Some(name), .. } if !members.contains(name) => continue,
            Piece::Sort(text) | Piece::Definition(text) => text,
            Piece::Declaration { text, .. } | Piece::Assertion { text, .. } => text,
        };
        text = text + piece + "\n";
    }
    assumed.iter().for_each(|formula| text += &format!("(assert {formula})\n"));
    text + "(check-sat)\n"
}
