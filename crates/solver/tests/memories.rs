//! Memories as hardware has them, and arrays as arguments: polynomially many lemmas, counted.
//!
//! Each case here took exponentially many lemmas, or quadratically many equalities, once.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};

/// A memory of 16 words of 16 bits that is written in each of `frames` steps if `p` holds, at an index that
/// is counted up then, beside a copy of the cell at a fixed index. The two differ in the end: unsat. With
/// `masked`, the write is `(d & m) | (old & ~m)`, with `m` all ones or all zeros.
fn shadowed_memory(pool: &mut Pool, frames: usize, masked: bool) -> Vec<Term> {
    let (address, word) = (Sort::bitvec(4).unwrap(), Sort::bitvec(16).unwrap());
    let memories = pool.sorts_mut().array(address, word).unwrap();
    let (a, mut memory, mut copy) =
        (pool.symbol("a", address), pool.symbol("m", memories), pool.symbol("s", word));
    let (mut at, mut written, one, zero) =
        (pool.bv_u64(0, 4), pool.bool(false), pool.bv_u64(1, 4), pool.bv_u64(0, 4));
    let (ones, zeros) = (pool.bv_u64(0xffff, 16), pool.bv_u64(0, 16));
    let mut all = vec![];
    for _ in 0..frames {
        let (p, d) = (pool.symbol("p", Sort::BOOL), pool.symbol("d", word));
        let next = pool.symbol("next", memories);
        let stored = if masked {
            let mask = pool.mk(Op::Ite, &[p, ones, zeros]);
            let (old, not) = (pool.mk(Op::Select, &[memory, at]), pool.mk(Op::BvNot, &[mask]));
            let (new, old) = (pool.mk(Op::BvAnd, &[d, mask]), pool.mk(Op::BvAnd, &[old, not]));
            let element = pool.mk(Op::BvOr, &[new, old]);
            let nothing = pool.mk(Op::Eq, &[mask, zeros]);
            let store = pool.mk(Op::Store, &[memory, at, element]);
            pool.mk(Op::Ite, &[nothing, memory, store])
        } else {
            let store = pool.mk(Op::Store, &[memory, at, d]);
            pool.mk(Op::Ite, &[p, store, memory])
        };
        all.push(pool.mk(Op::Eq, &[next, stored]));
        let here = pool.mk(Op::Eq, &[at, a]);
        let hit = pool.mk(Op::And, &[p, here]);
        copy = pool.mk(Op::Ite, &[hit, d, copy]);
        written = pool.mk(Op::Or, &[written, hit]);
        let step = pool.mk(Op::Ite, &[p, one, zero]);
        at = pool.mk(Op::BvAdd, &[at, step]);
        memory = next;
    }
    let read = pool.mk(Op::Select, &[memory, a]);
    all.extend([written, pool.mk(Op::Distinct, &[read, copy])]);
    all
}

#[test]
fn chains_of_conditional_writes_need_few_lemmas() {
    for (frames, masked, level) in [(40, false, 2), (40, false, 0), (12, true, 2), (12, true, 0)] {
        let mut pool = Pool::new();
        let mut solver = Solver::new(Settings::builder().rewrite_level(level).build());
        for formula in shadowed_memory(&mut pool, frames, masked) {
            solver.assert(&pool, formula).unwrap();
        }
        let context = format!("{frames} frames, masked {masked}, level {level}");
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat, "{context}");
        let statistics = solver.statistics(&pool);
        let lemmas: u64 =
            ["congruence", "expansion"].iter().map(|reason| statistics.refiners.get("arrays", reason)).sum();
        assert!(lemmas < 20 * frames as u64, "{context}: {lemmas} lemmas");
    }
}

/// Results of a function for many arrays, which may all be different: no pair of them needs an equality.
#[test]
fn arrays_under_a_function_are_compared_where_they_collide() {
    let mut pool = Pool::new();
    let byte = Sort::bitvec(8).unwrap();
    let arrays = pool.sorts_mut().array(byte, byte).unwrap();
    let function = pool.sorts_mut().function(&[arrays], byte).unwrap();
    let f = pool.symbol("f", function);
    let mut solver = Solver::new(Settings::default());
    let (three, mut formulas) = (pool.bv_u64(3, 8), vec![]);
    let all: Vec<Term> = (0..300).map(|_| pool.symbol("a", arrays)).collect();
    let results: Vec<Term> = all.iter().map(|&a| pool.mk(Op::Apply, &[f, a])).collect();
    for pair in results.windows(2) {
        let sum = pool.mk(Op::BvAdd, &[pair[1], three]);
        formulas.push(pool.mk(Op::BvUlt, &[pair[0], sum]));
    }
    for formula in formulas {
        solver.assert(&pool, formula).unwrap();
    }
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    assert_eq!(solver.statistics(&pool).refiners.get("arrays", "witness"), 0);
    // Two that are equal must have equal results.
    let (first, last) = (all[0], all[299]);
    let differ = pool.mk(Op::Distinct, &[results[0], results[299]]);
    let equal = pool.mk(Op::Eq, &[first, last]);
    solver.assert(&pool, differ).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    solver.assert(&pool, equal).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat);
}

/// Arrays of one bit over one bit: there are four, and five that serve as arguments with five results do not
/// exist.
#[test]
fn arrays_that_must_collide_do() {
    for (count, expected) in [(4, CheckResult::Sat), (5, CheckResult::Unsat)] {
        let mut pool = Pool::new();
        let (bit, byte) = (Sort::bitvec(1).unwrap(), Sort::bitvec(8).unwrap());
        let arrays = pool.sorts_mut().array(bit, bit).unwrap();
        let function = pool.sorts_mut().function(&[arrays], byte).unwrap();
        let f = pool.symbol("f", function);
        let results: Vec<Term> = (0..count)
            .map(|_| {
                let a = pool.symbol("a", arrays);
                pool.mk(Op::Apply, &[f, a])
            })
            .collect();
        let distinct = pool.mk(Op::Distinct, &results);
        let mut solver = Solver::new(Settings::default());
        solver.assert(&pool, distinct).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), expected, "{count}");
    }
}
