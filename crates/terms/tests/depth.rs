//! Terms a million operators deep, on a stack of 256 KiB.
//!
//! Scripts of unrolled hardware and of symbolic execution are as deep as they are long. No walk of this crate
//! may be a recursion over terms; a chain of a million terms, built, collected, evaluated, substituted and
//! dropped on a stack that holds a few thousand frames at most, says so.

use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, Substitution, Term, cone, eval};

const DEPTH: usize = 1_000_000;

fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(f).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn word() -> Sort {
    Sort::bitvec(32).expect("a legal width")
}

/// A chain of sums `x + x + ... `, nested to the left or to the right.
fn chain(pool: &mut Pool, x: Term, left: bool) -> Term {
    (0..DEPTH).fold(x, |sum, _| pool.mk(Op::BvAdd, &if left { [sum, x] } else { [x, sum] }))
}

#[test]
fn chains_of_binary_operators() {
    on_a_small_stack(|| {
        for left in [true, false] {
            let mut pool = Pool::new();
            let [x, y] = [(); 2].map(|()| pool.symbol("x", word()));
            let sum = chain(&mut pool, x, left);
            assert_eq!(pool.len(), DEPTH + 2);
            assert_eq!(cone(&pool, &[sum]).len(), DEPTH + 1);
            let mut assignment = Assignment::new();
            assignment.set(x, BitVec::from_u64(3, 32));
            assignment.set(y, BitVec::from_u64(5, 32));
            assert_eq!(eval(&pool, sum, &assignment), BitVec::from_u64(3 * (DEPTH as u64 + 1), 32).into());
            let mut substitution = Substitution::new();
            substitution.insert(&pool, x, y);
            let other = substitution.apply(&mut pool, sum);
            assert_eq!(chain(&mut pool, y, left), other);
            assert_eq!(eval(&pool, other, &assignment), BitVec::from_u64(5 * (DEPTH as u64 + 1), 32).into());
        }
    });
}

#[test]
fn chains_of_choices_where_every_level_is_shared() {
    on_a_small_stack(|| {
        let mut pool = Pool::new();
        let x = pool.symbol("x", word());
        // As a tree this term has 2^1000000 leaves.
        let mut term = x;
        for i in 0..DEPTH / 2 {
            let limit = pool.bv_u64(i as u64, 32);
            let test = pool.mk(Op::BvUlt, &[term, limit]);
            let next = pool.mk(Op::BvAdd, &[term, term]);
            term = pool.mk(Op::Ite, &[test, next, term]);
        }
        let mut assignment = Assignment::new();
        assignment.set(x, BitVec::from_u64(1, 32));
        let expected = (0..DEPTH / 2).fold(1u64, |value, i| if value < i as u64 { 2 * value } else { value });
        assert_eq!(eval(&pool, term, &assignment), BitVec::from_u64(expected, 32).into());
        let one = pool.bv_u64(1, 32);
        let mut substitution = Substitution::new();
        substitution.insert(&pool, x, one);
        let closed = substitution.apply(&mut pool, term);
        assert_eq!(eval(&pool, closed, &Assignment::new()), BitVec::from_u64(expected, 32).into());
    });
}

#[test]
fn chains_of_stores() {
    on_a_small_stack(|| {
        let mut pool = Pool::new();
        let sort = pool.sorts_mut().array(word(), word()).expect("not deep");
        let start = pool.symbol("a", sort);
        let mut array = start;
        for i in 0..DEPTH / 10 {
            let [index, element] = [i % 5000, i].map(|n| pool.bv_u64(n as u64, 32));
            array = pool.mk(Op::Store, &[array, index, element]);
        }
        let index = pool.bv_u64(4999, 32);
        let read = pool.mk(Op::Select, &[array, index]);
        let last = BitVec::from_u64(DEPTH as u64 / 10 - 1, 32);
        assert_eq!(eval(&pool, read, &Assignment::new()), last.into());
        let value = eval(&pool, array, &Assignment::new());
        assert_eq!(value.expect_array().entries().count(), 5000);
    });
}

#[test]
fn argument_lists_of_a_million() {
    on_a_small_stack(|| {
        let mut pool = Pool::new();
        let bits: Vec<Term> = (0..DEPTH).map(|_| pool.symbol("b", Sort::BOOL)).collect();
        let parity = pool.mk(Op::Xor, &bits);
        assert_eq!(pool.mk(Op::Xor, &bits), parity);
        assert_eq!(pool.args(parity).len(), DEPTH);
        let mut assignment = Assignment::new();
        bits.iter().step_by(3).for_each(|&bit| assignment.set(bit, true));
        assert_eq!(eval(&pool, parity, &assignment), (DEPTH.div_ceil(3) % 2 == 1).into());
        let truth = pool.bool(true);
        let mut substitution = Substitution::new();
        bits.iter().for_each(|&bit| substitution.insert(&pool, bit, truth));
        let closed = substitution.apply(&mut pool, parity);
        assert_eq!(eval(&pool, closed, &Assignment::new()), (DEPTH % 2 == 1).into());
    });
}

#[test]
fn random_terms_of_the_whole_language() {
    on_a_small_stack(|| {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(1));
        let root = random.term(&mut pool, Sort::BOOL, DEPTH / 20);
        let assignment = random.assignment(&pool, &[root]);
        let before = eval(&pool, root, &assignment);
        assert_eq!(before, eval(&pool, root, &assignment));
    });
}
