//! What a reply is worth: passed, or one of six ways to fail.
//!
//! The six are those of Becker's table 12 (Testing SMT Solvers, 2021): incorrect satisfiability, incorrect
//! model, incorrect core, unknown, timeout, error. A reply gets one of them, the most telling: an error
//! message first, because a solver that did not take a formula answers another question; then what is wrong
//! with what was said; then why nothing was said.
//!
//! *The truth of a check* is its status where that is known. Where it is not, a model that holds by our
//! evaluator proves `sat`, whoever found it; else what a sufficient majority of the solvers says is taken for
//! the truth; else nobody is wrong. A model that holds where the status says `unsat` proves that the case is
//! wrong, which is a finding, too.
//!
//! *A core* must name assertions that are in force, and a solver that knows nothing of the first must refute
//! them together with all that has no name (our own solver in this process is asked). A core that is
//! contained in the expected one, or minimal, is fine; one that is contradictory and neither is imprecise,
//! which table 12 counts as incorrect and its text calls a blemish. The judgement says which it is.

use crate::case::{Case, Known};
use crate::evaluate::{self, Worth};
use crate::majority::vote;
use crate::oracle::Oracle;
use crate::reply::{Check, Ending, Reply, Verdict};
use crate::script::{Piece, Stack, stacks};
use crate::sexpr::{bare, list};
use bivalve_delta::Cancel;
use serde::{Deserialize, Serialize};

/// The columns of table 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Nothing is wrong.
    Passed,
    /// Incorrect satisfiability.
    IS,
    /// Incorrect model.
    IM,
    /// Incorrect unsat core.
    IC,
    /// Unknown.
    U,
    /// Timeout, or out of memory.
    T,
    /// An error, a crash, or no answer.
    E,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Kind; 7] = [Kind::Passed, Kind::IS, Kind::IM, Kind::IC, Kind::U, Kind::T, Kind::E];

    /// The head of its column.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Passed => "Passed",
            Kind::IS => "IS",
            Kind::IM => "IM",
            Kind::IC => "IC",
            Kind::U => "U",
            Kind::T => "T",
            Kind::E => "E",
        }
    }

    /// Is it an answer that is wrong, rather than none?
    pub fn is_wrong(self) -> bool {
        matches!(self, Kind::IS | Kind::IM | Kind::IC)
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
    /// What is wrong, in a sentence; empty if nothing is. What could not be judged is said here, too.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Judgement {
    fn of(kind: Kind, detail: impl Into<String>) -> Judgement {
        Judgement { kind, crash: false, imprecise: false, detail: detail.into() }
    }

    /// Should somebody look at it: an answer that is wrong, or a crash?
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
    /// What is wrong with the case itself, or the sentence that nobody knows who is right.
    pub remark: Option<String>,
}

/// The judges' rules.
pub struct Judge<'a> {
    /// Asked about cores.
    pub trusted: &'a dyn Oracle,
    /// The share of voices that makes a truth.
    pub percent: u32,
}

/// What is found out about the models of one reply: one entry for each check that has one.
type Worths = Vec<Option<Worth>>;

impl Judge<'_> {
    /// Judges the replies to a case. A reply that was not given is `None` and is worth nothing.
    pub fn judge(&self, case: &Case, replies: &[&Reply]) -> Verdicts {
        let stacks: Vec<Stack<'_>> = stacks(&case.text).collect();
        let worths: Vec<Worths> = replies.iter().map(|reply| self.worths(&stacks, reply)).collect();
        let mut remark = None;
        let truth: Vec<Option<Verdict>> = (0..stacks.len())
            .map(|at| {
                let known = case.known.get(at).and_then(|known| known.status);
                let proved = worths.iter().any(|worths| matches!(worths.get(at), Some(Some(Worth::Holds))));
                if known == Some(Verdict::Unsat) && proved {
                    remark = Some("the case is said to be unsat and has a model".to_owned());
                    return Some(Verdict::Sat);
                }
                if known.is_some() {
                    return known;
                }
                if proved {
                    return Some(Verdict::Sat);
                }
                let said = |reply: &&&Reply| reply.errors.is_empty();
                let voices: Vec<Verdict> = replies
                    .iter()
                    .filter(said)
                    .filter_map(|reply| Some(reply.checks.get(at)?.verdict))
                    .filter(|verdict| verdict.is_definite())
                    .collect();
                let truth = vote(voices.iter().copied(), self.percent);
                if truth.is_none() && voices.contains(&Verdict::Sat) && voices.contains(&Verdict::Unsat) {
                    remark =
                        Some("unresolved: the solvers disagree, and no majority is large enough".to_owned());
                }
                truth
            })
            .collect();
        let judgements = replies
            .iter()
            .zip(&worths)
            .map(|(reply, worths)| self.judge_one(case, &stacks, reply, worths, &truth))
            .collect();
        Verdicts { truth, judgements, remark }
    }

    /// The worth of the models of a reply, which counts nothing if some formula was refused.
    fn worths(&self, stacks: &[Stack<'_>], reply: &Reply) -> Worths {
        if !reply.errors.is_empty() {
            return vec![];
        }
        let has_model = |check: &Check| check.model.is_some() || !check.values.is_empty();
        let worth = |(stack, check): (&Stack<'_>, &Check)| {
            has_model(check).then(|| evaluate::judge(stack, check, self.trusted))
        };
        stacks.iter().zip(&reply.checks).map(worth).collect()
    }

    fn judge_one(
        &self,
        case: &Case,
        stacks: &[Stack<'_>],
        reply: &Reply,
        worths: &Worths,
        truth: &[Option<Verdict>],
    ) -> Judgement {
        if let Some(error) = reply.errors.first() {
            let crash = reply.crash();
            let detail = crash.as_ref().unwrap_or(error).clone();
            return Judgement { crash: crash.is_some(), ..Judgement::of(Kind::E, detail) };
        }
        let mut unjudged = String::new();
        for (at, check) in reply.checks.iter().enumerate().take(stacks.len()) {
            if let Some(Some(truth)) = truth.get(at)
                && check.verdict.is_definite()
                && check.verdict != *truth
            {
                return Judgement::of(
                    Kind::IS,
                    format!("check {}: {} instead of {truth}", at + 1, check.verdict),
                );
            }
            match worths.get(at).and_then(Option::as_ref) {
                Some(Worth::Violates(formula)) => {
                    let formula: String = formula.chars().take(200).collect();
                    return Judgement::of(
                        Kind::IM,
                        format!("check {}: the model violates {formula}", at + 1),
                    );
                }
                Some(Worth::Unreadable(why)) => unjudged = format!("the model could not be judged: {why}"),
                Some(Worth::Holds | Worth::Consistent) | None => {}
            }
            let known = case.known.get(at).cloned().unwrap_or_default();
            if let Some(judgement) = self.judge_core(&stacks[at], check, &known) {
                return judgement;
            }
        }
        if let Some(words) = reply.crash() {
            return Judgement { crash: true, ..Judgement::of(Kind::E, words) };
        }
        match &reply.ending {
            Ending::TimedOut => return Judgement::of(Kind::T, "timeout"),
            Ending::OutOfMemory => return Judgement::of(Kind::T, "out of memory"),
            Ending::Cancelled => return Judgement::of(Kind::T, "cancelled"),
            Ending::NotStarted(why) => return Judgement::of(Kind::E, format!("not started: {why}")),
            Ending::Exited(_) | Ending::Signal(_) | Ending::Crashed(_) => {}
        }
        if reply.checks.len() < stacks.len() {
            let count = format!("{} of {} checks were answered", reply.checks.len(), stacks.len());
            return Judgement::of(Kind::E, count);
        }
        if reply.checks.iter().any(|check| check.verdict == Verdict::Unknown) {
            return Judgement::of(Kind::U, reply.complaints.lines().next().unwrap_or("").to_owned());
        }
        Judgement::of(Kind::Passed, unjudged)
    }

    /// What is wrong with the core of a check, if it has one and something is.
    fn judge_core(&self, stack: &Stack<'_>, check: &Check, known: &Known) -> Option<Judgement> {
        if check.verdict != Verdict::Unsat || (check.core.is_none() && check.failed.is_none()) {
            return None;
        }
        let core: Option<Vec<&str>> = read(&check.core).map(|names| names.into_iter().map(bare).collect());
        let failed = read(&check.failed);
        let names: Vec<&str> = stack.names().collect();
        if let Some(stranger) = core.iter().flatten().find(|name| !names.contains(name)) {
            return Some(Judgement::of(
                Kind::IC,
                format!("the core names {stranger}, which is not asserted"),
            ));
        }
        if let Some(stranger) = failed.iter().flatten().find(|text| !stack.assumptions.contains(text)) {
            return Some(Judgement::of(Kind::IC, format!("{stranger} was not assumed")));
        }
        let members = core.clone().unwrap_or_else(|| names.clone());
        let assumed = failed.unwrap_or_else(|| stack.assumptions.clone());
        let refuted = |members: &[&str]| {
            let reply = self.trusted.ask(&part(stack, members, &assumed), &Cancel::new());
            reply.verdict().filter(|_| reply.errors.is_empty())
        };
        if refuted(&members) == Some(Verdict::Sat) {
            return Some(Judgement::of(
                Kind::IC,
                format!("what is to blame is satisfiable: {}", members.join(" ")),
            ));
        }
        let expected = known.core.as_ref()?;
        if core.is_none() || members.iter().all(|name| expected.iter().any(|other| other == name)) {
            return None;
        }
        let without = |spared: usize| [&members[..spared], &members[spared + 1..]].concat();
        let spared = (0..members.len()).find(|&spared| refuted(&without(spared)) == Some(Verdict::Unsat))?;
        let detail = format!("{} can be spared of the core {}", members[spared], members.join(" "));
        Some(Judgement { imprecise: true, ..Judgement::of(Kind::IC, detail) })
    }
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
