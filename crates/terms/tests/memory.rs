//! What a term costs, by the pool's own account and by an allocator that counts.
//!
//! Real problems have tens of millions of terms, most of them binary, so the bytes of a binary node decide
//! what can be read at all. The budget is 40 bytes, hash table included, at every size: growth by large steps
//! would pass at one size and break the budget just after.
//!
//! One test only in this file: the allocator counts for the whole process.

use bivalve_terms::{Op, Pool, Sort, Term};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes of a binary node, hash table included. In debug builds terms name their pool, which takes eight more
/// bytes a node, and a quarter of that for growth.
const BUDGET: f64 = if cfg!(debug_assertions) { 50.0 } else { 40.0 };

/// Bytes that the thread of the test harness may take meanwhile.
const HARNESS: i64 = 4096;

#[test]
fn a_binary_node_takes_at_most_forty_bytes() {
    const OPS: [Op; 6] = [Op::BvAdd, Op::BvAnd, Op::BvMul, Op::BvOr, Op::BvXor, Op::BvSub];
    let mut random = fastrand::Rng::with_seed(1);
    let mut terms: Vec<Term> = Vec::with_capacity(1_100_000);
    let region = Region::new(ALLOCATOR);
    let held = || {
        let change = region.change();
        change.bytes_allocated as i64 - change.bytes_deallocated as i64
    };
    let mut pool = Pool::new();
    let word = Sort::bitvec(32).expect("a legal width");
    terms.extend((0..1000).map(|_| pool.symbol("x", word)));
    let symbols = held() - pool.heap_bytes() as i64;
    let mut worst: f64 = 0.0;
    while pool.len() < 1_000_000 {
        let [a, b] = [(); 2].map(|()| terms[random.usize(..terms.len())]);
        terms.push(pool.mk(OPS[random.usize(..OPS.len())], &[a, b]));
        if pool.len() >= 10_000 && pool.len().is_multiple_of(500) {
            let real = held() - symbols;
            let account = pool.heap_bytes() as i64;
            let apart = (real - account).abs();
            assert!(
                apart <= HARNESS,
                "the pool's own account at {} terms: {account}, not {real}",
                pool.len()
            );
            worst = worst.max(real as f64 / pool.len() as f64);
        }
    }
    println!(
        "{:.1} bytes a term with a million terms, {worst:.1} at worst",
        held() as f64 / pool.len() as f64
    );
    assert!(worst <= BUDGET, "{worst:.1} bytes a term");
}
