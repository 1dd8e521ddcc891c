//! Definitions: top-level equations `x = t` eliminate the symbol `x`.
//!
//! A conjunct that says `x = t`, `b` or `not b`, or can be solved for a symbol ([`crate::solve`]), and a pair of
//! conjuncts that say so under opposite guards ([`crate::guarded`]), where the symbol does not occur in `t` (not even
//! through other definitions), define that symbol: it is replaced by `t` everywhere, all at once, and the conjunct is dropped.
//! Replacement may fold terms and uncover more equations, so this is repeated with the local rules until nothing new
//! is found. Sharing makes the replacement free: `t` is one node however often `x` occurred.
//!
//! Why it is right: the dropped conjunct is true in exactly those assignments in which `x` has the value of `t`, and
//! in those nothing else changes. The way back is that sentence read backwards: a model of what is left gives each
//! eliminated symbol the value of its term, last round first ([`Definitions::lift`]).
//!
//! Cycles (`x = f(y)`, `y = g(x)`) are found by one depth-first walk in which an eliminated symbol has its term as
//! its only child: meeting a symbol that is being walked closes a cycle, and that symbol keeps its conjunct and stays.
//! Of two symbols that are equal the younger one goes.
//!
//! This is the first word-level pass of every bit-vector solver (Ganesh and Dill, CAV 2007, section 4; Brummayer's
//! thesis, section 3.2). Cost: each round is linear in the DAG below the conjuncts; rounds are bounded.

use crate::Rewriter;
use crate::guarded::{self, Pair};
use crate::solve::Solutions;
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More rounds than this gain nothing worth a walk.
const ROUNDS: usize = 32;

/// Symbols that were eliminated, and what stands for them.
#[derive(Default)]
pub struct Definitions {
    terms: FxHashMap<Term, Term>,
    /// What the symbols of each round are worth, in terms of symbols that survived the round.
    rounds: Vec<Vec<(Term, Term)>>,
}

/// What is left of some conjuncts.
pub enum Simplified {
    /// These conjuncts, none of them constant.
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

    /// Simplifies `conjuncts` by `rewriter` and by the definitions found among them and before. A symbol for which
    /// `frozen` holds is in use elsewhere and is not eliminated.
    pub fn eliminate(
        &mut self,
        pool: &mut Pool,
        rewriter: &mut Rewriter,
        conjuncts: Vec<Term>,
        frozen: &dyn Fn(Term) -> bool,
    ) -> Simplified {
        let mut conjuncts = self.apply(pool, conjuncts);
        let mut refused = FxHashSet::default();
        for _ in 0..ROUNDS {
            let Some(simple) = flatten(pool, rewriter, &conjuncts) else { return Simplified::False };
            let candidates = candidates(pool, &simple, frozen, &refused);
            if candidates.is_empty() {
                return Simplified::Conjuncts(simple);
            }
            conjuncts = self.round(pool, simple, candidates, &mut refused);
        }
        flatten(pool, rewriter, &conjuncts).map_or(Simplified::False, Simplified::Conjuncts)
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

    /// Replaces the symbols eliminated earlier. Their terms mention no symbol of an earlier round, so there is no cycle.
    fn apply(&self, pool: &mut Pool, conjuncts: Vec<Term>) -> Vec<Term> {
        if self.terms.is_empty() {
            return conjuncts;
        }
        let mut walk = Walk::new(self.terms.clone());
        let images = conjuncts.into_iter().map(|conjunct| walk.image(pool, conjunct)).collect();
        assert!(walk.cyclic.is_empty(), "internal: accepted definitions are acyclic");
        images
    }

    /// Replaces all defined symbols at once, and drops the conjuncts that serve as definitions.
    fn round(
        &mut self,
        pool: &mut Pool,
        conjuncts: Vec<Term>,
        candidates: Vec<Candidate>,
        refused: &mut Refused,
    ) -> Vec<Term> {
        let mut walk =
            Walk::new(candidates.iter().map(|candidate| (candidate.symbol, candidate.term)).collect());
        // Definitions first, so that every cycle among them is known before a conjunct is dropped.
        let images: Vec<Term> =
            candidates.iter().map(|candidate| walk.image(pool, candidate.symbol)).collect();
        let cyclic: FxHashSet<Term> = walk.cyclic.iter().copied().collect();
        let mut serves = vec![false; conjuncts.len()];
        let mut accepted = vec![];
        for (candidate, image) in candidates.iter().zip(images) {
            if cyclic.contains(&candidate.symbol) {
                refused.insert((conjuncts[candidate.places[0]], candidate.symbol));
                continue;
            }
            accepted.push((candidate.symbol, image));
            candidate.places.iter().for_each(|&place| serves[place] = true);
        }
        let rest = conjuncts.iter().zip(serves).filter(|(_, serves)| !serves);
        let left = rest.map(|(&conjunct, _)| walk.image(pool, conjunct)).collect();
        self.terms.extend(walk.terms);
        self.rounds.push(accepted);
        left
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

/// New definitions among the conjuncts, one for each conjunct and symbol at most; the first one counts.
fn candidates(
    pool: &mut Pool,
    conjuncts: &[Term],
    frozen: &dyn Fn(Term) -> bool,
    refused: &Refused,
) -> Vec<Candidate> {
    let mut defined = FxHashSet::default();
    let mut found = vec![];
    for (place, &conjunct) in conjuncts.iter().enumerate() {
        let solutions = Solutions::new(pool, conjunct);
        let eligible = |symbol: Term| !frozen(symbol) && !refused.contains(&(conjunct, symbol));
        let chosen = solutions
            .symbols(pool)
            .into_iter()
            .find(|&(symbol, _)| eligible(symbol) && defined.insert(symbol));
        if let Some((symbol, position)) = chosen {
            let term = solutions.term(pool, position);
            found.push(Candidate { symbol, term, places: [place; 2] });
        }
    }
    let eligible = |conjunct: Term, symbol: Term| {
        !frozen(symbol) && !defined.contains(&symbol) && !refused.contains(&(conjunct, symbol))
    };
    let pairs = guarded::pairs(pool, conjuncts, &eligible);
    found.extend(pairs.into_iter().map(|Pair { symbol, term, places }| Candidate { symbol, term, places }));
    found
}

/// Simplifies each conjunct, splits conjunctions, drops what is true and what was said before; `None` for false.
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

/// One depth-first walk that computes images under all definitions at once.
struct Walk {
    images: Vec<State>,
    terms: FxHashMap<Term, Term>,
    /// Symbols whose definition was given up because it leads back to them.
    cyclic: Vec<Term>,
}

#[derive(Clone, Copy)]
enum State {
    New,
    /// The definition of this symbol is being walked.
    Open,
    Done(Term),
}

impl Walk {
    fn new(terms: FxHashMap<Term, Term>) -> Walk {
        Walk { images: vec![], terms, cyclic: vec![] }
    }

    /// The image of `root`.
    fn image(&mut self, pool: &mut Pool, root: Term) -> Term {
        let mut todo = vec![root];
        let mut args = vec![];
        while let Some(&term) = todo.last() {
            if self.images.len() <= term.index() {
                self.images.resize(pool.len().max(term.index() + 1), State::New);
            }
            if let State::Done(_) = self.images[term.index()] {
                todo.pop();
                continue;
            }
            let before = todo.len();
            match self.terms.get(&term).copied() {
                Some(definition) => {
                    self.images[term.index()] = State::Open;
                    self.visit(definition, &mut todo);
                }
                None => pool.args(term).iter().for_each(|&child| self.visit(child, &mut todo)),
            }
            // A cycle through `term` takes its definition away, so look again.
            if todo.len() > before {
                continue;
            }
            let image = match self.terms.get(&term) {
                Some(definition) => self.done(*definition),
                None => {
                    args.clear();
                    args.extend(pool.args(term).iter().map(|&child| self.done(child)));
                    if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
                }
            };
            todo.pop();
            self.images[term.index()] = State::Done(image);
        }
        self.done(root)
    }

    /// Schedules `term` unless its image is known; a symbol that is open closes a cycle and loses its definition.
    fn visit(&mut self, term: Term, todo: &mut Vec<Term>) {
        match self.images.get(term.index()).copied().unwrap_or(State::New) {
            State::Done(_) => {}
            State::New => todo.push(term),
            State::Open => {
                self.terms.remove(&term);
                self.cyclic.push(term);
                self.images[term.index()] = State::Done(term);
            }
        }
    }

    fn done(&self, term: Term) -> Term {
        match self.images[term.index()] {
            State::Done(image) => image,
            State::New | State::Open => unreachable!("children are finished first"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{BitVec, Sort, eval};

    const WIDTH: u32 = 2;

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
            let left = match definitions.eliminate(&mut pool, &mut rewriter, original.clone(), &|_| false) {
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

    #[test]
    fn a_frozen_symbol_and_a_cycle_stay() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let (square_y, square_x) = (pool.mk(Op::BvMul, &[y, y]), pool.mk(Op::BvMul, &[x, x]));
        let cycle = [pool.mk(Op::Eq, &[x, square_y]), pool.mk(Op::Eq, &[y, square_x])];
        let frozen = pool.mk(Op::Eq, &[z, square_y]);
        let mut definitions = Definitions::default();
        let mut rewriter = Rewriter::new(Level::Local);
        let conjuncts = vec![cycle[0], cycle[1], frozen];
        let left = definitions.eliminate(&mut pool, &mut rewriter, conjuncts, &|symbol| symbol == z);
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
            match definitions.eliminate(&mut pool, &mut rewriter, conjuncts, &|_| false) {
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
