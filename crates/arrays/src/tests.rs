//! The checker against the reference semantics.
//!
//! Two worlds: leaves that come from real arrays (the checker must agree, and never find a conflict), and
//! leaves with random values (each lemma must hold under random real arrays and fail in the model; where none
//! is found, the arrays it gives must make every leaf true).
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::expansion::Expansions;
use crate::graph::Graph;
use crate::*;
use bivalve_limits::Deadline;
use bivalve_refine::{Lemma, Refinement, Refiners};
use bivalve_terms::testing::TermGen;
use bivalve_terms::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Operators that make arrays interesting; the twice named are taken twice as often.
const OPS: &[Op] = &[
    Op::Select,
    Op::Select,
    Op::Store,
    Op::Store,
    Op::ConstArray,
    Op::Ite,
    Op::Eq,
    Op::Eq,
    Op::Distinct,
    Op::Not,
    Op::And,
    Op::Apply,
    Op::BvAdd,
];

#[derive(Clone, Copy)]
struct World {
    width: u32,
    nested: bool,
    functions: bool,
}

const WORLDS: &[World] = &[
    World { width: 1, nested: false, functions: false },
    World { width: 2, nested: false, functions: true },
    World { width: 8, nested: false, functions: true },
    World { width: 2, nested: true, functions: true },
    World { width: 40, nested: false, functions: false },
];

/// A random formula about arrays, with binary equalities.
fn formula(seed: u64, world: World) -> (Pool, TermGen, Term) {
    let mut pool = Pool::new();
    let mut random = TermGen::new(seed);
    random.arrays = true;
    random.nested_arrays = world.nested;
    random.functions = world.functions;
    random.uninterpreted = world.functions;
    random.max_width = world.width;
    random.ops = OPS.to_vec();
    if seed.is_multiple_of(2) {
        // No accesses.
        random.ops.retain(|op| !matches!(op, Op::Select | Op::Apply));
    }
    random.symbols_per_sort = 2;
    let size = random.rng().usize(4..24);
    let parts: Vec<Term> = (0..3).map(|_| random.term(&mut pool, Sort::BOOL, size)).collect();
    let root = pool.and_all(&parts);
    let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::default())]);
    let root = refiners.abstracted(&mut pool, root, &Deadline::unlimited()).unwrap();
    (pool, random, root)
}

/// Whether a term is a variable of the abstraction.
fn is_leaf(pool: &Pool, term: Term) -> bool {
    let bits = |term: Term| {
        pool.sort(term).is_bool()
            || pool.sort(term).is_bitvec()
            || pool.sorts().is_uninterpreted(pool.sort(term))
    };
    match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => bits(term),
        Op::Eq => pool.sorts().array_parts(pool.sort(pool.args(term)[0])).is_some(),
        _ => false,
    }
}

/// Values for the leaves below some roots as real arrays and functions have them.
fn real_leaves(pool: &Pool, roots: &[Term], model: &Assignment, leaves: &mut BTreeMap<Term, Value>) {
    let mut evaluator = Evaluator::new(pool, model);
    for term in cone(pool, roots) {
        if is_leaf(pool, term) {
            leaves.insert(term, evaluator.eval(term).clone());
        }
    }
}

/// An index at which two different arrays differ, if it is easily found: there are many arrays that can be
/// indices.
fn difference(pool: &Pool, sort: Sort, a: &ArrayValue, b: &ArrayValue) -> Option<Value> {
    let (index, _) = pool.sorts().array_parts(sort).unwrap();
    let mut candidates: Vec<Value> = a.entries().chain(b.entries()).map(|(index, _)| index.clone()).collect();
    match pool.sorts().kind(index) {
        SortKind::Bool => candidates.extend([false.into(), true.into()]),
        SortKind::BitVec(width) => candidates.extend((0..64).map(|v| BitVec::from_u64(v, width).into())),
        SortKind::Uninterpreted(_) => candidates.extend((0..64).map(|n| Value::Element(index, n))),
        _ => candidates.push(Value::default_of(pool.sorts(), index)),
    }
    let differs = |index: &Value| a.select(index) != b.select(index);
    candidates.into_iter().find(differs)
}

/// Takes in the terms of lemmas, and gives witnesses their values; `false` if that was too hard.
fn take_in(
    refiners: &mut Refiners,
    pool: &Pool,
    lemmas: &[Lemma],
    model: &mut Assignment,
    leaves: &mut BTreeMap<Term, Value>,
) -> bool {
    for lemma in lemmas {
        refiners.learn(pool, lemma);
        if lemma.reason == Reason::Witness.name() {
            let atom = lemma.literals[0].0;
            let &[a, b] = pool.args(atom) else { unreachable!() };
            let witness = cone(pool, &[lemma.literals[1].0])
                .into_iter()
                .filter(|&t| pool.name(t) == Some("a witness"))
                .max()
                .unwrap();
            let [x, y] = [a, b].map(|t| eval(pool, t, model));
            if x != y {
                match difference(pool, pool.sort(a), x.expect_array(), y.expect_array()) {
                    Some(index) => model.set(witness, index),
                    None => return false,
                }
            }
        }
        let roots: Vec<Term> = lemma.literals.iter().map(|literal| literal.0).collect();
        real_leaves(pool, &roots, model, leaves);
    }
    true
}

/// The arrays of an inspection make every leaf true that has a value.
fn assert_fits(pool: &Pool, arrays: Vec<(Term, Value)>, leaves: &BTreeMap<Term, Value>, context: &str) {
    let mut model = Assignment::new();
    for (&term, value) in leaves {
        if pool.op(term) == Op::Symbol {
            model.set(term, value.clone());
        }
    }
    for (symbol, value) in arrays {
        model.set(symbol, value);
    }
    let mut evaluator = Evaluator::new(pool, &model);
    for (&term, value) in leaves {
        assert_eq!(evaluator.eval(term), value, "{context}: {term:?} {:?}", pool.op(term));
    }
}

/// Real arrays are never refuted, and the checker finds arrays that fit.
#[test]
fn real_arrays_are_consistent() {
    let mut witnesses = 0;
    for (number, &world) in WORLDS.iter().enumerate() {
        for seed in 0..400 {
            let context = format!("world {number}, seed {seed}");
            let (mut pool, mut random, root) = formula(seed, world);
            let mut model = random.assignment(&pool, &[root]);
            let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::default())]);
            refiners.take_in(&pool, root);
            let mut leaves = BTreeMap::new();
            real_leaves(&pool, &[root], &model, &mut leaves);
            for round in 0.. {
                assert!(round < 50, "{context}: no end");
                let mut values = |_: &Pool, term: Term| leaves.get(&term).cloned();
                let lemmas = match refiners.check(&mut pool, &mut values, &Deadline::unlimited()) {
                    Refinement::Unknown(_) if world.nested => break,
                    Refinement::Unknown(why) => panic!("{context}: {why}"),
                    Refinement::Lemmas(lemmas) => lemmas,
                    Refinement::Consistent(arrays) => {
                        assert_fits(&pool, arrays, &leaves, &context);
                        break;
                    }
                };
                if !take_in(&mut refiners, &pool, &lemmas, &mut model, &mut leaves) {
                    assert!(world.nested, "{context}: no difference found");
                    break;
                }
                for lemma in &lemmas {
                    witnesses += usize::from(lemma.reason == Reason::Witness.name());
                    let holds =
                        lemma.literals.iter().any(|&(t, v)| eval(&pool, t, &model).expect_bool() == v);
                    assert!(holds, "{context}: {lemma:?} refutes a real model");
                    // A lemma over atoms that are new is no conflict; all others must have been false.
                    let refutes = [Reason::Congruence, Reason::Constant, Reason::Default]
                        .iter()
                        .any(|reason| lemma.reason == reason.name());
                    let new = lemma.literals.iter().any(|&(t, _)| pool.op(t) == Op::Eq && is_leaf(&pool, t));
                    assert!(!refutes || new, "{context}: {lemma:?} refutes a real model");
                }
            }
        }
    }
    assert!(witnesses > 100, "{witnesses}: too easy");
}

/// Whatever the leaves say: lemmas are valid and fail in the model, and without lemmas there are arrays that
/// fit.
#[test]
fn lemmas_are_valid_and_fail() {
    let (mut counts, mut consistent) = (FxHashMap::default(), 0);
    for (number, &world) in WORLDS.iter().enumerate() {
        for seed in 0..600 {
            let context = format!("world {number}, seed {seed}");
            let (mut pool, mut random, root) = formula(seed, world);
            let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::default())]);
            let per_round = LemmasPerRound::ALL[seed as usize % 4].1;
            let strategy = (STRATEGIES[seed as usize / 4 % STRATEGIES.len()].make)();
            refiners.replace(vec![Box::new(ArrayRefiner::new(per_round, strategy))]);
            refiners.take_in(&pool, root);
            let mut leaves: BTreeMap<Term, Value> = BTreeMap::new();
            let mut witnesses: Vec<Lemma> = vec![];
            for _ in 0..6 {
                for axiom in refiners.eager(&mut pool) {
                    *counts.entry(axiom.reason).or_insert(0) += 1;
                    check_lemma(&mut pool, &mut random, &leaves, &axiom, false, &context);
                }
                for term in cone(&pool, &[root]) {
                    let hidden = matches!(pool.op(term), Op::Select | Op::Apply)
                        && seed.is_multiple_of(3)
                        && random.rng().u8(..4) == 0;
                    if is_leaf(&pool, term) && !leaves.contains_key(&term) && !hidden {
                        leaves.insert(term, random.value(&pool, pool.sort(term)));
                    }
                }
                let none = Assignment::new();
                let mut values = |_: &Pool, term: Term| leaves.get(&term).cloned();
                let lemmas = match refiners.check(&mut pool, &mut values, &Deadline::unlimited()) {
                    Refinement::Unknown(_) => break,
                    Refinement::Lemmas(lemmas) => lemmas,
                    Refinement::Consistent(arrays) => {
                        // The solver would have kept the clauses of the witnesses; chance does not.
                        let mut values = |_: &Pool, term| leaves.get(&term).cloned();
                        let mut evaluator = Evaluator::with_leaves(&pool, &none, &mut values);
                        let kept = |lemma: &Lemma, e: &mut Evaluator<'_>| {
                            lemma.literals.iter().any(|&(t, v)| e.eval(t).expect_bool() == v)
                        };
                        if !witnesses.iter().all(|lemma| kept(lemma, &mut evaluator)) {
                            break;
                        }
                        consistent += 1;
                        assert_fits(&pool, arrays, &leaves, &context);
                        break;
                    }
                };
                assert!(!lemmas.is_empty());
                for (position, lemma) in lemmas.iter().enumerate() {
                    // Those after the first may speak of a model that was repaired.
                    let is_besides =
                        [Reason::Axiom, Reason::Expansion].iter().any(|r| lemma.reason == r.name());
                    let fails = !is_besides && (per_round == LemmasPerRound::Each || position == 0);
                    *counts.entry(lemma.reason).or_insert(0) += 1;
                    check_lemma(&mut pool, &mut random, &leaves, lemma, fails, &context);
                }
                witnesses
                    .extend(lemmas.iter().filter(|lemma| lemma.reason == Reason::Witness.name()).cloned());
                // Another model of the abstraction: some leaves change, new ones get values.
                for lemma in &lemmas {
                    refiners.learn(&pool, lemma);
                    for term in cone(&pool, &lemma.literals.iter().map(|l| l.0).collect::<Vec<_>>()) {
                        if is_leaf(&pool, term) {
                            leaves.insert(term, random.value(&pool, pool.sort(term)));
                        }
                    }
                }
            }
        }
    }
    assert!(consistent > 300, "{consistent} consistent");
    for reason in [
        Reason::Congruence,
        Reason::Constant,
        Reason::Default,
        Reason::Witness,
        Reason::Transitivity,
        Reason::Axiom,
    ] {
        assert!(counts.get(reason.name()).copied().unwrap_or(0) > 30, "{counts:?}");
    }
}

fn check_lemma(
    pool: &mut Pool,
    random: &mut TermGen,
    leaves: &BTreeMap<Term, Value>,
    lemma: &Lemma,
    fails: bool,
    context: &str,
) {
    if lemma.reason == Reason::Witness.name() {
        return;
    }
    let roots: Vec<Term> = lemma.literals.iter().map(|literal| literal.0).collect();
    for _ in 0..20 {
        let model = random.assignment(pool, &roots);
        let holds = lemma.literals.iter().any(|&(t, v)| eval(pool, t, &model).expect_bool() == v);
        assert!(holds, "{context}: {lemma:?} is not valid");
    }
    // Without free reads below, each literal is false where its atom is known.
    let known = cone(pool, &roots).iter().all(|&t| !is_leaf(pool, t) || leaves.contains_key(&t));
    if known && fails {
        let none = Assignment::new();
        let mut values = |_: &Pool, term| leaves.get(&term).cloned();
        let mut evaluator = Evaluator::with_leaves(pool, &none, &mut values);
        for &(t, v) in &lemma.literals {
            assert!(evaluator.eval(t).expect_bool() != v, "{context}: {lemma:?} does not fail at {t:?}");
        }
    }
}

/// The expansion of a read is equal to it, and both sides of an equality have the same expansions, under any
/// arrays.
#[test]
fn expansions_are_valid() {
    let (mut reads, mut crossings) = (0, 0);
    for (number, &world) in WORLDS.iter().enumerate() {
        for seed in 0..400 {
            let (mut pool, mut random, root) = formula(seed, world);
            let mut expansions = Expansions::default();
            let terms = cone(&pool, &[root]);
            let indices: Vec<Term> =
                terms.iter().filter(|&&t| pool.op(t) == Op::Select).map(|&t| pool.args(t)[1]).collect();
            let mut clauses = vec![];
            for &term in &terms {
                if pool.op(term) == Op::Select && expansions.is_open(&pool, &Graph::default(), term) {
                    let most = expansions.cost(&pool, &[(pool.args(term)[0], pool.args(term)[1])], 1000);
                    clauses.push(expansions.read(&mut pool, term));
                    assert!(most.is_some() && expansions.of(term).is_some());
                    reads += 1;
                }
                let is_over_arrays = is_leaf(&pool, term) && pool.op(term) == Op::Eq;
                let over =
                    |t: Term| pool.sorts().array_parts(pool.sort(pool.args(t)[0])).map(|parts| parts.0);
                let index = indices.iter().find(|&&i| is_over_arrays && over(term) == Some(pool.sort(i)));
                if let Some(&index) = index
                    && expansions.is_open_crossing(&pool, &Graph::default(), term, index)
                {
                    clauses.push(expansions.crossing(&mut pool, term, index));
                    crossings += 1;
                }
            }
            for clause in clauses {
                let atoms: Vec<Term> = clause.iter().map(|literal| literal.0).collect();
                for _ in 0..5 {
                    let model = random.assignment(&pool, &atoms);
                    let holds = clause.iter().any(|&(t, v)| eval(&pool, t, &model).expect_bool() == v);
                    assert!(holds, "world {number}, seed {seed}: {clause:?}");
                }
            }
        }
    }
    assert!(reads > 300 && crossings > 100, "{reads} reads, {crossings} equalities: too easy");
}

/// Bytes, arrays of them, and reads of one array at one index each.
fn arrays_and_reads(count: u32) -> (Pool, Vec<Term>, Vec<Term>) {
    let mut pool = Pool::new();
    let byte = Sort::bitvec(8).unwrap();
    let sort = pool.sorts_mut().array(byte, byte).unwrap();
    let arrays: Vec<Term> = (0..count).map(|number| pool.symbol(&format!("a{number}"), sort)).collect();
    let indices: Vec<Term> = (0..count).map(|number| pool.symbol(&format!("i{number}"), byte)).collect();
    let reads = indices.iter().map(|&index| pool.mk(Op::Select, &[arrays[0], index])).collect();
    (pool, arrays, reads)
}

/// Expansions stayed after their reads were gone. One of a read that stays is kept, in whatever scope it was
/// made; one of an equality goes with its index.
#[test]
fn expansions_go_with_their_scopes() {
    let (mut pool, arrays, reads) = arrays_and_reads(3);
    let &[old, new, temporary] = &reads[..] else { unreachable!("three reads") };
    let [i, j, k] = [old, new, temporary].map(|read| pool.args(read)[1]);
    let written = pool.mk(Op::Store, &[arrays[0], j, old]);
    let same = pool.mk(Op::Eq, &[arrays[1], written]);
    let [at_i, at_k] = [i, k].map(|index| pool.mk(Op::Select, &[written, index]));
    let mut expansions = Expansions::default();
    let enter = |expansions: &mut Expansions, pool: &Pool, roots: &[Term]| {
        cone(pool, roots).iter().for_each(|&term| expansions.enter(pool, term));
    };
    enter(&mut expansions, &pool, &[at_i, same]);
    let mut sizes = vec![];
    for round in 0..3 {
        expansions.push();
        enter(&mut expansions, &pool, &[at_k]);
        if round > 0 {
            expansions.pay(at_i, 3);
            expansions.read(&mut pool, at_i);
            expansions.crossing(&mut pool, same, i);
        }
        expansions.pay(at_k, 3);
        expansions.read(&mut pool, at_k);
        expansions.crossing(&mut pool, same, k);
        assert!(expansions.of(at_k).is_some());
        expansions.pop();
        assert!(expansions.of(at_k).is_none());
        assert_eq!(expansions.of(at_i).is_some(), round > 0);
        sizes.push(expansions.len());
    }
    // Two arrays below the read and one more below the equality, at the one index; and three other entries.
    assert_eq!(sizes, [0, 6, 6]);
}

/// Each pair was said twice, and the limit on axioms was met after half of the reads.
#[test]
fn eager_congruences_are_those_of_pairs() {
    let (mut pool, _, reads) = arrays_and_reads(10);
    let strategy = (strategy("eager").unwrap().make)();
    let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::new(LemmasPerRound::Repair, strategy))]);
    let sum = pool.mk(Op::BvAdd, &reads);
    refiners.take_in(&pool, sum);
    assert_eq!(refiners.eager(&mut pool).len(), 45);
}

/// A chain of equal arrays of which many pairs are said to differ: the lemmas of one round were as many as
/// the pairs, each as long as the chain, whatever a round may give.
#[test]
fn equalities_give_no_more_lemmas_than_a_round_may() {
    for (per_round, most) in
        [(LemmasPerRound::One, 1), (LemmasPerRound::Each, 20), (LemmasPerRound::Repair, 20)]
    {
        let (mut pool, arrays, _) = arrays_and_reads(40);
        let mut leaves: FxHashMap<Term, Value> = FxHashMap::default();
        let chain = arrays.windows(2).map(|pair| (pair[0], pair[1], true));
        let across = (0..20).map(|number| (arrays[number], arrays[39 - number], false));
        for (a, b, holds) in chain.chain(across.filter(|pair| pair.1 > pair.0)).collect::<Vec<_>>() {
            let atom = pool.mk(Op::Eq, &[a, b]);
            leaves.entry(atom).or_insert(Value::Bool(holds));
        }
        let strategy = (strategy("demand").unwrap().make)();
        let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::new(per_round, strategy))]);
        let mut atoms: Vec<Term> = leaves.keys().copied().collect();
        atoms.sort_unstable();
        atoms.iter().for_each(|&atom| refiners.take_in(&pool, atom));
        // Witnesses come first; their lemmas are there in the second round.
        for _ in 0..2 {
            let mut value = |_: &Pool, leaf: Term| leaves.get(&leaf).cloned();
            let found = refiners.check(&mut pool, &mut value, &Deadline::unlimited());
            let Refinement::Lemmas(lemmas) = found else { panic!("the equalities contradict each other") };
            let about_classes = lemmas.iter().filter(|lemma| lemma.reason == Reason::Transitivity.name());
            assert!(
                (1..=most.max(1)).contains(&lemmas.len()) || per_round != LemmasPerRound::One,
                "{}",
                lemmas.len()
            );
            assert!(about_classes.count() <= most);
            lemmas.iter().for_each(|lemma| refiners.learn(&pool, lemma));
        }
    }
}

/// The comparison of two sums says what they say, and what both add is not in it.
#[test]
fn comparisons_of_sums_leave_out_what_both_sides_add() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(2).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let [one, three] = [1, 3].map(|value| pool.bv_u64(value, 2));
    let mut sums = vec![x, y, one];
    for level in 0..2 {
        for &a in &sums.clone()[..5.min(sums.len())] {
            for b in [x, y, z, three] {
                let pair = if level == 0 { [a, b] } else { [b, a] };
                sums.push(pool.mk(Op::BvAdd, &pair));
            }
        }
    }
    let mut cancelled = 0;
    for &a in &sums {
        for &b in &sums {
            let plain = pool.mk(Op::Eq, &[a, b]);
            let found = lemma::equality(&mut pool, a, b);
            assert_eq!(found, lemma::equality(&mut pool, b, a));
            for code in 0..64 {
                let mut assignment = Assignment::new();
                for (symbol, shift) in [(x, 0), (y, 2), (z, 4)] {
                    assignment.set(symbol, BitVec::from_u64(code >> shift & 3, 2));
                }
                assert_eq!(eval(&pool, plain, &assignment), eval(&pool, found, &assignment));
            }
            cancelled += usize::from(cone(&pool, &[found]).len() + 2 < cone(&pool, &[plain]).len());
        }
    }
    assert!(cancelled > 100, "{cancelled}");
    let [left, right] = [y, z].map(|offset| pool.mk(Op::BvAdd, &[x, offset]));
    let (least, greatest) = (y.min(z), y.max(z));
    let without = pool.mk(Op::Eq, &[least, greatest]);
    assert_eq!(lemma::equality(&mut pool, left, right), without);
}
