//! The clauses of [`Search`](super::Search): one run of literals, and for each clause where it stands in it.
//! The numbers of dead clauses are used again after a sweep.

use bivalve::sat::Lit;
use std::num::NonZeroU32;
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
    /// Its literals are garbage; the first two are the same.
    Dead,
    /// Swept up: the number is free.
    Free,
}

/// Where the literals of a clause are, until the next sweep.
#[derive(Clone, Copy)]
pub(super) struct Place {
    start: u32,
    length: NonZeroU32,
}

impl Place {
    fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.length.get()) as usize
    }
}

#[derive(Clone, Copy)]
pub(super) struct Clause {
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// Of a learnt clause: the number of levels in it when it was learnt.
    pub(super) glue: u32,
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
    /// The number of clauses, dead ones included.
    pub(super) fn count(&self) -> usize {
        self.clauses.len()
    }

    /// The bytes of their literals and of what is known of them.
    pub(super) fn bytes(&self) -> usize {
        self.clauses.capacity() * size_of::<Clause>() + self.literals.capacity() * size_of::<Lit>()
    }

    pub(super) fn add(&mut self, literals: &[Lit], kind: Kind, glue: u32) -> ClauseId {
        let length = NonZeroU32::new(literals.len() as u32).expect("a clause has two literals");
        let place = Place { start: self.literals.len() as u32, length };
        self.literals.extend_from_slice(literals);
        let clause = Clause { place, kind, glue };
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
        &self.literals[self.get(id).place.range()]
    }

    /// The literals at a place; none if the clause is dead.
    pub(super) fn living_at(&mut self, place: Place) -> Option<&mut [Lit]> {
        let literals = &mut self.literals[place.range()];
        (literals[0] != literals[1]).then_some(literals)
    }

    pub(super) fn kill(&mut self, id: ClauseId) {
        let clause = &mut self.clauses[id as usize];
        clause.kind = Kind::Dead;
        let literals = &mut self.literals[clause.place.range()];
        literals[0] = literals[1];
        self.garbage += literals.len();
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
            match clause.kind {
                Kind::Free => continue,
                Kind::Dead => {
                    clause.kind = Kind::Free;
                    self.free.push(id as ClauseId);
                    continue;
                }
                Kind::Gate | Kind::Given | Kind::Learnt => {}
            }
            let range = clause.place.range();
            clause.place.start = self.literals.len() as u32;
            self.literals.extend_from_slice(&old[range]);
            living.push(id as ClauseId);
        }
        living
    }
}
