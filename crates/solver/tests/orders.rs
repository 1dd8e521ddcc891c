//! Orders through the whole solver: sessions over words that are only compared, until they are not, decided
//! with and without lemmas about orders; models are validated by the solver itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{BitVec, Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};
use fastrand::Rng;

/// What formulas are made of.
struct Material {
    words: Vec<Term>,
    truths: Vec<Term>,
    indices: [Term; 2],
    array: Term,
    function: Term,
    is_signed: bool,
}

impl Material {
    fn new(pool: &mut Pool, random: &mut Rng) -> Material {
        let word = Sort::bitvec([1, 2, 3, 4, 8, 64][random.usize(..6)]).unwrap();
        let index = Sort::bitvec(2).unwrap();
        let array = pool.sorts_mut().array(index, index).unwrap();
        let function = pool.sorts_mut().function(&[Sort::BOOL], Sort::BOOL).unwrap();
        let mut symbols = |letter: &str, sort: Sort, count: usize| -> Vec<Term> {
            (0..count).map(|number| pool.symbol(&format!("{letter}{number}"), sort)).collect()
        };
        let indices = symbols("i", index, 2);
        Material {
            words: symbols("x", word, 2 + random.usize(..5)),
            truths: symbols("b", Sort::BOOL, 2),
            indices: [indices[0], indices[1]],
            array: symbols("a", array, 1)[0],
            function: symbols("f", function, 1)[0],
            is_signed: random.usize(..3) == 0,
        }
    }

    fn word(&self, random: &mut Rng) -> Term {
        self.words[random.usize(..self.words.len())]
    }

    fn constant(&self, pool: &mut Pool, random: &mut Rng) -> Term {
        let width = pool.width(self.words[0]).unwrap();
        let value = BitVec::from_u64(random.u64(..), width);
        pool.bitvec(&value)
    }

    fn comparison(&self, pool: &mut Pool, random: &mut Rng) -> Term {
        let [less, at_most] = if self.is_signed { [Op::BvSlt, Op::BvSle] } else { [Op::BvUlt, Op::BvUle] };
        let op = [less, less, less, at_most, Op::Eq][random.usize(..5)];
        let left = self.word(random);
        let right = if random.usize(..8) == 0 { self.constant(pool, random) } else { self.word(random) };
        pool.mk(op, &if random.bool() { [left, right] } else { [right, left] })
    }

    /// A formula over comparisons, and over reads and applications with comparisons in them.
    fn formula(&self, pool: &mut Pool, random: &mut Rng, depth: usize) -> Term {
        if depth == 0 || random.usize(..4) == 0 {
            let comparison = self.comparison(pool, random);
            return match random.usize(..10) {
                0 | 1 => self.truths[random.usize(..2)],
                2 => {
                    let [i, j] = self.indices;
                    let index = pool.mk(Op::Ite, &[comparison, i, j]);
                    let reads = [index, i].map(|index| pool.mk(Op::Select, &[self.array, index]));
                    pool.mk(Op::Eq, &reads)
                }
                3 => pool.mk(Op::Apply, &[self.function, comparison]),
                _ => comparison,
            };
        }
        let parts: Vec<Term> = (0..3).map(|_| self.formula(pool, random, depth - 1)).collect();
        match random.usize(..8) {
            0 | 1 => pool.mk(Op::Not, &parts[..1]),
            2 | 3 => pool.mk(Op::And, &parts),
            4 | 5 => pool.mk(Op::Or, &parts),
            6 => pool.mk(Op::Eq, &parts[..2]),
            _ => pool.mk(Op::Ite, &parts),
        }
    }

    /// A formula that uses words otherwise.
    fn other(&self, pool: &mut Pool, random: &mut Rng) -> Term {
        let [x, y] = [0; 2].map(|_| self.word(random));
        let constant = self.constant(pool, random);
        match random.usize(..4) {
            0 => pool.mk(Op::Eq, &[x, y]),
            1 => {
                let sum = pool.mk(Op::BvAdd, &[x, y]);
                pool.mk(Op::Eq, &[sum, constant])
            }
            2 => {
                let product = pool.mk(Op::BvMul, &[x, y]);
                pool.mk(Op::BvUlt, &[product, constant])
            }
            _ => pool.mk(if self.is_signed { Op::BvUlt } else { Op::BvSlt }, &[x, constant]),
        }
    }
}

/// The answers of a session, and how many comparisons became variables and then got comparators.
fn session(seed: u64, orders_from: u64) -> (Vec<CheckResult>, [u64; 2]) {
    let mut random = Rng::with_seed(seed);
    let mut pool = Pool::new();
    let material = Material::new(&mut pool, &mut random);
    let level = [0, 0, 2][random.usize(..3)];
    let abstract_from = [0, 2][random.usize(..2)];
    let settings = Settings::builder()
        .probe(false)
        .local_search(0)
        .rewrite_from(0)
        .rewrite_level(level)
        .abstract_from(abstract_from)
        .rebuild_from(random.u64(..2) * 1000)
        .orders_from(orders_from)
        .build();
    let mut solver = Solver::new(settings);
    let mut answers = vec![];
    for _ in 0..1 + random.usize(..6) {
        if random.bool() {
            solver.push(1).unwrap();
        }
        for _ in 0..1 + random.usize(..4) {
            let formula = material.formula(&mut pool, &mut random, 2);
            solver.assert(&pool, formula).unwrap();
        }
        if random.usize(..4) == 0 {
            let other = material.other(&mut pool, &mut random);
            solver.assert(&pool, other).unwrap();
        }
        let assumed: Vec<Term> = if random.bool() { vec![material.truths[0]] } else { vec![] };
        answers.push(solver.check_assuming(&mut pool, &assumed).unwrap());
        if solver.levels() > 0 && random.bool() {
            solver.pop(1).unwrap();
        }
    }
    let refiners = solver.statistics(&pool).refiners;
    (answers, ["comparisons", "circuits"].map(|name| refiners.get("orders", name)))
}

#[test]
fn sessions_end_as_they_do_without() {
    let mut counts = [0, 0, 0, 0];
    for seed in 0..500 {
        let (expected, without) = session(seed, 0);
        assert_eq!(without, [0, 0]);
        let (found, [comparisons, circuits]) = session(seed, 1);
        assert_eq!(found, expected, "seed {seed}");
        let sat = found.iter().filter(|&&answer| answer == CheckResult::Sat).count();
        let numbers = [sat as u64, (found.len() - sat) as u64, comparisons, circuits];
        counts.iter_mut().zip(numbers).for_each(|(count, number)| *count += number);
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}
