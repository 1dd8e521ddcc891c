//! The search for a model of conjuncts: encoder, refiners and under-approximation, in one loop.
//!
//! [`Search::encode`] gives conjuncts of levels, tracked conjuncts and assumptions literals, from the lowest
//! level up; what was encoded for an earlier check stays. [`Search::solve`] is lemmas on demand (Brummayer's
//! thesis, section 2.6): the SAT solver decides the abstraction, in which reads, applications and wide
//! arithmetic are variables; the refiners judge its model; lemmas become clauses, and the search goes on,
//! until the model extends to all theories or there is none. Unsat is final, since lemmas are valid.
//!
//! Every step leaves a state from which the next check goes on, so a check may be stopped anywhere.
//!
//! Cost: linear in what is new below the conjuncts, and the searches.

use crate::elements::Elements;
use crate::parts::LemmaListener;
use crate::progress::{Phase, Progress};
use crate::query::{Owner, Query};
use crate::statistics::{Clock, Effort, Statistics, no_clock, timed};
use crate::under_approximation::UnderApproximation;
use bivalve_bitblast::{BitBlaster, Edge, Encoded, Encoder, MOST_ELEMENT_BITS, SolverFactory};
use bivalve_limits::Deadline;
use bivalve_preprocess::Level;
use bivalve_refine::{Lemma, Refinement, Refiner, Refiners};
use bivalve_sat_adapter::{Lit, SatResult, Stop, Why};
use bivalve_terms::{Pool, Term, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The stages below preprocessing.
pub(crate) struct Search {
    encoder: Encoder,
    refiners: Refiners,
    pub(crate) approximation: UnderApproximation,
    elements: Elements,
    levels: Vec<Done>,
    stop: Stop,
    progress: Arc<Progress>,
    clock: Clock,
    /// Is told each lemma.
    lemma_listener: Option<LemmaListener>,
    /// Seconds spent in refiners and in adding lemmas.
    seconds: f64,
}

/// How many conjuncts of a level are done.
#[derive(Clone, Copy, Default)]
struct Done {
    /// They have clauses.
    encoded: usize,
    /// The refiners have taken them in.
    taken_in: usize,
}

/// What a search comes to.
pub(crate) enum Outcome {
    /// There is a model; these are the values of array and function symbols in it.
    Sat(Vec<(Term, Value)>),
    /// There is none; these literals of the query suffice for that.
    Unsat(FxHashSet<Lit>),
    Unknown(Why),
    /// Lemmas brought more terms of declared sorts than their elements have bits for; to be encoded again.
    DomainExceeded,
}

/// The literals of a query, or whose conjunct is false by itself.
pub(crate) struct Encoding {
    pub(crate) query: Query,
    pub(crate) contradiction: Option<Owner>,
}

impl Search {
    /// Nothing encoded. SAT solvers are made by `factory`.
    pub(crate) fn new(
        factory: SolverFactory,
        refiners: Vec<Box<dyn Refiner>>,
        stop: &Stop,
        progress: Arc<Progress>,
    ) -> Search {
        Search {
            encoder: Encoder::new(factory, stop),
            refiners: Refiners::new(refiners),
            approximation: UnderApproximation::new(),
            elements: Elements::default(),
            levels: vec![],
            stop: stop.clone(),
            progress,
            clock: no_clock,
            lemma_listener: None,
            seconds: 0.0,
        }
    }

    /// Makes SAT solvers by another factory.
    pub(crate) fn set_factory(&mut self, factory: SolverFactory) {
        self.encoder.set_factory(factory);
        self.forget();
    }

    /// Refines by these from now on.
    pub(crate) fn set_refiners(&mut self, refiners: Vec<Box<dyn Refiner>>) {
        self.refiners.replace(refiners);
        self.forget();
    }

    /// Limits the gate graph, and says from which size on garbage is looked for.
    pub(crate) fn set_sizes(&mut self, gate_limit: u64, rebuild_from: u64) {
        self.encoder.set_gate_limit(gate_limit);
        self.encoder.set_rebuild_from(rebuild_from);
    }

    /// The first check is one of a session.
    pub(crate) fn expect_session(&mut self) {
        self.encoder.expect_session();
    }

    /// Compares words as sums of weighted bits after so many conflicts of a search.
    pub(crate) fn set_words_after(&mut self, conflicts: Option<u64>) {
        self.encoder.set_words_after(conflicts);
    }

    /// Measures phases with `clock`.
    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
        self.encoder.set_clock(clock);
        self.approximation.set_clock(clock);
    }

    /// Tells `listener` each lemma from now on.
    pub(crate) fn set_lemma_listener(&mut self, listener: Option<LemmaListener>) {
        self.lemma_listener = listener;
    }

    /// Drops the levels from this one on.
    pub(crate) fn pop_to(&mut self, levels: usize) {
        self.encoder.pop_to(levels);
        self.refiners.pop_to(levels - 1);
        self.levels.truncate(levels);
    }

    /// Forgets everything that was encoded; abstracted forms stay.
    pub(crate) fn forget(&mut self) {
        self.encoder.reset();
        self.approximation.forget();
        self.refiners.clear();
        self.levels.clear();
        self.elements = Elements::default();
    }

    /// The same, because terms have other ids now: abstracted forms go, too.
    pub(crate) fn forget_terms(&mut self, refiners: Vec<Box<dyn Refiner>>) {
        self.set_refiners(refiners);
    }

    /// Whether no conjunct has clauses.
    pub(crate) fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| level.encoded == 0)
    }

    /// Whether there is a SAT solver, with clauses.
    pub(crate) fn has_clauses(&self) -> bool {
        self.encoder.has_clauses()
    }

    /// Encodes the conjuncts of these levels, their tracked conjuncts, and assumptions.
    ///
    /// # Errors
    ///
    /// Why it was stopped.
    pub(crate) fn encode(
        &mut self,
        pool: &mut Pool,
        levels: &[Level],
        assumptions: &[Term],
    ) -> Result<Encoding, Why> {
        self.count_elements(pool, levels, assumptions);
        self.prepare();
        self.encoder.begin_check(pool)?;
        if self.is_empty() {
            let stated = levels.iter().flat_map(|level| level.conjuncts().iter().chain(level.tracked()));
            let formulas: Vec<Term> = stated.chain(assumptions).copied().collect();
            let deadline = Deadline::stopped_by(&self.stop);
            self.refiners.survey(pool, &formulas, &deadline);
            deadline.reason().map_or(Ok(()), Err)?;
        }
        let conjuncts = levels.iter().map(|level| level.conjuncts().len()).sum();
        self.progress.enter(Phase::Synthesise, conjuncts);
        let mut encoding = Encoding { query: Query::default(), contradiction: None };
        self.levels.resize(levels.len(), Done::default());
        for (index, level) in levels.iter().enumerate() {
            self.refiners.push_to(index);
            if !self.encode_level(pool, index, level.conjuncts())? {
                encoding.contradiction = Some(Owner::Level(index));
                return Ok(encoding);
            }
            for literal in self.encoder.level_literals(index) {
                encoding.query.assume(literal, Owner::Level(index));
            }
        }
        // What is below assumptions only is taken in for this check.
        if !assumptions.is_empty() {
            self.refiners.push_to(levels.len());
        }
        let tracked = levels
            .iter()
            .enumerate()
            .flat_map(|(index, level)| level.tracked().iter().map(move |&formula| (formula, index)));
        let tracked =
            tracked.enumerate().map(|(number, (formula, index))| (formula, Owner::Tracked(index, number)));
        let assumed =
            assumptions.iter().zip(0..).map(|(&formula, place)| (formula, Owner::Assumption(place)));
        for (formula, owner) in tracked.chain(assumed) {
            let formula = self.abstracted(pool, formula)?;
            match self.encoder.literal(pool, formula)? {
                Encoded::Literal(literal) => encoding.query.assume(literal, owner),
                Encoded::Constant(true) => {}
                Encoded::Constant(false) => {
                    encoding.contradiction = Some(owner);
                    return Ok(encoding);
                }
            }
        }
        Ok(encoding)
    }

    /// Counts the elements of declared sorts below what is to be encoded.
    fn count_elements(&mut self, pool: &Pool, levels: &[Level], assumptions: &[Term]) {
        for (index, level) in levels.iter().enumerate() {
            let known = self.levels.get(index).map_or(0, |done| done.encoded);
            let new = level.conjuncts()[known..].iter().chain(level.tracked());
            new.for_each(|&formula| self.elements.take_in(pool, formula));
        }
        assumptions.iter().for_each(|&formula| self.elements.take_in(pool, formula));
    }

    /// Drops garbage, and gives elements of declared sorts as many bits as they need.
    fn prepare(&mut self) {
        let Search { encoder, refiners, .. } = self;
        if encoder.collect_garbage(&|atom| refiners.has_seen(atom)) {
            // Clauses of some lemmas are gone. The encoder has the others, and adds none twice.
            self.approximation.forget();
            self.clear_refiners();
        }
        if let Some(needed) = self.missing_bits() {
            let room = u32::from(self.encoder.element_bits() > 1);
            self.encoder.set_element_bits((needed + room).min(MOST_ELEMENT_BITS));
            self.approximation.forget();
        }
    }

    /// The refiners forget what they have taken in and which lemmas they have made. They take in what is
    /// encoded again in the next check.
    fn clear_refiners(&mut self) {
        self.refiners.clear();
        self.levels.iter_mut().for_each(|level| level.taken_in = 0);
    }

    /// The bits that elements of declared sorts need, if they have fewer.
    pub(crate) fn missing_bits(&self) -> Option<u32> {
        Some(self.elements.bits()).filter(|&needed| needed > self.encoder.element_bits())
    }

    /// Encodes the conjuncts of a level that have no clauses; `false` if one of them is false.
    fn encode_level(&mut self, pool: &mut Pool, index: usize, conjuncts: &[Term]) -> Result<bool, Why> {
        let Done { encoded, taken_in } = self.levels[index];
        for &conjunct in &conjuncts[taken_in..encoded] {
            self.abstracted(pool, conjunct)?;
            self.levels[index].taken_in += 1;
        }
        for &conjunct in &conjuncts[encoded..] {
            let formula = self.abstracted(pool, conjunct)?;
            if !self.encoder.assert(pool, index, formula)? {
                return Ok(false);
            }
            let done = &mut self.levels[index];
            (done.encoded, done.taken_in) = (done.encoded + 1, done.encoded + 1);
            self.progress.step();
            self.progress.count(self.gates(), self.encoder.clauses());
        }
        Ok(true)
    }

    /// The abstracted form of a formula, which the refiners take in. A step is a term that it makes out of
    /// another and that will need a gate, so the limit of gates is one of steps.
    fn abstracted(&mut self, pool: &mut Pool, formula: Term) -> Result<Term, Why> {
        let deadline = Deadline::new(&self.stop, self.encoder.gate_limit());
        let abstracted = self.refiners.abstracted(pool, formula, &deadline);
        let formula = abstracted.ok_or_else(|| deadline.reason().unwrap_or(Why::Interrupted))?;
        self.elements.take_in(pool, formula);
        let deadline = Deadline::stopped_by(&self.stop);
        if self.refiners.hold(pool, formula, &deadline).is_none() {
            self.clear_refiners();
            return Err(deadline.reason().unwrap_or(Why::Interrupted));
        }
        Ok(formula)
    }

    /// Begins to approximate what was encoded, if that is asked for.
    pub(crate) fn begin_approximation(&mut self, pool: &Pool) {
        let Search { encoder, refiners, approximation, .. } = self;
        approximation.begin(pool, encoder, refiners);
    }

    /// Ends approximation, before cores are minimised and at the end of a check.
    pub(crate) fn end_approximation(&mut self, is_sat: bool) {
        self.approximation.end(&mut self.encoder, is_sat);
    }

    /// Closes the scope of assumptions.
    pub(crate) fn end_check(&mut self) {
        self.refiners.pop_to(self.levels.len().saturating_sub(1));
    }

    /// Searches under these literals, and refines until the model extends to all theories or there is none;
    /// at most so many conflicts.
    pub(crate) fn solve(&mut self, pool: &mut Pool, literals: &[Lit], limit: Option<u64>) -> Outcome {
        let end = limit.map(|limit| self.conflicts().saturating_add(limit));
        loop {
            let lemmas = self.refiners.eager(pool);
            if let Err(why) = self.learn(pool, &lemmas) {
                return Outcome::Unknown(why);
            }
            if self.missing_bits().is_some() {
                return Outcome::DomainExceeded;
            }
            self.progress.enter(Phase::Search, 0);
            let left = end.map(|end| end.saturating_sub(self.conflicts()));
            let Search { encoder, refiners, approximation, .. } = self;
            approximation.extend(pool, encoder, refiners);
            match approximation.search(pool, encoder, refiners, literals, left) {
                (SatResult::Unknown(why), _) => return Outcome::Unknown(why),
                (SatResult::Unsat, failed) => return Outcome::Unsat(failed),
                (SatResult::Sat, _) => match self.refine(pool) {
                    Ok(None) => {}
                    Ok(Some(extension)) => return Outcome::Sat(extension),
                    Err(why) => return Outcome::Unknown(why),
                },
            }
        }
    }

    /// Has the model judged: the values of arrays and functions that extend it, or nothing, when it violates
    /// lemmas, which are added.
    fn refine(&mut self, pool: &mut Pool) -> Result<Option<Vec<(Term, Value)>>, Why> {
        self.progress.enter(Phase::Refine, 0);
        let Search { encoder, refiners, clock, seconds, stop, .. } = self;
        let mut leaves = |pool: &Pool, term| encoder.leaf_value(pool, term);
        let check = || refiners.check(pool, &mut leaves, &Deadline::stopped_by(stop));
        match timed(*clock, seconds, check) {
            Refinement::Consistent(extension) => Ok(Some(extension)),
            Refinement::Unknown(why) => Err(why),
            Refinement::Lemmas(lemmas) => self.learn(pool, &lemmas).map(|()| None),
        }
    }

    /// Adds lemmas as clauses. Their atoms are not rewritten: that would replace the reads they are about. A
    /// refiner makes some lemmas only once, so when not all of them were added, the refiners begin anew.
    fn learn(&mut self, pool: &Pool, lemmas: &[Lemma]) -> Result<(), Why> {
        let Search { encoder, refiners, elements, clock, seconds, stop, lemma_listener, .. } = self;
        let added = timed(*clock, seconds, || {
            for lemma in lemmas {
                stop.reason().map_or(Ok(()), Err)?;
                refiners.learn(pool, lemma);
                lemma.literals.iter().for_each(|&(atom, _)| elements.take_in(pool, atom));
                encoder.clause(pool, &lemma.literals)?;
                if let Some(listener) = lemma_listener {
                    listener(pool, lemma);
                }
            }
            Ok(())
        });
        if added.is_err() {
            self.clear_refiners();
        }
        added
    }

    /// What the model says of a term; `None` if the term has no bits.
    pub(crate) fn value(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        self.encoder.value(pool, term)
    }

    /// What the model says of a literal; what no clause mentions is false.
    pub(crate) fn literal_value(&mut self, literal: Lit) -> bool {
        self.encoder.literal_value(literal) == Some(true)
    }

    /// The conflicts of all searches so far; 0 if the SAT solver does not count them.
    pub(crate) fn conflicts(&self) -> u64 {
        self.encoder.conflicts()
    }

    /// The gates there are.
    pub(crate) fn gates(&self) -> u64 {
        self.encoder.blaster().graph().len() as u64
    }

    /// The gates, and the bits of terms among them.
    pub(crate) fn blaster(&self) -> &BitBlaster {
        self.encoder.blaster()
    }

    /// The clauses of the SAT solver.
    pub(crate) fn clauses(&self) -> u64 {
        self.encoder.clauses()
    }

    /// The bits of a leaf that is a bit-vector and no result of abstracted arithmetic, if clauses mention it.
    pub(crate) fn vector(&mut self, pool: &Pool, leaf: Term) -> Option<Vec<Lit>> {
        let is_free = pool.sort(leaf).is_bitvec() && self.refiners.replaced_by(leaf).is_none();
        if is_free { self.encoder.vector(leaf) } else { None }
    }

    /// The leaves of the circuits from this number on.
    pub(crate) fn leaves_from(&self, number: usize) -> Vec<Term> {
        self.encoder.blaster().leaves().skip(number).collect()
    }

    /// The leaves below what is asserted, assumed, or said by lemmas in use.
    pub(crate) fn live_leaves(&self) -> Vec<Term> {
        self.encoder.leaves_below(&self.encoder.live_roots(&|atom| self.refiners.has_seen(atom)))
    }

    /// The gates of these formulas and of all lemmas, as clauses over edges: the formulas hold, and one edge
    /// of each lemma. `None` if some of them have no gates.
    pub(crate) fn clauses_over_gates(
        &self,
        mut formulas: impl Iterator<Item = Term>,
    ) -> Option<(&BitBlaster, Vec<Vec<Edge>>)> {
        let blaster = self.encoder.blaster();
        let mut clauses = self.encoder.lemma_edges()?;
        formulas.try_for_each(|formula| {
            let roots = blaster.known_roots(self.refiners.image(formula)?)?;
            clauses.extend(roots.iter().map(|&root| vec![root]));
            Some(())
        })?;
        Some((blaster, clauses))
    }

    /// What was spent on clauses and searches.
    pub(crate) fn effort(&self) -> Effort {
        let counts = self.encoder.counts();
        Effort { checks: 0, clauses: counts.clauses.clauses, sat: counts.sat.unwrap_or_default() }
    }

    /// Adds what these stages count.
    pub(crate) fn count(&self, statistics: &mut Statistics) {
        statistics.set_encoder(self.encoder.statistics());
        statistics.refiners = self.refiners.statistics();
        statistics.approx = self.approximation.statistics;
        statistics.seconds.arrays = self.seconds;
        statistics.seconds.approx = self.approximation.seconds;
    }
}
