//! The pipeline: simplifications that look at all conjuncts together, as a table.
//!
//! A local rule knows the top of one term; a pass knows what else is asserted. Most take the conjuncts in
//! normal form and return others that are true in the same assignments, so there is no way back to remember;
//! the steps that give values away are readings of conjuncts as definitions, which is the business of
//! [`crate::Definitions`], and loose steps ([`crate::loose`]), which choose the values of symbols that nobody
//! else mentions. It goes through the table from the top, and from the top again after each pass that changed
//! something, with the local rules in between.
//!
//! A row says what the pass is called, why it is there, *when* it is tried, and which function does it. The
//! order is that of cost: reading off definitions first; [`reads`], [`tables`] and [`embedded`] are walks;
//! [`identities`] and [`linear`] multiply out sums, within a budget; [`counting`] turns arithmetic into
//! choices, and what has to be solved for a symbol comes last, because it makes terms larger. A new pass is a
//! file and a row; switches, statistics, the option fuzzers and `--help` read the rows.
//!
//! Built, measured on the files where they fire, and gone again (they stand in the history of this folder):
//! *skeleton*, unit propagation and equivalences above the atoms, which [`bits`] does in part and which cost
//! more than it found (37 files solved of 38); *context*, the conditions of choices used in their branches
//! (27 of 30); sets of values beside ranges, which changed the gates of 1 of 148 files. One run each on a
//! busy machine, so the last word is not spoken.

mod arithmetic;
mod bits;
mod bottom_up;
mod cases;
mod counting;
mod embedded;
mod identities;
mod linear;
mod pairs;
mod polynomial;
mod ranges;
mod reads;
mod sharing;
mod tables;

use crate::definitions::Reading;
use crate::loose;
use bivalve_terms::{Pool, Term};

/// Conjuncts that are true in the same assignments, or `None` if nothing is to be changed. Symbols for which
/// `frozen` holds cannot be eliminated, so nothing is solved for them.
pub(crate) type Run = fn(&mut Pool, &[Term], frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>>;

/// What a pass does.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Reads conjuncts as definitions, and eliminates their symbols.
    Define(Reading),
    /// Changes conjuncts that are in normal form.
    Change(Run),
    /// Chooses the values of symbols that nobody else mentions.
    Loosen(loose::Run),
    /// Offers other forms of all conjuncts, of which one is taken if it has fewer gates, once in each
    /// simplification.
    Offer(fn(&mut Pool, &[Term]) -> Vec<Vec<Term>>),
}

/// When a pass is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// From this level of simplification on.
    pub level: u8,
    /// With at most so many terms below the conjuncts, when something was simplified before: later checks of
    /// a session often add little about much.
    pub most_later: usize,
}

/// One row of the pipeline.
pub struct Pass {
    /// Its name in options and statistics.
    pub name: &'static str,
    /// What it does and why it pays, in a sentence.
    pub why: &'static str,
    /// When it is tried.
    pub when: When,
    pub(crate) step: Step,
}

/// Walks over everything below the conjuncts are for so many terms.
const FEW: usize = 20_000;

/// The passes in the order in which they are tried.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "definitions",
        why: "an equation with a symbol alone on one side eliminates the symbol",
        when: When { level: 1, most_later: usize::MAX },
        step: Step::Define(Reading::Plain),
    },
    Pass {
        name: "guarded",
        why: "two equations under opposite conditions are a choice, which eliminates the symbol that both define",
        when: When { level: 1, most_later: usize::MAX },
        step: Step::Define(Reading::Guarded),
    },
    Pass {
        name: "slices",
        why: "a symbol of which only slices are used, without overlap, is cut into these: they may be free or defined",
        when: When { level: 2, most_later: FEW },
        step: Step::Loosen(loose::slices),
    },
    Pass {
        name: "unconstrained",
        why: "a symbol that occurs once makes what is around it take any value, and that is a symbol again",
        when: When { level: 2, most_later: FEW },
        step: Step::Loosen(loose::unconstrained),
    },
    Pass {
        name: "narrowing",
        why: "symbols that are only compared with each other have as many values as there are of them, or fewer",
        when: When { level: 2, most_later: FEW },
        step: Step::Loosen(loose::narrowing),
    },
    Pass {
        name: "reads",
        why: "a read moves down through writes that cannot touch it and through choices between arrays",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(reads::run),
    },
    Pass {
        name: "tables",
        why: "a read of an array of constants is a choice by the bits of the index",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(tables::run),
    },
    Pass {
        name: "embedded",
        why: "what is asserted is true wherever else it occurs, and equal terms become one",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(embedded::run),
    },
    Pass {
        name: "cases",
        why: "a product or quotient of choices is told its results where those of all cases are there, signed ones likewise",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(cases::run),
    },
    Pass {
        name: "ranges",
        why: "known bits and intervals decide comparisons, and make arithmetic of small numbers unsigned and narrow",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(ranges::run),
    },
    Pass {
        name: "bits",
        why: "what follows from all conjuncts for a single term is said, and symbols lose the bits that are known",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(bits::run),
    },
    Pass {
        name: "identities",
        why: "equations between polynomials are decided by multiplying out",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(identities::run),
    },
    Pass {
        name: "linear",
        why: "systems of linear equations are solved by elimination modulo a power of two",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(linear::run),
    },
    Pass {
        name: "counting",
        why: "a weighted sum of conditions compared with a constant becomes a decision diagram that propagates",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(counting::run),
    },
    Pass {
        name: "sharing",
        why: "what several sums or products have in common is computed once, as far as nobody else uses what is in between",
        when: When { level: 2, most_later: FEW },
        step: Step::Change(sharing::run),
    },
    Pass {
        name: "solving",
        why: "an equation is solved for a symbol that stands below operators with an inverse",
        when: When { level: 2, most_later: usize::MAX },
        step: Step::Define(Reading::Solved),
    },
    Pass {
        name: "arithmetic",
        why: "sums and products in normal form, with what they have in common computed once, if that takes fewer gates",
        when: When { level: 3, most_later: FEW },
        step: Step::Offer(arithmetic::run),
    },
];

/// What the tests of all passes share: conjuncts over three symbols of two bits, judged under all
/// assignments.
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

    /// The same for a pass that brings in fresh symbols, of fewer bits than there are for symbols: an
    /// assignment satisfies what it returns for some values of them.
    pub(super) fn check_with_fresh(
        pass: Run,
        trials: u64,
        mut make: impl FnMut(&mut Pool, &mut Trial) -> Vec<Term>,
    ) -> usize {
        let mut changed = 0;
        for seed in 0..trials {
            let Some(run) = Trial::run(pass, seed, &mut make) else { continue };
            changed += 1;
            let fresh: Vec<Term> = bivalve_terms::cone(&run.pool, &run.after)
                .into_iter()
                .filter(|&term| run.pool.op(term) == Op::Symbol && !run.symbols.contains(&term))
                .collect();
            let places: u32 = fresh.iter().filter_map(|&symbol| run.pool.width(symbol)).sum();
            for (code, mut assignment) in run.assignments() {
                let before = holds(&run.pool, &run.before, &assignment);
                // The fresh symbols stand for bits of the others, so most values of them are wrong.
                let after = (0..1u64 << places).any(|mut values| {
                    for &symbol in &fresh {
                        let width = run.pool.width(symbol).unwrap();
                        assignment.set(symbol, BitVec::from_u64(values, width));
                        values >>= width;
                    }
                    holds(&run.pool, &run.after, &assignment)
                });
                assert_eq!(before, after, "seed {seed}, assignment {code:o}");
            }
        }
        changed
    }

    /// Conjuncts before and after a pass.
    struct Done {
        pool: Pool,
        symbols: Vec<Term>,
        before: Vec<Term>,
        after: Vec<Term>,
    }

    impl Done {
        /// All assignments to the symbols, with their numbers.
        fn assignments(&self) -> impl Iterator<Item = (u64, Assignment)> + '_ {
            (0..1u64 << (3 * WIDTH)).map(|code| {
                let mut assignment = Assignment::new();
                for (i, &symbol) in self.symbols.iter().enumerate() {
                    assignment.set(symbol, BitVec::from_u64(code >> (WIDTH * i as u32), WIDTH));
                }
                (code, assignment)
            })
        }
    }

    impl Trial {
        /// Runs a pass on conjuncts that were made by `make` and rewritten; `None` if it changes nothing.
        fn run(
            pass: Run,
            seed: u64,
            make: &mut impl FnMut(&mut Pool, &mut Trial) -> Vec<Term>,
        ) -> Option<Done> {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(WIDTH).unwrap();
            let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
            let mut trial = Trial { random: fastrand::Rng::with_seed(seed), symbols: symbols.clone() };
            let conjuncts = make(&mut pool, &mut trial);
            let mut rewriter = Rewriter::new(Level::Local);
            let before: Vec<Term> =
                conjuncts.into_iter().map(|conjunct| rewriter.rewrite(&mut pool, conjunct)).collect();
            let after = pass(&mut pool, &before, &|symbol| seed.is_multiple_of(5) && symbol == symbols[0])?;
            Some(Done { pool, symbols, before, after })
        }
    }

    /// Runs a pass on conjuncts that were made by `make` and rewritten; the same assignments must satisfy
    /// what it returns. How often it changed something.
    pub(super) fn check(
        pass: Run,
        trials: u64,
        mut make: impl FnMut(&mut Pool, &mut Trial) -> Vec<Term>,
    ) -> usize {
        let mut changed = 0;
        for seed in 0..trials {
            let Some(run) = Trial::run(pass, seed, &mut make) else { continue };
            changed += 1;
            for (code, assignment) in run.assignments() {
                let [before, after] =
                    [&run.before, &run.after].map(|conjuncts| holds(&run.pool, conjuncts, &assignment));
                assert_eq!(before, after, "seed {seed}, assignment {code:o}");
            }
        }
        changed
    }
}
