//! The passes: simplifications that look at all conjuncts together, as a table.
//!
//! A local rule looks at the top of one term; a pass sees what else is asserted. Most take the conjuncts in
//! normal form and return others that are true in the same assignments, so there is no way back to remember;
//! the others eliminate symbols: by reading conjuncts as definitions ([`crate::definitions`]), or by choosing
//! the values of symbols that nothing else mentions ([`crate::unconstrained`]). The scheduler goes through
//! the table from the top, and from the top again after each pass that changed something.
//!
//! A row says how the pass is called, why it is there, from which level on it is tried, and which function
//! does it. The order is that of cost: reading off definitions first; [`memories`] and
//! [`embedded_constraints`] are walks; [`identities`] and [`linear`] multiply out sums, within a budget;
//! [`cardinality`] turns arithmetic into choices, and what has to be solved for a symbol comes last, because
//! it makes terms larger. A new pass is a file and a row; switches, statistics, the option fuzzers and
//! `--help` read the rows.
//!
//! Built, measured on the files where they fire, and gone again (they stand in the history of this folder):
//! *skeleton*, unit propagation and equivalences above the atoms, which [`constant_bits`] does in part and
//! which cost more than it found (37 files solved of 38); *context*, the conditions of choices used in their
//! branches (27 of 30); sets of values beside intervals, which changed the gates of 1 of 148 files. One run
//! each on a busy machine, so the last word is not spoken.

mod alternatives;
mod bit_polynomials;
mod bit_serial;
mod cardinality;
mod case_split;
mod chosen_arrays;
mod constant_bits;
mod different;
mod digits;
mod embedded_constraints;
mod few_quotients;
mod flags;
mod identities;
mod intervals;
pub(crate) mod joined_equations;
mod layered_identities;
mod limbs;
mod linear;
mod memories;
mod normalization;
mod pairs;
mod parts;
mod powers_of_two;
mod refuted_values;
mod residues;
mod samples;
mod sharing;

use crate::change::Change;
use crate::definitions::Reading;
use crate::problem::Problem;
use crate::unconstrained;
use bivalve_terms::Pool;
#[cfg(test)]
use bivalve_terms::Term;

/// Changes after which the conjuncts are true in the same assignments, for some values of symbols that are
/// new; or `None` if nothing is to be changed, or if the deadline of the problem is over.
pub(crate) type Run = fn(&mut Pool, &Problem<'_>) -> Option<Vec<Change>>;

/// What a pass does.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Reads conjuncts as definitions, and eliminates their symbols.
    Define(Reading),
    /// Changes conjuncts that are in normal form.
    Change(Run),
    /// Changes conjuncts by the laws of arithmetic. The change is kept only where it gains something
    /// ([`crate::gain`]).
    Weighed(Run),
    /// Chooses the values of symbols that nothing else mentions, and eliminates them.
    Eliminate(unconstrained::Run),
    /// Offers other forms of all conjuncts, of which one is taken if it has fewer gates, once in each run.
    Offer(fn(&mut Pool, &Problem<'_>) -> Vec<Vec<Change>>),
}

/// One row of the table.
pub struct Pass {
    /// Its name in options and statistics.
    pub name: &'static str,
    /// What it does and why it pays, in a sentence.
    pub why: &'static str,
    /// The level of preprocessing from which on it is tried.
    pub level: u8,
    /// Why certificates do without it, if they do.
    pub uncertified: Option<&'static str>,
    pub(crate) step: Step,
}

/// The passes in the order in which they are tried.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "substitution",
        why: "an equation with a symbol alone on one side eliminates the symbol",
        level: 1,
        uncertified: None,
        step: Step::Define(Reading::Plain),
    },
    Pass {
        name: "conditional-substitution",
        why: "two equations under opposite conditions are a choice, which eliminates the symbol that both define",
        level: 1,
        uncertified: None,
        step: Step::Define(Reading::Conditional),
    },
    Pass {
        name: "joined-equations",
        why: "a choice between formulas that all say what a symbol is says it once, by a choice of values",
        level: 1,
        uncertified: None,
        step: Step::Change(joined_equations::run),
    },
    Pass {
        name: "chosen-arrays",
        why: "alternatives that all say what an array is define it, by a choice of arrays",
        level: 1,
        uncertified: Some(
            "a fresh symbol says which alternative holds, which a certificate has no value for",
        ),
        step: Step::Change(chosen_arrays::run),
    },
    Pass {
        name: "slices",
        why: "a symbol of which only slices are used, without overlap, is cut into these, which may be unconstrained or defined",
        level: 2,
        uncertified: Some("it makes symbols, which a certificate has no value for"),
        step: Step::Eliminate(unconstrained::slices),
    },
    Pass {
        name: "unconstrained",
        why: "a symbol that occurs once makes the term around it take any value, and that is a symbol again",
        level: 2,
        uncertified: Some("it keeps satisfiability, and not equivalence"),
        step: Step::Eliminate(unconstrained::terms),
    },
    Pass {
        name: "small-domains",
        why: "symbols that are only compared with each other need as many values as there are of them, or fewer",
        level: 2,
        uncertified: Some("it keeps satisfiability, and not equivalence"),
        step: Step::Eliminate(unconstrained::small_domains),
    },
    Pass {
        name: "small-indices",
        why: "indices that are only compared need as many values as there are of them, and arrays no more elements",
        level: 2,
        uncertified: Some("it keeps satisfiability, and not equivalence"),
        step: Step::Eliminate(unconstrained::small_indices),
    },
    Pass {
        name: "own-cells",
        why: "what a write takes from the cell of its own index is read at the index of the read",
        level: 2,
        uncertified: None,
        step: Step::Change(memories::own_cells::run),
    },
    Pass {
        name: "conditional-stores",
        why: "what is stored under a condition is simplified by the condition",
        level: 2,
        uncertified: None,
        step: Step::Change(memories::conditional_stores::run),
    },
    Pass {
        name: "reads",
        why: "a read moves down through writes that cannot touch it and through choices between arrays",
        level: 2,
        uncertified: None,
        step: Step::Change(memories::reads::run),
    },
    Pass {
        name: "forwarding",
        why: "a read of what was written is the choice that spells it out, where that is there",
        level: 2,
        uncertified: None,
        step: Step::Change(memories::forwarding::run),
    },
    Pass {
        name: "tables",
        why: "a read of an array of constants is a choice by the bits of the index",
        level: 2,
        uncertified: None,
        step: Step::Change(memories::tables::run),
    },
    Pass {
        name: "embedded-constraints",
        why: "what is asserted is true wherever else it occurs, and equal terms become one",
        level: 2,
        uncertified: None,
        step: Step::Change(embedded_constraints::run),
    },
    Pass {
        name: "powers-of-two",
        why: "what is divided or multiplied by a power of two is shifted",
        level: 2,
        uncertified: Some("the exponent is a fresh symbol, which a certificate has no value for"),
        step: Step::Change(powers_of_two::run),
    },
    Pass {
        name: "flags",
        why: "a comparison that is spelled out by the signs of two words and of their difference is a comparison",
        level: 2,
        uncertified: None,
        step: Step::Change(flags::run),
    },
    Pass {
        name: "case-split",
        why: "a product or quotient of choices is related to the results of its cases where those exist, signed ones likewise",
        level: 2,
        uncertified: None,
        step: Step::Change(case_split::run),
    },
    Pass {
        name: "intervals",
        why: "known bits and intervals decide comparisons, and make arithmetic of small numbers unsigned and narrow",
        level: 2,
        uncertified: None,
        step: Step::Change(intervals::run),
    },
    Pass {
        name: "constant-bits",
        why: "values and bits of single terms that follow from all conjuncts are asserted, and symbols lose the bits that are known",
        level: 2,
        uncertified: None,
        step: Step::Change(constant_bits::run),
    },
    Pass {
        name: "identities",
        why: "equations between polynomials are decided by multiplying out",
        level: 2,
        uncertified: None,
        step: Step::Weighed(identities::run),
    },
    Pass {
        name: "limbs",
        why: "sums that are computed limb by limb, each with the carry of the one before, are one wide sum",
        level: 2,
        uncertified: None,
        step: Step::Weighed(limbs::run),
    },
    Pass {
        name: "digits",
        why: "numbers that are computed digit by digit are polynomials over remainders by powers of two",
        level: 2,
        uncertified: Some("the kernel has no polynomials over the whole numbers"),
        step: Step::Weighed(digits::run),
    },
    Pass {
        name: "layered-identities",
        why: "equations between polynomials over choices and quotients are shown one layer at a time",
        level: 2,
        uncertified: None,
        step: Step::Weighed(layered_identities::run),
    },
    Pass {
        name: "residues",
        why: "remainders by one divisor of what is congruent become one",
        level: 2,
        uncertified: Some("the kernel has no congruences modulo other numbers than powers of two"),
        step: Step::Weighed(residues::run),
    },
    Pass {
        name: "bit-polynomials",
        why: "words whose bits are the same polynomials modulo 2 become one word",
        level: 2,
        uncertified: Some("the kernel has no polynomials modulo 2"),
        step: Step::Weighed(bit_polynomials::run),
    },
    Pass {
        name: "refuted-values",
        why: "a symbol does not have a value, such as zero for a divisor, with which all would be false",
        level: 2,
        uncertified: Some("what follows where a symbol has a value is not recorded"),
        step: Step::Change(refuted_values::run),
    },
    Pass {
        name: "bit-serial",
        why: "formulas over wide words whose operators go from bit to bit are refuted by an automaton that reads the words",
        level: 2,
        uncertified: Some("the states of the automaton are no terms"),
        step: Step::Change(bit_serial::run),
    },
    Pass {
        name: "linear",
        why: "systems of linear equations are solved by elimination modulo a power of two",
        level: 2,
        uncertified: None,
        step: Step::Weighed(linear::run),
    },
    Pass {
        name: "cardinality",
        why: "a weighted sum of conditions compared with a constant becomes a decision diagram that propagates",
        level: 2,
        uncertified: Some("the clauses of a diagram do not follow from those of adders in few steps"),
        step: Step::Change(cardinality::run),
    },
    Pass {
        name: "alternatives",
        why: "alternatives of one shape are one, with operands that are chosen, if that takes half of the gates",
        level: 2,
        uncertified: Some(
            "fresh symbols say which alternative holds and what its operands are, which a certificate has no value for",
        ),
        step: Step::Change(alternatives::run),
    },
    Pass {
        name: "sharing",
        why: "subexpressions that several sums or products have in common are computed once",
        level: 2,
        uncertified: Some("fewer gates are no better for a search that is asked once"),
        step: Step::Change(sharing::run),
    },
    Pass {
        name: "equation-solving",
        why: "an equation is solved for a symbol that stands below operators with an inverse",
        level: 2,
        uncertified: None,
        step: Step::Define(Reading::Solved),
    },
    Pass {
        name: "normalization",
        why: "sums and products in normal form, with common subexpressions computed once, if that takes fewer gates",
        level: 3,
        uncertified: Some("fewer gates are no better for a search that is asked once"),
        step: Step::Offer(normalization::run),
    },
];

/// What the tests of all passes share: conjuncts over three symbols of two bits, judged under all
/// assignments.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Tables;
    use bivalve_limits::Deadline;
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::{Assignment, BitVec, Op, Sort, TermSet, Value, eval};

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

        /// One of the symbols.
        pub(super) fn symbol(&mut self) -> Term {
            self.symbols[self.random.usize(..self.symbols.len())]
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

    /// What a pass makes of some conjuncts.
    pub(super) fn alone(pass: Run, pool: &mut Pool, conjuncts: &[Term]) -> Option<Vec<Term>> {
        alone_frozen(pass, pool, conjuncts, &[])
    }

    /// The same where some symbols are frozen.
    pub(super) fn alone_frozen(
        pass: Run,
        pool: &mut Pool,
        conjuncts: &[Term],
        symbols: &[Term],
    ) -> Option<Vec<Term>> {
        let mut frozen = TermSet::new();
        for &symbol in symbols {
            frozen.insert(symbol);
        }
        let (tables, deadline) = (Tables::default(), Deadline::unlimited());
        let problem = Problem::new(conjuncts, &frozen, &tables, &deadline).with_cost(dear);
        let changes = pass(pool, &problem)?;
        problem.changed(pool, &changes)
    }

    /// A cost model by which products and quotients are dear, and other operators have a gate for each bit.
    fn dear(pool: &Pool, term: Term) -> u64 {
        let width = u64::from(pool.width(term).unwrap_or(1));
        match pool.op(term) {
            Op::BvMul | Op::BvUdiv => 8 * width * width,
            _ if pool.args(term).is_empty() => 0,
            _ => width,
        }
    }

    fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
        conjuncts.iter().all(|&conjunct| eval(pool, conjunct, assignment).expect_bool())
    }

    /// The same for a pass that brings in fresh symbols, of fewer bits than there are for symbols: an
    /// assignment satisfies what it returns for some values of them. One assignment in `every` is looked at.
    pub(super) fn check_with_fresh(
        pass: Run,
        trials: u64,
        every: usize,
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
            let width = |symbol: Term| run.pool.width(symbol).unwrap_or(1);
            let places: u32 = fresh.iter().map(|&symbol| width(symbol)).sum();
            for (code, mut assignment) in run.assignments().step_by(every) {
                let before = holds(&run.pool, &run.before, &assignment);
                // The fresh symbols stand for bits of the others, so most values of them are wrong.
                let after = (0..1u64 << places).any(|mut values| {
                    for &symbol in &fresh {
                        match run.pool.width(symbol) {
                            Some(width) => assignment.set(symbol, BitVec::from_u64(values, width)),
                            None => assignment.set(symbol, values & 1 == 1),
                        }
                        values >>= width(symbol);
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
            let mut frozen = TermSet::new();
            if seed.is_multiple_of(5) {
                frozen.insert(symbols[0]);
            }
            let deadline = Deadline::unlimited();
            let tables = Tables::default();
            let problem = Problem::new(&before, &frozen, &tables, &deadline).with_cost(dear);
            let changes = pass(&mut pool, &problem)?;
            let after = problem.changed(&mut pool, &changes)?;
            Some(Done { pool, symbols, before, after })
        }
    }

    /// Runs a pass on random towers of writes and choices over two arrays, read at random constants and
    /// words. The conditions of choices between arrays choose words as well. What one of them says alone
    /// stays the same, and what all say together; how often something changed.
    pub(super) fn check_memories(pass: Run, trials: u64) -> usize {
        let mut changed = 0;
        for seed in 0..trials {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut pool = Pool::new();
            let word = Sort::bitvec(2).expect("a legal width");
            let sort = pool.sorts_mut().array(word, word).expect("not too deep");
            let bases = ["a", "b"].map(|name| pool.symbol(name, sort));
            let i = pool.symbol("i", word);
            let mut arrays = bases.to_vec();
            let mut words: Vec<Term> = (0..4).map(|value| pool.bv_u64(value, 2)).collect();
            words.push(i);
            let mut conditions = vec![];
            for _ in 0..10 {
                let [a, b] = [(); 2].map(|()| arrays[random.usize(..arrays.len())]);
                let [index, element, other] = [(); 3].map(|()| words[random.usize(..words.len())]);
                conditions.push(pool.mk(Op::BvUlt, &[element, other]));
                conditions.push(pool.mk(Op::Eq, &[index, i]));
                let condition = conditions[random.usize(..conditions.len())];
                match random.u8(..4) {
                    0 => arrays.push(pool.mk(Op::Ite, &[condition, a, b])),
                    1 => {
                        let (index, element) = (
                            pool.mk(Op::Ite, &[condition, index, i]),
                            pool.mk(Op::Ite, &[condition, other, i]),
                        );
                        let written = pool.mk(Op::Store, &[a, index, element]);
                        arrays.push(pool.mk(Op::Ite, &[condition, written, b]));
                    }
                    _ => arrays.push(pool.mk(Op::Store, &[a, index, element])),
                }
                words.push(pool.mk(Op::Select, &[arrays[random.usize(..arrays.len())], index]));
            }
            let mut assignments = vec![];
            for _ in 0..8 {
                let mut assignment = Assignment::new();
                assignment.set(i, BitVec::from_u64(random.u64(..4), 2));
                for &array in &bases {
                    let mut value = Value::default_of(pool.sorts(), sort);
                    for k in 0..4 {
                        let [index, element] =
                            [k, random.u64(..4)].map(|v| Value::BitVec(BitVec::from_u64(v, 2)));
                        value = value.expect_array().store(&index, &element).into();
                    }
                    assignment.set(array, value);
                }
                assignments.push(assignment);
            }
            let mut rewriter = Rewriter::new(Level::Local);
            let mut conjuncts = vec![];
            for (pair, op) in words.windows(2).zip([Op::BvUlt, Op::Eq, Op::Eq].into_iter().cycle()) {
                let related = pool.mk(op, pair);
                // One assignment satisfies all of them.
                let holds = holds(&pool, &[related], &assignments[0]);
                let conjunct = if holds { related } else { pool.mk(Op::Not, &[related]) };
                conjuncts.push(rewriter.rewrite(&mut pool, conjunct));
            }
            for asserted in conjuncts.chunks(1).chain([&conjuncts[..]]) {
                let Some(found) = alone(pass, &mut pool, asserted) else { continue };
                changed += usize::from(asserted.len() > 1);
                for assignment in &assignments {
                    let [before, after] = [asserted, &found].map(|terms| holds(&pool, terms, assignment));
                    assert_eq!(before, after, "seed {seed}");
                }
            }
        }
        changed
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
