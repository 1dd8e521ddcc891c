//! Interpolants of random formulas are checked by brute force.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "the number of rounds is set by the environment")]

use bivalve::terms::{Op, Pool, Sort, SortKind, Term, cone, eval};
use bivalve::{Settings, Stop, Why};
use bivalve_interpolate::{Interpolator, Outcome, Tree};
use bivalve_terms::testing::{TermGen, bits, every_assignment};
use std::collections::BTreeSet;

fn symbols(pool: &Pool, formulas: &[Term]) -> BTreeSet<Term> {
    cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect()
}

/// Whether some values make all formulas true.
fn has_model(pool: &Pool, formulas: &[Term]) -> bool {
    let symbols: Vec<Term> = symbols(pool, formulas).into_iter().collect();
    every_assignment(pool, &symbols)
        .any(|assignment| formulas.iter().all(|&formula| eval(pool, formula, &assignment).expect_bool()))
}

/// A random tree of sets of formulas that contradict each other and have few bits; most often a sequence.
fn partition(seed: u64) -> Option<(Pool, Tree)> {
    let mut random = TermGen::new(seed);
    random.max_width = 3;
    let mut pool = Pool::new();
    let size = random.rng().usize(4..16);
    let count = random.rng().usize(2..5);
    let mut set = || (0..2).map(|_| random.term(&mut pool, Sort::BOOL, size)).collect::<Vec<Term>>();
    let sets: Vec<Vec<Term>> = (0..count).map(|_| set()).collect();
    let all = sets.concat();
    let few = bits(&pool, &symbols(&pool, &all).into_iter().collect::<Vec<Term>>()) <= 10;
    // A node takes up some of the subtrees before it, the last one all of them.
    let (mut starts, mut roots) = (vec![], vec![]);
    for node in 0..count {
        let kept = if node + 1 == count { 0 } else { random.rng().usize(0..=roots.len()) };
        starts.push(roots.drain(kept..).next().unwrap_or(node));
        roots.push(starts[node]);
    }
    let tree = Tree::new(sets, starts).unwrap();
    (few && !has_model(&pool, &all)).then_some((pool, tree))
}

/// The nodes of the subtree of a node, found through its children.
fn subtree(tree: &Tree, node: usize) -> BTreeSet<usize> {
    let below = tree.children(node).flat_map(|child| subtree(tree, child));
    below.chain([node]).collect()
}

fn round(seed: u64) -> Option<bool> {
    let (mut pool, tree) = partition(seed)?;
    let interpolator = Interpolator::new(Settings::default(), Stop::new());
    let found = interpolator.over(&mut pool, &tree).unwrap().unwrap();
    assert_eq!(found.len(), tree.sets().len() - 1);
    let of = |nodes: &BTreeSet<usize>| {
        nodes.iter().flat_map(|&node| tree.sets()[node].clone()).collect::<Vec<_>>()
    };
    for (node, &interpolant) in found.iter().enumerate() {
        let inside = subtree(&tree, node);
        let outside = (0..tree.sets().len()).filter(|other| !inside.contains(other)).collect();
        let (a, b) = (of(&inside), of(&outside));
        let negation = pool.mk(Op::Not, &[interpolant]);
        assert!(!has_model(&pool, &[&a[..], &[negation]].concat()), "seed {seed}: does not follow");
        assert!(!has_model(&pool, &[&b[..], &[interpolant]].concat()), "seed {seed}: does not contradict");
        let shared: BTreeSet<Term> = symbols(&pool, &a).intersection(&symbols(&pool, &b)).copied().collect();
        assert!(symbols(&pool, &[interpolant]).is_subset(&shared), "seed {seed}: foreign symbols");
    }
    let claims = tree.claims(&mut pool, &found);
    assert_eq!(claims.len(), tree.sets().len());
    for (node, claim) in claims.into_iter().enumerate() {
        assert!(!has_model(&pool, &claim), "seed {seed}: the interpolants around {node} do not fit together");
        let children: Vec<Term> = tree.children(node).map(|child| found[child]).collect();
        assert!(children.iter().all(|child| claim.contains(child)), "seed {seed}: {node}");
    }
    let root = tree.sets().len() - 1;
    assert_eq!(subtree(&tree, root).len(), tree.sets().len(), "seed {seed}: all are below the root");
    Some(tree != Tree::sequence(tree.sets().to_vec()))
}

/// `BIVALVE_INTERPOLANTS` sets the number of partitions.
#[test]
fn interpolants_are_those_by_brute_force() {
    let rounds = std::env::var("BIVALVE_INTERPOLANTS").map_or(200, |count| count.parse().expect("a number"));
    let done: Vec<bool> = (0..).filter_map(round).take(rounds).collect();
    let trees = done.iter().filter(|&&is_tree| is_tree).count();
    assert!(trees * 5 > rounds, "{trees} of {rounds} are no sequences");
}

/// What is found over arrays and functions is checked by the interpolator itself; here that there is one, as
/// long as all that is shared has bits in the end.
#[test]
fn arrays_and_functions_are_described_by_reads() {
    let rounds = std::env::var("BIVALVE_INTERPOLANTS").map_or(100, |count| count.parse().expect("a number"));
    let (mut done, mut found) = (0, 0);
    for seed in 0.. {
        let mut random = TermGen::new(seed);
        (random.max_width, random.arrays, random.functions) = (3, true, true);
        let mut pool = Pool::new();
        let size = random.rng().usize(8..40);
        let [a, b] = [0, 1].map(|_| random.term(&mut pool, Sort::BOOL, size));
        let others = symbols(&pool, &[a])
            .intersection(&symbols(&pool, &[b]))
            .any(|&symbol| !matches!(pool.sort_kind(symbol), SortKind::Bool | SortKind::BitVec(_)));
        if !others {
            continue;
        }
        let interpolator = Interpolator::new(Settings::default(), Stop::new());
        match interpolator.between(&mut pool, &[a], &[b]).unwrap() {
            Outcome::Consistent => continue,
            Outcome::Interpolant(_) => found += 1,
            Outcome::NotOverBits | Outcome::Unknown(_) => println!("seed {seed}: none"),
        }
        done += 1;
        if done == rounds {
            break;
        }
    }
    assert!(found * 100 >= done * 99, "{found} of {done}");
}

/// Two arrays are one but for one place, and different at two: what is shared is known by its reads.
#[test]
fn an_array_without_shared_indices_is_read_at_constants() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(8).unwrap();
    let array = pool.sorts_mut().array(word, word).unwrap();
    let a = pool.symbol("a", array);
    let [i, j] = ["i", "j"].map(|name| pool.symbol(name, word));
    let zero = pool.bv_u64(0, 8);
    let all_zero = pool.const_array(array, zero).unwrap();
    let one = pool.bv_u64(1, 8);
    let index = pool.bv_u64(7, 8);
    let is_place = pool.mk(Op::Eq, &[i, index]);
    let written = pool.mk(Op::Store, &[all_zero, i, one]);
    let is_written = pool.mk(Op::Eq, &[a, written]);
    let read = pool.mk(Op::Select, &[a, j]);
    let two = pool.bv_u64(2, 8);
    let differs = pool.mk(Op::Eq, &[read, two]);
    let is_other = pool.mk(Op::Eq, &[j, index]);
    let interpolator = Interpolator::new(Settings::default(), Stop::new());
    let sides = [&[is_place, is_written], &[differs, is_other]];
    let found = interpolator.between(&mut pool, sides[0], sides[1]).unwrap();
    let Outcome::Interpolant(found) = found else { panic!("{found:?}") };
    let text = pool.display(found).to_string();
    assert!(text.contains("(select a #b00000111)"), "{text}");
}

#[test]
fn what_has_none_is_told() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(4).unwrap();
    let array = pool.sorts_mut().array(word, word).unwrap();
    let [x, y, i] = ["x", "y", "i"].map(|name| pool.symbol(name, word));
    let a = pool.symbol("a", array);
    let interpolator = Interpolator::new(Settings::default(), Stop::new());
    let [below, above] = [pool.mk(Op::BvUlt, &[x, y]), pool.mk(Op::BvUlt, &[y, x])];
    assert_eq!(interpolator.between(&mut pool, &[below], &[below]).unwrap(), Outcome::Consistent);
    let found = interpolator.between(&mut pool, &[below], &[above]).unwrap();
    assert_eq!(found, Outcome::Interpolant(below));
    // The array matters, and the index at which it is read is not shared.
    let read = pool.mk(Op::Select, &[a, i]);
    let other = pool.mk(Op::Select, &[a, y]);
    let zero = pool.bv_u64(0, 4);
    let all_zero = pool.const_array(array, zero).unwrap();
    let is_zero = pool.mk(Op::Eq, &[a, all_zero]);
    let is_not = pool.mk(Op::Distinct, &[other, zero]);
    let found = interpolator.between(&mut pool, &[is_zero], &[is_not]).unwrap();
    assert_eq!(found, Outcome::Interpolant(is_zero));
    let written = pool.mk(Op::Store, &[a, i, zero]);
    let kept = pool.mk(Op::Eq, &[a, written]);
    let nowhere = pool.mk(Op::Eq, &[read, zero]);
    let contrary = pool.mk(Op::Not, &[nowhere]);
    let found = interpolator.between(&mut pool, &[kept], &[contrary]).unwrap();
    assert_eq!(found, Outcome::Interpolant(kept));
    let stop = Stop::new();
    stop.stop(Why::TimeLimit);
    let stopped = Interpolator::new(Settings::default(), stop).between(&mut pool, &[below], &[above]);
    assert_eq!(stopped.unwrap(), Outcome::Unknown(Why::TimeLimit));
}

/// Where the images of two injective functions are disjoint, there is no short interpolant.
#[test]
fn checks_for_cubes_are_limited() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(16).unwrap();
    let x = pool.symbol("x", word);
    let factor = pool.bv_u64(0x9e35, 16);
    let shift = pool.bv_u64(7, 16);
    let mut side = |name: &str, parity: u64| {
        let symbol = pool.symbol(name, word);
        let mut mixed = symbol;
        for _ in 0..2 {
            let product = pool.mk(Op::BvMul, &[mixed, factor]);
            let shifted = pool.mk(Op::BvLshr, &[product, shift]);
            mixed = pool.mk(Op::BvXor, &[product, shifted]);
        }
        let low = pool.mk_indexed(Op::Extract, &[0, 0], &[symbol]);
        let bit = pool.bv_u64(parity, 1);
        [(x, mixed), (low, bit)].map(|(a, b)| pool.mk(Op::Eq, &[a, b])).to_vec()
    };
    let (a, b) = (side("a", 0), side("b", 1));
    let interpolator = Interpolator::new(Settings::default(), Stop::new()).with_checks(50);
    let outcome = interpolator.between(&mut pool, &a, &b).unwrap();
    assert_eq!(outcome, Outcome::Unknown(Why::Incomplete("too many cubes")));
}
