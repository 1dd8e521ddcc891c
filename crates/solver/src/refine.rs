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

use crate::solver::Circuits;
use bivalve_arrays::{Checker, Inspection, Lemma, binary_equalities};
use bivalve_bitblast::{BlastError, Limits};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Assignment, Evaluator, Pool, Term, Value};

/// Arrays and functions, beside the circuits.
#[derive(Default)]
pub(crate) struct Theory {
    checker: Checker,
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
    /// Takes in a conjunct; returns it in the form that circuits and checker expect.
    pub(crate) fn take_in(&mut self, pool: &mut Pool, conjunct: Term) -> Term {
        let conjunct = binary_equalities(pool, conjunct);
        self.checker.register(pool, conjunct);
        conjunct
    }

    /// Does the checker know the term?
    pub(crate) fn knows(&self, term: Term) -> bool {
        self.checker.has_seen(term)
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
        pool: &mut Pool,
        circuits: &mut Circuits,
        lemma: &Lemma,
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        let mut edges = vec![];
        for &(atom, value) in &lemma.literals {
            let atom = self.take_in(pool, atom);
            let edge = circuits.blaster.root(pool, atom, limits)?;
            edges.push(if value { edge } else { !edge });
        }
        circuits.add_clause(&edges);
        Ok(())
    }
}
