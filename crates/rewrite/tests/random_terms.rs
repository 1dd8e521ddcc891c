//! Rewriting keeps the meaning of random terms, leaves core operators only, ends, and is idempotent.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, Term, cone, eval};

/// Random terms of every sort, twenty to a pool, and what becomes of them.
fn sample(seeds: std::ops::Range<u64>, make: impl Fn(u64) -> TermGen, mut judge: impl FnMut(&mut Run)) {
    for seed in seeds {
        let mut run = Run {
            pool: Pool::new(),
            random: make(seed),
            rewriter: Rewriter::new(Level::Local),
            term: None,
            seed,
        };
        for _ in 0..20 {
            let sort = run.random.sort(&mut run.pool);
            let size = run.random.rng().usize(1..40);
            run.term = Some(run.random.term(&mut run.pool, sort, size));
            judge(&mut run);
        }
        let mut rules: Vec<_> = run.rewriter.applications().collect();
        rules.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let refusals = run.rewriter.refusals();
        assert_eq!(refusals, 0, "the budget is never spent, seed {seed}, most applied: {:?}", &rules[..5]);
    }
}

struct Run {
    pool: Pool,
    random: TermGen,
    rewriter: Rewriter,
    term: Option<Term>,
    seed: u64,
}

impl Run {
    fn term(&self) -> Term {
        self.term.expect("a term was made")
    }

    fn rewrite(&mut self) -> Term {
        self.rewriter.rewrite(&mut self.pool, self.term.unwrap())
    }
}

fn narrow(seed: u64) -> TermGen {
    let mut random = TermGen::with_everything(seed);
    random.max_width = 5;
    random
}

fn bits(seed: u64) -> TermGen {
    let mut random = TermGen::new(seed);
    random.symbols_per_sort = 2;
    random
}

fn same_value(run: &mut Run) {
    let (before, after) = (run.term(), run.rewrite());
    assert_eq!(run.pool.sort(before), run.pool.sort(after));
    for _ in 0..6 {
        let assignment = run.random.assignment(&run.pool, &[before]);
        let values = [before, after].map(|term| eval(&run.pool, term, &assignment));
        assert_eq!(values[0], values[1], "seed {}: {assignment:?}", run.seed);
    }
}

#[test]
fn values_stay_with_narrow_terms() {
    sample(0..150, narrow, same_value);
}

#[test]
fn values_stay_with_wide_terms() {
    sample(1000..1150, bits, same_value);
}

#[test]
fn values_stay_with_everything() {
    sample(2000..2100, TermGen::with_everything, same_value);
}

#[test]
fn results_are_in_normal_form() {
    let check = |run: &mut Run| {
        let result = run.rewrite();
        assert_eq!(run.rewriter.rewrite(&mut run.pool, result), result, "idempotent, seed {}", run.seed);
        // With no memory of how the result came about.
        let mut fresh = Rewriter::new(Level::Local);
        assert_eq!(fresh.rewrite(&mut run.pool, result), result, "a normal form, seed {}", run.seed);
        for term in cone(&run.pool, &[result]) {
            let (op, args) = (run.pool.op(term), run.pool.args(term));
            assert!(!ELIMINATED.contains(&op), "{op:?}, seed {}", run.seed);
            let list = matches!(op, Op::Distinct | Op::Apply);
            assert!(list || args.len() <= if matches!(op, Op::Ite | Op::Store) { 3 } else { 2 });
        }
    };
    sample(3000..3020, narrow, check);
    sample(3020..3040, bits, check);
}

const ELIMINATED: [Op; 27] = [
    Op::Implies,
    Op::Or,
    Op::Xor,
    Op::Repeat,
    Op::ZeroExtend,
    Op::RotateLeft,
    Op::RotateRight,
    Op::ExtRotateLeft,
    Op::ExtRotateRight,
    Op::BvOr,
    Op::BvNand,
    Op::BvNor,
    Op::BvXnor,
    Op::BvComp,
    Op::RedAnd,
    Op::RedOr,
    Op::RedXor,
    Op::BvSub,
    Op::BvUle,
    Op::BvUgt,
    Op::BvUge,
    Op::BvSle,
    Op::BvSgt,
    Op::BvSge,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUsubo,
];

#[test]
fn level_0_changes_nothing() {
    let mut rewriter = Rewriter::new(Level::Off);
    let mut random = TermGen::with_everything(1);
    let mut pool = Pool::new();
    for _ in 0..100 {
        let term = random.term(&mut pool, Sort::BOOL, 20);
        assert_eq!(rewriter.rewrite(&mut pool, term), term);
    }
}

/// What one thread may need for any of the following: the walk must not recurse.
const STACK: usize = 256 * 1024;

/// Rewrites a term of depth a million, made by `step` from `x`, on a small stack.
fn deep(step: impl Fn(&mut Pool, Term, Term) -> Term + Send + 'static) {
    let body = move || {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::bitvec(8).unwrap());
        let y = pool.symbol("y", Sort::bitvec(8).unwrap());
        let tower = (0..1_000_000).fold(x, |tower, _| step(&mut pool, tower, y));
        let mut rewriter = Rewriter::new(Level::Local);
        let result = rewriter.rewrite(&mut pool, tower);
        assert_eq!(pool.sort(result), pool.sort(tower));
        assert_eq!(rewriter.refusals(), 0);
    };
    std::thread::Builder::new().stack_size(STACK).spawn(body).unwrap().join().unwrap();
}

#[test]
fn a_million_deep_sums() {
    deep(|pool, tower, y| pool.mk(Op::BvSub, &[y, tower]));
}

#[test]
fn a_million_deep_choices() {
    deep(|pool, tower, y| {
        let smaller = pool.mk(Op::BvUle, &[tower, y]);
        pool.mk(Op::Ite, &[smaller, tower, y])
    });
}

#[test]
fn a_million_arguments() {
    let mut pool = Pool::new();
    let symbols: Vec<Term> = (0..1_000_000).map(|i| pool.symbol(&format!("b{i}"), Sort::BOOL)).collect();
    let any = pool.mk(Op::Or, &symbols);
    let mut rewriter = Rewriter::new(Level::Local);
    let result = rewriter.rewrite(&mut pool, any);
    assert_eq!(cone(&pool, &[result]).len(), 3 * symbols.len());
}
