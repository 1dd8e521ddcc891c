//! Bit-serial: formulas over wide words whose operators go from bit to bit, as runs of an automaton.
//!
//! Sums, complements, shifts by few places, comparisons and all bitwise operators read their operands from
//! the least significant bit on and remember little: a carry, whether two words were equal so far, which was
//! less. A formula of these is an automaton that reads a bit of each symbol at a time, and there is a model
//! if one of the states that can be reached after the last bit makes the formula true. A word of 20,000 bits
//! takes 20,000 steps at most, and far fewer where the set of states stays the same; a SAT solver finds the
//! same proof only if it learns a clause for each place and state, in the right order.
//!
//! Conditions of choices are guessed at the start and compared at the end. Any other term is a symbol that
//! nothing is known of, so there are more runs than models: what is refuted has no model, and about anything
//! else nothing is said.
//!
//! After Froehlich, Kovasznai and Biere, *Efficiently solving bit-vector problems using model checkers*
//! (SMT 2013), who give the same automaton to a model checker. Cost: positions times states times
//! assignments to a bit of each symbol, within limits of each and a budget of steps.

mod automaton;
mod builder;
mod lanes;

use crate::change::{Change, Reason};
use crate::problem::Problem;
use automaton::Automaton;
use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Term, UnionFind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Narrower words are decided by search.
const LEAST_WIDTH: u32 = 64;

/// Terms of a group of conjuncts, at most.
const MOST_TERMS: usize = 200;

/// Conjuncts that are looked at, at most.
const MOST_CONJUNCTS: usize = 64;

/// Steps of all automata of a run, at most; a fraction of a second.
const BUDGET: usize = 4_000_000;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if problem.conjuncts.len() > MOST_CONJUNCTS {
        return None;
    }
    let mut budget = BUDGET;
    for group in groups(pool, problem.conjuncts, problem.deadline) {
        let Some(automaton) = Automaton::of(pool, &group) else { continue };
        if automaton.width >= LEAST_WIDTH && automaton.is_refuted(&mut budget, problem.deadline) == Some(true)
        {
            return Some(Change::refutation(pool, Reason::Unshown));
        }
    }
    None
}

/// The conjuncts by the symbols that they share; without those that have too many terms.
fn groups(pool: &Pool, conjuncts: &[Term], deadline: &Deadline) -> Vec<Vec<Term>> {
    let small: Vec<(Term, Vec<Term>)> = conjuncts
        .iter()
        .filter_map(|&conjunct| Some((conjunct, below(pool, conjunct)?)))
        .filter(|(_, terms)| deadline.step(terms.len() as u64))
        .collect();
    let mut joined = UnionFind::new(small.len());
    let mut owners: FxHashMap<Term, u32> = FxHashMap::default();
    for (number, (_, terms)) in (0..).zip(&small) {
        for &term in terms.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
            let owner = *owners.entry(term).or_insert(number);
            joined.union(owner, number);
        }
    }
    let mut groups: Vec<Vec<Term>> = vec![vec![]; small.len()];
    for (number, (conjunct, _)) in (0..).zip(&small) {
        groups[joined.find(number) as usize].push(*conjunct);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The terms below one, if they are few.
fn below(pool: &Pool, root: Term) -> Option<Vec<Term>> {
    let mut seen = FxHashSet::from_iter([root]);
    let mut terms = vec![root];
    let mut next = 0;
    while let Some(&term) = terms.get(next) {
        next += 1;
        terms.extend(pool.args(term).iter().copied().filter(|&arg| seen.insert(arg)));
        if terms.len() > MOST_TERMS {
            return None;
        }
    }
    Some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::{Assignment, BitVec, Sort, eval};

    /// A random word of the given width over the symbols, all of which have three bits.
    fn word(pool: &mut Pool, random: &mut fastrand::Rng, symbols: &[Term], width: u32, depth: u32) -> Term {
        if depth == 0 {
            return match random.u8(..4) {
                0 => pool.bv_u64(random.u64(..1 << width), width),
                _ if width == 3 => symbols[random.usize(..symbols.len())],
                _ if width < 3 => {
                    let low = random.u32(..=3 - width);
                    let symbol = symbols[random.usize(..symbols.len())];
                    pool.mk_indexed(Op::Extract, &[low + width - 1, low], &[symbol])
                }
                _ => {
                    let symbol = symbols[random.usize(..symbols.len())];
                    let op = [Op::SignExtend, Op::ZeroExtend][random.usize(..2)];
                    pool.mk_indexed(op, &[width - 3], &[symbol])
                }
            };
        }
        let binary = [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvAdd];
        let (kind, of_two, of_all) = (random.u8(..10), random.usize(..2), random.usize(..binary.len()));
        let factor = random.u64(..1 << width);
        let mut below = |pool: &mut Pool, width| word(pool, random, symbols, width, depth - 1);
        let a = below(pool, width);
        match kind {
            7 => {
                let factor = pool.bv_u64(factor, width);
                pool.mk(Op::BvMul, &[a, factor])
            }
            0 => pool.mk(Op::BvNot, &[a]),
            1 => pool.mk(Op::BvNeg, &[a]),
            2 if width > 1 => {
                let high = below(pool, width - 1);
                let low = below(pool, 1);
                pool.mk(Op::Concat, &[high, low])
            }
            3 => {
                let wide = below(pool, width + 1);
                pool.mk_indexed(Op::Extract, &[width, 1], &[wide])
            }
            4 => {
                let wide = below(pool, width + 1);
                pool.mk_indexed(Op::Extract, &[width - 1, 0], &[wide])
            }
            5 if width > 1 => {
                let narrow = below(pool, width - 1);
                pool.mk_indexed([Op::SignExtend, Op::ZeroExtend][of_two], &[1], &[narrow])
            }
            6 => {
                let (b, c, d) = (below(pool, width), below(pool, width), below(pool, width));
                let condition = pool.mk(Op::BvUlt, &[b, c]);
                pool.mk(Op::Ite, &[condition, a, d])
            }
            _ => {
                let b = below(pool, width);
                pool.mk(binary[of_all], &[a, b])
            }
        }
    }

    /// An automaton refutes what has no model, and nothing else: nothing here is beyond it.
    #[test]
    fn runs_are_models() {
        let (mut refuted, mut kept) = (0, 0);
        for seed in 0..1000 {
            let mut pool = Pool::new();
            let mut random = fastrand::Rng::with_seed(seed);
            let symbols = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()));
            let mut conjuncts = vec![];
            for _ in 0..random.usize(1..4) {
                let width = random.u32(1..5);
                let [a, b] = [1, 2].map(|depth| word(&mut pool, &mut random, &symbols, width, depth));
                let op = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq][random.usize(..6)];
                let atom = pool.mk(op, &[a, b]);
                let other = pool.mk(Op::Eq, &[symbols[0], symbols[1]]);
                conjuncts.push(match random.u8(..4) {
                    0 => pool.mk(Op::Not, &[atom]),
                    1 => pool.mk(Op::Or, &[atom, other]),
                    2 => pool.mk(Op::Xor, &[atom, other]),
                    _ => atom,
                });
            }
            let mut rewriter = Rewriter::new(Level::Local);
            for conjunct in &mut conjuncts {
                if seed % 2 == 0 {
                    *conjunct = rewriter.rewrite(&mut pool, *conjunct);
                }
            }
            let Some(automaton) = Automaton::of(&pool, &conjuncts) else { continue };
            let Some(is_refuted) = automaton.is_refuted(&mut BUDGET.clone(), &Deadline::unlimited()) else {
                continue;
            };
            let has_model = (0..64).any(|code: u64| {
                let mut assignment = Assignment::new();
                for (place, &symbol) in symbols.iter().enumerate() {
                    assignment.set(symbol, BitVec::from_u64(code >> (3 * place), 3));
                }
                conjuncts.iter().all(|&conjunct| eval(&pool, conjunct, &assignment).expect_bool())
            });
            let shown: Vec<String> = conjuncts.iter().map(|&c| pool.display(c).to_string()).collect();
            assert_eq!(is_refuted, !has_model, "seed {seed}: {shown:?}");
            refuted += usize::from(is_refuted);
            kept += usize::from(has_model);
        }
        assert!(refuted > 60 && kept > 150, "{refuted} and {kept}: too easy");
    }

    /// What is not understood is a symbol of which nothing is known.
    #[test]
    fn products_may_be_anything() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(100).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let product = pool.mk(Op::BvMul, &[x, y]);
        let next = pool.bv_u64(1, 100);
        let next = pool.mk(Op::BvAdd, &[product, next]);
        let equal = pool.mk(Op::Eq, &[product, next]);
        let found = crate::passes::tests::alone(run, &mut pool, &[equal]);
        assert_eq!(found, Some(vec![pool.bool(false)]));
        let equal = pool.mk(Op::Eq, &[product, x]);
        assert_eq!(crate::passes::tests::alone(run, &mut pool, &[equal]), None);
    }
}
