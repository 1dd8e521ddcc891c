//! Linear equations modulo 2^w, solved together.
//!
//! The equations among the conjuncts are brought to the form `polynomial = 0`
//! ([`bivalve_algebra::expansion`]) and treated as linear in their monomials, which are the columns of a
//! [`bivalve_algebra::matrix`]; solved for are the symbols that may be eliminated: those that stand nowhere
//! else in these equations. An odd pivot solves its row for the symbol, which then occurs in no other row;
//! an even one leaves an equation about its low bits. A row whose coefficients are all divisible by a power
//! of two that its constant is not divisible by refutes everything, and for equations that are linear in
//! symbols alone there is no other reason to be unsatisfiable, so this decides them.
//!
//! Why it is right: rows are only added to others and multiplied by odd numbers, which can be undone.
//!
//! What is found is accepted if it costs no more adders than what was written; solutions cost nothing unless
//! something else mentions the symbol. Elimination fills rows up, so this matters. Equations without a
//! symbol in common are independent *systems*, each accepted or not by itself.
//!
//! Bytes of a licence are extended before they are multiplied, so extended symbols are unknowns, too, once
//! nothing can be solved for others: `zext(x) = sum` says that `x` is the lower part of the sum, and that the
//! upper part is zero. That is tried last. Before it, all equations are asked for values: with what is known
//! of the size of words ([`values`]), and modulo 2, bit by bit ([`bits`]); values are asserted, and the
//! equations stay for substitution to simplify.
//!
//! Measured on systems over 8 to 40 extended bytes: as many equations as bytes, 0.04 s where the search took
//! 5 s or did not end in 20; one or two equations fewer, 0.1 s.
//!
//! After Ganesh and Dill (CAV 2007, section 4), who solve one equation at a time. Cost: a budget of entries
//! merged, and of steps to multiply out, which grows with the terms there are.

mod bits;
mod values;

use super::identities::is_arithmetic;
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_algebra::expansion::{BUDGET, Opened, WordPolynomial};
use bivalve_algebra::matrix::{self, Matrix};
use bivalve_algebra::polynomial::{Monomial, Polynomial};
use bivalve_algebra::ring::{Binary, SmallWords, Words};
use bivalve_limits::Deadline;
use bivalve_terms::{BitVec, Op, Pool, Term, TermSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// More equations than this are not looked at.
const MOST_ROWS: usize = 2000;

/// Steps to multiply out that each term below the conjuncts allows for: a summand takes three.
const STEPS_PER_TERM: usize = 4;

/// An equation `polynomial = 0`.
struct Row {
    polynomial: WordPolynomial,
    /// The number of the conjunct.
    place: usize,
    /// Its pivot, if it has one, and whether that is odd.
    pivot: Option<(Term, bool)>,
}

/// What equations are solved for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknowns {
    /// Symbols.
    Symbols,
    /// Symbols that are extended, too, once nothing can be solved for others.
    Extended,
}

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    solved(pool, problem, Unknowns::Symbols)
        .or_else(|| values::run(pool, problem))
        .or_else(|| bits::run(pool, problem))
        .or_else(|| solved(pool, problem, Unknowns::Extended))
}

/// Systems of equations, solved for symbols.
fn solved(pool: &mut Pool, problem: &Problem<'_>, unknowns: Unknowns) -> Option<Vec<Change>> {
    let conjuncts = problem.conjuncts;
    let opened = if unknowns == Unknowns::Symbols { Opened::Arithmetic } else { Opened::Parts };
    let rows = rows(pool, problem, opened);
    if rows.len() < 2 {
        return None;
    }
    let is_row: FxHashSet<usize> = rows.iter().map(|row| row.place).collect();
    let others: Vec<Term> =
        (0..conjuncts.len()).filter(|place| !is_row.contains(place)).map(|place| conjuncts[place]).collect();
    let elsewhere = problem.cone_of(pool, &others);
    let opaque = opaque(pool, problem, &rows, unknowns);
    let symbols = |monomial: &Monomial, unknowns: Unknowns| match monomial[..] {
        [atom] => unknown(pool, atom, unknowns)
            .is_some_and(|symbol| !problem.is_frozen(symbol) && !opaque.contains(symbol)),
        _ => false,
    };
    let is_symbol = |monomial: &Monomial| symbols(monomial, Unknowns::Symbols);
    let is_unknown = |monomial: &Monomial| symbols(monomial, unknowns);
    let mut solved = vec![];
    for mut system in systems(rows, &is_unknown) {
        let before: u64 = system.iter().map(|row| row.polynomial.cost()).sum();
        let stages: &[&dyn Fn(&Monomial) -> bool] = match unknowns {
            Unknowns::Symbols => &[&is_symbol],
            Unknowns::Extended => &[&is_symbol, &is_unknown],
        };
        if system.len() < 2 || !eliminate(&mut system, stages, problem.deadline) {
            continue;
        }
        if system.iter().any(|row| row.polynomial.is_never_zero()) {
            return Some(Change::refutation(pool, Reason::Unshown));
        }
        let after: u64 = system.iter().map(|row| row.cost(pool, &elsewhere)).sum();
        if after <= before {
            solved.push(system);
        }
    }
    let mut changes = vec![];
    for row in solved.iter().flatten() {
        let (equation, definition) = row.equation(pool);
        if equation != conjuncts[row.place] {
            changes.push(Change::unshown(conjuncts[row.place], equation));
        }
        changes.extend(definition.map(|definition| Change::added(definition, Reason::Unshown)));
    }
    (!changes.is_empty()).then_some(changes)
}

/// The symbol that an atom is, or that it extends, if that is asked for.
fn unknown(pool: &Pool, atom: Term, unknowns: Unknowns) -> Option<Term> {
    let is_symbol = |term: Term| pool.op(term) == Op::Symbol;
    match (pool.op(atom), pool.args(atom)) {
        (Op::Symbol, _) => Some(atom),
        _ if unknowns == Unknowns::Symbols => None,
        (Op::SignExtend, &[symbol]) if is_symbol(symbol) => Some(symbol),
        (Op::Concat, &[high, symbol]) if is_symbol(symbol) && is_zero(pool, high) => Some(symbol),
        _ => None,
    }
}

fn is_zero(pool: &Pool, term: Term) -> bool {
    pool.as_bitvec(term).is_some_and(|constant| constant.is_zero())
}

impl Row {
    /// A solution for a symbol that nothing else mentions costs nothing. Of one for an extended symbol the
    /// upper part is left.
    fn cost(&self, pool: &Pool, elsewhere: &TermSet) -> u64 {
        match self.pivot {
            Some((atom, true)) if pool.op(atom) == Op::Symbol && !elsewhere.contains(atom) => 0,
            _ => self.polynomial.cost(),
        }
    }

    /// The equation, solved for its pivot if that is odd; if the pivot is an extended symbol, beside it what
    /// the symbol is, the lower part of the solution.
    fn equation(&self, pool: &mut Pool) -> (Term, Option<Term>) {
        let Some((atom, true)) = self.pivot else { return (self.polynomial.is_zero(pool), None) };
        let width = self.polynomial.width();
        let coefficient = self.polynomial.coefficient(&[atom]).expect("a pivot is there");
        debug_assert!(coefficient.is_one(), "rows are scaled to have one as pivot");
        // x + rest = 0 is x = -rest.
        let mut solution = self.polynomial.scaled(&BitVec::ones(width));
        solution.add_scaled(&Polynomial::of_atom(Words(width), atom), &BitVec::one(width));
        let solution = solution.term(pool);
        let equation = bivalve_rewrite::make::eq(pool, atom, solution);
        let symbol = unknown(pool, atom, Unknowns::Extended).filter(|&symbol| symbol != atom);
        let definition = symbol.map(|symbol| {
            let width = pool.width(symbol).expect("a word has a width");
            let low = bivalve_rewrite::make::extract(pool, solution, width - 1, 0);
            bivalve_rewrite::make::eq(pool, symbol, low)
        });
        (equation, definition)
    }
}

/// The equations that have polynomials.
fn rows(pool: &mut Pool, problem: &Problem<'_>, opened: Opened) -> Vec<Row> {
    let mut rows = vec![];
    let mut budget = BUDGET.max(STEPS_PER_TERM * problem.cone(pool).len());
    for (place, &conjunct) in problem.conjuncts.iter().enumerate() {
        if !is_arithmetic(pool, conjunct) {
            continue;
        }
        let &[a, b] = pool.args(conjunct) else { continue };
        let polynomial = WordPolynomial::difference(pool, [a, b], opened, &mut budget, problem.deadline);
        rows.extend(polynomial.map(|polynomial| Row { polynomial, place, pivot: None }));
        if rows.len() == MOST_ROWS {
            break;
        }
    }
    rows
}

/// What is below the atoms that are not solved for, and the factors of products; and symbols that occur in
/// two atoms.
fn opaque(pool: &Pool, problem: &Problem<'_>, rows: &[Row], unknowns: Unknowns) -> TermSet {
    let (mut atoms, mut twice) = (vec![], vec![]);
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for (monomial, _) in rows.iter().flat_map(|row| row.polynomial.monomials()) {
        match monomial[..] {
            [atom] if let Some(symbol) = unknown(pool, atom, unknowns) => {
                if *known.entry(symbol).or_insert(atom) != atom {
                    twice.push(symbol);
                }
            }
            _ => atoms.extend(monomial),
        }
    }
    let mut opaque = problem.cone_of(pool, &atoms);
    twice.into_iter().for_each(|symbol| _ = opaque.insert(symbol));
    opaque
}

/// Rows that are connected by some of the monomials, in the order of their first rows.
fn systems(rows: Vec<Row>, connects: &dyn Fn(&Monomial) -> bool) -> Vec<Vec<Row>> {
    let mut parent: Vec<usize> = (0..rows.len()).collect();
    let mut first: FxHashMap<&Monomial, usize> = FxHashMap::default();
    for (number, row) in rows.iter().enumerate() {
        for (monomial, _) in row.polynomial.monomials().filter(|(monomial, _)| connects(monomial)) {
            let other = *first.entry(monomial).or_insert(number);
            let (a, b) = (root(&mut parent, number), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut systems: Vec<Vec<Row>> = rows.iter().map(|_| vec![]).collect();
    for (number, row) in rows.into_iter().enumerate() {
        systems[root(&mut parent, number)].push(row);
    }
    systems.retain(|system| !system.is_empty());
    systems
}

/// The representative of a class; paths are halved on the way.
fn root(parent: &mut [usize], mut number: usize) -> usize {
    while parent[number] != number {
        parent[number] = parent[parent[number]];
        number = parent[number];
    }
    number
}

/// Solves for the monomials of each stage, as far as nothing could be solved for those of the one before;
/// `false` if that took too long.
fn eliminate(system: &mut [Row], stages: &[&dyn Fn(&Monomial) -> bool], deadline: &Deadline) -> bool {
    match system[0].polynomial.width() {
        width @ ..=64 => eliminate_over(SmallWords::new(width), system, stages, deadline),
        width => eliminate_over(Words(width), system, stages, deadline),
    }
}

/// The monomials of a system in their order, the constant first: the columns of its matrix.
fn columns(system: &[Row]) -> Vec<Monomial> {
    let monomials = system.iter().flat_map(|row| row.polynomial.monomials());
    let mut columns: BTreeSet<Monomial> = monomials.map(|(monomial, _)| monomial.clone()).collect();
    columns.insert(vec![]);
    columns.into_iter().collect()
}

/// The matrix of a system over numbers of some type.
fn matrix<R: Binary>(ring: R, system: &[Row], columns: &[Monomial]) -> Matrix<R> {
    let number: FxHashMap<&Monomial, u32> = columns.iter().zip(0..).collect();
    let mut matrix = Matrix::new(ring, matrix::BUDGET);
    for row in system {
        matrix.push(row.polynomial.monomials().map(|(monomial, entry)| (number[monomial], entry)));
    }
    matrix
}

/// The same over numbers of some type.
fn eliminate_over(
    ring: impl Binary,
    system: &mut [Row],
    stages: &[&dyn Fn(&Monomial) -> bool],
    deadline: &Deadline,
) -> bool {
    let width = system[0].polynomial.width();
    let columns = columns(system);
    let mut matrix = matrix(ring, system, &columns);
    for may in stages {
        matrix.solve_for(columns.iter().map(may).collect());
        if !matrix.eliminate(deadline) {
            return false;
        }
    }
    for (number, row) in system.iter_mut().enumerate() {
        let entries = matrix.row(number).map(|(column, entry)| (columns[column as usize].clone(), entry));
        row.polynomial = Polynomial::of(Words(width), entries);
        row.pivot = matrix.pivot(number).map(|(column, is_one)| (columns[column as usize][0], is_one));
    }
    true
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_rewrite::{Level, Rewriter};

    /// A word that is wider than the symbols: extended either way, put together, shifted, chosen or small by
    /// a sum that does not overflow.
    fn wide(pool: &mut Pool, trial: &mut Trial, width: u32) -> Term {
        let (symbol, low) = (trial.symbol(), trial.symbol());
        match trial.number(7) {
            0 => pool.mk_indexed(Op::SignExtend, &[width - 3], &[symbol]),
            1 => {
                let joined = pool.mk(Op::Concat, &[symbol, low]);
                match width {
                    6 => joined,
                    _ => pool.mk_indexed(Op::ZeroExtend, &[width - 6], &[joined]),
                }
            }
            2 => {
                let zeros = pool.bv_u64(0, width - 3);
                pool.mk(Op::Concat, &[symbol, zeros])
            }
            3 => {
                let (bit, numbers) = (trial.bit(pool), [(); 2].map(|()| trial.number(1 << width)));
                let [a, b] = numbers.map(|number| pool.bv_u64(number, width));
                pool.mk(Op::Ite, &[bit, a, b])
            }
            4 => {
                let [a, b] = [symbol, low].map(|word| pool.mk_indexed(Op::ZeroExtend, &[1], &[word]));
                let sum = pool.mk(Op::BvAdd, &[a, b]);
                pool.mk_indexed(Op::ZeroExtend, &[width - 4], &[sum])
            }
            _ => pool.mk_indexed(Op::ZeroExtend, &[width - 3], &[symbol]),
        }
    }

    /// Up to four equations over wide words, and at times a bound of a symbol.
    pub(super) fn system_of_wide_words(pool: &mut Pool, trial: &mut Trial) -> Vec<Term> {
        let mut conjuncts = vec![];
        let width = 6 + trial.number(3) as u32;
        for _ in 0..1 + trial.number(4) {
            let mut sum = pool.bv_u64(trial.number(1 << width), width);
            for _ in 0..1 + trial.number(4) {
                let word = wide(pool, trial, width);
                let factor = trial.number(1 << width) << (trial.number(3) * trial.number(3));
                let factor = pool.bv_u64(factor, width);
                let summand = pool.mk(Op::BvMul, &[factor, word]);
                sum = pool.mk(Op::BvAdd, &[sum, summand]);
            }
            let other = pool.bv_u64(trial.number(1 << width), width);
            conjuncts.push(pool.mk(Op::Eq, &[sum, other]));
        }
        if trial.chance(2) {
            let (symbol, bound) = (trial.symbol(), trial.constant(pool));
            conjuncts.push(pool.mk(Op::BvUle, &[symbol, bound]));
        }
        conjuncts
    }

    /// Systems of equations with even and odd coefficients, products among them.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial| {
            let count = 2 + usize::from(trial.chance(2));
            let mut equation = |pool: &mut Pool| {
                let (left, right) = (trial.sum(pool, 2), trial.sum(pool, 1));
                pool.mk(Op::Eq, &[left, right])
            };
            let mut conjuncts: Vec<Term> = (0..count).map(|_| equation(pool)).collect();
            if trial.chance(3) {
                conjuncts.push(trial.comparison(pool));
            }
            conjuncts
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// Systems over words of which symbols are parts, solved for these.
    #[test]
    fn the_same_assignments_are_left_of_extended_symbols() {
        let extended = |pool: &mut Pool, problem: &Problem<'_>| solved(pool, problem, Unknowns::Extended);
        let changed = check(extended, 1500, system_of_wide_words);
        assert!(changed > 150, "{changed} changed: too easy");
    }

    /// Seven equations over eight bytes leave one byte, and each of the others is the lower part of a sum.
    #[test]
    fn extended_symbols_are_solved_for() {
        let (mut pool, mut random) = (Pool::new(), fastrand::Rng::with_seed(8));
        let byte = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let symbols: Vec<Term> = (0..8).map(|i| pool.symbol(&format!("f{i}"), byte)).collect();
        let licence = [(); 8].map(|()| random.u64(..256));
        let mut rewriter = Rewriter::new(Level::Local);
        let mut conjuncts = vec![];
        for _ in 0..7 {
            let (mut sum, mut total) = (pool.bv_u64(0, 32), 0);
            for (&symbol, byte) in symbols.iter().zip(licence) {
                let factor = random.u64(..1 << 16);
                total += factor * byte;
                let extended = pool.mk_indexed(Op::ZeroExtend, &[24], &[symbol]);
                let factor = pool.bv_u64(factor, 32);
                let summand = pool.mk(Op::BvMul, &[factor, extended]);
                sum = pool.mk(Op::BvAdd, &[sum, summand]);
            }
            let total = pool.bv_u64(total, 32);
            let equation = pool.mk(Op::Eq, &[sum, total]);
            conjuncts.push(rewriter.rewrite(&mut pool, equation));
        }
        let found = alone(run, &mut pool, &conjuncts).expect("they are solved");
        let mut defined: Vec<Term> = found[7..].iter().map(|&definition| pool.args(definition)[0]).collect();
        defined.sort_unstable();
        defined.dedup();
        assert_eq!(defined.len(), 7);
        assert!(defined.iter().all(|symbol| symbols.contains(symbol)));
        let mut assignment = bivalve_terms::Assignment::new();
        for (&symbol, byte) in symbols.iter().zip(licence) {
            assignment.set(symbol, BitVec::from_u64(byte, 8));
        }
        let holds = |&conjunct: &Term| bivalve_terms::eval(&pool, conjunct, &assignment).expect_bool();
        assert!(found.iter().all(holds));
    }

    /// `2x + 4y = 2` and `x + 3y = 0` and `x + y = 5`, modulo 16: no coefficient is odd after two steps.
    #[test]
    fn parity_refutes() {
        let mut pool = Pool::new();
        let sort = bivalve_terms::Sort::bitvec(4).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let mut row = |a: u64, b: u64, c: u64| {
            let summands = [(a, x), (b, y)].map(|(factor, symbol)| {
                let factor = pool.bv_u64(factor, 4);
                pool.mk(Op::BvMul, &[factor, symbol])
            });
            let (sum, c) = (pool.mk(Op::BvAdd, &summands), pool.bv_u64(c, 4));
            pool.mk(Op::Eq, &[c, sum])
        };
        let conjuncts = [row(1, 3, 0), row(1, 1, 5)];
        let refuted = pool.bool(false);
        assert_eq!(alone(run, &mut pool, &conjuncts), Some(vec![refuted]));
    }
}
