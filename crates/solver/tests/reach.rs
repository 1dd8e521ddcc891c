//! A check costs what is reachable from it, and not what the pool holds or ever held: bytes that are
//! allocated are counted, which are the same in every run.
//!
//! One test only in this file: the allocator counts for the whole process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Terms that no check mentions.
const OTHERS: usize = 400_000;

/// Bytes that are allocated during `work`.
fn bytes(work: impl FnOnce()) -> usize {
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    change.bytes_allocated + usize::try_from(change.bytes_reallocated).unwrap_or(0)
}

/// A square is a number, and the root is greater than three.
fn question(pool: &mut Pool, number: u64) -> [Term; 2] {
    let word = Sort::bitvec(16).unwrap();
    let name = "y";
    let y = (0..pool.len()).map(|i| pool.nth(i)).find(|&term| pool.name(term) == Some(name));
    let y = y.unwrap_or_else(|| pool.symbol(name, word));
    let (square, number) = (pool.mk(Op::BvMul, &[y, y]), pool.bv_u64(number, 16));
    let three = pool.bv_u64(3, 16);
    [pool.mk(Op::Eq, &[square, number]), pool.mk(Op::BvSlt, &[three, y])]
}

/// One solver for one question.
fn ask(pool: &mut Pool, formulas: &[Term], level: u8) {
    let mut solver = Solver::new(Settings::builder().rewrite_from(0).rewrite_level(level).build());
    solver.assert_all(pool, formulas).unwrap();
    assert_eq!(solver.check(pool).unwrap(), CheckResult::Sat);
}

fn solvers_do_not_pay_for_other_terms() {
    let mut pool = Pool::new();
    let formulas = question(&mut pool, 25);
    let mut costs = vec![];
    for _ in 0..2 {
        for level in [0, 2] {
            // What is made once in a process is made now, and so are terms that come out of rewriting.
            ask(&mut pool, &formulas, level);
            costs.push(bytes(|| ask(&mut pool, &formulas, level)));
        }
        let x = pool.symbol("x", Sort::bitvec(32).unwrap());
        let mut last = x;
        while pool.len() < OTHERS {
            last = pool.mk(Op::BvAdd, &[last, x]);
        }
    }
    for level in 0..2 {
        let (before, after) = (costs[level], costs[level + 2]);
        // Directories of side tables have a pointer for 8192 terms, and a few sets have a bit for each term;
        // a table with a word for each would have four bytes.
        assert!(after <= before + before / 4 + OTHERS, "{before} bytes became {after}");
    }
}

/// Rounds of push, assert, check and pop cost what one costs.
fn rounds_do_not_pay_for_earlier_ones() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(16).unwrap();
    let x = pool.symbol("x", word);
    let mut solver = Solver::new(Settings::default());
    let mut round = |number: u64| {
        let number = pool.bv_u64(number, 16);
        let equation = pool.mk(Op::Eq, &[x, number]);
        solver.push(1).unwrap();
        solver.assert(&pool, equation).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
        solver.pop(1).unwrap();
    };
    (0..1000).for_each(&mut round);
    let early = bytes(|| (1000..2000).for_each(&mut round));
    (2000..19_000).for_each(&mut round);
    let late = bytes(|| (19_000..20_000).for_each(&mut round));
    // The pool grows now and then.
    assert!(late <= early + early / 4 + 4_000_000, "{early} bytes for 1000 rounds became {late}");
}

#[test]
fn a_check_costs_what_is_reachable_from_it() {
    solvers_do_not_pay_for_other_terms();
    rounds_do_not_pay_for_earlier_ones();
}
