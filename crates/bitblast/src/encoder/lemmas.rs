//! Lemmas: clauses over terms that hold for ever, to be encoded again after a restart.
//!
//! A lemma that is given twice is there once: those who give lemmas may forget what they gave. Lemmas are
//! found by a hash of their terms in the order given.
//!
//! Cost: 8 bytes an atom and about 30 bytes a lemma.

use bivalve_terms::Term;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Boolean terms, and the values of which one must be taken.
type Clause = Box<[(Term, bool)]>;

/// All lemmas given.
#[derive(Default)]
pub(super) struct Lemmas {
    clauses: Vec<Clause>,
    by_hash: HashTable<u32>,
    /// So many of them have clauses.
    encoded: usize,
}

impl Lemmas {
    pub(super) fn contains(&self, clause: &[(Term, bool)]) -> bool {
        self.by_hash.find(hash(clause), |&number| *self.clauses[number as usize] == *clause).is_some()
    }

    /// The lemmas in the order in which they came.
    pub(super) fn all(&self) -> impl Iterator<Item = &[(Term, bool)]> {
        self.clauses.iter().map(|clause| &clause[..])
    }

    /// Takes in a lemma that is encoded. Nothing is pending.
    pub(super) fn insert(&mut self, clause: &[(Term, bool)]) {
        self.push(clause.into());
        self.encoded = self.clauses.len();
    }

    /// The next lemma that is not encoded.
    pub(super) fn next_pending(&self) -> Option<Clause> {
        self.clauses.get(self.encoded).cloned()
    }

    /// That lemma is encoded.
    pub(super) fn advance(&mut self) {
        self.encoded += 1;
    }

    /// Nothing is encoded, and the lemmas that mention a term out of use are dropped.
    pub(super) fn restart(&mut self, is_used: &dyn Fn(Term) -> bool) {
        self.encoded = 0;
        self.by_hash.clear();
        for clause in std::mem::take(&mut self.clauses) {
            if clause.iter().all(|&(atom, _)| is_used(atom)) {
                self.push(clause);
            }
        }
    }

    /// The terms in use that lemmas mention.
    pub(super) fn in_use(&self, is_used: &dyn Fn(Term) -> bool) -> impl Iterator<Item = Term> {
        let atoms = self.clauses.iter().flatten().map(|&(atom, _)| atom);
        atoms.filter(|&atom| is_used(atom))
    }

    fn push(&mut self, clause: Clause) {
        let Lemmas { clauses, by_hash, .. } = self;
        let number = u32::try_from(clauses.len()).expect("fewer lemmas than terms");
        by_hash.insert_unique(hash(&clause), number, |&number| hash(&clauses[number as usize]));
        clauses.push(clause);
    }
}

fn hash(clause: &[(Term, bool)]) -> u64 {
    FxBuildHasher.hash_one(clause)
}
