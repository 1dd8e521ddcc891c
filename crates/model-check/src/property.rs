//! A property, and what is known of it.

use crate::influence::cone_of_influence;
use crate::normalize::Normalized;
use crate::problem::Part;
use crate::recheck::Obligation;
use crate::verdict::Verdict;
use bivalve::terms::Pool;

/// A property, and what is known of it.
pub(crate) struct Property {
    /// The part of the normal form that it depends on, with it as the only bad state.
    pub(crate) part: Part,
    /// Whether it is to be decided.
    pub(crate) is_asked: bool,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) obligations: Vec<Obligation>,
    /// The `k` for which the step of induction holds, and the pairs of frames that differ in it.
    pub(crate) inductive: Option<(usize, Vec<(usize, usize)>)>,
}

impl Property {
    pub(crate) fn new(pool: &Pool, normalized: &Normalized, number: usize, is_asked: bool) -> Property {
        let property = normalized.system.bads[number].clone();
        let system = cone_of_influence(pool, &normalized.system, vec![property]);
        let part = Part { system, numbers: vec![number] };
        Property { part, is_asked, verdict: None, obligations: vec![], inductive: None }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_asked && self.verdict.is_none()
    }
}
