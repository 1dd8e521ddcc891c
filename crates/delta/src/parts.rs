//! Removal of commands: which parts of a script can be left out, and what is left.
//!
//! The parts of a script are its commands; levels from a `push` to its `pop` with everything between; a
//! `push` and its `pop` without what is between; single assumptions, asked values and labels. Each is a
//! [`Part`], and any set of parts is left out together. A check under assumptions that loses them all is a
//! plain check; a `get-value` without terms is removed.
//!
//! Later commands depend on earlier ones, so parts are listed from the end.

use crate::render::Style;
use crate::script::{Script, Step};
use crate::verdicts::{Candidate, Family};
use crate::weigh;
use bivalve_terms::Pool;

/// What can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A command.
    Step(usize),
    /// A `push` and its `pop`.
    Pair(usize, usize),
    /// All from a `push` to its `pop`.
    Level(usize, usize),
    /// A term of a command: an assumption or a value asked for.
    Term(usize, usize),
    /// A label of an assertion.
    Label(usize, usize),
}

/// Whole levels, outer ones and late ones first.
pub(crate) fn levels(script: &Script) -> Vec<Part> {
    let mut levels = pairs(script);
    levels.sort_by_key(|&(push, pop)| (std::cmp::Reverse(pop), push));
    levels.into_iter().map(|(push, pop)| Part::Level(push, pop)).collect()
}

/// Commands, the last first.
pub(crate) fn steps(script: &Script) -> Vec<Part> {
    (0..script.steps.len()).rev().map(Part::Step).collect()
}

/// Pairs of commands and what is inside of commands.
pub(crate) fn details(script: &Script) -> Vec<Part> {
    let mut parts: Vec<Part> = pairs(script).into_iter().map(|(push, pop)| Part::Pair(push, pop)).collect();
    for (at, step) in script.steps.iter().enumerate().rev() {
        match step {
            Step::Assert { labels, .. } => parts.extend((0..labels.len()).map(|i| Part::Label(at, i))),
            Step::Check { assumptions: terms } | Step::Values { terms } => {
                parts.extend((0..terms.len()).rev().map(|i| Part::Term(at, i)));
            }
            Step::Push(_)
            | Step::Pop(_)
            | Step::Reset
            | Step::ResetAssertions
            | Step::Setting(_)
            | Step::Other(_) => {}
        }
    }
    parts
}

/// Each `push` of one level with the `pop` of one level that closes it.
fn pairs(script: &Script) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (vec![], vec![]);
    for (at, step) in script.steps.iter().enumerate() {
        match step {
            Step::Push(1) => open.push(at),
            Step::Pop(1) => pairs.extend(open.pop().map(|push| (push, at))),
            // What opens and closes many at once is not matched.
            Step::Push(_) | Step::Pop(_) | Step::Reset | Step::ResetAssertions => open.clear(),
            Step::Assert { .. }
            | Step::Check { .. }
            | Step::Values { .. }
            | Step::Setting(_)
            | Step::Other(_) => {}
        }
    }
    pairs
}

/// The script without some of its parts.
pub(crate) fn without(script: &Script, parts: impl Iterator<Item = Part>) -> Script {
    let mut gone = vec![false; script.steps.len()];
    let mut terms: Vec<Vec<usize>> = vec![vec![]; script.steps.len()];
    for part in parts {
        match part {
            Part::Step(at) => gone[at] = true,
            Part::Pair(push, pop) => {
                gone[push] = true;
                gone[pop] = true;
            }
            Part::Level(push, pop) => gone[push..=pop].fill(true),
            Part::Term(at, i) | Part::Label(at, i) => terms[at].push(i),
        }
    }
    fn keep<T: Clone>(all: &[T], dropped: &[usize]) -> Vec<T> {
        all.iter().enumerate().filter(|(i, _)| !dropped.contains(i)).map(|(_, item)| item.clone()).collect()
    }
    let steps = script.steps.iter().enumerate().filter(|&(at, _)| !gone[at]);
    let steps = steps.filter_map(|(at, step)| match step {
        Step::Assert { term, labels } => Some(Step::Assert { term: *term, labels: keep(labels, &terms[at]) }),
        Step::Check { assumptions } => Some(Step::Check { assumptions: keep(assumptions, &terms[at]) }),
        Step::Values { terms: asked } => {
            let asked = keep(asked, &terms[at]);
            (!asked.is_empty()).then_some(Step::Values { terms: asked })
        }
        Step::Push(_)
        | Step::Pop(_)
        | Step::Reset
        | Step::ResetAssertions
        | Step::Setting(_)
        | Step::Other(_) => Some(step.clone()),
    });
    Script { steps: steps.collect() }
}

/// The family of a script's parts.
pub(crate) struct Parts<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) script: &'a Script,
    pub(crate) parts: Vec<Part>,
    pub(crate) style: Style,
}

impl Parts<'_> {
    /// The script without these parts.
    pub(crate) fn rest(&self, chosen: &[u32]) -> Script {
        without(self.script, chosen.iter().map(|&item| self.parts[item as usize]))
    }
}

impl Family for Parts<'_> {
    fn candidate(&mut self, chosen: &[u32]) -> Option<Candidate> {
        Some(weigh(self.pool, &self.rest(chosen), self.style))
    }

    fn alive(&mut self, accepted: &[u32]) -> Option<Vec<bool>> {
        let mut gone = vec![false; self.script.steps.len()];
        for &item in accepted {
            match self.parts[item as usize] {
                Part::Step(at) => gone[at] = true,
                Part::Pair(push, pop) => {
                    gone[push] = true;
                    gone[pop] = true;
                }
                Part::Level(push, pop) => gone[push..=pop].fill(true),
                Part::Term(..) | Part::Label(..) => {}
            }
        }
        let alive = |part: &Part| match *part {
            Part::Step(at) | Part::Term(at, _) | Part::Label(at, _) => !gone[at],
            Part::Pair(push, pop) | Part::Level(push, pop) => !gone[push] && !gone[pop],
        };
        Some(self.parts.iter().map(alive).collect())
    }
}
