//! Building for a check: gates, clauses, and the literals to assume, for all that is live and has none.
//!
//! Levels are built from the bottom up, conjunct by conjunct; what was built for an earlier check stays. A
//! formula is lowered, its reads and applications are taken in by the theory, and its circuit is synthesised
//! on demand. Everything is thrown away and built anew when most of it is dead, or when elements of declared
//! sorts need more bits than they have.
//!
//! What was done stays done when this is stopped: each step leaves the solver in a state from which the next
//! check goes on.
//!
//! Cost: linear in what is new below the live formulas.

use super::Solver;
use super::approximate::Leaves;
use crate::progress::Phase;
use crate::query::{Owner, Query};
use crate::scopes::Level;
use bivalve_bitblast::{Encoded, MOST_ELEMENT_BITS};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Pool, Term};

impl Solver {
    /// Gates and clauses for all that has none, and the literals to assume; or the owner of what is false by
    /// itself. What was done stays done when this is stopped.
    pub(super) fn synthesise(&mut self, pool: &mut Pool, query: &mut Query) -> Result<Option<Owner>, Why> {
        if self.encoder.collect_garbage(&|atom| self.theory.has_seen(atom)) {
            // Some lemmas were dropped; those that are there are not added twice.
            self.leaves = Leaves::default();
            self.theory.forget();
            self.lowering.abstraction.forget_lemmas();
            self.scopes.levels_mut().iter_mut().for_each(|level| level.taken_in = 0);
        }
        if let Some(needed) = self.outgrown(pool) {
            let room = u32::from(self.encoder.element_bits() > 1);
            self.encoder.set_element_bits((needed + room).min(MOST_ELEMENT_BITS));
            self.leaves = Leaves::default();
        }
        self.encoder.begin_check(pool)?;
        let levels = self.scopes.levels().len();
        self.progress.enter(Phase::Synthesise, self.scopes.assertions().len());
        for index in 0..levels {
            self.theory.enter(index);
            while let Some(&conjunct) = {
                let level = &self.scopes.levels()[index];
                self.preprocessor.levels()[index].conjuncts()[..level.built].get(level.taken_in)
            } {
                self.lowered(pool, conjunct);
                self.scopes.level_mut(index).taken_in += 1;
            }
            if !self.build(pool, index)? {
                return Ok(Some(Owner::Level(index)));
            }
            self.encoder.level_literals(index).for_each(|lit| query.assume(lit, Owner::Level(index)));
        }
        // What only assumptions speak of is gone with the check.
        if !self.assumed.is_empty() {
            self.theory.enter(levels);
        }
        for index in 0..levels {
            let first = self.scopes.first_tracked(index);
            for position in 0..self.preprocessor.levels()[index].tracked().len() {
                let image = self.preprocessor.levels()[index].tracked()[position];
                let owner = Owner::Tracked(index, first + position);
                if !self.assume(pool, image, owner, query)? {
                    return Ok(Some(owner));
                }
            }
        }
        for position in 0..self.assumed.len() {
            let owner = Owner::Assumption(position);
            if !self.assume(pool, self.assumed[position], owner, query)? {
                return Ok(Some(owner));
            }
        }
        Ok(None)
    }

    /// The bits that elements of declared sorts need, if they have fewer.
    pub(super) fn outgrown(&mut self, pool: &Pool) -> Option<u32> {
        let needed = if self.supported.is_beyond_bits() { self.elements.bits(pool) } else { 1 };
        Some(needed).filter(|&needed| needed > self.encoder.element_bits())
    }

    /// Forgets everything that was built.
    pub(super) fn rebuild(&mut self) {
        self.encoder.reset();
        self.leaves = Leaves::default();
        self.theory.forget();
        self.lowering.abstraction.forget_lemmas();
        self.scopes.levels_mut().iter_mut().for_each(Level::unbuild);
    }

    /// Gates and clauses for the conjuncts of a level that have none; `false` if one of them is false.
    pub(super) fn build(&mut self, pool: &mut Pool, index: usize) -> Result<bool, Why> {
        while let Some(&conjunct) =
            { self.preprocessor.levels()[index].conjuncts().get(self.scopes.levels()[index].built) }
        {
            let formula = self.lowered(pool, conjunct);
            if !self.encoder.assert(pool, index, formula)? {
                return Ok(false);
            }
            let level = self.scopes.level_mut(index);
            level.built += 1;
            level.taken_in = level.built;
            self.progress.step();
            let gates = self.encoder.blaster().graph().len() as u64;
            self.progress.count(gates, self.encoder.clauses());
        }
        Ok(true)
    }

    /// Adds the literal of a formula to the query; `false` if the formula is false.
    pub(super) fn assume(
        &mut self,
        pool: &mut Pool,
        formula: Term,
        owner: Owner,
        query: &mut Query,
    ) -> Result<bool, Why> {
        let formula = self.lowered(pool, formula);
        match self.encoder.literal(pool, formula)? {
            Encoded::Constant(value) => Ok(value),
            Encoded::Literal(literal) => {
                query.assume(literal, owner);
                Ok(true)
            }
        }
    }

    /// The lowered form of a formula, which the theory takes in.
    fn lowered(&mut self, pool: &mut Pool, formula: Term) -> Term {
        let formula = self.lowering.apply(pool, formula, self.settings.abstract_from);
        if self.supported.is_beyond_bits() || !self.lowering.abstraction.is_empty() {
            self.theory.take_in(pool, &self.lowering, formula);
        }
        formula
    }
}
