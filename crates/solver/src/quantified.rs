//! Quantified formulas: a loop above the stages, which see instances alone.
//!
//! The assertion stack is kept a second time by another solver, the *ground* solver, on levels of the same
//! numbers, with Boolean symbols in the place of quantified formulas (`bivalve-quantifiers`). Each of its
//! models is a candidate:
//!
//! 1. A symbol that is true claims that its formula holds for all values of the variables. With the values of
//!    the candidate in the place of all other symbols, the negated body is given to a solver of its own. If
//!    that finds nothing, the claim is right; else its values make an instance, which the symbol implies.
//! 2. A symbol that is false implies that the body is false for new symbols. One such lemma is enough, and it
//!    is made before the first candidate is.
//!
//! Lemmas hold by what their symbol stands for, on every level; they are asserted on the topmost one, and
//! again when that was popped and the symbol is needed. When no symbol that matters claims anything wrong,
//! the candidate is a model. Bodies may have quantified formulas in turn: instances get symbols for them
//! here, and the solver of a counterexample has a loop of its own.
//!
//! `Unsat` is that of the ground solver, whose levels, tracked assertions and assumptions have the same
//! numbers; lemmas are not tracked, so they are in no core. `Sat` is said if every claim that matters was
//! refuted by a check of its own, and the assertions are true where these values are put in.
//!
//! Cost: a check of the ground solver for each round, and one for each claim in it.

use crate::Solver;
use crate::answer::CheckResult;
use crate::claims::{Claim, Counterexample, Lemma, UNDECIDED, counterexample};
use crate::grounded::{GroundLemma, Grounded};
use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::statistics::Statistics;
use bivalve_quantifiers::{Frozen, Grounding, Guide, Need, Terms};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Assignment, Op, Pool, Sort, Substitution, Term, Value, free_symbols, outermost_binders};
use std::collections::BTreeMap;

/// Solvers that ask each other for counterexamples, one within the other.
const NESTING: u32 = 12;

/// What decides the quantified formulas of a solver.
pub(crate) struct Quantified {
    grounding: Grounding,
    ground: Solver,
    /// What the ground solver has asserted, beside lemmas.
    levels: Vec<Mirrored>,
    /// By the number of the atom.
    claims: Vec<Claim>,
    terms: Terms,
    /// How many lemmas were made.
    made: usize,
    /// The formula that was not decided, if the last check ended so.
    undecided: Option<Term>,
}

/// A level of the stack that holds something, or the lowest.
struct Mirrored {
    number: u64,
    assertions: Vec<(Term, bool)>,
    /// What its assertions need of atoms.
    needs: Vec<(usize, Need)>,
}

impl Solver {
    /// Is there a quantified formula among the assertions and these assumptions?
    pub fn is_quantified(&self, pool: &Pool, assumptions: &[Term]) -> bool {
        let all = || [self.stack.assertions(), assumptions].concat();
        pool.has_binders() && !outermost_binders(pool, &all()).is_empty()
    }

    /// The quantified formula that was not decided, if the last check was answered by `Unknown` because of
    /// one.
    pub fn undecided_formula(&self) -> Option<Term> {
        self.answer.unknown.and(self.quantified.as_ref()?.undecided)
    }

    /// Decides a check with quantified formulas.
    pub(crate) fn decide_quantified(&mut self, pool: &mut Pool) -> Result<CheckResult, InternalError> {
        if let Some(why) = self.stop.reason() {
            return Ok(CheckResult::Unknown(why));
        }
        if let Some(core) = &self.contradiction {
            self.answer.core = Some(core.clone());
            return Ok(CheckResult::Unsat);
        }
        if self.nesting > NESTING {
            return Ok(CheckResult::Unknown(UNDECIDED));
        }
        let state = self.quantified.take();
        let mut state = state.unwrap_or_else(|| Box::new(Quantified::new(self)));
        let result = state.decide(self, pool);
        self.quantified = Some(state);
        result
    }

    /// A solver for a question of this one, with the conflicts that the check has left.
    pub(crate) fn assistant(&self) -> Solver {
        let (parts, stop, progress) = (self.parts.clone(), self.stop.clone(), self.progress.clone());
        let mut other = Solver::built(self.limited_settings(), parts, stop, progress);
        other.set_clock(self.clock);
        other
    }

    fn limited_settings(&self) -> Settings {
        Settings { conflict_limit: self.conflicts_left, ..self.settings.clone() }
    }
}

impl Quantified {
    fn new(solver: &Solver) -> Quantified {
        Quantified {
            grounding: Grounding::new(),
            ground: solver.assistant(),
            levels: vec![],
            claims: vec![],
            terms: Terms::new(),
            made: 0,
            undecided: None,
        }
    }

    /// Eliminates nothing.
    pub(crate) fn by_instances(solver: &Solver) -> Quantified {
        Quantified { grounding: Grounding::by_instances(), ..Quantified::new(solver) }
    }

    fn decide(&mut self, solver: &mut Solver, pool: &mut Pool) -> Result<CheckResult, InternalError> {
        self.undecided = None;
        self.follow(solver, pool)?;
        let assumed = solver.answer.assumptions.clone();
        let assumed: Vec<Term> =
            assumed.iter().map(|&term| self.grounding.ground(pool, term, &solver.stop)).collect();
        let mut rounds = solver.rounds;
        loop {
            if let Some(why) = solver.stop.reason() {
                return Ok(CheckResult::Unknown(why));
            }
            if rounds == Some(0) || solver.conflicts_left == Some(0) {
                return Ok(CheckResult::Unknown(Why::Budget));
            }
            rounds = rounds.map(|left| left - 1);
            let live = self.live(pool, &assumed)?;
            self.ground.set_settings(solver.limited_settings());
            let before = self.ground.search.conflicts();
            let result =
                self.ground.check_assuming(pool, &assumed).map_err(|e| InternalError(e.to_string()))?;
            // A round is a conflict: whatever it is that goes on for ever, budgets end it.
            solver.spend(self.ground.search.conflicts().saturating_sub(before) + 1);
            match result {
                CheckResult::Unsat => {
                    let core = self.ground.answer.core.clone();
                    return Ok(solver.refute(core.expect("the answer is unsat")));
                }
                CheckResult::Unknown(why) => return Ok(CheckResult::Unknown(why)),
                CheckResult::Sat => {}
            }
            let model = self.ground.answer.model.take().expect("the answer is sat");
            let judged = self.judge(solver, pool, &live, &model, &assumed);
            match judged? {
                Judgement::Wrong => self.ground.answer.model = Some(model),
                Judgement::Right => return self.finish(solver, pool, &model),
                Judgement::Open(atom, why) => {
                    self.undecided = Some(self.grounding.atom(atom).formula);
                    return Ok(CheckResult::Unknown(why));
                }
            }
        }
    }

    /// What the ground solver has cost; its checks are rounds of one.
    pub(crate) fn statistics(&self, pool: &Pool) -> Statistics {
        Statistics { checks: 0, ..self.ground.statistics(pool) }
    }

    /// Brings the ground solver's stack to that of the solver.
    fn follow(&mut self, solver: &Solver, pool: &mut Pool) -> Result<(), InternalError> {
        let mut levels: Vec<(u64, Vec<(Term, bool)>)> = vec![(0, vec![])];
        for asserted in solver.outline() {
            if levels.last().is_none_or(|&(number, _)| number != asserted.level) {
                levels.push((asserted.level, vec![]));
            }
            let (_, assertions) = levels.last_mut().expect("there is one");
            assertions.push((asserted.formula, asserted.is_tracked));
        }
        let pairs = self.levels.iter().zip(&levels);
        let same = pairs.take_while(|(old, new)| old.number == new.0 && old.assertions == new.1);
        let mut kept = same.count();
        // The one after these may have grown.
        if let (Some(old), Some(new)) = (self.levels.get(kept), levels.get(kept))
            && old.number == new.0
            && new.1.starts_with(&old.assertions)
        {
            kept += 1;
        }
        if kept < self.levels.len() {
            let popped = (self.levels.len() - kept) as u64;
            if kept == 0 {
                *self = Quantified::new(solver);
            } else {
                self.ground.pop(popped).map_err(|e| InternalError(e.to_string()))?;
            }
            self.levels.truncate(kept);
            for lemma in self.claims.iter_mut().flat_map(Claim::lemmas_mut) {
                lemma.level = lemma.level.filter(|&level| level < kept);
            }
        }
        for (place, (number, assertions)) in levels.into_iter().enumerate() {
            if place == self.levels.len() {
                if place > 0 {
                    self.ground.push(1).map_err(|e| InternalError(e.to_string()))?;
                }
                self.levels.push(Mirrored { number, assertions: vec![], needs: vec![] });
            }
            let has = self.levels[place].assertions.len();
            for &(formula, is_tracked) in &assertions[has..] {
                let ground = self.grounding.ground(pool, formula, &solver.stop);
                let asserted = match is_tracked {
                    true => self.ground.assert_tracked(pool, ground).map(|_| ()),
                    false => self.ground.assert(pool, ground),
                };
                asserted.map_err(|e| InternalError(e.to_string()))?;
                let needs = self.grounding.needs(pool, ground);
                self.levels[place].needs.extend(needs);
                self.levels[place].assertions.push((formula, is_tracked));
            }
        }
        Ok(())
    }

    /// The atoms that matter, by number, with what is needed of them. Their lemmas are asserted.
    fn live(&mut self, pool: &mut Pool, assumed: &[Term]) -> Result<BTreeMap<usize, Need>, InternalError> {
        let mut live: BTreeMap<usize, Need> = BTreeMap::new();
        let mut todo: Vec<(usize, Need)> = self.levels.iter().flat_map(|level| level.needs.clone()).collect();
        for &formula in assumed {
            todo.extend(self.grounding.needs(pool, formula));
        }
        while let Some((atom, need)) = todo.pop() {
            let known = live.get(&atom).copied().unwrap_or_default();
            let all = known.and(need);
            if all == known {
                continue;
            }
            live.insert(atom, all);
            self.prepare(pool, atom);
            if all.if_false && self.claims[atom].witness.is_none() {
                let terms = self.grounding.witnesses(pool, atom);
                let lemma = self.lemma(pool, atom, &terms, false);
                self.claims[atom].witness = Some(lemma);
            }
            let Quantified { claims, ground, levels, .. } = self;
            let Claim { instances, witness, .. } = &mut claims[atom];
            let instances = instances.iter_mut().filter(|_| all.if_true);
            let witness = witness.iter_mut().filter(|_| all.if_false);
            for lemma in instances.chain(witness) {
                lemma.assert(ground, pool, levels.len() - 1)?;
                todo.extend_from_slice(&lemma.needs);
            }
        }
        Ok(live)
    }

    /// Something is known of all atoms up to this one.
    fn prepare(&mut self, pool: &mut Pool, atom: usize) {
        while self.claims.len() <= atom {
            let guides = self.grounding.guides(pool, self.claims.len(), &self.ground.stop);
            self.claims.push(Claim::new(guides));
        }
    }

    /// What the atom says of these terms in the place of its variables, if it has this value.
    fn lemma(&mut self, pool: &mut Pool, atom: usize, terms: &[Term], value: bool) -> Lemma {
        let symbol = self.grounding.atom(atom).symbol;
        let mut said = self.grounding.instance(pool, atom, terms);
        let mut other = symbol;
        match value {
            true => other = pool.mk(Op::Not, &[symbol]),
            false => said = pool.mk(Op::Not, &[said]),
        }
        let before = self.grounding.len();
        let said = self.grounding.ground(pool, said, &self.ground.stop);
        let needs = self.grounding.needs(pool, said);
        let formula = pool.mk(Op::Or, &[other, said]);
        self.made += 1;
        Lemma { atom, terms: terms.to_vec(), number: self.made, before, formula, needs, level: None }
    }

    /// What was said of formulas that are contradictory by that.
    pub(crate) fn grounded(mut self, pool: &mut Pool, formulas: &[Term]) -> Grounded {
        let mut lemmas: Vec<(usize, GroundLemma)> = vec![];
        for claim in &self.claims {
            let of_claim = claim.instances.iter().map(|lemma| (lemma, false));
            for (lemma, is_witness) in of_claim.chain(claim.witness.iter().map(|lemma| (lemma, true))) {
                let formula = self.grounding.atom(lemma.atom).formula;
                let (terms, ground, atoms) = (lemma.terms.clone(), lemma.formula, lemma.before);
                lemmas.push((lemma.number, GroundLemma { formula, terms, is_witness, ground, atoms }));
            }
        }
        lemmas.sort_by_key(|&(number, _)| number);
        let stop = self.ground.stop.clone();
        let assertions = formulas.iter().map(|&term| self.grounding.ground(pool, term, &stop)).collect();
        let atoms = (0..self.grounding.len()).map(|number| self.grounding.atom(number));
        Grounded {
            assertions,
            atoms: atoms.map(|atom| (atom.symbol, atom.formula)).collect(),
            lemmas: lemmas.into_iter().map(|(_, lemma)| lemma).collect(),
        }
    }

    /// Judges what a candidate claims of the atoms that matter; wrong claims get an instance each.
    fn judge(
        &mut self,
        solver: &mut Solver,
        pool: &mut Pool,
        live: &BTreeMap<usize, Need>,
        model: &Model,
        assumed: &[Term],
    ) -> Result<Judgement, InternalError> {
        let mut wrong: Vec<(usize, usize, Vec<Value>)> = vec![];
        let (mut open, mut is_short) = (None, false);
        let mut searches: Vec<(usize, usize)> = vec![];
        for (&atom, need) in live {
            if need.if_true && model.value(pool, self.grounding.atom(atom).symbol).expect_bool() {
                searches.extend((0..self.claims[atom].guides.len()).map(|guide| (atom, guide)));
            }
        }
        for (atom, number) in searches {
            let Claim { guides, rounds, .. } = &self.claims[atom];
            let Guide { variables, rest, .. } = &guides[number];
            match counterexample(solver, pool, variables, *rest, *rounds, model)? {
                Counterexample::Values(values) => wrong.push((atom, number, values)),
                Counterexample::None => {}
                Counterexample::Unknown(Why::Budget) if solver.conflicts_left != Some(0) => {
                    self.claims[atom].rounds = self.claims[atom].rounds.saturating_mul(2);
                    (open, is_short) = (Some((atom, Why::Budget)), true);
                }
                Counterexample::Unknown(why) => open = Some((atom, why)),
            }
            if let Some(why) = solver.stop.reason() {
                return Ok(Judgement::Open(atom, why));
            }
        }
        let mut sorts: Vec<Sort> = vec![];
        for &(atom, guide, _) in &wrong {
            let variables = &self.claims[atom].guides[guide].variables;
            sorts.extend(variables.iter().map(|&variable| pool.sort(variable)));
        }
        if !sorts.is_empty() {
            let formulas = [self.ground.assertions(), assumed].concat();
            self.terms.begin(pool, &formulas, &sorts, |term| model.value(pool, term));
        }
        let mut is_new = false;
        for (atom, guide, values) in wrong {
            let added = self.add_instance(pool, atom, guide, &values);
            is_new |= added;
            if !added {
                open = open.or(Some((atom, UNDECIDED)));
            }
        }
        Ok(match open {
            _ if is_new || is_short => Judgement::Wrong,
            Some((atom, why)) => Judgement::Open(atom, why),
            None => Judgement::Right,
        })
    }

    /// Makes the instance of an atom that a counterexample to a guide shows; `false` if it is known, or has
    /// no terms.
    fn add_instance(&mut self, pool: &mut Pool, atom: usize, guide: usize, values: &[Value]) -> bool {
        let Guide { terms, variables, .. } = self.claims[atom].guides[guide].clone();
        let sorts: Vec<Sort> = variables.iter().map(|&variable| pool.sort(variable)).collect();
        let mut frozen = Frozen::new();
        let mut constants = vec![];
        for (&sort, value) in sorts.iter().zip(values) {
            let Some(term) = frozen.term(pool, sort, value) else { return false };
            constants.push(term);
        }
        let chosen = sorts.iter().zip(values).zip(&constants);
        let chosen = chosen.map(|((&sort, value), &term)| self.terms.choose(sort, value).unwrap_or(term));
        let chosen: Vec<Term> = chosen.collect();
        for found in [chosen, constants] {
            let mut substitution = Substitution::new();
            let pairs = variables.iter().zip(&found);
            pairs.for_each(|(&variable, &term)| substitution.insert(pool, variable, term));
            let terms: Vec<Term> = terms.iter().map(|&term| substitution.apply(pool, term)).collect();
            if self.claims[atom].given.insert(terms.clone()) {
                let lemma = self.lemma(pool, atom, &terms, true);
                self.claims[atom].instances.push(lemma);
                return true;
            }
        }
        false
    }

    /// Looks whether a formula that was replaced by another one has the value of that one; the answer of the
    /// check, if that is not known.
    fn confirm(
        &mut self,
        solver: &mut Solver,
        pool: &mut Pool,
        binder: Term,
        value: bool,
        model: &Model,
    ) -> Result<Option<CheckResult>, InternalError> {
        let (variables, body) = pool.binder(binder).expect("what is replaced is a binder");
        let variables = variables.to_vec();
        let found = match counterexample(solver, pool, &variables, body, u64::MAX, model)? {
            Counterexample::Values(_) => false,
            Counterexample::None => true,
            Counterexample::Unknown(why) => {
                self.undecided = Some(binder);
                return Ok(Some(CheckResult::Unknown(why)));
            }
        };
        if found != value {
            let problem =
                format!("{binder:?} is {found} in the model, but what it was replaced by is {value}");
            return Err(InternalError(problem));
        }
        Ok(None)
    }

    /// The candidate is a model: of the assertions as they were made, this is checked once more.
    fn finish(
        &mut self,
        solver: &mut Solver,
        pool: &mut Pool,
        model: &Model,
    ) -> Result<CheckResult, InternalError> {
        let question = solver.question();
        let mut needs: BTreeMap<Term, Need> = BTreeMap::new();
        for &formula in &question {
            for (binder, need) in Grounding::needs_of_binders(pool, formula) {
                let known = needs.entry(binder).or_default();
                *known = known.and(need);
            }
        }
        let mut claims = vec![];
        for (binder, need) in needs {
            let ground = self.grounding.ground(pool, binder, &solver.stop);
            let value = model.value(pool, ground).expect_bool();
            let matters = if value { need.if_true } else { need.if_false };
            if matters
                && self.grounding.is_replaced(binder)
                && let Some(result) = self.confirm(solver, pool, binder, value, model)?
            {
                return Ok(result);
            }
            claims.push((binder, value, matters));
        }
        let mut assignment = Assignment::new();
        for symbol in free_symbols(pool, &question) {
            assignment.set(symbol, model.value(pool, symbol));
        }
        solver.answer.model = Some(Model::of_quantified(pool, &question, assignment, &claims)?);
        Ok(CheckResult::Sat)
    }
}

/// What a candidate is worth.
enum Judgement {
    /// Lemmas rule it out, or a search is to be made again with more rounds.
    Wrong,
    Right,
    /// It is not known what the formula of this atom is in it.
    Open(usize, Why),
}
