//! Integers in the solver: they are asserted, assumed, asked for and blamed as they are, whatever is pushed,
//! popped and compacted in between.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::sessions::{self, Theory};
use bivalve::terms::{Assignment, BitVec, Op, Pool, Sort, Term, eval};
use bivalve::{AssertError, CheckError, CheckResult, Model, Settings, Solver};
use fastrand::Rng;

/// Two symbols of three bits, and integers made of them.
fn numbers(pool: &mut Pool) -> ([Term; 2], Vec<Term>) {
    let symbols = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()));
    let mut numbers = vec![];
    for symbol in symbols {
        numbers.extend([Op::UbvToInt, Op::SbvToInt].map(|op| pool.mk(op, &[symbol])));
    }
    numbers.extend([0, 1, 4, 9].map(|value| pool.int(&value.into())));
    (symbols, numbers)
}

fn number(pool: &mut Pool, rng: &mut Rng, numbers: &[Term], size: u32) -> Term {
    if size == 0 {
        return numbers[rng.usize(..numbers.len())];
    }
    let [x, y] = [0; 2].map(|_| number(pool, rng, numbers, size - 1));
    match rng.u8(..6) {
        0 => pool.mk(Op::IntAdd, &[x, y]),
        1 => pool.mk(Op::IntSub, &[x, y]),
        2 => pool.mk(Op::IntMul, &[x, y]),
        3 => pool.mk(Op::IntAbs, &[x]),
        4 => {
            let three = pool.int(&(-3).into());
            pool.mk(if rng.bool() { Op::IntDiv } else { Op::IntMod }, &[x, three])
        }
        _ => {
            let condition = pool.mk(Op::IntLe, &[x, y]);
            pool.mk(Op::Ite, &[condition, y, x])
        }
    }
}

fn formula(pool: &mut Pool, rng: &mut Rng, numbers: &[Term]) -> Term {
    let [x, y] = [0; 2].map(|_| {
        let size = rng.u32(..3);
        number(pool, rng, numbers, size)
    });
    pool.mk([Op::Eq, Op::Distinct, Op::IntLt, Op::IntGe][rng.usize(..4)], &[x, y])
}

/// Whether some values of the symbols make all formulas true.
fn has_model(pool: &Pool, symbols: [Term; 2], formulas: &[Term]) -> bool {
    (0..64).any(|code| {
        let mut assignment = Assignment::new();
        assignment.set(symbols[0], BitVec::from_u64(code, 3));
        assignment.set(symbols[1], BitVec::from_u64(code >> 3, 3));
        formulas.iter().all(|&formula| eval(pool, formula, &assignment).expect_bool())
    })
}

/// Two symbols, and integers made of them.
struct Integers {
    pool: Pool,
    symbols: [Term; 2],
    numbers: Vec<Term>,
}

impl Theory for Integers {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn material(&mut self) -> Vec<&mut Term> {
        self.symbols.iter_mut().chain(&mut self.numbers).collect()
    }

    fn random_formula(&mut self, rng: &mut Rng) -> Term {
        formula(&mut self.pool, rng, &self.numbers)
    }

    fn has_model(&self, formulas: &[Term]) -> Option<bool> {
        Some(has_model(&self.pool, self.symbols, formulas))
    }

    fn look_at(&self, model: &Model) {
        let read = |term: Term| model.value(&self.pool, term);
        let bits = read(self.symbols[0]).expect_bitvec().to_decimal_string();
        assert_eq!(read(self.numbers[0]).expect_int().to_string(), bits);
    }
}

/// Random sessions against the meaning of integers: answers, models, cores and failed assumptions.
#[test]
fn sessions_with_integers_are_answered_by_their_meaning() {
    sessions::are_answered_by_their_meaning(60, 30, 50, |_| {
        let mut pool = Pool::new();
        let (symbols, numbers) = numbers(&mut pool);
        Integers { pool, symbols, numbers }
    });
}

/// What is refused leaves nothing behind, at every door.
#[test]
fn integers_that_are_no_bit_vectors_are_refused() {
    let mut pool = Pool::new();
    let (_, numbers) = numbers(&mut pool);
    let n = pool.symbol("n", Sort::INT);
    let equal = pool.mk(Op::Eq, &[n, numbers[0]]);
    let quotient = pool.mk(Op::IntDiv, &[numbers[0], numbers[1]]);
    let divided = pool.mk(Op::IntLt, &[quotient, numbers[0]]);
    let mut solver = Solver::new(Settings::default());
    let refused = |refusal: AssertError| match refusal {
        AssertError::NotLowered(refusal) => refusal.to_string(),
        other => panic!("{other}"),
    };
    let text = "expected a sort whose values are bit-vectors, found sort Int";
    assert_eq!(refused(solver.assert(&pool, equal).unwrap_err()), text);
    assert_eq!(refused(solver.assert_tracked(&pool, equal).unwrap_err()), text);
    let text = "expected a divisor that is not zero, found one between -4 and 3";
    match solver.check_assuming(&mut pool, &[divided]).unwrap_err() {
        CheckError::Assumption { position: 0, refusal } => assert_eq!(refused(refusal), text),
        other => panic!("{other}"),
    }
    assert!(solver.assertions().is_empty());
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
}

/// Preprocessing sees images, and says what is left of them in bit-vectors.
#[test]
fn what_is_simplified_has_no_integers() {
    let mut pool = Pool::new();
    let ([x, _], numbers) = numbers(&mut pool);
    let sum = pool.mk(Op::IntAdd, &[numbers[0], numbers[2]]);
    let goal = pool.mk(Op::IntLt, &[sum, numbers[7]]);
    let mut solver = Solver::new(Settings::default());
    solver.assert(&pool, goal).unwrap();
    let left = solver.simplified(&mut pool).unwrap();
    let terms = bivalve::terms::cone(&pool, &left.conjuncts);
    assert!(terms.contains(&x) && terms.iter().all(|&term| !pool.op(term).is_lowered()));
    assert_eq!(solver.assertions(), [goal]);
}
