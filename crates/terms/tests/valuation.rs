//! Valuations that go from assignment to assignment, beside evaluations that begin anew.

use bivalve_limits::{Deadline, Stop};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Op, Pool, Sort, Term, Valuation, cone, eval};

/// Random roots over all theories, evaluated under random assignments that differ in some symbols.
#[test]
fn a_revised_valuation_is_that_of_the_new_assignment() {
    let mut compared = 0;
    for seed in 0..120 {
        let mut pool = Pool::new();
        let mut random = fastrand::Rng::with_seed(seed);
        let mut generator = TermGen::with_everything(seed);
        let byte = Sort::bitvec(4).unwrap();
        let roots: Vec<Term> =
            (0..6).map(|i| generator.term(&mut pool, [Sort::BOOL, byte][i % 2], 12)).collect();
        let symbols: Vec<Term> =
            cone(&pool, &roots).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
        let mut assignment = Assignment::new();
        let mut valuation = Valuation::new();
        for round in 0..12 {
            // Some of the roots come late, so there are new terms over symbols that were seen before.
            for &root in roots.iter().take(round / 2 + 1) {
                let value = valuation.eval(&pool, &assignment, root);
                assert_eq!(*value, eval(&pool, root, &assignment), "seed {seed}, round {round}");
                compared += 1;
            }
            let mut next = assignment.clone();
            for &symbol in symbols.iter().filter(|_| random.u8(..3) == 0) {
                next.set(symbol, generator.value(&pool, pool.sort(symbol)));
            }
            valuation.revise(&pool, &assignment, &next);
            assignment = next;
        }
    }
    assert!(compared > 4000);
}

/// A valuation that was interrupted goes on where it was, and is not confused by what it did not reach.
#[test]
fn an_interrupted_evaluation_is_continued() {
    let mut pool = Pool::new();
    let mut term = pool.symbol("x", Sort::bitvec(8).unwrap());
    let mut assignment = Assignment::new();
    assignment.set(term, bivalve_terms::BitVec::from_u64(3, 8));
    for _ in 0..100 {
        term = pool.mk(Op::BvAdd, &[term, term]);
        term = pool.mk(Op::BvNot, &[term]);
    }
    let mut valuation = Valuation::new();
    let mut rounds = 0;
    while valuation.eval_within(&pool, &assignment, term, &Deadline::new(&Stop::new(), 30)).is_none() {
        rounds += 1;
    }
    assert_eq!(rounds, 6);
    assert_eq!(*valuation.eval(&pool, &assignment, term), eval(&pool, term, &assignment));
}
