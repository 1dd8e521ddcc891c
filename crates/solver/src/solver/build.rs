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
use crate::circuits::{Circuits, live_edges};
use crate::progress::Phase;
use crate::query::{Owner, Query};
use crate::scopes::Level;
use crate::settings::Settings;
use crate::statistics::timed;
use bivalve_bitblast::{BitBlaster, BlastError, Edge, Limits, MOST_ELEMENT_BITS};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Pool, Term};

impl Solver {
    /// Gates and clauses for all that has none, and the literals to assume; or the owner of what is false by
    /// itself. What was done stays done when this is stopped.
    pub(super) fn synthesise(&mut self, pool: &mut Pool, query: &mut Query) -> Result<Option<Owner>, Why> {
        if self.circuits.is_stale(self.settings.rebuild_from, |blaster| {
            [live_edges(blaster, &self.lowering, &self.scopes), self.theory.live_edges(blaster)].concat()
        }) {
            self.statistics.rebuilds += 1;
            self.rebuild();
        }
        if let Some(needed) = self.outgrown(pool) {
            let room = u32::from(self.circuits.blaster.element_bits() > 1);
            self.rebuild();
            self.circuits = Circuits::new((needed + room).min(MOST_ELEMENT_BITS), self.settings.circuits);
        }
        let levels = self.scopes.levels().len();
        self.progress.enter(Phase::Synthesise, self.scopes.assertions().len());
        for index in 0..levels {
            self.simplifier.settle(pool, &mut self.scopes, index);
            self.theory.enter(index);
            if !self.build(pool, index)? {
                return Ok(Some(Owner::Level(index)));
            }
            let level = &self.scopes.levels()[index];
            level.direct.iter().chain(&level.guard).for_each(|&lit| query.assume(lit, Owner::Level(index)));
        }
        // What only assumptions speak of is gone with the check.
        if !self.assumed.is_empty() {
            self.theory.enter(levels);
        }
        for index in 0..levels {
            let first = self.scopes.first_tracked(index);
            for position in 0..self.scopes.levels()[index].tracked.len() {
                let image = self.scopes.levels()[index].tracked[position];
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
        Some(needed).filter(|&needed| needed > self.circuits.blaster.element_bits())
    }

    /// Throws gates and clauses away; the live ones are built again by whoever needs them.
    pub(super) fn rebuild(&mut self) {
        self.circuits = Circuits::new(self.circuits.blaster.element_bits(), self.settings.circuits);
        self.theory.forget();
        self.lowering.abstraction.forget_lemmas();
        self.scopes.levels_mut().iter_mut().for_each(Level::unbuild);
    }

    /// Gates and clauses for the conjuncts of a level that have none; `false` if one of them is false.
    pub(super) fn build(&mut self, pool: &mut Pool, index: usize) -> Result<bool, Why> {
        while let Some(&conjunct) = {
            let level = &self.scopes.levels()[index];
            level.conjuncts.get(level.built)
        } {
            // What holds for ever needs no literal of its own.
            let roots =
                if index == 0 { self.roots(pool, conjunct)? } else { vec![self.root(pool, conjunct)?] };
            if roots.contains(&Edge::FALSE) {
                return Ok(false);
            }
            let Solver { circuits, scopes, settings, parts, stop, statistics, .. } = self;
            let level = scopes.level_mut(index);
            let start = || parts.start_backend(settings, stop);
            timed(self.clock, &mut statistics.seconds.encode, || {
                roots.into_iter().for_each(|root| circuits.assert(level, index == 0, root, start));
            });
            level.built += 1;
            self.progress.step();
            self.progress.count(circuits.blaster.graph().len() as u64, circuits.encoder.statistics().clauses);
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
        let root = self.root(pool, formula)?;
        if !root.is_constant() {
            let Solver { circuits, settings, parts, stop, statistics, .. } = self;
            let start = || parts.start_backend(settings, stop);
            let seconds = &mut statistics.seconds.encode;
            query.assume(timed(self.clock, seconds, || circuits.literal(root, start)), owner);
        }
        Ok(root != Edge::FALSE)
    }

    /// The edge of a formula.
    pub(super) fn root(&mut self, pool: &mut Pool, formula: Term) -> Result<Edge, Why> {
        self.blast(pool, formula, |blaster, pool, formula, limits| blaster.root(pool, formula, limits))
    }

    /// Edges that are all true where a formula is.
    fn roots(&mut self, pool: &mut Pool, formula: Term) -> Result<Vec<Edge>, Why> {
        self.blast(pool, formula, |blaster, pool, formula, limits| {
            blaster.roots(pool, formula, limits).map(<[Edge]>::to_vec)
        })
    }

    /// What is made of a formula when it is lowered, and the theory knows of it.
    fn blast<T>(
        &mut self,
        pool: &mut Pool,
        formula: Term,
        make: impl FnOnce(&mut BitBlaster, &Pool, Term, &Limits<'_>) -> Result<T, BlastError>,
    ) -> Result<T, Why> {
        let Settings { abstract_from, gate_limit, .. } = self.settings;
        let formula = self.lowering.apply(pool, formula, abstract_from);
        if self.supported.is_beyond_bits() || !self.lowering.abstraction.is_empty() {
            self.theory.take_in(pool, &self.lowering, formula);
        }
        let limits = Limits { gates: gate_limit, stop: &self.stop };
        let blaster = &mut self.circuits.blaster;
        timed(self.clock, &mut self.statistics.seconds.blast, || Ok(make(blaster, pool, formula, &limits)?))
    }
}
