//! Every lemma against the meaning of its operator: it holds for right results, and is there for wrong ones.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::abstraction::{Abstraction, bits_of, result, value_of};
use crate::facts::{FACTS, Fact};
use crate::guided::{GUIDED, Guided, LOW_BITS, VALUES};
use crate::related::{Side, about, fits};
use crate::schema::{self, Schema};
use bivalve_limits::Deadline;
use bivalve_refine::{Lemma, Refinement, Refiners};
use bivalve_terms::testing::TermGen;
use bivalve_terms::*;

const OPS: [Op; 4] = [Op::BvMul, Op::BvUmulo, Op::BvUdiv, Op::BvUrem];

/// Calls `visit` with all operands of widths 3 to 5 and with random wide ones.
fn for_operands(mut visit: impl FnMut(&BitVec, &BitVec)) {
    for width in 3..=5 {
        for code in 0..1u64 << (2 * width) {
            visit(&BitVec::from_u64(code, width), &BitVec::from_u64(code >> width, width));
        }
    }
    let mut random = TermGen::new(7);
    for width in [33, 64, 65, 130] {
        for _ in 0..150 {
            visit(&random.bitvec(width), &random.bitvec(width));
        }
    }
}

/// The truth of a lemma for operands, a result and constants: as text, and as a term.
fn truth(schema: &Schema, op: Op, values: [&BitVec; 3], constants: &[Value]) -> bool {
    let values = schema::values(op, &values.map(BitVec::clone));
    let mut pool = Pool::new();
    let mut assignment = Assignment::new();
    let symbol = |value: &Value| {
        let sort =
            if let Value::Bool(_) = value { Sort::BOOL } else { Sort::of_bitvec(value.expect_bitvec()) };
        let symbol = pool.symbol("a letter", sort);
        assignment.set(symbol, value.clone());
        symbol
    };
    let symbols: Vec<Term> = values.iter().map(symbol).collect();
    let lemma = schema.lemma_with(&mut pool, &symbols, constants);
    let holds = !schema.is_broken(&[&values[..], constants].concat());
    assert_eq!(eval(&pool, lemma, &assignment).expect_bool(), holds);
    holds
}

#[test]
fn facts_hold_and_rule_something_out() {
    for Fact { name, op, schema } in &*FACTS {
        let mut ruled_out = 0;
        for_operands(|x, s| {
            let right = result(*op, x, s);
            assert!(truth(schema, *op, [x, s, &right], &[]), "{name}: {x:?} {s:?}");
            let wrong = match right.width() {
                1 => right.not(),
                _ => right.add(&x.xor(s)).xor(&BitVec::one(x.width())),
            };
            ruled_out += usize::from(!truth(schema, *op, [x, s, &wrong], &[]));
        });
        assert!(ruled_out > 0, "{name} rules nothing out");
    }
}

#[test]
fn any_width_is_one_to_compare_with() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(64).unwrap();
    let (x, s) = (pool.symbol("x", sort), pool.symbol("s", sort));
    let quotient = pool.mk(Op::BvUdiv, &[x, s]);
    // Sixteenths of the width were an overflow from 429496730 on.
    for (width, is_replaced) in
        [(64, true), (102, true), (104, false), (429_496_730, false), (u32::MAX, false)]
    {
        assert_eq!(crate::is_wide(&pool, quotient, width), is_replaced, "{width}");
    }
}

/// The lemma is about all operands, not just about those that suggested it.
fn holds_for_others(row: &Guided, constants: &[Value], width: u32, random: &mut TermGen) {
    for _ in 0..4 {
        let (a, b) = (random.bitvec(width), random.bitvec(width));
        let right = result(row.op, &a, &b);
        assert!(
            truth(&row.schema, row.op, [&a, &b, &right], constants),
            "{}: {constants:?} {a:?} {b:?}",
            row.name
        );
    }
}

#[test]
fn guided_lemmas_hold_for_all_operands() {
    let mut random = TermGen::new(11);
    for row in GUIDED.iter().chain(&*LOW_BITS) {
        let (name, op) = (row.name, row.op);
        let (mut offered, mut ruled_out) = (0, 0);
        for_operands(|x, s| {
            let right = result(op, x, s);
            let t = if random.rng().bool() { right.not() } else { random.bitvec(right.width()) };
            let Some(constants) = row.constants(&[x.clone(), s.clone(), t.clone()]) else { return };
            let truth = |t: &BitVec| truth(&row.schema, op, [x, s, t], &constants);
            offered += 1;
            assert!(truth(&right), "{name}: {x:?} {s:?}");
            let flipped = [0, right.width() - 1].map(|bit| BitVec::one(right.width()).shl_by(bit));
            for wrong in [right.xor(&flipped[0]), right.xor(&flipped[1]), t.clone()] {
                ruled_out += usize::from(!truth(&wrong));
            }
            holds_for_others(row, &constants, x.width(), &mut random);
        });
        assert!(offered > 10 && ruled_out > 0, "{name}: {offered} offered, {ruled_out} rule something out");
    }
}

#[test]
fn lemmas_about_values_hold_and_decide() {
    let mut random = TermGen::new(13);
    for op in OPS {
        for_operands(|x, s| {
            let right = result(op, x, s);
            let mut rows = VALUES.iter().filter(|row| row.op == op);
            let offer =
                |row: &'static Guided| Some((row, row.constants(&[x.clone(), s.clone(), right.clone()])?));
            let (row, constants) = rows.find_map(offer).expect("there is a row for all values");
            assert!(truth(&row.schema, op, [x, s, &right], &constants));
            assert!(!truth(&row.schema, op, [x, s, &right.not()], &constants));
            holds_for_others(row, &constants, x.width(), &mut random);
        });
    }
}

/// Each lemma fails for the model that asked for it, so with the lemmas kept, wrong models run out.
#[test]
fn refinement_ends() {
    const WIDTH: u32 = 4;
    for op in OPS {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(WIDTH).unwrap();
        let (x, s) = (pool.symbol("x", sort), pool.symbol("s", sort));
        let term = pool.mk(op, &[x, s]);
        let mut refiners = Refiners::new(vec![Box::new(Abstraction::new(WIDTH))]);
        let symbol = refiners.abstracted(&mut pool, term, &Deadline::unlimited()).unwrap();
        let again = refiners.abstracted(&mut pool, term, &Deadline::unlimited()).unwrap();
        assert_eq!((again, refiners.replaced_by(symbol)), (symbol, Some(term)));
        refiners.take_in(&pool, symbol);
        let mut kept: Vec<Term> = vec![];
        let of_result = if op == Op::BvUmulo { 1 } else { WIDTH };
        for code in 0..1u64 << (2 * WIDTH + of_result) {
            let mut assignment = Assignment::new();
            for (symbol, (place, bits)) in
                [x, s, symbol].into_iter().zip([(0, WIDTH), (WIDTH, WIDTH), (2 * WIDTH, of_result)])
            {
                let value = BitVec::from_u64(code >> place, bits);
                assignment.set(symbol, value_of(&pool, symbol, &value));
            }
            if !kept.iter().all(|&lemma| eval(&pool, lemma, &assignment).expect_bool()) {
                continue;
            }
            let mut leaves = |_: &Pool, term: Term| assignment.get(term).cloned();
            let [x, s, found] = [x, s, symbol].map(|t| bits_of(assignment.get(t).unwrap()));
            match refiners.check(&mut pool, &mut leaves, &Deadline::unlimited()) {
                Refinement::Consistent(_) => assert_eq!(found, result(op, &x, &s)),
                Refinement::Lemmas(lemmas) => {
                    let [Lemma { literals, .. }] = &lemmas[..] else { panic!("{lemmas:?}") };
                    let &[(lemma, true)] = &literals[..] else { panic!("{literals:?}") };
                    assert!(!eval(&pool, lemma, &assignment).expect_bool());
                    kept.push(lemma);
                }
                Refinement::Unknown(why) => panic!("{why}"),
            }
        }
        // Whether a product overflows is decided by bounds, before any circuit.
        assert!(kept.len() > 3, "{op:?}: {}", kept.len());
        let circuits = u64::from(op != Op::BvUmulo);
        assert_eq!(refiners.statistics().get("arithmetic", "circuits"), circuits, "{op:?}");
    }
}

/// Lemmas about two terms are made of wrong values, are false under those, and hold for right ones.
#[test]
fn lemmas_about_two_terms_hold() {
    let mut random = TermGen::new(17);
    let mut rows: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    for round in 0..30_000 {
        let (mut pool, width) = (Pool::new(), [4, 5, 9, 33][round % 4]);
        let sort = Sort::bitvec(width).unwrap();
        let names = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort));
        let mut values = [(); 4].map(|()| random.bitvec(width));
        if random.rng().u8(..3) == 0 {
            // Those of a product of quotient and divisor.
            values[2] = values[0].udiv(&values[1]);
            values[3] = values[1].clone();
        }
        let sides = [0, 2].map(|place| {
            let op = OPS[random.rng().usize(..OPS.len())];
            let right = result(op, &values[place], &values[place + 1]);
            let of_result = if op == Op::BvUmulo { Sort::BOOL } else { sort };
            let wrong = match random.rng().u8(..3) {
                0 => right.not(),
                1 => random.bitvec(right.width()),
                _ => random.bitvec(right.width()).and(&right),
            };
            let terms = [names[place], names[place + 1], pool.symbol("t", of_result)];
            Side { op, terms, values: [values[place].clone(), values[place + 1].clone(), wrong] }
        });
        let predicate = pool.symbol("overflows", Sort::BOOL);
        let has_symbol = random.rng().bool();
        let [one, other] = &sides;
        let overflow = |pool: &mut Pool, _: [Term; 2], [a, b]: [&BitVec; 2]| {
            let fits = !a.umul_overflows(b);
            (has_symbol && fits).then(|| vec![pool.mk(Op::Not, &[predicate])])
        };
        let Some((name, lemma)) = about(&mut pool, one, other, &overflow) else { continue };
        *rows.entry(name).or_default() += 1;
        let truth = |pool: &Pool, values: &[BitVec; 4], results: [BitVec; 2]| {
            let mut assignment = Assignment::new();
            for (&symbol, value) in names.iter().zip(values) {
                assignment.set(symbol, value.clone());
            }
            for (side, value) in sides.iter().zip(&results) {
                assignment.set(side.terms[2], value_of(pool, side.terms[2], value));
            }
            let product = sides.iter().position(|side| side.op == Op::BvMul).unwrap_or(0) * 2;
            // Of two products the greater one is asked about; both orders are tried by the rows.
            let both = sides.iter().all(|side| side.op == Op::BvMul);
            let overflows = |place: usize| values[place].umul_overflows(&values[place + 1]);
            assignment.set(predicate, if both { overflows(0) || overflows(2) } else { overflows(product) });
            eval(pool, lemma, &assignment).expect_bool()
        };
        assert!(!truth(&pool, &values, [one.values[2].clone(), other.values[2].clone()]), "{name}");
        for _ in 0..20 {
            let right = [0, 2].map(|at| result(sides[at / 2].op, &values[at], &values[at + 1]));
            assert!(truth(&pool, &values, right), "{name}: {values:?}");
            values = [(); 4].map(|()| random.bitvec(width));
        }
    }
    let all = [
        "overflows_grow",
        "product_fits",
        "product_near",
        "product_not_less",
        "product_of_less",
        "product_of_more",
        "products_apart",
        "products_grow",
        "quotient_between",
        "quotient_of_less",
        "quotient_of_more",
        "quotients_apart",
        "quotients_grow",
        "quotients_near",
        "remainder_between",
    ];
    assert!(rows.keys().eq(&all) && rows.values().all(|&count| count > 10), "{rows:?}");
}

/// What is said to make a product fit holds of the values at hand, and makes it fit for all others: a factor
/// with leading zeros that are plain to see needs a bound for the other one alone.
#[test]
fn zeros_of_a_factor_bound_the_other_one() {
    let mut pool = Pool::new();
    let [word, half] = [4, 2].map(|width| Sort::bitvec(width).unwrap());
    let (x, low, t) = (pool.symbol("x", word), pool.symbol("low", half), pool.symbol("t", word));
    let zeros = pool.bv_u64(0, 2);
    let short = pool.mk(Op::Concat, &[zeros, low]);
    let all: Vec<[BitVec; 2]> = (0..64).map(|n| [n >> 2, n & 3].map(|n| BitVec::from_u64(n, 4))).collect();
    let holds = |pool: &Pool, condition: Term, [a, b]: &[BitVec; 2]| {
        let mut assignment = Assignment::new();
        assignment.set(x, a.clone());
        assignment.set(low, b.extract(1, 0));
        eval(pool, condition, &assignment).expect_bool()
    };
    let mut said = 0;
    for [a, b] in &all {
        for swap in [false, true] {
            let (mut terms, mut values) = ([x, short, t], [a.clone(), b.clone(), a.mul(b)]);
            if swap {
                terms.swap(0, 1);
                values.swap(0, 1);
            }
            let side = Side { op: Op::BvMul, terms, values };
            let Some(conditions) = fits(&mut pool, &side, &|_, _, _| None) else { continue };
            said += usize::from(conditions.len() == 1);
            assert!(conditions.iter().all(|&condition| holds(&pool, condition, &[a.clone(), b.clone()])));
            for values in &all {
                let is_met = conditions.iter().all(|&condition| holds(&pool, condition, values));
                assert!(!is_met || !values[0].umul_overflows(&values[1]), "{values:?}");
            }
        }
    }
    assert_eq!(said, 32, "x has at most two bits");
}

/// Operators of different widths: lemmas hold for all operands of a narrow one, zero divisors too, and of a
/// product only where zeros say that it does not overflow.
#[test]
fn lemmas_about_two_widths_hold() {
    let mut random = TermGen::new(3);
    let mut rows: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    for _ in 0..40_000 {
        let mut pool = Pool::new();
        let [narrow, wide, half] = [4, 6, 2].map(|width| Sort::bitvec(width).unwrap());
        let ops = [(); 2].map(|()| [Op::BvMul, Op::BvUdiv, Op::BvUrem][random.rng().usize(..3)]);
        let symbols = ["a", "b", "c", "d"].map(|name| name.to_string());
        // The operands of a narrow product have two bits and two zeros, or four bits: then there is no lemma.
        let is_short = random.rng().u8(..4) > 0;
        let zeros = pool.bv_u64(0, 2);
        let sorts = [if ops[0] == Op::BvMul && is_short { half } else { narrow }, wide];
        let own: Vec<Term> = (0..4).map(|at| pool.symbol(&symbols[at], sorts[at / 2])).collect();
        let terms: Vec<Term> =
            own.iter()
                .map(|&symbol| {
                    if pool.width(symbol) == Some(2) { pool.mk(Op::Concat, &[zeros, symbol]) } else { symbol }
                })
                .collect();
        let results = [(narrow, "t"), (wide, "u")].map(|(sort, name)| pool.symbol(name, sort));
        let draw = |pool: &Pool, random: &mut TermGen| -> Vec<BitVec> {
            let width = |at: usize| pool.width(own[at]).unwrap();
            (0..4)
                .map(|at| {
                    let bits = random.rng().u32(1..=width(at));
                    random.bitvec(bits).zero_extend(width(at) - bits)
                })
                .collect()
        };
        let full = |values: &[BitVec], at: usize| {
            let width = [4, 6][at / 2];
            values[at].zero_extend(width - values[at].width())
        };
        let right = |values: &[BitVec]| {
            [0, 2].map(|at| result(ops[at / 2], &full(values, at), &full(values, at + 1)))
        };
        let values = draw(&pool, &mut random);
        let correct = right(&values);
        let wrong = correct.clone().map(|value| match random.rng().u8(..3) {
            0 => value,
            1 => random.bitvec(value.width()),
            _ => random.bitvec(value.width()).and(&value),
        });
        let sides = [0, 2].map(|at| Side {
            op: ops[at / 2],
            terms: [terms[at], terms[at + 1], results[at / 2]],
            values: [full(&values, at), full(&values, at + 1), wrong[at / 2].clone()],
        });
        let Some((name, lemma)) = about(&mut pool, &sides[0], &sides[1], &|_, _, _| None) else { continue };
        assert!(is_short || ops[0] != Op::BvMul, "{name}: a product that may overflow");
        *rows.entry(name).or_default() += 1;
        let truth = |pool: &Pool, values: &[BitVec], found: &[BitVec; 2]| {
            let mut assignment = Assignment::new();
            own.iter().zip(values).for_each(|(&symbol, value)| assignment.set(symbol, value.clone()));
            results.iter().zip(found).for_each(|(&symbol, value)| assignment.set(symbol, value.clone()));
            eval(pool, lemma, &assignment).expect_bool()
        };
        assert!(!truth(&pool, &values, &wrong), "{name}");
        for _ in 0..20 {
            let values = draw(&pool, &mut random);
            assert!(truth(&pool, &values, &right(&values)), "{name}: {values:?}");
        }
    }
    assert!(rows.len() == 8 && rows.values().all(|&count| count > 10), "{rows:?}");
}
