//! What the pool promises, over random terms of the whole language: one meaning as written is one node,
//! children come before parents, terms are rebuilt and substituted without a change of meaning.
//!
//! The judge of substitution is the reference semantics: replacing symbols by terms and evaluating is the
//! same as evaluating under the assignment that gives the symbols the values of these terms.

use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Sort, Substitution, Term, Value, cone, eval};
use std::collections::BTreeMap;

/// Calls `f` with a pool, its generator and some roots made by it, for many seeds.
fn for_random_terms(seeds: u64, mut f: impl FnMut(&mut Pool, &mut TermGen, &[Term])) {
    for seed in 0..seeds {
        let (mut pool, mut random) = (Pool::new(), TermGen::with_everything(seed));
        let roots: Vec<Term> = (0..4)
            .map(|_| {
                let sort = random.sort(&mut pool);
                random.term(&mut pool, sort, 30)
            })
            .collect();
        f(&mut pool, &mut random, &roots);
    }
}

#[test]
fn children_are_smaller_than_parents_and_cones_are_closed() {
    for_random_terms(100, |pool, _, roots| {
        let below = cone(pool, roots);
        assert!(below.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(roots.iter().all(|root| below.binary_search(root).is_ok()));
        for &term in &below {
            assert!(pool.args(term).iter().all(|arg| *arg < term && below.binary_search(arg).is_ok()));
        }
        // Nothing is in the cone without a reason: each term is a root or someone's child.
        let used = |term: &Term| roots.contains(term) || below.iter().any(|&t| pool.args(t).contains(term));
        assert!(below.iter().all(used));
    });
}

#[test]
fn building_a_term_again_gives_the_same_term_and_nothing_else_does() {
    for_random_terms(100, |pool, _, _| {
        let mut contents = BTreeMap::new();
        for i in 0..pool.len() {
            let term = pool.nth(i);
            let (op, args) = (pool.op(term), pool.args(term).to_vec());
            let (indices, sort) = (pool.indices(term), pool.sort(term));
            let again = match op {
                Op::Symbol => continue,
                Op::Const => match pool.as_bitvec(term) {
                    Some(value) => pool.bitvec(&value),
                    None => pool.bool(pool.as_bool(term).expect("a Boolean")),
                },
                Op::ConstArray => pool.const_array(sort, args[0]).expect("it was legal before"),
                _ => pool.mk_indexed(op, &indices, &args),
            };
            assert_eq!(again, term);
            assert_eq!(pool.rebuild(term, &args), term);
            let value = (pool.as_bool(term), pool.as_bitvec(term).map(|value| value.to_binary_string()));
            let twin = contents.insert((op, indices, args, sort, value), term);
            assert_eq!(twin, None, "{term:?} stands twice");
        }
    });
}

#[test]
fn symbols_are_never_shared() {
    let mut pool = Pool::new();
    let [a, b] = [(); 2].map(|()| pool.symbol("x", Sort::BOOL));
    assert_ne!(a, b);
    assert_eq!([pool.name(a), pool.name(b)], [Some("x"); 2]);
    assert_eq!(pool.rebuild(a, &[]), a);
}

#[test]
fn constants_of_any_width_are_read_back() {
    let mut random = TermGen::new(1);
    let mut pool = Pool::new();
    for width in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000] {
        for _ in 0..50 {
            let value = random.bitvec(width);
            let term = pool.bitvec(&value);
            assert_eq!(pool.as_bitvec(term), Some(value.clone()));
            assert_eq!(pool.as_u64(term), (width <= 64).then(|| value.low_u64()));
            assert_eq!(pool.as_bool(term), None);
            assert_eq!(pool.bitvec(&value), term);
            assert!(pool.is_const(term) && pool.width(term) == Some(width));
        }
    }
    // The same number at different widths, and the Booleans beside 0 and 1, are different terms.
    let mut ones: Vec<Term> = (1..200).map(|width| pool.bitvec(&BitVec::one(width))).collect();
    ones.extend([pool.bool(true), pool.bool(false)]);
    let count = ones.len();
    ones.sort_unstable();
    ones.dedup();
    assert_eq!(ones.len(), count);
}

#[test]
fn a_conjunction_of_any_number_of_terms() {
    let mut pool = Pool::new();
    let [a, b, c] = [(); 3].map(|()| pool.symbol("x", Sort::BOOL));
    assert_eq!(pool.and_all(&[]), pool.bool(true));
    assert_eq!(pool.and_all(&[a]), a);
    let all = pool.and_all(&[a, b, c]);
    assert_eq!((pool.op(all), pool.args(all)), (Op::And, &[a, b, c][..]));
    assert!(pool.is_variadic(all) && !pool.is_variadic(a));
}

#[test]
#[should_panic(expected = "rebuilt over children of other sorts")]
fn no_term_is_rebuilt_into_an_ill_sorted_one() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::bitvec(4).expect("a legal width"));
    let wide = pool.symbol("y", Sort::bitvec(5).expect("a legal width"));
    let sum = pool.mk(Op::BvAdd, &[x, x]);
    pool.rebuild(sum, &[x, wide]);
}

#[test]
#[should_panic(expected = "argument 2 of 'and'")]
fn internal_code_that_builds_ill_sorted_terms_is_stopped_in_release_builds_too() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::bitvec(4).expect("a legal width"));
    let t = pool.bool(true);
    pool.mk(Op::And, &[t, x]);
}

/// Replacing symbols by terms, then evaluating, is evaluating under the values of these terms.
#[test]
fn substitution_keeps_the_meaning() {
    let mut changed = 0;
    for_random_terms(300, |pool, random, roots| {
        let symbols: Vec<Term> = cone(pool, roots)
            .into_iter()
            .filter(|&t| pool.op(t) == Op::Symbol && first_class(pool, t))
            .collect();
        let mut substitution = Substitution::new();
        let mut pairs = vec![];
        for symbol in symbols {
            if random.rng().bool() {
                // The image may contain other symbols that are replaced, or itself: all happens at once.
                let image = random.term(pool, pool.sort(symbol), 5);
                substitution.insert(pool, symbol, image);
                pairs.push((symbol, image));
            }
        }
        let images: Vec<Term> = roots.iter().map(|&root| substitution.apply(pool, root)).collect();
        let all: Vec<Term> =
            roots.iter().chain(&images).chain(pairs.iter().map(|(_, to)| to)).copied().collect();
        let assignment = random.assignment(pool, &all);
        let mut extended = assignment.clone();
        pairs.iter().for_each(|&(from, to)| extended.set(from, eval(pool, to, &assignment)));
        let (mut after, mut before) = (Evaluator::new(pool, &assignment), Evaluator::new(pool, &extended));
        for (&root, &image) in roots.iter().zip(&images) {
            assert_eq!(pool.sort(root), pool.sort(image));
            assert_eq!(after.eval(image), before.eval(root));
            changed += usize::from(root != image);
        }
        for (&root, &image) in roots.iter().zip(&images) {
            assert_eq!(substitution.apply(pool, root), image, "a second time");
        }
    });
    assert!(changed > 300, "hardly anything was replaced: {changed}");
}

fn first_class(pool: &Pool, term: Term) -> bool {
    pool.sorts().function_parts(pool.sort(term)).is_none()
}

/// Inner terms, not only symbols, are replaced by terms of equal value.
#[test]
fn replacing_a_term_by_its_value_changes_no_value() {
    for_random_terms(200, |pool, random, roots| {
        let assignment = random.assignment(pool, roots);
        let mut substitution = Substitution::new();
        for term in cone(pool, roots) {
            if random.rng().u32(..4) == 0 && first_class(pool, term) {
                let value = eval(pool, term, &assignment);
                let Some(constant) = pool.constant(&value) else { continue };
                substitution.insert(pool, term, constant);
            }
        }
        for &root in roots {
            let image = substitution.apply(pool, root);
            assert_eq!(eval(pool, image, &assignment), eval(pool, root, &assignment));
        }
    });
}

#[test]
fn images_are_not_substituted_again_and_late_pairs_count() {
    let mut pool = Pool::new();
    let [a, b, c] = [(); 3].map(|()| pool.symbol("x", Sort::BOOL));
    let (ab, bc) = (pool.mk(Op::Or, &[a, b]), pool.mk(Op::Or, &[b, c]));
    let mut swap = Substitution::new();
    swap.insert(&pool, a, b);
    swap.insert(&pool, b, a);
    let ba = pool.mk(Op::Or, &[b, a]);
    assert_eq!(swap.apply(&mut pool, ab), ba);
    swap.insert(&pool, b, c);
    assert_eq!(swap.apply(&mut pool, ab), bc, "what was rebuilt before is forgotten");
    assert_eq!(swap.apply(&mut pool, a), b);
    // The whole term counts before its parts.
    swap.insert(&pool, ab, a);
    let not = pool.mk(Op::Not, &[ab]);
    let expected = pool.mk(Op::Not, &[a]);
    assert_eq!(swap.apply(&mut pool, not), expected);
}

#[test]
#[should_panic(expected = "a substitution keeps sorts")]
fn a_substitution_keeps_sorts() {
    let mut pool = Pool::new();
    let a = pool.symbol("x", Sort::BOOL);
    let zero = pool.bv_u64(0, 1);
    Substitution::new().insert(&pool, a, zero);
}

#[test]
fn symbols_without_a_value_have_the_default_of_their_sort() {
    for_random_terms(50, |pool, _, roots| {
        let mut explicit = Assignment::new();
        for term in cone(pool, roots) {
            if pool.op(term) == Op::Symbol {
                explicit.set(term, Value::default_of(pool.sorts(), pool.sort(term)));
            }
        }
        for &root in roots {
            assert_eq!(eval(pool, root, &Assignment::new()), eval(pool, root, &explicit));
        }
    });
}
