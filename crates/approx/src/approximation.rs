//! Live approximations: which vectors there are, how wide each is, and the literals to assume.
//!
//! A vector belongs to the group that its policy names; the restrictions of a group depend on one literal,
//! the group's assumption. It is made with the first restriction, so a group whose vectors are at their full
//! widths has none, and nothing is assumed for it. A vector that comes late joins the assumption its group
//! has at that time: more clauses under a literal that was not refuted yet are as good as clauses that were
//! there from the start.
//!
//! When an assumption has failed it is false from now on, by a unit clause. Learned clauses that depend on
//! the restriction contain its negation and are satisfied; all others stay of use. Then the restrictions of
//! all vectors of the group are written anew, at their next widths, under a fresh literal.
//!
//! Why it ends: each refinement makes at least one vector wider, and no vector is wider than its bits.

use crate::encodings::{Encoding, Restriction};
use crate::policies::{Kind, Policy, Vector};
use bivalve_sat_adapter::{ClauseSink, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::ops::AddAssign;
use std::sync::Arc;

/// How to approximate.
#[derive(Clone)]
pub struct Parameters {
    /// Which bits are restricted to what.
    pub encoding: Arc<dyn Encoding>,
    /// What is refined after a failure.
    pub policy: Arc<dyn Policy>,
    /// The effective width to begin with, at least 1.
    pub width: u32,
}

/// What approximation came to, over any number of checks.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct Statistics {
    /// Checks with approximated vectors.
    pub checks: u64,
    /// Vectors approximated; one counts once for each check.
    pub vectors: u64,
    /// Effective to original width when a check ended, the average over all vectors.
    pub ratio: f64,
    /// Times that approximations were refined.
    pub refinements: u64,
    /// Checks found unsatisfiable while vectors were approximated, because no approximation had to do with
    /// it.
    pub early: u64,
    /// Checks found satisfiable while vectors were approximated.
    pub sat: u64,
    /// Checks in which approximation was given up because its budget was spent.
    pub given_up: u64,
    /// Searches under approximation.
    pub searches: u64,
    /// Conflicts in them.
    pub conflicts: u64,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        let Statistics { checks, vectors, ratio, refinements, early, sat, given_up, searches, conflicts } =
            other;
        let weights = [self.vectors, vectors].map(|vectors| vectors as f64);
        if self.vectors + vectors > 0 {
            self.ratio = (self.ratio * weights[0] + ratio * weights[1]) / (weights[0] + weights[1]);
        }
        self.checks += checks;
        self.vectors += vectors;
        self.refinements += refinements;
        self.early += early;
        self.sat += sat;
        self.given_up += given_up;
        self.searches += searches;
        self.conflicts += conflicts;
    }
}

/// Approximated vectors of one check.
pub struct Approximation {
    parameters: Parameters,
    vectors: Vec<Vector>,
    /// The bits of all vectors, and where those of each begin.
    bits: Vec<Lit>,
    starts: Vec<usize>,
    groups: Vec<Group>,
    /// The place among the groups of a number that the policy has given.
    by_number: FxHashMap<u32, usize>,
}

#[derive(Default)]
struct Group {
    members: Vec<u32>,
    /// The literal that its restrictions depend on, once there is one.
    assumption: Option<Lit>,
}

impl Approximation {
    /// Nothing approximated yet.
    pub fn new(parameters: Parameters) -> Approximation {
        Approximation {
            parameters,
            vectors: vec![],
            bits: vec![],
            starts: vec![],
            groups: vec![],
            by_number: FxHashMap::default(),
        }
    }

    /// Approximates a vector of these bits, least significant first, if there is anything to restrict.
    pub fn add(&mut self, kind: Kind, bits: &[Lit], sink: &mut dyn ClauseSink) {
        let width = u32::try_from(bits.len()).expect("a width fits into 32 bits");
        let effective = self.parameters.width.max(1);
        if effective >= width {
            return;
        }
        let number = u32::try_from(self.vectors.len()).expect("fewer vectors than terms");
        let vector = Vector { number, kind, width, effective };
        self.vectors.push(vector);
        self.starts.push(self.bits.len());
        self.bits.extend_from_slice(bits);
        let next = self.groups.len();
        let group = *self.by_number.entry(self.parameters.policy.group(&vector)).or_insert(next);
        if group == next {
            self.groups.push(Group::default());
        }
        self.groups[group].members.push(number);
        self.restrict(group, number, sink);
    }

    /// What to assume.
    pub fn assumptions(&self) -> impl Iterator<Item = Lit> + '_ {
        self.groups.iter().filter_map(|group| group.assumption)
    }

    /// The vectors.
    pub fn vectors(&self) -> &[Vector] {
        &self.vectors
    }

    /// Refines the groups whose assumptions are among the failed ones; `false` if there is none, so that
    /// nothing was approximated as far as the failure is concerned.
    pub fn refine(&mut self, failed: &FxHashSet<Lit>, sink: &mut dyn ClauseSink) -> bool {
        let mut refined = false;
        for group in 0..self.groups.len() {
            let Some(assumption) = self.groups[group].assumption.filter(|lit| failed.contains(lit)) else {
                continue;
            };
            refined = true;
            sink.add_clause(&[!assumption]);
            self.groups[group].assumption = None;
            let members = std::mem::take(&mut self.groups[group].members);
            for &number in &members {
                let vector = &mut self.vectors[number as usize];
                let wider = self.parameters.policy.refine(vector);
                // A vector at its full width has nothing to refine.
                vector.effective = wider.max(vector.effective.saturating_add(1)).min(vector.width);
                self.restrict(group, number, sink);
            }
            self.groups[group].members = members;
        }
        refined
    }

    /// Ends the approximation of all vectors: whatever was assumed is false from now on.
    pub fn disable(&mut self, sink: &mut dyn ClauseSink) {
        for group in &mut self.groups {
            if let Some(assumption) = group.assumption.take() {
                sink.add_clause(&[!assumption]);
            }
        }
    }

    /// All vectors are at their full widths from now on.
    pub fn give_up(&mut self, sink: &mut dyn ClauseSink) {
        self.disable(sink);
        self.vectors.iter_mut().for_each(|vector| vector.effective = vector.width);
    }

    /// Writes the restrictions of a vector under the assumption of its group.
    fn restrict(&mut self, group: usize, number: u32, sink: &mut dyn ClauseSink) {
        let Vector { width, effective, .. } = self.vectors[number as usize];
        if effective >= width {
            return;
        }
        let bits = &self.bits[self.starts[number as usize]..][..width as usize];
        let assumption = &mut self.groups[group].assumption;
        for (&bit, place) in bits.iter().zip(0..) {
            let restriction = self.parameters.encoding.restriction(width, effective, place);
            let other = match restriction {
                Restriction::Free => continue,
                Restriction::Constant(_) => None,
                Restriction::Bit(other) if other == place || other >= width => continue,
                Restriction::Bit(other) => Some(bits[other as usize]),
            };
            let assumed = *assumption.get_or_insert_with(|| sink.new_var());
            match (restriction, other) {
                (_, Some(other)) => {
                    sink.add_clause(&[!assumed, !bit, other]);
                    sink.add_clause(&[!assumed, bit, !other]);
                }
                (Restriction::Constant(true), _) => sink.add_clause(&[!assumed, bit]),
                _ => sink.add_clause(&[!assumed, !bit]),
            }
        }
    }
}

impl Statistics {
    /// Counts the vectors of a check that has ended.
    pub fn count(&mut self, approximation: &Approximation) {
        let vectors = approximation.vectors();
        if vectors.is_empty() {
            return;
        }
        let ratios = vectors.iter().map(|vector| f64::from(vector.effective) / f64::from(vector.width));
        let total = self.ratio * self.vectors as f64 + ratios.sum::<f64>();
        self.checks += 1;
        self.vectors += vectors.len() as u64;
        self.ratio = total / self.vectors as f64;
    }
}
