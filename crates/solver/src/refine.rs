//! Lemmas on demand: what the search for arrays adds to the search for bits.
//!
//! The SAT backend answers for the abstraction, in which reads, applications and equalities between arrays are variables.
//! A model of it is shown to the array checker (`bivalve-arrays`), which extends it to arrays or returns lemmas; those
//! become clauses, and the search goes on (Brummayer's thesis, section 2.6).
//!
//! The model is looked at through an evaluator: its leaves have the values of their inputs in the SAT solver, and
//! every other term the value of its operator. So an index or a written element needs no gates to have a value, and
//! the model cannot move while it is looked at; gates are built for what a lemma mentions, and for nothing else. This
//! is the thesis' synthesis on demand (section 2.11.5), without calls to the SAT solver.
//!
//! Lemmas go straight to clauses (section 2.11.6): what the gate graph knows to be false is dropped, and each atom has one
//! literal however many lemmas mention it.

use crate::circuits::Circuits;
use bivalve_arrays::{Checker, Inspection, Lemma};
use bivalve_bitblast::{BitBlaster, BlastError, Edge, Limits};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Assignment, Evaluator, Pool, Term, Value};

/// Arrays and functions, beside the circuits.
#[derive(Default)]
pub(crate) struct Theory {
    checker: Checker,
    /// Scopes opened: one for each level above the lowest, and one for the assumptions of a check.
    depth: usize,
    /// The atoms of lemmas.
    atoms: Vec<Term>,
}

/// What a model of the abstraction is worth.
pub(crate) enum Judged {
    /// It extends to arrays and functions: the values of the symbols of those sorts.
    Extends(Vec<(Term, Value)>),
    /// It breaks these.
    Breaks(Vec<Lemma>),
    /// Nobody knows.
    Unknown(Why),
}

impl Theory {
    /// Opens scopes up to the one of this index; 0 is the lowest, which is always open. Levels are built from the
    /// bottom up, so what is taken in next belongs to this one, or was taken in before.
    pub(crate) fn enter(&mut self, index: usize) {
        while self.depth < index {
            self.depth += 1;
            self.checker.push();
        }
    }

    /// Closes the scopes above the one of this index.
    pub(crate) fn leave_to(&mut self, index: usize) {
        while self.depth > index {
            self.depth -= 1;
            self.checker.pop();
        }
    }

    /// Takes in a formula, whose equalities between arrays are binary.
    pub(crate) fn take_in(&mut self, pool: &Pool, formula: Term) {
        self.checker.register(pool, formula);
    }

    /// The edges of lemmas about what is live.
    pub(crate) fn live_edges(&self, blaster: &BitBlaster) -> Vec<Edge> {
        let live = self.atoms.iter().filter(|&&atom| self.checker.has_seen(atom));
        live.filter_map(|&atom| blaster.known_bits(atom)).map(|bits| bits[0]).collect()
    }

    pub(crate) fn statistics(&self) -> bivalve_arrays::Statistics {
        self.checker.statistics()
    }

    /// Judges the model the backend has found.
    pub(crate) fn inspect(&mut self, pool: &mut Pool, circuits: &mut Circuits) -> Judged {
        if self.checker.is_idle() {
            return Judged::Extends(vec![]);
        }
        self.checker.prepare(pool);
        let none = Assignment::new();
        let mut leaves = |pool: &Pool, term| circuits.leaf(pool, term);
        let inspection = self.checker.inspect(&mut Evaluator::with_leaves(pool, &none, &mut leaves));
        match inspection {
            Inspection::Consistent(arrays) => Judged::Extends(arrays),
            Inspection::Incomplete(what) => Judged::Unknown(Why::Incomplete(what)),
            Inspection::Violated(drafts) => Judged::Breaks(self.checker.lemmas(pool, drafts)),
        }
    }

    /// Adds a lemma as a clause. Its atoms are not rewritten: that would replace the very reads it is about.
    pub(crate) fn learn(
        &mut self,
        pool: &Pool,
        circuits: &mut Circuits,
        lemma: &Lemma,
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        let mut edges = vec![];
        for &(atom, value) in &lemma.literals {
            self.checker.register(pool, atom);
            self.atoms.push(atom);
            let edge = circuits.blaster.root(pool, atom, limits)?;
            edges.push(if value { edge } else { !edge });
        }
        circuits.add_clause(&edges);
        Ok(())
    }
}
