//! The generators of feature `testing`: what they promise, and that nothing of the language escapes them.
//!
//! If a generator silently stopped to make some operator, every property test of the workspace would go on
//! passing and mean less. So these tests count what comes out.

use bivalve_terms::testing::TermGen;
use bivalve_terms::{BitVec, Op, Pool, Sort, SortKind, Value, cone, eval};

/// Is `value` one of `sort`?
fn has_sort(pool: &Pool, value: &Value, sort: Sort) -> bool {
    match (value, pool.sorts().kind(sort)) {
        (Value::Bool(_), SortKind::Bool) => true,
        (Value::BitVec(value), SortKind::BitVec(width)) => value.width() == width,
        (Value::Element(of, _), SortKind::Uninterpreted(_)) => *of == sort,
        (Value::Array(array), SortKind::Array { index, element }) => {
            has_sort(pool, array.default(), element)
                && array.entries().all(|(i, e)| has_sort(pool, i, index) && has_sort(pool, e, element))
        }
        _ => false,
    }
}

#[test]
fn every_operator_appears_and_every_term_has_a_value_of_its_sort() {
    let mut count = vec![0; Op::all().count()];
    let mut long = vec![0; Op::all().count()];
    for seed in 0..400 {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(seed));
        let sort = random.sort(&mut pool);
        let root = random.term(&mut pool, sort, 40);
        assert_eq!(pool.sort(root), sort);
        let assignment = random.assignment(&pool, &[root]);
        assert!(has_sort(&pool, &eval(&pool, root, &assignment), sort));
        for term in cone(&pool, &[root]) {
            count[pool.op(term) as usize] += 1;
            long[pool.op(term) as usize] += usize::from(pool.args(term).len() > 3);
            assert!(pool.width(term).is_none_or(|width| width <= random.max_width));
        }
    }
    for op in Op::native() {
        assert!(count[op as usize] >= 10, "{op:?} appears {} times only", count[op as usize]);
    }
    for op in [Op::And, Op::BvAdd, Op::Distinct, Op::Eq, Op::Implies, Op::Concat, Op::Apply] {
        assert!(long[op as usize] > 0, "{op:?} never has a long argument list");
    }
}

#[test]
fn options_are_obeyed() {
    for seed in 0..100 {
        let (mut pool, mut random) = (Pool::new(), TermGen::new(seed));
        random.max_width = 5;
        random.ops.retain(|&op| op != Op::BvMul);
        let root = random.term(&mut pool, Sort::BOOL, 60);
        for term in cone(&pool, &[root]) {
            assert!(pool.sort(term).is_bool() || pool.width(term).is_some_and(|width| width <= 5));
            assert!(!matches!(pool.op(term), Op::BvMul | Op::Apply | Op::Select));
        }
        random.ops = vec![Op::BvAdd, Op::BvUlt];
        random.forget();
        let root = random.term(&mut pool, Sort::BOOL, 30);
        let only = |op| matches!(op, Op::BvAdd | Op::BvUlt | Op::Const | Op::Symbol);
        assert!(cone(&pool, &[root]).iter().all(|&term| only(pool.op(term))));
    }
}

#[test]
fn arrays_stay_flat_unless_nested_ones_are_asked_for() {
    let (mut pool, mut random) = (Pool::new(), TermGen::new(3));
    random.arrays = true;
    let mut arrays = 0;
    for _ in 0..300 {
        let root = random.term(&mut pool, Sort::BOOL, 30);
        for term in cone(&pool, &[root]) {
            if let Some((index, element)) = pool.sorts().array_parts(pool.sort(term)) {
                arrays += 1;
                assert!([index, element].iter().all(|&part| pool.sorts().array_parts(part).is_none()));
            }
        }
    }
    assert!(arrays > 100, "only {arrays} arrays");
}

#[test]
fn the_seed_decides_everything() {
    let run = |seed| {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(seed));
        let root = random.term(&mut pool, Sort::BOOL, 50);
        let assignment = random.assignment(&pool, &[root]);
        let shape: Vec<_> =
            (0..pool.len()).map(|i| (pool.op(pool.nth(i)), pool.args(pool.nth(i)).to_vec())).collect();
        let values: Vec<_> = assignment.symbols().iter().map(|&s| assignment.get(s).cloned()).collect();
        (shape, values)
    };
    assert_eq!(run(11), run(11));
    assert_ne!(run(11), run(12));
}

#[test]
fn terms_share_and_sizes_are_bounded() {
    let (mut sizes, mut shared) = (0, 0);
    for seed in 0..200 {
        let (mut pool, mut random) = (Pool::new(), TermGen::new(seed));
        let width = random.width();
        let root = random.term(&mut pool, Sort::bitvec(width).unwrap(), 50);
        let inner =
            cone(&pool, &[root]).into_iter().filter(|&t| !pool.args(t).is_empty()).collect::<Vec<_>>();
        assert!(inner.len() <= 50);
        sizes += inner.len();
        let mut edges: Vec<_> =
            inner.iter().flat_map(|&t| pool.args(t)).filter(|a| inner.contains(a)).collect();
        let all = edges.len();
        edges.sort_unstable();
        edges.dedup();
        shared += all - edges.len();
    }
    assert!(sizes > 200 * 20, "terms are far smaller than asked for: {sizes}");
    assert!(shared > 200, "hardly a sub-term is shared: {shared}");
}

#[test]
fn huge_terms_need_no_stack() {
    let build = || {
        let (mut pool, mut random) = (Pool::new(), TermGen::new(5));
        random.ops = vec![Op::BvNot, Op::BvNeg];
        let root = random.term(&mut pool, Sort::bitvec(3).unwrap(), 200_000);
        assert!(eval(&pool, root, &random.assignment(&pool, &[root])).expect_bitvec().width() == 3);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(build).unwrap().join().unwrap();
}

#[test]
fn values_meet_their_corners() {
    let mut random = TermGen::new(1);
    for width in [1, 2, 8, 63, 64, 65, 130] {
        let values: Vec<_> = (0..2000).map(|_| random.bitvec(width)).collect();
        assert!(values.iter().all(|v| v.width() == width));
        let corners = [BitVec::zero, BitVec::one, BitVec::ones, BitVec::min_signed, BitVec::max_signed]
            .map(|f| f(width));
        for corner in corners {
            assert!(values.iter().filter(|&v| *v == corner).count() > 10, "{width}: {corner:?}");
        }
        let widest = values.iter().filter(|v| v.redor() && !v.redand()).count();
        assert!(width == 1 || widest > 500, "{width}: {widest}");
    }
}
