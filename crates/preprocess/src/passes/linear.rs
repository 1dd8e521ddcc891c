//! Linear equations modulo 2^w, solved together.
//!
//! The equations among the conjuncts are brought to the form `polynomial = 0` ([`super::polynomial`]) and
//! treated as linear in their monomials, which are the columns of a [`matrix`]; solved for are the symbols
//! that may be eliminated: those that stand nowhere else in these equations. An odd pivot solves its row for
//! the symbol, which then occurs in no other row; an even one leaves an equation about its low bits. A row
//! whose coefficients are all divisible by a power of two that its constant is not divisible by refutes
//! everything, and for equations that are linear in symbols alone there is no other reason to be
//! unsatisfiable, so this decides them.
//!
//! Why it is right: rows are only added to others and multiplied by odd numbers, which can be undone.
//!
//! What is found is accepted if it costs no more adders than what was written; solutions cost nothing unless
//! something else mentions the symbol. Elimination fills rows up, so this matters. Equations without a
//! symbol in common are independent *systems*, each accepted or not by itself.
//!
//! After Ganesh and Dill (CAV 2007, section 4), who solve one equation at a time. Cost: a budget of entries
//! merged, and of steps to multiply out, which grows with the terms there are.

mod matrix;
mod values;

use super::identities::is_arithmetic;
use super::polynomial::{BUDGET, Monomial, Opened, Polynomial};
use crate::problem::Problem;
use bivalve_limits::Deadline;
use bivalve_terms::{BitVec, Op, Pool, Term, TermSet};
use matrix::{Matrix, Numbers, Wide, Words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// More equations than this are not looked at.
const MOST_ROWS: usize = 2000;

/// Steps to multiply out that each term below the conjuncts allows for: a summand takes three.
const STEPS_PER_TERM: usize = 4;

/// An equation `polynomial = 0`.
struct Row {
    polynomial: Polynomial,
    /// The number of the conjunct.
    place: usize,
    /// Its pivot, if it has one, and whether that is odd.
    pivot: Option<(Term, bool)>,
}

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Term>> {
    solved(pool, problem).or_else(|| values::run(pool, problem))
}

/// Systems of equations, solved for symbols.
fn solved(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Term>> {
    let conjuncts = problem.conjuncts;
    let rows = rows(pool, problem, Opened::Arithmetic);
    if rows.len() < 2 {
        return None;
    }
    let is_row: FxHashSet<usize> = rows.iter().map(|row| row.place).collect();
    let others: Vec<Term> =
        (0..conjuncts.len()).filter(|place| !is_row.contains(place)).map(|place| conjuncts[place]).collect();
    let elsewhere = problem.cone_of(pool, &others);
    let opaque = opaque(pool, problem, &rows);
    let eligible = |pool: &Pool, term: Term| {
        pool.op(term) == Op::Symbol && !problem.is_frozen(term) && !opaque.contains(term)
    };
    let mut result = conjuncts.to_vec();
    let mut changed = false;
    let is_solved_for =
        |monomial: &Monomial| matches!(monomial[..], [symbol] if eligible(pool, symbol));
    for mut system in systems(rows, &is_solved_for) {
        let before: u64 = system.iter().map(|row| row.polynomial.cost()).sum();
        if system.len() < 2 || !eliminate(pool, &mut system, &eligible, problem.deadline) {
            continue;
        }
        if system.iter().any(|row| row.polynomial.is_never_zero()) {
            return Some(vec![pool.bool(false)]);
        }
        let after: u64 = system.iter().map(|row| row.cost(&elsewhere)).sum();
        if after <= before {
            for row in &system {
                let equation = row.equation(pool);
                changed |= equation != result[row.place];
                result[row.place] = equation;
            }
        }
    }
    changed.then_some(result)
}

impl Row {
    /// A solution for a symbol that nothing else mentions costs nothing.
    fn cost(&self, elsewhere: &TermSet) -> u64 {
        match self.pivot {
            Some((symbol, true)) if !elsewhere.contains(symbol) => 0,
            _ => self.polynomial.cost(),
        }
    }

    /// The equation, solved for its pivot if that is odd.
    fn equation(&self, pool: &mut Pool) -> Term {
        let Some((symbol, true)) = self.pivot else { return self.polynomial.is_zero(pool) };
        let width = self.polynomial.width();
        let coefficient = self.polynomial.coefficient(&vec![symbol]).expect("a pivot is there");
        debug_assert!(coefficient.is_one(), "rows are scaled to have one as pivot");
        // x + rest = 0 is x = -rest.
        let mut solution = self.polynomial.scaled(&BitVec::ones(width));
        let of_symbol = Polynomial::atom(symbol, width);
        solution.add_scaled(&of_symbol, &BitVec::one(width));
        let solution = solution.term(pool);
        bivalve_rewrite::make::eq(pool, symbol, solution)
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
        if let Some(polynomial) = Polynomial::difference_over(pool, [a, b], opened, &mut budget, problem.deadline)
        {
            rows.push(Row { polynomial, place, pivot: None });
        }
        if rows.len() == MOST_ROWS {
            break;
        }
    }
    rows
}

/// What is below the atoms that are no symbols, and the factors of products.
fn opaque(pool: &Pool, problem: &Problem<'_>, rows: &[Row]) -> TermSet {
    let monomials = rows.iter().flat_map(|row| row.polynomial.monomials());
    let atoms = monomials.filter(|(monomial, _)| match monomial[..] {
        [atom] => pool.op(atom) != Op::Symbol,
        _ => true,
    });
    let atoms: Vec<Term> = atoms.flat_map(|(monomial, _)| monomial.iter().copied()).collect();
    problem.cone_of(pool, &atoms)
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

/// Eliminates; `false` if that took too long.
fn eliminate(
    pool: &Pool,
    system: &mut [Row],
    eligible: &dyn Fn(&Pool, Term) -> bool,
    deadline: &Deadline,
) -> bool {
    match system[0].polynomial.width() {
        width @ ..=64 => eliminate_over(Words::new(width), pool, system, eligible, deadline),
        width => eliminate_over(Wide(width), pool, system, eligible, deadline),
    }
}

/// The monomials of a system in their order, the constant first: the columns of its matrix.
fn columns(system: &[Row]) -> Vec<Monomial> {
    let monomials = system.iter().flat_map(|row| row.polynomial.monomials());
    let mut columns: BTreeSet<Monomial> = monomials.map(|(monomial, _)| monomial.clone()).collect();
    columns.insert(vec![]);
    columns.into_iter().collect()
}

/// The matrix of a system over numbers of some type, some of whose columns may be solved for.
fn matrix<N: Numbers>(numbers: N, system: &[Row], columns: &[Monomial], may: Vec<bool>) -> Matrix<N> {
    let number: FxHashMap<&Monomial, u32> = columns.iter().zip(0..).collect();
    let mut matrix = Matrix::new(numbers, may);
    for row in system {
        matrix.push(row.polynomial.monomials().map(|(monomial, entry)| (number[monomial], entry)));
    }
    matrix
}

/// The same over numbers of some type.
fn eliminate_over(
    numbers: impl Numbers,
    pool: &Pool,
    system: &mut [Row],
    eligible: &dyn Fn(&Pool, Term) -> bool,
    deadline: &Deadline,
) -> bool {
    let width = system[0].polynomial.width();
    let columns = columns(system);
    let may = columns.iter().map(|monomial| matches!(monomial[..], [symbol] if eligible(pool, symbol)));
    let mut matrix = matrix(numbers, system, &columns, may.collect());
    if !matrix.eliminate(deadline) {
        return false;
    }
    for (number, row) in system.iter_mut().enumerate() {
        let entries = matrix.row(number).map(|(column, entry)| (columns[column as usize].clone(), entry));
        row.polynomial = Polynomial::of(width, entries);
        row.pivot = matrix.pivot(number).map(|(column, is_one)| (columns[column as usize][0], is_one));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check;

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
