//! Arrays and functions against plain tables.
//!
//! Over small sorts an array is a list of elements, one for each index. The tests make every such list, reach
//! each by stores from different starts, and compare what the term language says with what the lists say:
//! reads, writes, equality (extensional: arrays are equal when all their elements are, however they were
//! made), choice, constant arrays, and arrays in the places of elements and of indices.

use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Evaluator, FunctionValue, Op, Pool, Sort, Term, Value, eval};

fn bits(width: u32) -> Sort {
    Sort::bitvec(width).expect("a legal width")
}

/// All constants of a Boolean or bit-vector sort, in increasing order.
fn constants(pool: &mut Pool, sort: Sort) -> Vec<Term> {
    match sort.width() {
        Some(width) => (0..1 << width).map(|value| pool.bv_u64(value, width)).collect(),
        None => [false, true].map(|value| pool.bool(value)).to_vec(),
    }
}

/// A term for every array from all of `indices` to `elements`, beside the list it stands for. The array of
/// number `n` starts from a constant array that depends on `n` and is written in an order that depends on
/// `n`.
fn all_arrays(pool: &mut Pool, sort: Sort, indices: &[Term], elements: &[Term]) -> Vec<(Vec<Term>, Term)> {
    (0..elements.len().pow(indices.len() as u32))
        .map(|n| {
            let cell = |i: usize| elements[n / elements.len().pow(i as u32) % elements.len()];
            let list: Vec<Term> = (0..indices.len()).map(cell).collect();
            let start = pool.const_array(sort, elements[n % 5 % elements.len()]).expect("well-sorted");
            let array = (0..indices.len()).map(|i| (i * 3 + n) % indices.len()).collect::<Vec<_>>();
            // Stride 3 meets every index if their number is no multiple of 3, and it is a power of two.
            let term = array.iter().fold(start, |a, &i| pool.mk(Op::Store, &[a, indices[i], list[i]]));
            (list, term)
        })
        .collect()
}

/// Index and element sorts with at most 256 arrays.
const SMALL: [(u32, u32); 6] = [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2), (3, 1)];

fn small(width: u32) -> Sort {
    if width == 0 { Sort::BOOL } else { bits(width) }
}

#[test]
fn arrays_are_their_elements() {
    for (index, element) in SMALL {
        let mut pool = Pool::new();
        let (index, element) = (small(index), small(element));
        let sort = pool.sorts_mut().array(index, element).expect("not deep");
        let indices = constants(&mut pool, index);
        let elements = constants(&mut pool, element);
        let arrays = all_arrays(&mut pool, sort, &indices, &elements);
        let empty = Assignment::new();
        for (n, (list, array)) in arrays.iter().enumerate() {
            for (&i, &cell) in indices.iter().zip(list) {
                let read = pool.mk(Op::Select, &[*array, i]);
                assert_eq!(eval(&pool, read, &empty), eval(&pool, cell, &empty));
                // Writing what is there changes nothing; writing something else is seen there and only there.
                let same = pool.mk(Op::Store, &[*array, i, cell]);
                assert_eq!(eval(&pool, same, &empty), eval(&pool, *array, &empty));
                for &other in &elements {
                    let written = pool.mk(Op::Store, &[*array, i, other]);
                    let equal = pool.mk(Op::Eq, &[written, *array]);
                    assert_eq!(eval(&pool, equal, &empty).expect_bool(), other == cell);
                }
            }
            for (m, (_, other)) in arrays.iter().enumerate() {
                let equal = pool.mk(Op::Eq, &[*array, *other]);
                let distinct = pool.mk(Op::Distinct, &[*other, *array]);
                assert_eq!(eval(&pool, equal, &empty).expect_bool(), n == m);
                assert_eq!(eval(&pool, distinct, &empty).expect_bool(), n != m);
            }
        }
    }
}

#[test]
fn arrays_in_the_places_of_elements_and_of_indices() {
    let mut pool = Pool::new();
    let inner = pool.sorts_mut().array(Sort::BOOL, Sort::BOOL).expect("not deep");
    let booleans = constants(&mut pool, Sort::BOOL);
    let cells: Vec<Term> =
        all_arrays(&mut pool, inner, &booleans, &booleans).into_iter().map(|(_, a)| a).collect();
    let empty = Assignment::new();
    for (index, element) in [(Sort::BOOL, inner), (inner, Sort::BOOL), (inner, inner)] {
        let outer = pool.sorts_mut().array(index, element).expect("not deep");
        let indices = if index == inner { &cells } else { &booleans };
        let elements = if element == inner { &cells } else { &booleans };
        let arrays = all_arrays(&mut pool, outer, indices, elements);
        assert_eq!(arrays.len() as u64, pool.sorts().small_cardinality(outer).expect("a small sort"));
        let mut evaluator = Evaluator::new(&pool, &empty);
        let values: Vec<Value> = arrays.iter().map(|&(_, array)| evaluator.eval(array).clone()).collect();
        for (n, a) in values.iter().enumerate() {
            for (i, cell) in indices.iter().zip(&arrays[n].0) {
                assert_eq!(a.expect_array().select(&eval(&pool, *i, &empty)), &eval(&pool, *cell, &empty));
            }
            assert!(values.iter().enumerate().all(|(m, b)| (a == b) == (n == m)));
        }
    }
}

/// The axioms of the theory, at indices and elements that are terms, over large sorts.
#[test]
fn reads_over_writes() {
    for seed in 0..300 {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(seed));
        let [index, element] = [(); 2].map(|()| random.sort(&mut pool));
        let sort = pool.sorts_mut().array(index, element).expect("not deep");
        let [a, i, j, e] = [(sort, 10), (index, 5), (index, 5), (element, 5)]
            .map(|(sort, size)| random.term(&mut pool, sort, size));
        let written = pool.mk(Op::Store, &[a, i, e]);
        let [there, elsewhere, before] =
            [(written, i), (written, j), (a, j)].map(|(a, i)| pool.mk(Op::Select, &[a, i]));
        let same = pool.mk(Op::Eq, &[i, j]);
        let expected = pool.mk(Op::Ite, &[same, e, before]);
        let fresh = pool.const_array(sort, e).expect("well-sorted");
        let fresh = pool.mk(Op::Select, &[fresh, j]);
        let goals = [(there, e), (elsewhere, expected), (fresh, e)];
        let roots: Vec<Term> = goals.iter().flat_map(|&(left, right)| [left, right]).collect();
        for _ in 0..5 {
            let assignment = random.assignment(&pool, &roots);
            let mut evaluator = Evaluator::new(&pool, &assignment);
            for (left, right) in goals {
                let value = evaluator.eval(left).clone();
                assert_eq!(value, *evaluator.eval(right), "seed {seed}");
            }
        }
    }
}

/// An array with a large index sort differs from another when one element does, whatever the defaults.
#[test]
fn large_arrays_differ_by_one_element() {
    let mut pool = Pool::new();
    let sort = pool.sorts_mut().array(bits(64), bits(8)).expect("not deep");
    let value = |entries: &[(u64, u64)]| {
        let constant = bivalve_terms::ArrayValue::constant(pool.sorts(), sort, BitVec::zero(8).into());
        entries.iter().fold(constant, |array, &(i, e)| {
            array.store(&BitVec::from_u64(i, 64).into(), &BitVec::from_u64(e, 8).into())
        })
    };
    assert_eq!(value(&[(1, 5), (2, 6)]), value(&[(2, 6), (1, 7), (1, 5), (3, 1), (3, 0)]));
    assert_ne!(value(&[(1, 5), (2, 6)]), value(&[(1, 5)]));
    assert_ne!(value(&[(u64::MAX, 5)]), value(&[(u64::MAX - 1, 5)]));
}

#[test]
fn functions_are_applied_to_their_arguments() {
    let mut pool = Pool::new();
    let declared = pool.sorts_mut().declare("S");
    let sort = pool.sorts_mut().function(&[bits(4), declared], bits(6)).expect("a first-order sort");
    let (f, x, y) = (pool.symbol("f", sort), pool.symbol("x", bits(4)), pool.symbol("y", declared));
    let application = pool.mk(Op::Apply, &[f, x, y]);
    assert_eq!(pool.sort(application), bits(6));
    let element = |number| Value::Element(declared, number);
    let number = |value, width| Value::from(BitVec::from_u64(value, width));
    let mut function = FunctionValue::constant(number(9, 6));
    function.define(vec![number(3, 4), element(1)], number(33, 6));
    let mut assignment = Assignment::new();
    assignment.set(f, function);
    for (argument, second, expected) in [(3, 1, 33), (3, 0, 9), (1, 1, 9)] {
        assignment.set(x, number(argument, 4));
        assignment.set(y, element(second));
        assert_eq!(eval(&pool, application, &assignment), number(expected, 6));
    }
}

/// Equal arguments give equal results, whatever the function, the arguments being arrays, elements or words.
#[test]
fn functions_are_congruent() {
    let mut applied = 0;
    for seed in 0..200 {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(seed));
        let [param, result] = [(); 2].map(|()| random.sort(&mut pool));
        let sort = pool.sorts_mut().function(&[param], result).expect("a first-order sort");
        let f = pool.symbol("f", sort);
        let [a, b] = [(); 2].map(|()| random.term(&mut pool, param, 3));
        let equal = pool.mk(Op::Eq, &[a, b]);
        let [fa, fb] = [a, b].map(|x| pool.mk(Op::Apply, &[f, x]));
        let results = pool.mk(Op::Eq, &[fa, fb]);
        let congruent = pool.mk(Op::Implies, &[equal, results]);
        let assignment = random.assignment(&pool, &[congruent]);
        assert!(eval(&pool, congruent, &assignment).expect_bool());
        applied += usize::from(a != b && eval(&pool, equal, &assignment).expect_bool());
    }
    assert!(applied > 10, "the arguments are hardly ever equal: {applied}");
}

#[test]
fn distinct_elements_of_declared_sorts() {
    let mut pool = Pool::new();
    let [s, t] = ["S", "S"].map(|name| pool.sorts_mut().declare(name));
    assert_ne!(s, t);
    let x: Vec<Term> = (0..4).map(|_| pool.symbol("x", s)).collect();
    let all = pool.mk(Op::Distinct, &x);
    let mut assignment = Assignment::new();
    assert!(!eval(&pool, all, &assignment).expect_bool(), "without values they are all the default");
    x.iter().enumerate().for_each(|(i, &symbol)| assignment.set(symbol, Value::Element(s, i as u32)));
    assert!(eval(&pool, all, &assignment).expect_bool());
    assignment.set(x[3], Value::Element(s, 0));
    assert!(!eval(&pool, all, &assignment).expect_bool());
}
