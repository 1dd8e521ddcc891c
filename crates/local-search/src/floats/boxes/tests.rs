//! Intervals against all values of small formats, and what is refuted or found against all assignments.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use bivalve_limits::Stop;
use bivalve_terms::TheorySort;
use bivalve_terms::float::RoundingMode;
use fastrand::Rng;

fn format(exponent: u64, significand: u64) -> Format {
    Format::new(exponent, significand).unwrap()
}

fn values(format: Format) -> Vec<Float> {
    let all = (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap());
    // One NaN.
    all.filter(|value| !value.is_nan()).chain([Float::nan(format)]).collect()
}

/// Random terms over two inputs, a truth value and a mode.
struct Maker {
    pool: Pool,
    rng: Rng,
    format: Format,
    numbers: [Term; 2],
    truth: Term,
    mode: Term,
}

impl Maker {
    fn new(seed: u64, format: Format) -> Maker {
        let mut pool = Pool::new();
        let sort = pool.float_sort(format);
        let mode_sort = pool.sorts_mut().theory(TheorySort::RoundingMode);
        let numbers = ["x", "y"].map(|name| pool.symbol(name, sort));
        let truth = pool.symbol("b", bivalve_terms::Sort::BOOL);
        let mode = pool.symbol("r", mode_sort);
        Maker { pool, rng: Rng::with_seed(seed), format, numbers, truth, mode }
    }

    fn mode(&mut self) -> Term {
        match self.rng.usize(..6) {
            5 => self.mode,
            at => self.pool.rounding_mode(RoundingMode::ALL[at]),
        }
    }

    fn number(&mut self, depth: u32) -> Term {
        if depth == 0 || self.rng.u8(..6) == 0 {
            if self.rng.u8(..3) > 0 {
                return self.numbers[self.rng.usize(..2)];
            }
            let all = values(self.format);
            return self.pool.float(&all[self.rng.usize(..all.len())]);
        }
        let (mode, indices) = (self.mode(), [self.format.exponent_bits(), self.format.significand_bits()]);
        let [x, y] = [(); 2].map(|()| self.number(depth - 1));
        match self.rng.u8(..14) {
            0 => self.pool.mk(Op::FpNeg, &[x]),
            1 => self.pool.mk(Op::FpAbs, &[x]),
            2 | 3 => self.pool.mk(Op::FpAdd, &[mode, x, y]),
            4 => self.pool.mk(Op::FpSub, &[mode, x, y]),
            5 | 6 => self.pool.mk(Op::FpMul, &[mode, x, y]),
            7 => self.pool.mk(Op::FpDiv, &[mode, x, y]),
            8 => self.pool.mk(Op::FpSqrt, &[mode, x]),
            9 => self.pool.mk(Op::FpRoundToIntegral, &[mode, x]),
            10 => {
                let op = if self.rng.bool() { Op::FpMin } else { Op::FpMax };
                self.pool.mk(op, &[x, y])
            }
            11 => {
                let z = self.number(depth - 1);
                self.pool.mk(Op::FpFma, &[mode, x, y, z])
            }
            12 => {
                let other = [2 + self.rng.u32(..2), 2 + self.rng.u32(..3)];
                let there = self.pool.mk_indexed(Op::FpFromFloat, &other, &[mode, x]);
                self.pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, there])
            }
            _ => {
                let condition = self.claim(depth - 1);
                self.pool.mk(Op::Ite, &[condition, x, y])
            }
        }
    }

    fn claim(&mut self, depth: u32) -> Term {
        let kind = self.rng.u8(..14);
        if depth > 0 && kind < 5 {
            let [a, b] = [(); 2].map(|()| self.claim(depth - 1));
            return match kind {
                0 => self.pool.mk(Op::And, &[a, b]),
                1 => self.pool.mk(Op::Or, &[a, b]),
                2 => self.pool.mk(Op::Implies, &[a, b]),
                3 => self.pool.mk(Op::Eq, &[a, b]),
                _ => self.pool.mk(Op::Xor, &[a, b]),
            };
        }
        let [x, y] = [(); 2].map(|()| self.number(depth));
        let claim = match kind {
            5 => self.truth,
            6 => self.pool.mk(Op::Eq, &[x, y]),
            7 => self.pool.mk(Op::FpEq, &[x, y]),
            8 | 9 => {
                let of = [
                    Op::FpIsNan,
                    Op::FpIsInfinite,
                    Op::FpIsZero,
                    Op::FpIsNegative,
                    Op::FpIsPositive,
                    Op::FpIsNormal,
                    Op::FpIsSubnormal,
                ];
                self.pool.mk(of[self.rng.usize(..of.len())], &[x])
            }
            _ => {
                let op = [Op::FpLt, Op::FpLe, Op::FpGt, Op::FpGe][self.rng.usize(..4)];
                self.pool.mk(op, &[x, y])
            }
        };
        if self.rng.bool() { self.pool.mk(Op::Not, &[claim]) } else { claim }
    }

    /// Assignments of these keys, with all modes and both truth values.
    fn assignments(&self, area: &Area) -> Vec<Assignment> {
        let within = |at: usize| {
            values(self.format).into_iter().filter(move |value| {
                let [low, high] = area[at];
                (low..=high).contains(&key(value).min(key(&Float::infinity(value.format(), false)) + 1))
            })
        };
        let mut all = vec![];
        for x in within(0) {
            for y in within(1) {
                for mode in RoundingMode::ALL {
                    for truth in [false, true] {
                        let mut assignment = Assignment::new();
                        assignment.set(self.numbers[0], x.clone());
                        assignment.set(self.numbers[1], y.clone());
                        assignment.set(self.mode, mode);
                        assignment.set(self.truth, truth);
                        all.push(assignment);
                    }
                }
            }
        }
        all
    }

    fn whole(&self) -> Area {
        let [low, high] = [true, false].map(|sign| key(&Float::infinity(self.format, sign)));
        vec![[low, high + 1]; 2]
    }
}

fn unlimited() -> Deadline {
    Deadline::new(&Stop::new(), u64::MAX)
}

const FORMATS: [(u64, u64); 4] = [(2, 2), (2, 3), (3, 2), (3, 3)];

#[test]
fn keys_are_in_the_order_of_numbers() {
    for (exponent, significand) in FORMATS {
        let format = format(exponent, significand);
        let mut all = values(format);
        all.sort_by_key(key);
        assert!(all.windows(2).all(|pair| Integers::le(&pair[0], &pair[1]) || pair[1].is_nan()));
        for one in all {
            assert_eq!(value(format, key(&one)), one);
        }
    }
}

/// The values of all terms are within their ranges, whatever the inputs in a box and the modes are.
#[test]
fn results_lie_in_their_ranges() {
    let (mut found, mut narrow) = (0, 0);
    for number in 0..400 {
        let (exponent, significand) = FORMATS[number % FORMATS.len()];
        let mut maker = Maker::new(number as u64, format(exponent, significand));
        let claim = maker.claim(1 + number as u32 % 3);
        let mut area = maker.whole();
        for ends in &mut area {
            let [low, high] = *ends;
            let (a, b) = (maker.rng.u128(low..=high), maker.rng.u128(low..=high));
            *ends = if maker.rng.u8(..3) == 0 { [a, a] } else { [a.min(b), a.max(b)] };
        }
        // Both inputs, in this order.
        let both = maker.pool.mk(Op::FpEq, &maker.numbers);
        let either = maker.pool.mk(Op::Or, &[both, claim]);
        let pool = &maker.pool;
        let mut boxes = Boxes::new(pool, &[either], &unlimited()).unwrap();
        let area_of_inputs: Area =
            boxes.inputs.iter().map(|&(input, _)| area[usize::from(input == maker.numbers[1])]).collect();
        boxes.nodes.iter_mut().for_each(|node| node.wanted = None);
        boxes.verdict(&area_of_inputs, &unlimited()).unwrap();
        for assignment in maker.assignments(&area) {
            for (node, known) in boxes.nodes.iter().zip(&boxes.values) {
                let actual = eval(pool, node.term, &assignment);
                let is_within = match known {
                    Value::Number(range) => {
                        let actual = actual.as_float().unwrap();
                        let is_between = |[low, high]: &[Float; 2]| {
                            Integers::le(low, actual) && Integers::le(actual, high)
                        };
                        if actual.is_nan() { range.nan } else { range.ends.as_ref().is_some_and(is_between) }
                    }
                    Value::Truth(can) => can[usize::from(actual.expect_bool())],
                    Value::Other => true,
                };
                assert!(is_within, "{number}: {}", pool.display(node.term));
                found += 1;
            }
        }
        narrow +=
            boxes.values.iter().filter(|it| matches!(it, Value::Truth([false, _] | [_, false]))).count();
    }
    assert!(found > 1_000_000 && narrow > 100, "{found} {narrow}");
}

/// The boxes of a tree, with whether each is refuted.
fn leaves(tree: &Tree, inputs: &[Term], whole: Area) -> Vec<Area> {
    let (mut stack, mut leaves) = (vec![whole], vec![]);
    for node in tree {
        let mut area = stack.pop().unwrap();
        let Some((term, most)) = node else {
            leaves.push(area);
            continue;
        };
        let at = inputs.iter().position(|input| input == term).unwrap();
        let most = u128::try_from(most).unwrap();
        let mut above = area.clone();
        above[at][0] = above[at][0].max(most + 1);
        area[at][1] = area[at][1].min(most);
        stack.extend([above, area]);
    }
    assert!(stack.is_empty(), "a box is left");
    leaves
}

/// What is refuted has no model, and each box of the tree has none of what is used; what holds is one.
#[test]
fn answers_are_those_of_enumeration() {
    let (mut refuted, mut points, mut models) = (0, 0, 0);
    for number in 0..500 {
        let (exponent, significand) = FORMATS[number % FORMATS.len()];
        let mut maker = Maker::new(1_000_000 + number as u64, format(exponent, significand));
        let count = 2 + maker.rng.usize(..4);
        let mut formulas: Vec<Term> = (0..count).map(|_| maker.claim(1 + number as u32 % 3)).collect();
        if maker.rng.bool() {
            let definition = maker.number(2);
            formulas.push(maker.pool.mk(Op::Eq, &[maker.numbers[1], definition]));
        }
        let holds = |assignment: &Assignment, all: &[Term]| {
            all.iter().all(|&formula| eval(&maker.pool, formula, assignment).expect_bool())
        };
        match decided(&maker.pool, &formulas, &unlimited()) {
            None => {}
            Some(Found::Refuted(used, tree)) => {
                refuted += 1;
                let used: Vec<Term> = used.iter().map(|&at| formulas[at]).collect();
                for area in leaves(&tree, &maker.numbers, maker.whole()) {
                    for assignment in maker.assignments(&area) {
                        assert!(!holds(&assignment, &used), "{number}");
                    }
                }
            }
            Some(Found::Point(assignment)) => {
                points += 1;
                models += usize::from(holds(&assignment, &formulas));
            }
        }
    }
    assert!(refuted > 100 && models > 100 && points > models, "{refuted} {points} {models}");
}

#[test]
fn the_deadline_ends_it() {
    let mut pool = Pool::new();
    let sort = pool.float_sort(Format::FLOAT64);
    let even = pool.rounding_mode(RoundingMode::NearestEven);
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let [one, other] = [[x, y], [y, x]].map(|[x, y]| pool.mk(Op::FpMul, &[even, x, y]));
    let formulas = [pool.mk(Op::FpLt, &[one, other])];
    assert!(decided(&pool, &formulas, &Deadline::new(&Stop::new(), 10_000)).is_none());
}
