//! A property, and the engines that are at it.

use crate::ic3::Ic3;
use crate::induction::Induction;
use crate::influence::cone_of_influence;
use crate::normalize::Normalized;
use crate::prophecy::Prophecy;
use crate::recheck::Obligation;
use crate::verdict::Verdict;
use bivalve::Why;
use bivalve::terms::{Pool, Term};
use bivalve_systems::{Registers, System};

/// A property and the engines that are at it.
pub(crate) struct Property {
    /// The part of the normal form that it depends on.
    pub(crate) part: System,
    pub(crate) bad: Term,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) induction: Option<Induction>,
    /// The `k` for which the step of induction holds.
    pub(crate) inductive: Option<usize>,
    pub(crate) ic3: Attempt,
}

/// An engine that may not be able to take the system.
pub(crate) enum Attempt {
    Untried,
    /// The reason.
    Refused(Why),
    Running(Box<Search>),
}

/// IC3 at work.
pub(crate) struct Search {
    pub(crate) engine: Ic3,
    /// The system that it works on, whose memories are registers.
    pub(crate) registers: Registers,
    /// What memories are abstracted by that are too large for registers.
    pub(crate) prophecy: Option<Prophecy>,
    /// The steps that were spent on abstractions that were too coarse.
    pub(crate) spent: u64,
}

impl Search {
    /// What was spent so far, in the steps that all engines count.
    pub(crate) fn work(&self) -> u64 {
        self.spent.saturating_add(self.engine.work())
    }
}

impl Property {
    pub(crate) fn new(pool: &Pool, normalized: &Normalized, number: usize) -> Property {
        let property = normalized.system.bads[number].clone();
        let bad = property.term;
        let part = cone_of_influence(pool, &normalized.system, vec![property]);
        let (verdict, induction, inductive, obligations) = Default::default();
        Property { part, bad, verdict, obligations, induction, inductive, ic3: Attempt::Untried }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.verdict.is_none()
    }
}
