//! From assertions to conjuncts, with a reason for each.
//!
//! Assertions are rewritten by the local rules, conjunctions are split, and equations `x = t` between a
//! symbol and a term without it are used up: the symbol is replaced everywhere else. Where there is none, an
//! equation of sums is solved for a symbol, two conjuncts may say together what a symbol is
//! ([`bivalve_preprocess::pairs`]), and what multiplying out decides is replaced, too ([`crate::multiply`]).
//! The passes of the solver are asked for changes whose reasons can be shown
//! ([`bivalve_preprocess::shown_changes`]). That is repeated until nothing changes. Every conjunct knows the
//! fact that it was made of, and how; [`crate::derive`] shows of those that a refutation needs that they
//! follow.
//!
//! Cost: each round is linear in the conjuncts; the number of rounds is bounded.

use crate::choices::{Chosen, sums_of_choices};
use crate::constant_bits::{ANALYSES, Split, split};
use crate::division::{Division, MOST_DIVISIONS};
use crate::encode::{circuit_cells, with_large_circuits};
use crate::layers::{self, identities};
use crate::linear::{MOST_WORK, contradiction};
use crate::multiply::multiplied_out;
use crate::quantified::Problem;
use crate::recorder::Recorder;
use crate::round::{Because, Round};
use crate::sides::{Said, sides};
use crate::solve::{MOST_LOOKS, collected, definition, solution};
use crate::translate::Translation;
use bivalve_limits::Deadline;
use bivalve_preprocess::{Change, Pair, Reason, equivalences, pairs, shown_changes};
use bivalve_rewrite::{Level, Rewriter, RuleTable};
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, TermSet, Value, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, LazyLock};

/// Rules that are not used, because their theorems take a search over a multiplier and a divider, or over
/// comparisons of wide words, in which the formula itself is decided sooner.
const NOT_SHOWN: [&str; 4] = ["extract_reciprocal", "eq_and_urem", "eq_quotient_bounds", "urem_and_operand"];

/// The rules that are used.
static RULES: LazyLock<Arc<RuleTable>> =
    LazyLock::new(|| Arc::new(RuleTable::only(|name| !NOT_SHOWN.contains(&name))));

/// More rounds than this gain nothing that is worth them.
const ROUNDS: usize = 100;

/// What a certificate does without, after steps could not be shown.
#[derive(Clone, Default)]
pub(crate) struct Allowed {
    /// The assertions that are not rewritten.
    pub(crate) raw: FxHashSet<usize>,
    /// The passes that are not asked.
    pub(crate) without: FxHashSet<usize>,
}

/// The number for equivalences among those of passes.
const JOINED: usize = usize::MAX;

/// How a fact follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// It is asserted: the n-th assertion.
    Asserted(usize),
    /// It is an operand of a conjunction.
    Part(usize),
    /// It is the normal form of a fact.
    Rewritten(usize),
    /// It is an equation of a fact, solved for a symbol, or with equal summands collected.
    Solved(usize),
    /// It is true by a law, which a pass has found.
    Law(usize),
    /// It is what two facts say of a symbol together: the pair of this number in [`Facts::pairs`].
    Paired(usize),
    /// Terms of a fact were replaced by what they are equal to, in the round of this number.
    Replaced(usize, usize),
    /// Bits of a symbol are constant: the symbol of this number in [`Facts::splits`].
    Split(usize),
    /// Multiples of equations add up to a contradiction: [`Facts::combination`].
    Combined,
}

/// A term that is true in every model of the assertions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub(crate) term: Term,
    pub(crate) origin: Origin,
}

/// All facts.
pub(crate) struct Facts {
    pub(crate) facts: Vec<Fact>,
    pub(crate) rounds: Vec<Round>,
    /// The facts that together are as satisfiable as the assertions.
    pub(crate) conjuncts: Vec<usize>,
    /// One of them is false.
    pub(crate) contradiction: Option<usize>,
    /// Equations, as facts, whose multiples by these numbers add up to a contradiction.
    pub(crate) combination: Vec<(usize, BitVec)>,
    /// What refutes quantified formulas, which are among the assertions.
    pub(crate) problem: Option<Arc<Problem>>,
    /// Symbols of which bits are constant, and the facts that say so.
    pub(crate) splits: Vec<Split>,
    /// Pairs of facts that say what a symbol is.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) rewriter: Rewriter,
    /// Analyses of constant bits that are left.
    analyses: u32,
    /// Terms that may still be looked at to solve equations, and to multiply out.
    left: usize,
    /// Work that may still be spent on elimination.
    elimination: usize,
    /// What was multiplied out.
    seen: TermSet,
    /// Steps that may still be taken to open layers, and the equations that were tried.
    layers: usize,
    layered: TermSet,
    /// Symbols whose bits were looked at.
    tried: TermSet,
    /// The changes of passes that were made, and the passes that are not asked.
    made: FxHashSet<Change>,
    without: FxHashSet<usize>,
}

impl Facts {
    /// Simplifies assertions, which have numbers.
    pub(crate) fn new(
        pool: &mut Pool,
        assertions: &[(usize, Term)],
        allowed: &Allowed,
        deadline: &Deadline,
    ) -> Facts {
        let mut rewriter = Rewriter::with_table(Level::Local, Arc::clone(&RULES));
        rewriter.keep_journal();
        let mut facts = Facts {
            facts: vec![],
            rounds: vec![],
            conjuncts: vec![],
            contradiction: None,
            combination: vec![],
            problem: None,
            splits: vec![],
            pairs: vec![],
            rewriter,
            analyses: ANALYSES,
            left: MOST_LOOKS,
            elimination: MOST_WORK,
            seen: TermSet::default(),
            layers: layers::BUDGET,
            layered: TermSet::default(),
            tried: TermSet::default(),
            made: FxHashSet::default(),
            without: allowed.without.clone(),
        };
        let mut plain = vec![];
        for &(number, term) in assertions {
            let fact = facts.push(term, Origin::Asserted(number));
            let target = if allowed.raw.contains(&number) { &mut plain } else { &mut facts.conjuncts };
            target.push(fact);
        }
        if allowed.raw.is_empty() && facts.combine_asserted(pool) {
            return facts;
        }
        for _ in 0..ROUNDS {
            facts.normalise(pool, deadline);
            if facts.contradiction.is_some() || deadline.is_over() || !facts.replace(pool, deadline) {
                break;
            }
        }
        if !plain.is_empty() {
            // They still mention the symbols that were replaced.
            let mut definitions: Vec<usize> = facts.rounds.iter().flat_map(Round::facts).collect();
            definitions.sort_unstable();
            facts.conjuncts.extend(definitions);
            facts.conjuncts.extend(plain);
        }
        facts
    }

    /// What quotients, remainders and products are in the search, one after the other: facts first, if they
    /// are few, and if there is nothing else that a model has to be checked for, those about more products
    /// after the others; circuits last. And how many cells these have, about.
    pub(crate) fn divisions(&self, pool: &Pool) -> (Vec<Division>, u64) {
        let roots = self.terms();
        let below = cone(pool, &roots);
        let [divisions, products] = with_large_circuits(pool, &below);
        let is_refined =
            |&term: &Term| pool.sorts().array_parts(pool.sort(term)).is_some() || pool.op(term) == Op::Apply;
        let cells = circuit_cells(pool, &roots);
        let are_few = |count| (1..=MOST_DIVISIONS).contains(&count);
        let is_plain = !below.iter().any(is_refined);
        let mut by_facts = [
            (Division::Products, are_few(divisions.len() + products.len())),
            (Division::Facts, are_few(divisions.len())),
        ];
        if products.is_empty() {
            // What is said of quotients alone needs no product most often.
            by_facts.reverse();
        }
        let is_quotient = |&side: &Term| pool.op(side) == Op::BvUdiv;
        let is_compared = |&term: &Term| {
            matches!(pool.op(term), Op::Eq | Op::BvUlt) && pool.args(term).iter().any(is_quotient)
        };
        let compared = (Division::Compared, are_few(divisions.len()) && below.iter().any(is_compared));
        let by_facts = by_facts.into_iter().chain([compared]);
        let by_facts = by_facts.filter(|&(_, is_few)| is_few && is_plain);
        (by_facts.map(|(division, _)| division).chain([Division::Circuits]).collect(), cells)
    }

    pub(crate) fn push(&mut self, term: Term, origin: Origin) -> usize {
        self.facts.push(Fact { term, origin });
        self.facts.len() - 1
    }

    /// Brings conjuncts into normal form, and splits conjunctions.
    pub(crate) fn normalise(&mut self, pool: &mut Pool, deadline: &Deadline) {
        let mut waiting = std::mem::take(&mut self.conjuncts);
        waiting.reverse();
        let mut seen = TermSet::default();
        while let Some(fact) = waiting.pop() {
            let term = self.facts[fact].term;
            if pool.op(term) == Op::And {
                let parts = pool.args(term).to_vec();
                waiting.extend(parts.into_iter().rev().map(|part| self.push(part, Origin::Part(fact))));
                continue;
            }
            let normal = self.rewriter.rewrite_within(pool, term, deadline);
            if normal != term {
                waiting.push(self.push(normal, Origin::Rewritten(fact)));
                continue;
            }
            match pool.as_bool(term) {
                Some(true) => {}
                Some(false) => self.contradiction = Some(fact),
                None if seen.insert(term) => self.conjuncts.push(fact),
                None => {}
            }
        }
    }

    /// Replaces symbols, or sums, by what they are equal to; `false` if there are none, or the time is over.
    fn replace(&mut self, pool: &mut Pool, deadline: &Deadline) -> bool {
        let is_wanted = |round: &Round| round.definitions.is_empty() && !deadline.is_over();
        let mut round = Round::default();
        for &fact in &self.conjuncts {
            if let Some((symbol, term)) = definition(pool, self.facts[fact].term, |_| true) {
                round.definitions.entry(symbol).or_insert((term, Because::Fact(fact)));
            }
        }
        round.drop_cycles(pool);
        if is_wanted(&round) {
            for change in equivalences(pool, &self.terms(), deadline) {
                let is_new = !self.without.contains(&JOINED) && self.made.insert(change.clone());
                round.laws.extend(change.from.filter(|_| is_new).map(|from| (from, (change.to, JOINED))));
            }
            if !round.laws.is_empty() {
                self.apply(pool, round, false);
                return true;
            }
            self.pair(pool, &mut round, deadline);
            round.drop_cycles(pool);
        }
        if is_wanted(&round) && self.ask_passes(pool, deadline) {
            return true;
        }
        // Bits of symbols that nothing defines.
        if is_wanted(&round) {
            self.split(pool, &mut round, deadline);
        }
        let is_solved = is_wanted(&round);
        if is_solved {
            if self.combine(pool, &self.conjuncts.clone()) {
                return false;
            }
            self.solve(pool, &mut round);
        }
        if is_wanted(&round) {
            let found = multiplied_out(pool, &self.terms(), &mut self.seen, &mut self.left);
            round.multiply_out(pool, found);
        }
        if is_wanted(&round) {
            let found = identities(pool, &self.terms(), &mut self.layered, &mut self.layers);
            let truth = pool.bool(true);
            round.definitions.extend(found.into_iter().map(|equation| (equation, (truth, Because::Layers))));
        }
        if is_wanted(&round) {
            let stated: Vec<(usize, Term)> =
                self.conjuncts.iter().map(|&fact| (fact, self.facts[fact].term)).collect();
            let said = sides(pool, &stated).into_iter();
            let said = said.map(|Said { of, is, by }| (of, (is, Because::Conjunct(by))));
            round.definitions.extend(said);
            round.drop_cycles(pool);
        }
        for chosen in [Chosen::Constants, Chosen::Words] {
            if is_wanted(&round) {
                self.open_choices(pool, &mut round, chosen);
            }
        }
        if round.is_empty() {
            return false;
        }
        self.apply(pool, round, is_solved);
        true
    }

    /// Replaces terms in all conjuncts but those that say what they are replaced by.
    fn apply(&mut self, pool: &mut Pool, mut round: Round, is_solved: bool) {
        let mut used: FxHashSet<usize> = round.facts().collect();
        let solved = |&fact: &usize| match self.facts[fact].origin {
            Origin::Solved(from) => Some(from),
            _ => None,
        };
        used.extend(used.iter().filter_map(solved).collect::<Vec<_>>());
        let embedded: FxHashSet<usize> = round.embedded().collect();
        let number = self.rounds.len();
        let conjuncts = std::mem::take(&mut self.conjuncts);
        for fact in conjuncts.into_iter().filter(|fact| !used.contains(fact)) {
            let is_kept = embedded.contains(&fact);
            let changed = if is_kept { fact } else { self.replaced(pool, fact, &mut round, number) };
            let image = self.facts[changed].term;
            let sum = if is_solved && changed != fact { collected(pool, image) } else { None };
            let collected = sum.map(|sum| self.push(sum, Origin::Solved(changed)));
            self.conjuncts.push(collected.unwrap_or(changed));
        }
        self.rounds.push(round);
    }

    /// Replaces choices by sums if something can be multiplied out then.
    fn open_choices(&mut self, pool: &mut Pool, round: &mut Round, chosen: Chosen) {
        let roots = self.terms();
        let mut opened = Round::default();
        let sums = sums_of_choices(pool, &roots, chosen).into_iter();
        opened.definitions.extend(sums.map(|(choice, sum)| (choice, (sum, Because::Law))));
        opened.drop_cycles(pool);
        if opened.definitions.is_empty() {
            return;
        }
        let images: Vec<Term> = roots.into_iter().map(|root| opened.image(pool, root)).collect();
        let found = multiplied_out(pool, &images, &mut self.seen, &mut self.left);
        if !found.is_empty() {
            // Rules would make choices of these sums again.
            self.apply(pool, opened, false);
            round.multiply_out(pool, found);
        }
    }

    /// What the round of this number makes of a fact.
    pub(crate) fn replaced(
        &mut self,
        pool: &mut Pool,
        fact: usize,
        round: &mut Round,
        number: usize,
    ) -> usize {
        let term = self.facts[fact].term;
        let image = round.image(pool, term);
        if image == term { fact } else { self.push(image, Origin::Replaced(fact, number)) }
    }

    /// Makes the changes of the first pass of the solver that has some; `false` if none has.
    fn ask_passes(&mut self, pool: &mut Pool, deadline: &Deadline) -> bool {
        let mut next = 0;
        loop {
            let terms = self.terms();
            let Facts { made, without, .. } = self;
            let is_new = &mut |pool: &Pool, pass: usize, change: &Change| match change.because {
                // Equations are used later (`crate::sides`).
                Reason::Stated(_) => pool.as_bool(change.to).is_some(),
                Reason::Law | Reason::Polynomials => !without.contains(&pass) && made.insert(change.clone()),
                _ => false,
            };
            let found = shown_changes(pool, &terms, next, is_new, deadline);
            let Some((pass, changes)) = found else { return false };
            let before = self.conjuncts.clone();
            let round = self.round_of(pool, pass, changes);
            self.apply(pool, round, false);
            if self.conjuncts != before {
                return true;
            }
            self.rounds.pop();
            next = pass + 1;
        }
    }

    /// A round that makes the changes of a pass. What is added is a conjunct at once.
    fn round_of(&mut self, pool: &Pool, pass: usize, changes: Vec<Change>) -> Round {
        let mut round = Round::default();
        let stated: FxHashMap<Term, usize> =
            self.conjuncts.iter().map(|&fact| (self.facts[fact].term, fact)).collect();
        for Change { from, to, because } in changes {
            match (from, because) {
                (None, _) => {
                    let fact = self.push(to, Origin::Law(pass));
                    self.conjuncts.push(fact);
                }
                (Some(from), Reason::Stated(by)) => {
                    _ = round.definitions.insert(from, (to, Because::Conjunct(stated[&by])));
                }
                (Some(from), Reason::Polynomials) => {
                    _ = round.definitions.insert(from, (to, Because::Polynomials));
                }
                (Some(from), _) => _ = round.laws.insert(from, (to, pass)),
            }
        }
        round.drop_cycles(pool);
        round
    }

    /// Joins two conjuncts that say what a symbol is under opposite conditions.
    fn pair(&mut self, pool: &mut Pool, round: &mut Round, deadline: &Deadline) {
        let found = pairs(pool, &self.terms(), &|_, _| true, deadline).unwrap_or_default();
        let mut used = FxHashSet::default();
        let mut definitions = vec![];
        for mut pair in found {
            pair.halves.iter_mut().for_each(|(place, _)| *place = self.conjuncts[*place]);
            used.extend(pair.halves.map(|(fact, _)| fact));
            let choice = pool.mk(Op::Ite, &[pair.guard, pair.values[0], pair.values[1]]);
            let equation = pool.mk(Op::Eq, &[pair.symbol, choice]);
            let fact = self.push(equation, Origin::Paired(self.pairs.len()));
            self.pairs.push(pair);
            round.definitions.insert(pair.symbol, (choice, Because::Fact(fact)));
            definitions.push(fact);
        }
        self.conjuncts.retain(|fact| !used.contains(fact));
        self.conjuncts.extend(definitions);
    }

    /// The conjuncts.
    fn terms(&self) -> Vec<Term> {
        self.conjuncts.iter().map(|&fact| self.facts[fact].term).collect()
    }

    /// Symbols of which bits are constant, which are replaced by their parts.
    fn split(&mut self, pool: &mut Pool, round: &mut Round, deadline: &Deadline) {
        if self.analyses == 0 {
            return;
        }
        self.analyses -= 1;
        for mut found in split(pool, &self.terms(), &mut self.tried, deadline) {
            found.sources.iter_mut().for_each(|place| *place = self.conjuncts[*place]);
            let fact = self.push(found.equation, Origin::Split(self.splits.len()));
            round.definitions.insert(found.symbol, (found.whole, Because::Fact(fact)));
            self.splits.push(found);
        }
    }

    /// Gives symbols that were replaced the values of what replaces them, given those of the conjuncts.
    pub(crate) fn lift(&mut self, pool: &mut Pool, assignment: &mut Assignment) {
        for round in self.rounds.iter_mut().rev() {
            let symbols = round.definitions.keys().copied().filter(|&term| pool.op(term) == Op::Symbol);
            let mut symbols: Vec<Term> = symbols.collect();
            symbols.sort_unstable();
            let images: Vec<Term> = symbols.iter().map(|&symbol| round.image(pool, symbol)).collect();
            let mut evaluator = Evaluator::new(pool, assignment);
            let values: Vec<Value> = images.into_iter().map(|image| evaluator.eval(image).clone()).collect();
            symbols.into_iter().zip(values).for_each(|(symbol, value)| assignment.set(symbol, value));
        }
    }

    /// Tells the translation what the symbols of parts are.
    pub(crate) fn define_parts(
        &self,
        pool: &Pool,
        translation: &mut Translation,
        out: &mut Recorder,
    ) -> Result<(), String> {
        if let Some(problem) = &self.problem {
            problem.write(pool, translation, out)?;
        }
        for split in &self.splits {
            let symbol = translation.term(pool, split.symbol, out)?;
            split.terms(symbol, out)?.into_iter().for_each(|(part, term)| translation.define(part, term));
        }
        Ok(())
    }

    /// The same for what is asserted, before rules make some equations narrower ones.
    fn combine_asserted(&mut self, pool: &mut Pool) -> bool {
        let (mut stack, mut equations) = (self.conjuncts.clone(), vec![]);
        while let Some(fact) = stack.pop() {
            let term = self.facts[fact].term;
            match pool.op(term) {
                Op::And => {
                    let parts = pool.args(term).to_vec();
                    stack.extend(parts.into_iter().map(|part| self.push(part, Origin::Part(fact))));
                }
                Op::Eq if pool.args(term).iter().any(|&side| is_linear(pool, side)) => equations.push(fact),
                _ => {}
            }
        }
        equations.reverse();
        self.combine(pool, &equations)
    }

    /// Whether multiples of equations add up to a contradiction.
    fn combine(&mut self, pool: &mut Pool, equations: &[usize]) -> bool {
        let terms: Vec<Term> = equations.iter().map(|&fact| self.facts[fact].term).collect();
        let Some(found) = contradiction(pool, &terms, &mut self.elimination) else { return false };
        self.combination = found.into_iter().map(|(place, multiple)| (equations[place], multiple)).collect();
        let fact = self.push(pool.bool(false), Origin::Combined);
        self.contradiction = Some(fact);
        true
    }

    /// Solves one equation of sums for a symbol.
    fn solve(&mut self, pool: &mut Pool, round: &mut Round) {
        let found = self.conjuncts.iter().find_map(|&fact| {
            let (symbol, term) = solution(pool, self.facts[fact].term, &mut self.left)?;
            Some((fact, symbol, term))
        });
        if let Some((fact, symbol, term)) = found {
            let equation = pool.mk(Op::Eq, &[symbol, term]);
            let solved = self.push(equation, Origin::Solved(fact));
            round.definitions.insert(symbol, (term, Because::Fact(solved)));
        }
    }
}

/// Is it a sum, or a multiple?
fn is_linear(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg)
}
