//! Random problems at small widths: optima are those that enumeration finds, in each combination.
//!
//! What is optimal is computed here from values and from nothing else; in particular no term about the
//! objective is evaluated but the objective itself. `BIVALVE_OPTIMA` sets the number of problems.

use bivalve::terms::float::Rational;
use bivalve::terms::{Assignment, Op, Pool, Sort, Term, TheoryValue, Value, eval};
use bivalve::{CheckResult, Settings, Solver};
use bivalve_optimise::{Found, Objective, Optimiser, Priority, Sense, Soft};
use bivalve_terms::testing::every_assignment;
use fastrand::Rng;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// An objective, as this test reads it.
enum Wanted {
    Term {
        term: Term,
        sense: Sense,
        is_signed: bool,
    },
    /// Formulas with weights in quarters.
    Soft(Vec<(Term, i64)>),
}

/// A value whose order is that of what is better: the greatest is the best. With its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Worth(i64, String);

struct Problem {
    pool: Pool,
    words: Vec<Term>,
    bools: Vec<Term>,
    random: Rng,
}

impl Problem {
    fn new(seed: u64) -> Problem {
        let mut pool = Pool::new();
        let word = Sort::bitvec(3).unwrap();
        let words = ["x", "y"].map(|name| pool.symbol(name, word)).to_vec();
        let bools = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL)).to_vec();
        Problem { pool, words, bools, random: Rng::with_seed(seed) }
    }

    fn word(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.u8(..5) == 0 {
            let constant = self.pool.bv_u64(self.random.u64(..8), 3);
            return self.random.choice([self.words[0], self.words[1], constant]).unwrap();
        }
        let binary =
            [Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvSrem, Op::BvAnd, Op::BvXor, Op::BvShl, Op::BvSub];
        match self.random.u8(..6) {
            0 => {
                let below = self.word(depth - 1);
                self.pool.mk(self.random.choice([Op::BvNot, Op::BvNeg]).unwrap(), &[below])
            }
            1 => {
                let (condition, then, other) =
                    (self.bool(depth - 1), self.word(depth - 1), self.word(depth - 1));
                self.pool.mk(Op::Ite, &[condition, then, other])
            }
            _ => {
                let [left, right] = [self.word(depth - 1), self.word(depth - 1)];
                self.pool.mk(self.random.choice(binary).unwrap(), &[left, right])
            }
        }
    }

    fn bool(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.u8(..5) == 0 {
            return self.random.choice([self.bools[0], self.bools[1]]).unwrap();
        }
        match self.random.u8(..4) {
            0 => {
                let below = self.bool(depth - 1);
                self.pool.mk(Op::Not, &[below])
            }
            1 => {
                let [left, right] = [self.bool(depth - 1), self.bool(depth - 1)];
                self.pool.mk(self.random.choice([Op::And, Op::Or, Op::Xor]).unwrap(), &[left, right])
            }
            _ => {
                let [left, right] = [self.word(depth - 1), self.word(depth - 1)];
                self.pool.mk(self.random.choice([Op::BvUlt, Op::BvSle, Op::Eq]).unwrap(), &[left, right])
            }
        }
    }

    fn wanted(&mut self) -> Wanted {
        let sense = self.random.choice([Sense::Minimise, Sense::Maximise]).unwrap();
        match self.random.u8(..8) {
            0 => {
                // Every pattern of a format of 2 and 4 bits, NaN among them.
                let [high, low] = [self.word(2), self.word(2)];
                let bits = self.pool.mk(Op::Concat, &[high, low]);
                let term = self.pool.mk_indexed(Op::FpFromBits, &[2, 4], &[bits]);
                Wanted::Term { term, sense, is_signed: false }
            }
            1..=4 => Wanted::Term { term: self.word(3), sense, is_signed: self.random.bool() },
            _ => {
                let count = self.random.usize(..6);
                Wanted::Soft((0..count).map(|_| (self.bool(2), self.random.i64(-6..20))).collect())
            }
        }
    }
}

/// What an objective is worth under an assignment.
fn worth(pool: &Pool, wanted: &Wanted, assignment: &Assignment) -> Worth {
    match wanted {
        Wanted::Term { term, sense, is_signed } => {
            let (number, text) = match eval(pool, *term, assignment) {
                Value::BitVec(bits) => {
                    let number =
                        if *is_signed { bits.to_i64() } else { bits.to_u64().map(|n| n as i64) }.unwrap();
                    (number, if number < 0 { format!("(- {})", -number) } else { number.to_string() })
                }
                Value::Theory(value) => {
                    let TheoryValue::Float(float) = &*value else { panic!("a float") };
                    // A sign and a magnitude, of which those beyond the infinity are NaN, which is the worst.
                    let bits = float.to_u128().unwrap() as i64;
                    let (is_negative, magnitude) = (bits >> 5 == 1, bits & 0b1_1111);
                    let order = if is_negative { -magnitude - 1 } else { magnitude };
                    let worst = if *sense == Sense::Maximise { -100 } else { 100 };
                    (if magnitude > 0b1_1000 { worst } else { order }, float.to_string())
                }
                other => panic!("{other:?}"),
            };
            Worth(if *sense == Sense::Maximise { number } else { -number }, text)
        }
        Wanted::Soft(softs) => {
            let fails = |&&(formula, _): &&(Term, i64)| !eval(pool, formula, assignment).expect_bool();
            let quarters: i64 = softs.iter().filter(fails).map(|(_, weight)| weight).sum();
            let text = match (quarters.abs() / 4, quarters.abs() % 4) {
                (whole, 0) => whole.to_string(),
                (_, 2) => format!("(/ {}.0 2.0)", quarters.abs() / 2),
                _ => format!("(/ {}.0 4.0)", quarters.abs()),
            };
            Worth(-quarters, if quarters < 0 { format!("(- {text})") } else { text })
        }
    }
}

/// The values of all objectives in all models.
fn values(problem: &Problem, wanted: &[Wanted], formulas: &[Term]) -> Vec<Vec<Worth>> {
    let mut all = vec![];
    let symbols = [&problem.words[..], &problem.bools].concat();
    for assignment in every_assignment(&problem.pool, &symbols) {
        if formulas.iter().all(|&formula| eval(&problem.pool, formula, &assignment).expect_bool()) {
            all.push(wanted.iter().map(|wanted| worth(&problem.pool, wanted, &assignment)).collect());
        }
    }
    all
}

fn objective(pool: &mut Pool, wanted: &Wanted) -> Objective {
    match wanted {
        Wanted::Term { term, sense, is_signed } => Objective::of(pool, *term, *sense, *is_signed).unwrap(),
        Wanted::Soft(softs) => {
            let soft =
                |&(formula, quarters): &(Term, i64)| Soft { formula, weight: Rational::scaled(quarters, -2) };
            Objective::soft(pool, &softs.iter().map(soft).collect::<Vec<_>>())
        }
    }
}

fn texts(found: &Found) -> Vec<String> {
    found.ranges.iter().map(|range| range.optimum().expect("it was found").to_string()).collect()
}

/// Every claim of what was found has no model.
fn claims_hold(pool: &mut Pool, found: &Found, formulas: &[Term]) {
    for claim in &found.claims {
        let mut solver = Solver::new(Settings::default());
        solver.assert_all(pool, formulas).unwrap();
        assert_eq!(solver.check_assuming(pool, claim).unwrap(), CheckResult::Unsat);
    }
}

fn round(seed: u64) {
    let mut problem = Problem::new(seed);
    let count = problem.random.usize(..3);
    let formulas: Vec<Term> = (0..count).map(|_| problem.bool(4)).collect();
    let assumptions: Vec<Term> = (0..problem.random.usize(..2)).map(|_| problem.bool(2)).collect();
    let count = problem.random.usize(1..4);
    let wanted: Vec<Wanted> = (0..count).map(|_| problem.wanted()).collect();
    let objectives: Vec<Objective> =
        wanted.iter().map(|wanted| objective(&mut problem.pool, wanted)).collect();
    let all = values(&problem, &wanted, &[&formulas[..], &assumptions].concat());
    let mut solver = Solver::new(Settings::default());
    solver.assert_all(&problem.pool, &formulas).unwrap();
    // One solver answers everything, in some order.
    for _ in 0..3 {
        let states = problem.random.bool();
        let priority = problem.random.choice([Priority::Lexicographic, Priority::Box]).unwrap();
        let optimiser = Optimiser::new(&mut solver, &mut problem.pool);
        let optimiser = if states { optimiser.stating_claims() } else { optimiser };
        let found = optimiser.optimise(&objectives, priority, &assumptions).unwrap();
        let Some(best) = all.iter().max() else {
            assert_eq!((found.answer, found.ranges.len()), (CheckResult::Unsat, 0), "seed {seed}");
            continue;
        };
        assert_eq!(found.answer, CheckResult::Sat, "seed {seed}");
        let each = |i: usize| all.iter().map(|values| &values[i]).max().unwrap().1.clone();
        let expected: Vec<String> = match priority {
            Priority::Box => (0..wanted.len()).map(each).collect(),
            _ => best.iter().map(|worth| worth.1.clone()).collect(),
        };
        assert_eq!(texts(&found), expected, "seed {seed}, {priority}");
        let model = solver.model().expect("that of the optimum").assignment().clone();
        let shown = if priority == Priority::Box { 1 } else { wanted.len() };
        for (wanted, expected) in wanted.iter().zip(&expected).take(shown) {
            assert_eq!(worth(&problem.pool, wanted, &model).1, *expected, "seed {seed}");
        }
        assert!(found.claims.len() <= wanted.len() && (!states || found.claims.len() >= wanted.len().min(1)));
        if seed.is_multiple_of(16) {
            claims_hold(&mut problem.pool, &found, &formulas);
        }
    }
    pareto(&mut problem, &mut solver, (&objectives, &assumptions, &formulas), &all, seed);
}

/// All Pareto-optimal values are found, each once.
fn pareto(
    problem: &mut Problem,
    solver: &mut Solver,
    (objectives, assumptions, formulas): (&[Objective], &[Term], &[Term]),
    all: &[Vec<Worth>],
    seed: u64,
) {
    let dominates = |one: &[Worth], other: &[Worth]| {
        let orders: Vec<Ordering> = one.iter().zip(other).map(|(one, other)| one.cmp(other)).collect();
        !orders.contains(&Ordering::Less) && orders.contains(&Ordering::Greater)
    };
    let is_front = |values: &&Vec<Worth>| !all.iter().any(|other| dominates(other, values));
    let front: BTreeSet<Vec<String>> = all
        .iter()
        .filter(is_front)
        .map(|values| values.iter().map(|worth| worth.1.clone()).collect())
        .collect();
    let (mut excluded, mut seen) = (vec![], BTreeSet::new());
    loop {
        let optimiser = Optimiser::new(solver, &mut problem.pool);
        let found = optimiser.next_pareto(objectives, assumptions, &mut excluded).unwrap();
        if seed.is_multiple_of(16) {
            claims_hold(&mut problem.pool, &found, formulas);
        }
        if found.answer == CheckResult::Unsat {
            break;
        }
        assert_eq!(found.answer, CheckResult::Sat);
        assert!(seen.insert(texts(&found)), "seed {seed}: values twice");
    }
    assert_eq!(seen, front, "seed {seed}");
}

/// An optimiser that reads words with the wrong sign, or goes into the wrong direction, finds other optima;
/// the claim that nothing is better, which it makes of the objective itself, then has a model.
#[test]
fn mutated_objectives_are_found_out() {
    let mut caught = 0;
    for seed in 0..200 {
        let mut problem = Problem::new(seed);
        let (formula, term) = (problem.bool(4), problem.word(3));
        let pool = &mut problem.pool;
        let mut solver = Solver::new(Settings::default());
        solver.assert(pool, formula).unwrap();
        let optimum = |solver: &mut Solver, pool: &mut Pool, sense, is_signed| {
            let objective = Objective::of(pool, term, sense, is_signed).unwrap();
            let found =
                Optimiser::new(solver, pool).optimise(&[objective], Priority::Lexicographic, &[]).unwrap();
            found.ranges.first().map(|_| solver.model().unwrap().value(pool, term))
        };
        let right = optimum(&mut solver, pool, Sense::Maximise, false);
        for (sense, is_signed) in [(Sense::Maximise, true), (Sense::Minimise, false)] {
            let mutant = optimum(&mut solver, pool, sense, is_signed);
            if mutant == right {
                continue;
            }
            caught += 1;
            let objective = Objective::of(pool, term, Sense::Maximise, false).unwrap();
            let number = bivalve_optimise::Quantity::Number(mutant.unwrap().expect_bitvec().to_int());
            let better = objective.better(pool, &number);
            assert_eq!(solver.check_assuming(pool, &[better]).unwrap(), CheckResult::Sat, "seed {seed}");
        }
    }
    assert!(caught > 100, "{caught} mutants");
}

#[test]
fn optima_are_those_of_enumeration() {
    let rounds = std::env::var("BIVALVE_OPTIMA").map_or(300, |count| count.parse().expect("a number"));
    (0..rounds).for_each(round);
}
