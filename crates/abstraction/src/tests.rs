//! Every lemma against the meaning of its operator: it holds for right results, and is there for wrong ones.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::abstraction::{Abstraction, result};
use crate::facts::FACTS;
use crate::guided::{GUIDED, Hints, product_low, value};
use crate::maker::Maker;
use bivalve_limits::Deadline;
use bivalve_refine::{Lemma, Refinement, Refiners};
use bivalve_terms::testing::TermGen;
use bivalve_terms::*;

const OPS: [Op; 3] = [Op::BvMul, Op::BvUdiv, Op::BvUrem];

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

/// The truth of a lemma for operands and a result.
fn truth(
    pool: &mut Pool,
    x: &BitVec,
    s: &BitVec,
    t: &BitVec,
    make: &mut dyn FnMut(&mut Maker<'_>) -> Option<Term>,
) -> Option<bool> {
    let sort = Sort::of_bitvec(x);
    let symbols = ["x", "s", "t"].map(|name| pool.symbol(name, sort));
    let lemma = make(&mut Maker { pool, x: symbols[0], s: symbols[1], t: symbols[2] })?;
    let mut assignment = Assignment::new();
    for (symbol, value) in symbols.into_iter().zip([x, s, t]) {
        assignment.set(symbol, value.clone());
    }
    Some(eval(pool, lemma, &assignment).expect_bool())
}

#[test]
fn facts_hold_and_rule_something_out() {
    let mut pool = Pool::new();
    for fact in FACTS {
        let mut ruled_out = 0;
        for_operands(|x, s| {
            let right = result(fact.op, x, s);
            let make = &mut |m: &mut Maker<'_>| Some((fact.make)(m));
            assert_eq!(truth(&mut pool, x, s, &right, make), Some(true), "{}: {x:?} {s:?}", fact.name);
            let wrong = right.add(&x.xor(s)).xor(&BitVec::one(x.width()));
            ruled_out += usize::from(truth(&mut pool, x, s, &wrong, make) == Some(false));
        });
        assert!(ruled_out > 0, "{} rules nothing out", fact.name);
    }
}

#[test]
fn guided_lemmas_hold_for_all_operands() {
    let mut pool = Pool::new();
    let mut random = TermGen::new(11);
    for &(name, op, make) in GUIDED {
        let (mut offered, mut ruled_out) = (0, 0);
        for_operands(|x, s| {
            let hints = Hints { x, s };
            let mut lemma = |m: &mut Maker<'_>| make(m, hints);
            let right = result(op, x, s);
            let Some(here) = truth(&mut pool, x, s, &right, &mut lemma) else { return };
            offered += 1;
            assert!(here, "{name}: {x:?} {s:?}");
            for bit in [0, x.width() - 1] {
                let wrong = right.xor(&BitVec::one(x.width()).shl_by(bit));
                ruled_out += usize::from(truth(&mut pool, x, s, &wrong, &mut lemma) == Some(false));
            }
            // The lemma is about all operands, not just about those that suggested it.
            for _ in 0..4 {
                let (a, b) = (random.bitvec(x.width()), random.bitvec(x.width()));
                let right = result(op, &a, &b);
                assert_eq!(
                    truth(&mut pool, &a, &b, &right, &mut lemma),
                    Some(true),
                    "{name}: {x:?} {s:?} {a:?} {b:?}"
                );
            }
        });
        assert!(offered > 10 && ruled_out > 0, "{name}: {offered} offered, {ruled_out} rule something out");
    }
}

#[test]
fn lemmas_about_values_hold_and_decide() {
    let mut pool = Pool::new();
    let mut random = TermGen::new(13);
    for op in OPS {
        for_operands(|x, s| {
            let hints = Hints { x, s };
            let right = result(op, x, s);
            let mut lemma = |m: &mut Maker<'_>| Some(value(m, op, hints, &right));
            assert_eq!(truth(&mut pool, x, s, &right, &mut lemma), Some(true));
            assert_eq!(truth(&mut pool, x, s, &right.not(), &mut lemma), Some(false));
            let (a, b) = (random.bitvec(x.width()), random.bitvec(x.width()));
            assert_eq!(truth(&mut pool, &a, &b, &result(op, &a, &b), &mut lemma), Some(true));
        });
    }
    for_operands(|x, s| {
        let right = x.mul(s);
        let mut lemma = |m: &mut Maker<'_>| product_low(m, 2);
        assert_ne!(truth(&mut pool, x, s, &right, &mut lemma), Some(false));
    });
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
        for code in 0..1u64 << (3 * WIDTH) {
            let mut assignment = Assignment::new();
            for (i, symbol) in [x, s, symbol].into_iter().enumerate() {
                assignment.set(symbol, BitVec::from_u64(code >> (i as u32 * WIDTH), WIDTH));
            }
            if !kept.iter().all(|&lemma| eval(&pool, lemma, &assignment).expect_bool()) {
                continue;
            }
            let mut leaves = |_: &Pool, term: Term| assignment.get(term).cloned();
            let [x, s, found] = [x, s, symbol].map(|t| assignment.get(t).unwrap().expect_bitvec());
            match refiners.check(&mut pool, &mut leaves, &Deadline::unlimited()) {
                Refinement::Consistent(_) => assert_eq!(*found, result(op, x, s)),
                Refinement::Lemmas(lemmas) => {
                    let [Lemma { literals, .. }] = &lemmas[..] else { panic!("{lemmas:?}") };
                    let &[(lemma, true)] = &literals[..] else { panic!("{literals:?}") };
                    assert!(!eval(&pool, lemma, &assignment).expect_bool());
                    kept.push(lemma);
                }
                Refinement::Unknown(why) => panic!("{why}"),
            }
        }
        assert!(kept.len() > 3, "{op:?}: {}", kept.len());
        assert_eq!(refiners.statistics().get("arithmetic", "circuits"), 1, "{op:?}");
    }
}
