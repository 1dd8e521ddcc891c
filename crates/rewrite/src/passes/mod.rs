//! Passes: simplifications that look at all conjuncts together.
//!
//! A local rule knows the top of one term; a pass knows what else is asserted. Each takes the conjuncts in normal form and
//! returns others that are true in the same assignments, so there is no way back to remember: what gives values
//! away is left to [`crate::Definitions`], which runs the passes when it finds no definition any more, and reads off
//! the equations that they have uncovered.
//!
//! The order is that of cost. [`reads`] and [`embedded`] are walks; [`identities`] and [`linear`] multiply out sums, within a budget; [`counting`]
//! comes last, since it turns arithmetic into choices.

mod cases;
mod counting;
mod embedded;
mod identities;
mod linear;
mod polynomial;
mod reads;

use bivalve_terms::{Pool, Term, TermSet};

/// A pass: conjuncts that are true in the same assignments, or `None` if it finds nothing to change. Symbols for which
/// `frozen` holds cannot be eliminated, so nothing is solved for them.
type Pass = fn(&mut Pool, &[Term], frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>>;

/// The passes in the order in which they are tried.
const PASSES: [Pass; 6] =
    [reads::run, embedded::run, cases::run, identities::run, linear::run, counting::run];

/// Passes walk everything below the conjuncts; from so many terms on, they are for the first check only.
const FEW: usize = 20_000;

/// Are there few terms below the conjuncts? Later checks of a session often add little about much.
pub(crate) fn are_cheap(pool: &Pool, conjuncts: &[Term]) -> bool {
    let mut seen = TermSet::new();
    let mut todo = conjuncts.to_vec();
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            todo.extend_from_slice(pool.args(term));
        }
        if seen.len() > FEW {
            return false;
        }
    }
    true
}

/// What the first pass that finds something makes of the conjuncts; `None` if none does.
pub(crate) fn run(pool: &mut Pool, conjuncts: &[Term], frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>> {
    PASSES.iter().find_map(|pass| pass(pool, conjuncts, frozen))
}

/// What the tests of all passes share: conjuncts over three symbols of two bits, judged under all assignments.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Rewriter};
    use bivalve_terms::{Assignment, BitVec, Op, Sort, eval};

    const WIDTH: u32 = 3;

    /// A source of random terms.
    pub(super) struct Trial {
        random: fastrand::Rng,
        symbols: Vec<Term>,
    }

    impl Trial {
        /// True once in `n` times.
        pub(super) fn chance(&mut self, n: u8) -> bool {
            self.random.u8(..n) == 0
        }

        /// Less than `bound`.
        pub(super) fn number(&mut self, bound: u64) -> u64 {
            self.random.u64(..bound)
        }

        /// A bit of a symbol, as a Boolean.
        pub(super) fn bit(&mut self, pool: &mut Pool) -> Term {
            let (symbol, place) = (self.random.usize(..self.symbols.len()), self.random.u32(..WIDTH));
            let bit = pool.mk_indexed(Op::Extract, &[place, place], &[self.symbols[symbol]]);
            let one = pool.bv_u64(1, 1);
            pool.mk(Op::Eq, &[one, bit])
        }

        pub(super) fn constant(&mut self, pool: &mut Pool) -> Term {
            pool.bv_u64(self.random.u64(..8), WIDTH)
        }

        /// A sum of symbols with coefficients, at times with a product in it.
        pub(super) fn sum(&mut self, pool: &mut Pool, depth: usize) -> Term {
            if depth == 0 {
                return match self.random.u8(..4) {
                    0 => self.constant(pool),
                    _ => self.symbols[self.random.usize(..self.symbols.len())],
                };
            }
            let (a, b) = (self.sum(pool, depth - 1), self.sum(pool, depth - 1));
            let (op, factor) = match self.random.u8(..8) {
                0 => (Op::BvMul, b),
                1 => (Op::BvSub, b),
                _ => (Op::BvAdd, self.constant(pool)),
            };
            let b = if op == Op::BvAdd { pool.mk(Op::BvMul, &[factor, b]) } else { b };
            pool.mk(op, &[a, b])
        }

        pub(super) fn comparison(&mut self, pool: &mut Pool) -> Term {
            let op = [Op::Eq, Op::BvUlt, Op::Distinct][self.random.usize(..3)];
            let (a, b) = (self.sum(pool, 1), self.sum(pool, 0));
            pool.mk(op, &[a, b])
        }
    }

    fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
        conjuncts.iter().all(|&conjunct| eval(pool, conjunct, assignment).as_bool())
    }

    /// Runs a pass on conjuncts that were made by `make` and rewritten; the same assignments must satisfy what it returns.
    /// How often it changed something.
    pub(super) fn check(
        pass: Pass,
        trials: u64,
        mut make: impl FnMut(&mut Pool, &mut Trial) -> Vec<Term>,
    ) -> usize {
        let mut changed = 0;
        for seed in 0..trials {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(WIDTH).unwrap();
            let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
            let mut trial = Trial { random: fastrand::Rng::with_seed(seed), symbols: symbols.clone() };
            let conjuncts = make(&mut pool, &mut trial);
            let mut rewriter = Rewriter::new(Level::Local);
            let conjuncts: Vec<Term> =
                conjuncts.into_iter().map(|conjunct| rewriter.rewrite(&mut pool, conjunct)).collect();
            let Some(result) = pass(&mut pool, &conjuncts, &|symbol| seed % 5 == 0 && symbol == symbols[0])
            else {
                continue;
            };
            changed += 1;
            for code in 0..1u64 << (3 * WIDTH) {
                let mut assignment = Assignment::new();
                for (i, &symbol) in symbols.iter().enumerate() {
                    assignment.set(symbol, BitVec::from_u64(code >> (WIDTH * i as u32), WIDTH));
                }
                let [before, after] =
                    [&conjuncts, &result].map(|conjuncts| holds(&pool, conjuncts, &assignment));
                assert_eq!(before, after, "seed {seed}, assignment {code:o}");
            }
        }
        changed
    }
}
