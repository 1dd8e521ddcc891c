//! The clauses of [`Search`](super::Search): one run of literals, and for each clause where it stands in it.
//! The numbers of dead clauses are used again after a sweep.

use bivalve::sat::Lit;
use std::ops::Range;

/// Literals of dead clauses are swept up when there are so many, and as many as of living ones.
const MOST_GARBAGE: usize = 100_000;

/// The number of a clause.
pub(in crate::ic3) type ClauseId = u32;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Gate,
    Given,
    Learnt,
    Dead,
}

#[derive(Clone, Copy)]
pub(super) struct Clause {
    start: u32,
    length: u32,
    pub(super) kind: Kind,
    /// Of a learnt clause: the number of levels in it when it was learnt.
    pub(super) glue: u32,
}

impl Clause {
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

#[derive(Default)]
pub(super) struct Clauses {
    clauses: Vec<Clause>,
    literals: Vec<Lit>,
    /// Numbers of clauses that are no more.
    free: Vec<ClauseId>,
    /// Literals of dead clauses.
    garbage: usize,
}

impl Clauses {
    pub(super) fn add(&mut self, literals: &[Lit], kind: Kind, glue: u32) -> ClauseId {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        let clause = Clause { start, length: literals.len() as u32, kind, glue };
        match self.free.pop() {
            Some(id) => {
                self.clauses[id as usize] = clause;
                id
            }
            None => {
                self.clauses.push(clause);
                (self.clauses.len() - 1) as ClauseId
            }
        }
    }

    pub(super) fn get(&self, id: ClauseId) -> Clause {
        self.clauses[id as usize]
    }

    pub(super) fn is_dead(&self, id: ClauseId) -> bool {
        self.clauses[id as usize].kind == Kind::Dead
    }

    pub(super) fn literals(&self, id: ClauseId) -> &[Lit] {
        &self.literals[self.get(id).range()]
    }

    pub(super) fn literals_mut(&mut self, id: ClauseId) -> &mut [Lit] {
        let range = self.get(id).range();
        &mut self.literals[range]
    }

    pub(super) fn kill(&mut self, id: ClauseId) {
        let clause = &mut self.clauses[id as usize];
        clause.kind = Kind::Dead;
        self.garbage += clause.length as usize;
    }

    pub(super) fn is_sweep_due(&self) -> bool {
        self.garbage > MOST_GARBAGE && self.garbage > self.literals.len() / 2
    }

    /// Lets go of dead clauses; returns the living ones.
    pub(super) fn sweep(&mut self) -> Vec<ClauseId> {
        let old = std::mem::take(&mut self.literals);
        self.garbage = 0;
        let mut living = vec![];
        for (id, clause) in self.clauses.iter_mut().enumerate() {
            if clause.length == 0 {
                continue;
            }
            if clause.kind == Kind::Dead {
                clause.length = 0;
                self.free.push(id as ClauseId);
                continue;
            }
            let range = clause.range();
            clause.start = self.literals.len() as u32;
            self.literals.extend_from_slice(&old[range]);
            living.push(id as ClauseId);
        }
        living
    }
}
