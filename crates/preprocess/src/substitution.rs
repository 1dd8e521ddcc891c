//! Definitions: top-level equations `x = t` eliminate the symbol `x`.
//!
//! A conjunct that says `x = t`, `b` or `not b`, or can be solved for a symbol ([`crate::solve`]), and a pair
//! of conjuncts that say so under opposite guards ([`crate::guarded`]), where the symbol does not occur in
//! `t` (not even through other definitions), define that symbol: it is replaced by `t` everywhere, all at
//! once, and the conjunct is dropped. Replacement may fold terms and uncover more equations, so this is
//! repeated with the local rules until nothing new is found. Sharing makes the replacement free: `t` is one
//! node however often `x` occurred.
//!
//! Why it is right: the dropped conjunct is true in exactly those assignments in which `x` has the value of
//! `t`, and in those nothing else changes. The way back is that sentence read backwards: a model of what is
//! left gives each eliminated symbol the value of its term, last round first ([`Definitions::lift`]).
//!
//! Cycles (`x = f(y)`, `y = g(x)`) are found by one depth-first walk in which an eliminated symbol has its
//! term as its only child: meeting a symbol that is being walked closes a cycle, and that symbol keeps its
//! conjunct and stays. Of two symbols that are equal the younger one goes.
//!
//! Loose definitions: some steps ([`crate::loose`]) define a symbol by a term that does not take all its
//! values, because nothing else was said of the symbol when they were made. They keep satisfiability, and
//! models lift as ever; but a formula that comes later and mentions the symbol, if only through other
//! definitions, must not be answered with them. [`Definitions::is_loose`] says so, and the caller simplifies
//! anew, without loose steps.
//!
//! Scopes: [`Definitions::push`] and [`Definitions::pop`] forget what was found in between. A symbol that a
//! scope below still speaks of must be `frozen`, which is the caller's knowledge. The images of terms under
//! the definitions are remembered in the order in which they were made: whatever mentions a symbol was made
//! after the symbol was first seen, so a new definition of it takes away the tail from there, and the rest
//! stays right.
//!
//! This is the first word-level pass of every bit-vector solver (Ganesh and Dill, CAV 2007, section 4;
//! Brummayer's thesis, section 3.2). Cost: each round is linear in the DAG below the conjuncts; rounds are
//! bounded.

use crate::guarded::{self, Pair};
use crate::loose::{self, Loosened};
use crate::passes::{PASSES, Step};
use crate::pipeline::{Pipeline, size};
use crate::solve::Solutions;
use crate::walk::Walk;
use crate::{Level, Rewriter};
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Renaming, Term, TermSet, cone};
use rustc_hash::{FxHashMap, FxHashSet};

/// More rounds than this gain nothing worth a walk.
const ROUNDS: usize = 32;

/// More passes than this in a row, without a definition coming out of them, are not worth their time.
const MOST_PASSES: usize = 8;

/// With more terms below other formulas there are no loose steps: looking for their symbols is a walk.
const MOST_OTHERS: usize = 20_000;

/// Symbols that were eliminated, and what stands for them.
#[derive(Default)]
pub struct Definitions {
    terms: FxHashMap<Term, Term>,
    /// What the symbols of each round are worth, in terms of symbols that survived the round.
    rounds: Vec<Vec<(Term, Term)>>,
    /// Images under all definitions.
    walk: Walk,
    scopes: Vec<Scope>,
    /// Something was simplified before.
    begun: bool,
    /// There were symbols that are nobody's but ours.
    fresh: bool,
}

/// What was there when a scope was opened.
struct Scope {
    rounds: usize,
    images: usize,
}

/// What is left of some conjuncts.
pub enum Simplified {
    /// These conjuncts; none of them is constant, unless the rewriter gave up.
    Conjuncts(Vec<Term>),
    /// One of them was simplified to false.
    False,
}

impl Definitions {
    /// The number of symbols eliminated.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Was no symbol eliminated?
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(Scope { rounds: self.rounds.len(), images: self.walk.len() });
    }

    /// Forgets what was found since the scope was opened. Panics if none is open.
    pub fn pop(&mut self) {
        let scope = self.scopes.pop().expect("a scope was opened");
        if self.rounds.len() > scope.rounds {
            self.walk.truncate(scope.images);
        }
        for (symbol, _) in self.rounds.drain(scope.rounds..).flatten() {
            self.terms.remove(&symbol);
            self.walk.set_loose(symbol, false);
        }
    }

    /// Simplifies `conjuncts` by `rewriter`, by the definitions found among them and before, and by the
    /// passes of the pipeline. A symbol for which `frozen` holds is in use elsewhere and is not eliminated.
    /// If all `others` that hold beside the conjuncts are given (not those whose symbols are frozen), there
    /// may be loose steps; none of the formulas [is loose](Definitions::is_loose). When the rewriter gives up
    /// the result is right as it is, only less simple.
    pub fn eliminate(
        &mut self,
        pool: &mut Pool,
        rewriter: &mut Rewriter,
        pipeline: &mut Pipeline,
        conjuncts: Vec<Term>,
        frozen: &dyn Fn(Term) -> bool,
        others: Option<&[Term]>,
    ) -> Simplified {
        let mut conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| self.apply(pool, c)).collect();
        let first = !std::mem::replace(&mut self.begun, true);
        let others = others.filter(|_| rewriter.level() != Level::Off);
        let (mut last, mut before): (Option<usize>, Option<Vec<Term>>) = (None, None);
        let mut rounds = Rounds {
            frozen,
            others,
            first,
            refused: FxHashSet::default(),
            passed: 0,
            idle: vec![],
            offered: false,
        };
        for _ in 0..ROUNDS {
            if rewriter.gives_up() {
                return Simplified::Conjuncts(conjuncts);
            }
            let simple = flatten(pool, rewriter, &conjuncts);
            pipeline.settled(pool, simple.as_deref());
            let Some(simple) = simple else { return Simplified::False };
            // What local rules undo or say already is no change: that pass waits until there is one.
            let changes = |number: &usize| matches!(PASSES[*number].step, Step::Change(_));
            if before.as_deref() == Some(&simple[..]) {
                rounds.idle.extend(last.filter(changes));
            } else {
                rounds.idle.clear();
            }
            rounds.passed = if rewriter.level() == Level::Off { MOST_PASSES } else { rounds.passed };
            match self.round(pool, pipeline, &simple, &mut rounds) {
                Some((number, changed)) => {
                    (conjuncts, last, before) = (changed, Some(number), Some(simple));
                }
                None => return Simplified::Conjuncts(simple),
            }
        }
        flatten(pool, rewriter, &conjuncts).map_or(Simplified::False, Simplified::Conjuncts)
    }

    /// The first pass that finds something, and what it makes of the conjuncts; `None` if none does.
    fn round(
        &mut self,
        pool: &mut Pool,
        pipeline: &mut Pipeline,
        conjuncts: &[Term],
        rounds: &mut Rounds<'_>,
    ) -> Option<(usize, Vec<Term>)> {
        let mut counted = None;
        for (number, pass) in PASSES.iter().enumerate() {
            let size = |pool: &Pool| size(pool, conjuncts);
            let later = (!rounds.first && pass.when.most_later < usize::MAX)
                .then(|| *counted.get_or_insert_with(|| size(pool)));
            if rounds.idle.contains(&number) || !pipeline.is_due(number, later) {
                continue;
            }
            let found = match pass.step {
                Step::Change(_) if rounds.passed >= MOST_PASSES => continue,
                Step::Change(run) => pipeline.count(number, || run(pool, conjuncts, rounds.frozen)),
                Step::Loosen(run) => pipeline.count(number, || self.loosen(pool, conjuncts, run, rounds)),
                Step::Offer(_) if rounds.offered || rounds.passed >= MOST_PASSES => continue,
                Step::Offer(offer) => {
                    rounds.offered = true;
                    let forms = pipeline.count(number, || offer(pool, conjuncts));
                    pipeline.cheapest(pool, conjuncts, forms)
                }
                Step::Define(reading) => {
                    pipeline.count(number, || self.define(pool, conjuncts, reading, rounds))
                }
            };
            if let Some(found) = found {
                rounds.passed = if matches!(pass.step, Step::Define(_)) { 0 } else { rounds.passed + 1 };
                pipeline.changed(number, counted.unwrap_or_else(|| size(pool)));
                return Some((number, found));
            }
        }
        None
    }

    /// `term` with every eliminated symbol replaced by what it is worth. Terms of definitions mention no
    /// symbol that was eliminated before them, so there is no cycle.
    pub fn apply(&mut self, pool: &mut Pool, term: Term) -> Term {
        if self.terms.is_empty() {
            return term;
        }
        let image = self.walk.image(pool, &mut self.terms, term);
        assert!(self.walk.cyclic().is_empty(), "internal: accepted definitions are acyclic");
        image
    }

    /// Does a formula mention a symbol with a loose definition, itself or through other definitions?
    pub fn is_loose(&mut self, pool: &mut Pool, formula: Term) -> bool {
        self.walk.has_loose() && {
            self.apply(pool, formula);
            self.walk.is_tainted(formula)
        }
    }

    /// Does what is left of formulas speak of symbols that nobody else knows?
    pub fn makes_symbols(&self) -> bool {
        self.fresh
    }

    /// Gives the eliminated symbols their values, from those of the symbols that are left.
    pub fn lift(&self, pool: &Pool, assignment: &mut Assignment) {
        for round in self.rounds.iter().rev() {
            let mut evaluator = Evaluator::new(pool, assignment);
            let values: Vec<_> =
                round.iter().map(|&(symbol, term)| (symbol, evaluator.eval(term).clone())).collect();
            values.into_iter().for_each(|(symbol, value)| assignment.set(symbol, value));
        }
    }

    /// What eliminated symbols are worth, those of each round in terms of symbols that were left by it.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.rounds.iter().flatten().map(|&(_, term)| term)
    }

    /// The eliminated symbols, in the order in which they were.
    pub fn symbols(&self) -> impl Iterator<Item = Term> {
        self.rounds.iter().flatten().map(|(symbol, _)| *symbol)
    }

    /// The terms that definitions hold on to.
    pub fn in_use(&self) -> impl Iterator<Item = Term> {
        let said = self.rounds.iter().flatten().map(|(symbol, _)| self.terms[symbol]);
        self.rounds.iter().flatten().flat_map(|&(symbol, term)| [symbol, term]).chain(said)
    }

    /// Follows a compaction of the pool.
    pub fn rename(&mut self, renaming: &Renaming) {
        let said: Vec<(Term, Term)> =
            self.rounds.iter().flatten().map(|(symbol, _)| (*symbol, self.terms[symbol])).collect();
        self.terms =
            said.into_iter().map(|(symbol, term)| (renaming.of(symbol), renaming.of(term))).collect();
        for (symbol, term) in self.rounds.iter_mut().flatten() {
            (*symbol, *term) = (renaming.of(*symbol), renaming.of(*term));
        }
        let loose: Vec<Term> = self.walk.loose().map(|symbol| renaming.of(symbol)).collect();
        self.walk = Walk::default();
        loose.into_iter().for_each(|symbol| self.walk.set_loose(symbol, true));
        self.scopes.iter_mut().for_each(|scope| scope.images = 0);
    }

    /// Replaces all symbols that are defined by this reading of the conjuncts at once, and drops the
    /// conjuncts that serve as definitions; `None` if there are none.
    fn define(
        &mut self,
        pool: &mut Pool,
        conjuncts: &[Term],
        reading: Reading,
        rounds: &mut Rounds<'_>,
    ) -> Option<Vec<Term>> {
        let candidates = match reading {
            Reading::Guarded => guarded_candidates(pool, conjuncts, rounds),
            Reading::Plain | Reading::Solved => candidates(pool, conjuncts, rounds, reading),
        };
        if candidates.is_empty() {
            return None;
        }
        let mut terms: FxHashMap<Term, Term> =
            candidates.iter().map(|candidate| (candidate.symbol, candidate.term)).collect();
        let mut walk = Walk::default();
        // Definitions first, so that every cycle among them is known before a conjunct is dropped.
        let images: Vec<Term> =
            candidates.iter().map(|candidate| walk.image(pool, &mut terms, candidate.symbol)).collect();
        let cyclic: FxHashSet<Term> = walk.cyclic().iter().copied().collect();
        let mut serves = vec![false; conjuncts.len()];
        let mut accepted = vec![];
        for (candidate, image) in candidates.iter().zip(images) {
            if cyclic.contains(&candidate.symbol) {
                rounds.refused.insert((conjuncts[candidate.places[0]], candidate.symbol));
                continue;
            }
            accepted.push((candidate.symbol, image));
            candidate.places.iter().for_each(|&place| serves[place] = true);
        }
        let rest = conjuncts.iter().zip(serves).filter(|(_, serves)| !serves);
        let left = rest.map(|(&conjunct, _)| walk.image(pool, &mut terms, conjunct)).collect();
        self.accept(accepted, terms);
        Some(left)
    }

    /// What a pass that chooses the values of symbols makes of the conjuncts.
    fn loosen(
        &mut self,
        pool: &mut Pool,
        conjuncts: &[Term],
        run: loose::Run,
        rounds: &Rounds<'_>,
    ) -> Option<Vec<Term>> {
        let others = rounds.others.filter(|others| size(pool, others) <= MOST_OTHERS)?;
        let images: Vec<Term> = others.iter().map(|&other| self.apply(pool, other)).collect();
        let mut mentioned = TermSet::new();
        for term in cone(pool, &images) {
            mentioned.insert(term);
        }
        let mut left = Loosened { conjuncts: conjuncts.to_vec(), defined: vec![] };
        run(pool, &mut left, &|symbol| (rounds.frozen)(symbol) || mentioned.contains(symbol));
        if left.defined.is_empty() {
            return None;
        }
        let mut terms: FxHashMap<Term, Term> =
            left.defined.iter().map(|defined| (defined.symbol, defined.term)).collect();
        let mut walk = Walk::default();
        let image =
            |symbol: Term, walk: &mut Walk, pool: &mut Pool, terms: &mut _| walk.image(pool, terms, symbol);
        let round: Vec<(Term, Term)> = left
            .defined
            .iter()
            .map(|defined| (defined.symbol, image(defined.symbol, &mut walk, pool, &mut terms)))
            .collect();
        assert!(walk.cyclic().is_empty(), "internal: what is fresh is younger than what it stands for");
        self.accept(round, terms);
        left.defined.iter().for_each(|defined| self.walk.set_loose(defined.symbol, defined.loose));
        self.fresh = true;
        Some(left.conjuncts)
    }

    /// Takes a round of definitions over, with their terms as they were said.
    fn accept(&mut self, round: Vec<(Term, Term)>, terms: FxHashMap<Term, Term>) {
        if let Some(stale) = round.iter().filter_map(|(symbol, _)| self.walk.first_seen(*symbol)).min() {
            self.walk.truncate(stale);
            // Behind this place come images under the new definitions, which go with their scope.
            let open = self.scopes.iter_mut().rev();
            open.take_while(|scope| scope.images > stale).for_each(|scope| scope.images = stale);
        }
        self.terms.extend(terms);
        self.rounds.push(round);
    }
}

/// A symbol that could be eliminated.
struct Candidate {
    symbol: Term,
    term: Term,
    /// The numbers of the conjuncts that say so; twice the same one, or a pair under opposite guards.
    places: [usize; 2],
}

/// Definitions that closed a cycle: (the first) conjunct, and the symbol.
type Refused = FxHashSet<(Term, Term)>;

/// What is read as a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Equations with a symbol alone on its side.
    Plain,
    /// Pairs of equations under opposite guards.
    Guarded,
    /// Whatever can be solved for a symbol.
    Solved,
}

/// What the rounds of one call know.
struct Rounds<'a> {
    frozen: &'a dyn Fn(Term) -> bool,
    /// All other formulas, if they are known.
    others: Option<&'a [Term]>,
    /// Nothing was simplified before.
    first: bool,
    refused: Refused,
    /// Passes in a row that changed something, without a definition coming out of them.
    passed: usize,
    /// The numbers of passes that would only say again what they said.
    idle: Vec<usize>,
    /// Other forms of the conjuncts were offered.
    offered: bool,
}

impl Rounds<'_> {
    fn is_eligible(&self, conjunct: Term, symbol: Term) -> bool {
        !(self.frozen)(symbol) && !self.refused.contains(&(conjunct, symbol))
    }
}

/// New definitions among the conjuncts, one for each conjunct and symbol at most; the first one counts.
fn candidates(pool: &mut Pool, conjuncts: &[Term], rounds: &Rounds<'_>, reading: Reading) -> Vec<Candidate> {
    let mut defined = FxHashSet::default();
    let mut found = vec![];
    let (aliases, others): (Vec<usize>, Vec<usize>) =
        (0..conjuncts.len()).partition(|&place| is_alias(pool, conjuncts[place]));
    for place in aliases.into_iter().chain(others) {
        let conjunct = conjuncts[place];
        let solutions = Solutions::new(pool, conjunct);
        let chosen = solutions.symbols(pool).into_iter().find(|&(symbol, position)| {
            (reading == Reading::Solved || solutions.is_plain(pool, position))
                && rounds.is_eligible(conjunct, symbol)
                && defined.insert(symbol)
        });
        if let Some((symbol, position)) = chosen {
            let term = solutions.term(pool, position);
            found.push(Candidate { symbol, term, places: [place; 2] });
        }
    }
    found
}

/// New definitions by pairs of conjuncts.
fn guarded_candidates(pool: &mut Pool, conjuncts: &[Term], rounds: &Rounds<'_>) -> Vec<Candidate> {
    let pairs = guarded::pairs(pool, conjuncts, &|conjunct, symbol| rounds.is_eligible(conjunct, symbol));
    pairs.into_iter().map(|Pair { symbol, term, places }| Candidate { symbol, term, places }).collect()
}

/// Does the conjunct say that two symbols are equal, or give a value to one? Such definitions come first:
/// they make one term of what is computed from equal symbols, and what else defines them is left as an
/// equation.
fn is_alias(pool: &Pool, conjunct: Term) -> bool {
    let is_leaf = |&term: &Term| matches!(pool.op(term), Op::Symbol | Op::Const);
    match pool.op(conjunct) {
        Op::Eq => pool.args(conjunct).iter().all(is_leaf),
        Op::Not => is_leaf(&pool.args(conjunct)[0]),
        _ => is_leaf(&conjunct),
    }
}

/// Simplifies each conjunct, splits conjunctions, drops what is true and what was said before; `None` for
/// false.
fn flatten(pool: &mut Pool, rewriter: &mut Rewriter, conjuncts: &[Term]) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::default();
    let mut flat = vec![];
    let mut todo: Vec<Term> = vec![];
    for &conjunct in conjuncts {
        todo.push(rewriter.rewrite(pool, conjunct));
        while let Some(term) = todo.pop() {
            match (pool.op(term), pool.as_bool(term)) {
                (Op::And, _) => todo.extend(pool.args(term).iter().rev()),
                (_, Some(false)) => return None,
                (_, Some(true)) => {}
                (_, None) if seen.insert(term) => flat.push(term),
                (_, None) => {}
            }
        }
    }
    Some(flat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassSet;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{BitVec, Sort, eval};

    const WIDTH: u32 = 2;

    /// The pipeline without the pass that brings in fresh symbols, which has tests of its own.
    fn without_fresh() -> Pipeline {
        Pipeline::new(2, PassSet::parse("bits").unwrap(), || std::time::Duration::ZERO)
    }

    /// All assignments of two-bit values to the symbols.
    fn assignments(symbols: &[Term]) -> impl Iterator<Item = Assignment> {
        (0..1u64 << (WIDTH * symbols.len() as u32)).map(move |code| {
            let mut assignment = Assignment::new();
            for (i, &symbol) in symbols.iter().enumerate() {
                assignment.set(symbol, BitVec::from_u64(code >> (WIDTH * i as u32), WIDTH));
            }
            assignment
        })
    }

    fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
        conjuncts.iter().all(|&conjunct| eval(pool, conjunct, assignment).as_bool())
    }

    /// Equations between random terms, many of them definitions, many of those cyclic.
    fn equations(pool: &mut Pool, seed: u64, symbols: &[Term]) -> Vec<Term> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut generator = TermGen::new(seed);
        generator.max_width = WIDTH;
        let sort = Sort::bitvec(WIDTH).unwrap();
        let mut equation = |pool: &mut Pool| {
            let left = symbols[random.usize(..symbols.len())];
            let mut right = generator.term(pool, sort, 4);
            let mut renaming = bivalve_terms::Substitution::new();
            for other in bivalve_terms::cone(pool, &[right]) {
                if pool.op(other) == Op::Symbol {
                    let image = match pool.width(other) {
                        Some(WIDTH) => symbols[random.usize(..symbols.len())],
                        Some(width) => pool.bv_u64(random.u64(..), width),
                        None => pool.bool(random.bool()),
                    };
                    renaming.insert(pool, other, image);
                }
            }
            right = renaming.apply(pool, right);
            let op = if random.u8(..5) == 0 { Op::Distinct } else { Op::Eq };
            pool.mk(op, &[left, right])
        };
        let mut equations: Vec<Term> = (0..4).map(|_| equation(pool)).collect();
        if seed.is_multiple_of(3) {
            // Two equations under opposite guards.
            let bound = pool.bv_u64(seed % 4, WIDTH);
            let guard = pool.mk(Op::BvUlt, &[symbols[2], bound]);
            let opposite = pool.mk(Op::Not, &[guard]);
            for (place, guard) in [guard, opposite].into_iter().enumerate() {
                equations[place] = pool.mk(Op::Implies, &[guard, equations[place]]);
            }
        }
        equations
    }

    /// What is left is satisfiable exactly if the conjuncts were, and its models lift to theirs.
    #[test]
    fn elimination_keeps_satisfiability_and_models_lift() {
        let (mut eliminated, mut refuted) = (0, 0);
        for seed in 0..400 {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(WIDTH).unwrap();
            let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
            let original = equations(&mut pool, seed, &symbols);
            let satisfiable = assignments(&symbols).any(|a| holds(&pool, &original, &a));
            let mut rewriter = Rewriter::new(Level::Local);
            let mut definitions = Definitions::default();
            let left = match definitions.eliminate(
                &mut pool,
                &mut rewriter,
                &mut without_fresh(),
                original.clone(),
                &|_| false,
                None,
            ) {
                Simplified::Conjuncts(left) => left,
                Simplified::False => {
                    refuted += 1;
                    assert!(!satisfiable, "seed {seed}");
                    continue;
                }
            };
            eliminated += definitions.len();
            let mut any = false;
            for mut assignment in assignments(&symbols).filter(|a| holds(&pool, &left, a)) {
                any = true;
                definitions.lift(&pool, &mut assignment);
                assert!(holds(&pool, &original, &assignment), "seed {seed}: {assignment:?}");
            }
            assert_eq!(any, satisfiable, "seed {seed}");
        }
        assert!(eliminated > 100 && refuted > 10, "{eliminated} eliminated, {refuted} refuted: too easy");
    }

    /// What a scope found is forgotten with it, images included; what is left of a scope joins what was left
    /// before.
    #[test]
    fn scopes_come_and_go_without_a_trace() {
        let (mut inner, mut outer) = (0, 0);
        for seed in 0..300 {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(WIDTH).unwrap();
            let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
            let below = equations(&mut pool, seed, &symbols)[..1].to_vec();
            let probes = equations(&mut pool, seed + 3000, &symbols);
            let mut rewriter = Rewriter::new(Level::Local);
            let mut definitions = Definitions::default();
            let left = definitions.eliminate(
                &mut pool,
                &mut rewriter,
                &mut without_fresh(),
                below.clone(),
                &|_| false,
                None,
            );
            let Simplified::Conjuncts(left) = left else { continue };
            let before: Vec<Term> = probes.iter().map(|&t| definitions.apply(&mut pool, t)).collect();
            outer += definitions.len();
            let frozen: FxHashSet<Term> = bivalve_terms::cone(&pool, &left).into_iter().collect();
            for round in 0..3 {
                definitions.push();
                let above = equations(&mut pool, seed * 3 + round, &symbols)[..2].to_vec();
                let known = definitions.len();
                let more = definitions.eliminate(
                    &mut pool,
                    &mut rewriter,
                    &mut without_fresh(),
                    above.clone(),
                    &|t| frozen.contains(&t),
                    None,
                );
                inner += definitions.len() - known;
                for &term in &probes {
                    definitions.apply(&mut pool, term);
                }
                let all: Vec<Term> = below.iter().chain(&above).copied().collect();
                let satisfiable = assignments(&symbols).any(|a| holds(&pool, &all, &a));
                let Simplified::Conjuncts(mut more) = more else {
                    assert!(!satisfiable, "seed {seed}");
                    definitions.pop();
                    continue;
                };
                more.extend(&left);
                let models: Vec<Assignment> =
                    assignments(&symbols).filter(|a| holds(&pool, &more, a)).collect();
                assert_eq!(!models.is_empty(), satisfiable, "seed {seed}");
                for mut assignment in models {
                    definitions.lift(&pool, &mut assignment);
                    assert!(holds(&pool, &all, &assignment), "seed {seed}: {assignment:?}");
                }
                definitions.pop();
                let after: Vec<Term> = probes.iter().map(|&t| definitions.apply(&mut pool, t)).collect();
                assert_eq!(before, after, "seed {seed}");
            }
        }
        assert!(inner > 100 && outer > 100, "{inner} and {outer} definitions: too easy");
    }

    #[test]
    fn a_frozen_symbol_and_a_cycle_stay() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let (square_y, square_x) = (pool.mk(Op::BvMul, &[y, y]), pool.mk(Op::BvMul, &[x, x]));
        let cycle = [pool.mk(Op::Eq, &[x, square_y]), pool.mk(Op::Eq, &[y, square_x])];
        let quotient = pool.mk(Op::BvUdiv, &[y, x]);
        let frozen = pool.mk(Op::Eq, &[z, quotient]);
        let mut definitions = Definitions::default();
        let mut rewriter = Rewriter::new(Level::Local);
        let conjuncts = vec![cycle[0], cycle[1], frozen];
        let left = definitions.eliminate(
            &mut pool,
            &mut rewriter,
            &mut without_fresh(),
            conjuncts,
            &|symbol| symbol == z,
            None,
        );
        let Simplified::Conjuncts(left) = left else { panic!("nothing here is false") };
        assert_eq!(definitions.len(), 1, "one symbol of the cycle goes");
        assert_eq!(left.len(), 2);
    }

    /// Definitions found later may mention what was eliminated earlier, and chains are as long as they come.
    #[test]
    fn chains_of_definitions_are_walked_without_recursion() {
        const LENGTH: usize = 100_000;
        let check = || {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(8).unwrap();
            let symbols: Vec<Term> = (0..LENGTH).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
            let mut equation = |pair: &[Term]| {
                let next = pool.mk(Op::BvXor, &[pair[0], symbols[0]]);
                pool.mk(Op::Eq, &[pair[1], next])
            };
            let conjuncts: Vec<Term> = symbols.windows(2).map(&mut equation).collect();
            let mut definitions = Definitions::default();
            let mut rewriter = Rewriter::new(Level::Local);
            match definitions.eliminate(
                &mut pool,
                &mut rewriter,
                &mut without_fresh(),
                conjuncts,
                &|_| false,
                None,
            ) {
                Simplified::Conjuncts(left) => assert!(left.is_empty()),
                Simplified::False => panic!("a chain of definitions is satisfiable"),
            }
            let mut assignment = Assignment::new();
            assignment.set(symbols[0], BitVec::from_u64(3, 8));
            definitions.lift(&pool, &mut assignment);
            assert_eq!(assignment.get(symbols[LENGTH - 1]).map(|v| v.as_bitvec().low_u64()), Some(0));
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(check).unwrap();
        thread.join().unwrap();
    }
}
