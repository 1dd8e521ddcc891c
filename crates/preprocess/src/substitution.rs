//! Variable substitution: definitions `x = t` found among the conjuncts eliminate the symbol `x`.
//!
//! The symbols of a round are replaced by their terms everywhere, all at once, and the conjuncts that serve
//! as definitions are dropped. Sharing makes the replacement free: `t` is one node however often `x`
//! occurred.
//!
//! Why it is correct: the dropped conjunct is true in exactly those assignments in which `x` has the value of
//! `t`, and in those nothing else changes. The way back is that sentence read backwards: a model of what is
//! left gives each eliminated symbol the value of its term, last round first ([`Substitution::lift`]).
//!
//! Cycles (`x = f(y)`, `y = g(x)`) are found by one depth-first walk in which an eliminated symbol has its
//! term as its only child ([`crate::images`]): meeting a symbol that is being walked closes a cycle, and that
//! symbol keeps its conjunct and stays.
//!
//! Definitions made by unconstrained-term elimination ([`crate::unconstrained`]) may restrict their symbol:
//! the term does not take all its values, because nothing else mentioned the symbol when they were made. They
//! preserve satisfiability, and models lift as ever; but a formula that comes later and mentions the symbol,
//! if only through other definitions, must not be answered with them. [`Substitution::is_invalidated_by`]
//! says so.
//!
//! Scopes: a pop forgets the definitions made since the push. Images of terms under the definitions are
//! remembered in the order in which they were made: whatever mentions a symbol was made after the symbol was
//! first seen, so a new definition of it takes away the tail from there, and the rest stays right.
//!
//! This is the first word-level pass of every bit-vector solver (Ganesh and Dill, CAV 2007, section 4;
//! Brummayer's thesis, section 3.2). Cost: each round is linear in what is new below the conjuncts.

use crate::definitions::Candidate;
use crate::images::{Images, Walk};
use crate::problem::Problem;
use crate::unconstrained::Defined;
use bivalve_backtrack::BacktrackVec;
use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, Evaluator, Pool, Renaming, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Symbols that were eliminated, and what stands for them.
#[derive(Default)]
pub(crate) struct Substitution {
    terms: FxHashMap<Term, Term>,
    /// The solutions of the symbols of each round, in terms of symbols that survived the round.
    rounds: BacktrackVec<Vec<(Term, Term)>>,
    /// Images under all definitions.
    images: Images,
    /// For each scope the number of images that were there before.
    marks: Vec<usize>,
}

/// What a round of substitution made of the conjuncts.
pub(crate) struct Round {
    /// The conjuncts that are left.
    pub(crate) conjuncts: Vec<Term>,
    /// Candidates that lead back to their symbol: conjunct and symbol.
    pub(crate) cyclic: Vec<(Term, Term)>,
}

impl Substitution {
    /// The number of symbols eliminated.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.rounds.push();
        self.marks.push(self.images.len());
    }

    /// Forgets the definitions made since the scope was opened. Panics if none is open.
    pub(crate) fn pop(&mut self) {
        let mark = self.marks.pop().expect("a scope was opened");
        let mut any = false;
        for (symbol, _) in self.rounds.pop_drain().flatten() {
            any = true;
            self.terms.remove(&symbol);
            self.images.set_unconstrained(symbol, false);
        }
        if any {
            self.images.truncate(mark);
        }
    }

    /// `term` with every eliminated symbol replaced by its solution; `None` when the deadline is over. Terms
    /// of definitions mention no symbol that was eliminated before them, so there is no cycle.
    pub(crate) fn apply(&mut self, pool: &mut Pool, term: Term, deadline: &Deadline) -> Option<Term> {
        if self.terms.is_empty() {
            return Some(term);
        }
        let image = self.images.image(pool, &mut self.terms, term, &Walk::whole(deadline))?;
        assert!(self.images.cyclic().is_empty(), "internal: accepted definitions are acyclic");
        Some(image)
    }

    /// Whether a formula mentions a symbol whose definition restricts it, itself or through other
    /// definitions. `None` when the deadline is over.
    pub(crate) fn is_invalidated_by(
        &mut self,
        pool: &mut Pool,
        formula: Term,
        deadline: &Deadline,
    ) -> Option<bool> {
        if !self.images.has_unconstrained() {
            return Some(false);
        }
        self.apply(pool, formula, deadline)?;
        Some(self.images.is_tainted(formula))
    }

    /// Gives the eliminated symbols their values, from those of the symbols that are left.
    pub(crate) fn lift(&self, pool: &Pool, assignment: &mut Assignment) {
        for round in self.rounds.iter().rev() {
            let mut evaluator = Evaluator::new(pool, assignment);
            let values: Vec<_> =
                round.iter().map(|&(symbol, term)| (symbol, evaluator.eval(term).clone())).collect();
            values.into_iter().for_each(|(symbol, value)| assignment.set(symbol, value));
        }
    }

    /// The eliminated symbols in the order in which they were, with their solutions, those of each round in
    /// terms of symbols that were left by it.
    pub(crate) fn solutions(&self) -> impl Iterator<Item = (Term, Term)> {
        self.rounds.iter().flatten().copied()
    }

    /// The terms that definitions hold on to.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> {
        self.solutions().flat_map(|(symbol, term)| [symbol, term, self.terms[&symbol]])
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        let defined: Vec<(Term, Term)> =
            self.solutions().map(|(symbol, _)| (symbol, self.terms[&symbol])).collect();
        self.terms =
            defined.into_iter().map(|(symbol, term)| (renaming.of(symbol), renaming.of(term))).collect();
        for (symbol, term) in self.rounds.elements_mut().iter_mut().flatten() {
            (*symbol, *term) = (renaming.of(*symbol), renaming.of(*term));
        }
        let unconstrained: Vec<Term> =
            self.images.unconstrained().map(|symbol| renaming.of(symbol)).collect();
        self.images = Images::default();
        unconstrained.into_iter().for_each(|symbol| self.images.set_unconstrained(symbol, true));
        self.marks.iter_mut().for_each(|mark| *mark = 0);
    }

    /// Replaces the symbols of all candidates at once, but for those that close cycles, and drops the
    /// conjuncts that serve as definitions. `None` when the deadline is over, and nothing is changed then.
    pub(crate) fn eliminate(
        &mut self,
        pool: &mut Pool,
        problem: &Problem<'_>,
        candidates: &[Candidate],
    ) -> Option<Round> {
        let mut terms: FxHashMap<Term, Term> =
            candidates.iter().map(|candidate| (candidate.symbol, candidate.term)).collect();
        let mut images = Images::default();
        // What is frozen mentions no symbol that is replaced.
        let walk = Walk { is_leaf: &|term| problem.is_frozen(term), deadline: problem.deadline };
        // Definitions first, so that every cycle among them is known before a conjunct is dropped.
        let mut solutions = vec![];
        for candidate in candidates {
            solutions.push(images.image(pool, &mut terms, candidate.symbol, &walk)?);
        }
        let closing: FxHashSet<Term> = images.cyclic().iter().copied().collect();
        let mut serves = vec![false; problem.conjuncts.len()];
        let (mut accepted, mut cyclic) = (vec![], vec![]);
        for (candidate, solution) in candidates.iter().zip(solutions) {
            if closing.contains(&candidate.symbol) {
                cyclic.push((problem.conjuncts[candidate.places[0]], candidate.symbol));
                continue;
            }
            accepted.push((candidate.symbol, solution));
            candidate.places.iter().for_each(|&place| serves[place] = true);
        }
        let mut conjuncts = vec![];
        for (&conjunct, _) in problem.conjuncts.iter().zip(serves).filter(|(_, serves)| !serves) {
            conjuncts.push(images.image(pool, &mut terms, conjunct, &walk)?);
        }
        self.accept(accepted, terms);
        Some(Round { conjuncts, cyclic })
    }

    /// Takes over the definitions that unconstrained-term elimination made. They are acyclic, because what is
    /// fresh is younger than what it stands for. `None` when the deadline is over, and nothing is changed
    /// then.
    pub(crate) fn adopt(&mut self, pool: &mut Pool, defined: &[Defined], deadline: &Deadline) -> Option<()> {
        let mut terms: FxHashMap<Term, Term> =
            defined.iter().map(|defined| (defined.symbol, defined.term)).collect();
        let mut images = Images::default();
        let mut round = vec![];
        for defined in defined {
            let solution = images.image(pool, &mut terms, defined.symbol, &Walk::whole(deadline))?;
            round.push((defined.symbol, solution));
        }
        assert!(images.cyclic().is_empty(), "internal: what is fresh is younger than what it stands for");
        self.accept(round, terms);
        defined.iter().for_each(|defined| self.images.set_unconstrained(defined.symbol, defined.restricts));
        Some(())
    }

    /// Takes a round of definitions over, with their terms as they were stated.
    fn accept(&mut self, round: Vec<(Term, Term)>, terms: FxHashMap<Term, Term>) {
        if let Some(stale) = round.iter().filter_map(|(symbol, _)| self.images.first_seen(*symbol)).min() {
            self.images.truncate(stale);
            // Behind this place come images under the new definitions, which go with their scope.
            self.marks.iter_mut().rev().take_while(|mark| **mark > stale).for_each(|mark| *mark = stale);
        }
        self.terms.extend(terms);
        self.rounds.append(round);
    }
}
