//! Narrow words and short arrays against the wide ones, by brute force on random conjuncts.

use super::indices::run as small_indices;
use super::run as small_domains;
use super::*;
use crate::unconstrained::tests::{alone, assignments, holds, symbols};
use bivalve_rewrite::{Level, Rewriter, RuleTable, make};
use bivalve_terms::{ArrayValue, Assignment, BitVec, Sort, Value, cone, eval};
use std::collections::BTreeSet;

/// Whether conjuncts are satisfiable, by all assignments; and that narrow ones are if they are, with models
/// that lift.
fn is_satisfiable_like(pool: &Pool, conjuncts: &[Term], left: &Elimination, seed: u64) -> bool {
    let before = symbols(pool, conjuncts);
    let satisfiable = assignments(pool, &before).iter().any(|a| holds(pool, conjuncts, a));
    let after = symbols(pool, &left.conjuncts);
    let mut any = false;
    for assignment in assignments(pool, &after) {
        if holds(pool, &left.conjuncts, &assignment) {
            any = true;
            let mut lifted = assignment.clone();
            for defined in &left.defined {
                lifted.set(defined.symbol, eval(pool, defined.term, &assignment));
            }
            assert!(holds(pool, conjuncts, &lifted), "seed {seed}: {lifted:?}");
        }
    }
    assert_eq!(any, satisfiable, "seed {seed}");
    satisfiable
}

/// Random formulas over equations, and some over comparisons, of symbols and constants: satisfiable exactly
/// if the narrow ones are, with models that lift.
#[test]
fn small_domains_keep_satisfiability_and_models_lift() {
    let (mut narrowed, mut unsat) = ([0; 3], [0; 3]);
    let table = std::sync::Arc::new(RuleTable::new());
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let width = 2 + (seed % 3) as u32;
        let sort = Sort::bitvec(width).unwrap();
        let symbols: Vec<Term> = (0..3).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
        let condition = pool.symbol("c", Sort::BOOL);
        // Equations, or unsigned or signed comparisons, too; those with smaller constants.
        let order = [None, None, Some(Op::BvUlt), Some(Op::BvSlt)][(seed / 4 % 4) as usize];
        let word = |pool: &mut Pool, random: &mut fastrand::Rng| match random.u8(..6) {
            0 if order.is_some() && width < 4 => symbols[random.usize(..3)],
            0 if order == Some(Op::BvSlt) => pool.bv_u64(random.u64(..3).wrapping_sub(1) & 15, width),
            0 if order.is_some() => pool.bv_u64(random.u64(..3), width),
            0 => pool.bv_u64(random.u64(..4) * random.u64(1..4), width),
            1 => {
                let [a, b] = [(); 2].map(|()| symbols[random.usize(..3)]);
                pool.mk(Op::Ite, &[condition, a, b])
            }
            2 if seed % 5 == 0 => pool.mk(Op::BvNot, &[symbols[0]]),
            _ => symbols[random.usize(..3)],
        };
        let formula = |pool: &mut Pool, random: &mut fastrand::Rng| {
            let mut literals = vec![];
            for _ in 0..3 {
                let (a, b, c) = (word(pool, random), word(pool, random), word(pool, random));
                let atom = match random.u8(..5) {
                    0 => pool.mk(Op::Distinct, &[a, b, c]),
                    1..4 if let Some(order) = order => pool.mk(order, &[a, b]),
                    _ => pool.mk(Op::Eq, &[a, b]),
                };
                literals.push(if random.bool() { atom } else { pool.mk(Op::Not, &[atom]) });
            }
            let both = pool.mk(Op::And, &literals[..2]);
            pool.mk(Op::Or, &[both, literals[2]])
        };
        let count = random.usize(1..5);
        let conjuncts: Vec<Term> = (0..count).map(|_| formula(&mut pool, &mut random)).collect();
        // Normal form, but no definitions, which would leave little.
        let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
        let conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| rewriter.rewrite(&mut pool, c)).collect();
        let left =
            alone(small_domains, &mut pool, &conjuncts, &|symbol| seed % 7 == 0 && symbol == symbols[0]);
        if left.defined.is_empty() {
            continue;
        }
        let kind = order.map_or(0, |order| if order == Op::BvUlt { 1 } else { 2 });
        narrowed[kind] += 1;
        unsat[kind] += u32::from(!is_satisfiable_like(&pool, &conjuncts, &left, seed));
    }
    let enough = narrowed.iter().all(|&n| n > 60) && unsat.iter().all(|&n| n > 10);
    assert!(enough, "{narrowed:?} narrowed, {unsat:?} unsat");
}

/// Reads of an array that is only read, beside a symbol, compared by order or not: narrow ones mean the same.
#[test]
fn elements_that_are_only_compared_are_narrowed() {
    let (mut narrowed, mut unsat) = (0, 0);
    let table = std::sync::Arc::new(RuleTable::new());
    for seed in 0..600 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let (bit, element) = (Sort::bitvec(1).unwrap(), Sort::bitvec(3).unwrap());
        let sort = pool.sorts_mut().array(bit, element).unwrap();
        let (array, x) = (pool.symbol("a", sort), pool.symbol("x", element));
        let indices = [pool.symbol("i", bit), pool.symbol("j", bit), pool.bv_u64(1, 1)];
        let reads = indices.map(|index| pool.mk(Op::Select, &[array, index]));
        let mut conjuncts = vec![];
        for _ in 0..random.usize(2..6) {
            let [a, b, c] = [(); 3].map(|()| random.choice([reads.as_slice(), &[x]].concat()).unwrap());
            let op = if seed % 2 == 0 && random.bool() { Op::BvUlt } else { Op::Eq };
            let (one, other) = (pool.mk(op, &[a, b]), pool.mk(op, &[b, c]));
            let other = if random.bool() { other } else { pool.mk(Op::Not, &[other]) };
            let either = pool.mk(Op::Or, &[one, other]);
            conjuncts.push(if random.bool() { either } else { pool.mk(Op::Not, &[one]) });
        }
        if random.bool() {
            let agree = pool.mk(Op::Eq, &indices[..2]);
            conjuncts.push(agree);
        }
        let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
        let conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| rewriter.rewrite(&mut pool, c)).collect();
        let is_used = |symbol: Term| seed % 7 == 0 && symbol == array;
        let left = alone(small_domains, &mut pool, &conjuncts, &is_used);
        assert!(!is_used(array) || left.defined.iter().all(|defined| defined.symbol != array));
        if left.defined.iter().any(|defined| defined.symbol == array) {
            narrowed += 1;
            unsat += usize::from(!is_satisfiable_like(&pool, &conjuncts, &left, seed));
        }
    }
    assert!(narrowed > 200 && unsat > 20, "{narrowed} narrowed, {unsat} unsat");
}

/// Arrays that are written to, chosen from and constant, whose elements are only compared: narrow ones mean
/// the same.
#[test]
fn elements_that_are_written_and_compared_are_narrowed() {
    let (mut narrowed, mut unsat) = (0, 0);
    let table = std::sync::Arc::new(RuleTable::new());
    for seed in 0..1500 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let (bit, element) = (Sort::bitvec(1).unwrap(), Sort::bitvec(3).unwrap());
        let sort = pool.sorts_mut().array(bit, element).unwrap();
        let (array, x) = (pool.symbol("a", sort), pool.symbol("x", element));
        let indices = [pool.symbol("i", bit), pool.symbol("j", bit), pool.bv_u64(1, 1)];
        let one = pool.bv_u64(1, 3);
        let mut arrays = vec![array];
        if seed % 5 == 0 {
            arrays.push(pool.const_array(sort, x).unwrap());
        }
        let mut words = vec![x, one, pool.mk(Op::Select, &[array, indices[0]])];
        let mut pick = |from: &[Term]| from[random.usize(..from.len())];
        let (mut atoms, ops) = (vec![], [Op::Eq, [Op::BvUlt, Op::BvSlt, Op::Eq][seed as usize % 3]]);
        for step in 0..4 {
            let write = [pick(&arrays), pick(&indices), pick(&words)];
            let written = pool.mk(Op::Store, &write);
            let sides = [pick(&words), pick(&words)];
            atoms.push(pool.mk(ops[step % 2], &sides));
            let choice = [atoms[step], written, pick(&arrays)];
            arrays.push(if step % 2 == 0 { written } else { pool.mk(Op::Ite, &choice) });
            let read = [arrays[arrays.len() - 1], pick(&indices)];
            words.push(pool.mk(Op::Select, &read));
        }
        let conjuncts: Vec<Term> =
            atoms.iter().map(|&atom| if random.bool() { atom } else { pool.mk(Op::Not, &[atom]) }).collect();
        let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
        let conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| rewriter.rewrite(&mut pool, c)).collect();
        let is_used = |symbol: Term| seed % 7 == 0 && symbol == array;
        let left = alone(small_domains, &mut pool, &conjuncts, &is_used);
        assert!(!is_used(array) || left.defined.iter().all(|defined| defined.symbol != array));
        let is_written = conjuncts.iter().any(|&c| mentions(&pool, c, Op::Store));
        if is_written && left.defined.iter().any(|defined| defined.symbol == array) {
            narrowed += 1;
            unsat += usize::from(!is_satisfiable_like(&pool, &conjuncts, &left, seed));
        }
    }
    assert!(narrowed > 100 && unsat > 20, "{narrowed} narrowed, {unsat} unsat");
}

/// Arrays that are written to, chosen from, constant and compared, whose indices are only compared: short
/// ones mean the same. Two symbols and a constant need four numbers, as do two symbols and two equations of
/// arrays, and one symbol and three equations.
#[test]
fn arrays_are_short_if_their_indices_are_only_compared() {
    let (mut shortened, mut unsat, mut compared) = (0, 0, 0);
    let table = std::sync::Arc::new(RuleTable::new());
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pool = Pool::new();
        let (index, bit) = (Sort::bitvec(3).unwrap(), Sort::bitvec(1).unwrap());
        let sort = pool.sorts_mut().array(index, bit).unwrap();
        let array = pool.symbol("a", sort);
        let mut indices = vec![pool.symbol("i", index)];
        indices.push(match seed % 3 {
            0 => pool.bv_u64(5, 3),
            _ => indices[0],
        });
        if seed % 3 < 2 {
            indices.push(pool.symbol("j", index));
        }
        let bits = [pool.bv_u64(0, 1), pool.bv_u64(1, 1)];
        let mut words = vec![bits[0], bits[1], pool.mk(Op::Select, &[array, indices[0]])];
        let mut arrays = vec![array];
        arrays.extend(bits.map(|bit| pool.const_array(sort, bit).unwrap()));
        let mut pick = |from: &[Term]| from[random.usize(..from.len())];
        let mut atoms = vec![pool.mk(Op::Eq, &[indices[0], indices[indices.len() - 1]])];
        for step in 0..3 {
            let write = [if step == 0 { array } else { pick(&arrays) }, pick(&indices), pick(&words)];
            let written = pool.mk(Op::Store, &write);
            let choice = [pick(&atoms), written, pick(&arrays)];
            arrays.push(if step == 2 { pool.mk(Op::Ite, &choice) } else { written });
            let choice = [atoms[0], pick(&indices), pick(&indices)];
            let at = if step == 1 { pool.mk(Op::Ite, &choice) } else { pick(&indices) };
            words.push(pool.mk(Op::Select, &[arrays[arrays.len() - 1], at]));
            let sides = [pick(&words), pick(&words)];
            atoms.push(pool.mk(Op::Eq, &sides));
        }
        for _ in 0..[0, 2, 3][seed as usize % 3] {
            let sides = [pick(&arrays[3..]), pick(&arrays)];
            atoms.push(pool.mk(Op::Eq, &sides));
        }
        // Not too many, or there is never a model.
        atoms.retain(|_| random.u8(..5) > 1);
        let conjuncts: Vec<Term> =
            atoms.iter().map(|&atom| if random.bool() { atom } else { pool.mk(Op::Not, &[atom]) }).collect();
        let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
        let conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| rewriter.rewrite(&mut pool, c)).collect();
        let is_used = |symbol: Term| seed % 7 == 0 && symbol == array;
        let left = alone(small_indices, &mut pool, &conjuncts, &is_used);
        assert!(!is_used(array) || left.defined.is_empty());
        if left.defined.iter().any(|defined| defined.symbol == array) {
            shortened += 1;
            unsat += usize::from(!is_satisfiable_like(&pool, &conjuncts, &left, seed));
            compared += usize::from(cone(&pool, &conjuncts).iter().any(|&term| {
                pool.op(term) == Op::Eq && index_and_element(&pool, pool.args(term)[0]).is_some()
            }));
        }
    }
    let enough = shortened > 150 && unsat.min(shortened - unsat) > 50 && compared > 100;
    assert!(enough, "{shortened} shortened, {unsat} unsat, {compared} with equations of arrays");
}

/// An array that is not zero elsewhere, and not one elsewhere, has two other elements.
#[test]
fn short_arrays_may_differ_at_an_index_for_each_equation() {
    let mut pool = Pool::new();
    let (index, bit) = (Sort::bitvec(3).unwrap(), Sort::bitvec(1).unwrap());
    let sort = pool.sorts_mut().array(index, bit).unwrap();
    let (array, i) = (pool.symbol("a", sort), pool.symbol("i", index));
    let conjuncts = [0, 1].map(|bit| {
        let bit = pool.bv_u64(bit, 1);
        let (all, written) = (pool.const_array(sort, bit).unwrap(), pool.mk(Op::Store, &[array, i, bit]));
        let agree = pool.mk(Op::Eq, &[all, written]);
        pool.mk(Op::Not, &[agree])
    });
    let left = alone(small_indices, &mut pool, &conjuncts, &|_| false);
    assert_eq!(left.defined.len(), 2);
    assert!(is_satisfiable_like(&pool, &conjuncts, &left, 0));
}

fn index_and_element(pool: &Pool, term: Term) -> Option<(Sort, Sort)> {
    pool.sorts().array_parts(pool.sort(term))
}

/// The links of a list are indices and elements: they become numbers in both places, and models lift. Where
/// something else is done with one of them, nothing changes.
#[test]
fn links_are_numbered_as_indices_and_as_elements() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(16).unwrap();
    let sort = pool.sorts_mut().array(word, word).unwrap();
    let (next, head) = (pool.symbol("next", sort), pool.symbol("head", word));
    let first = pool.mk(Op::Select, &[next, head]);
    let second = pool.mk(Op::Select, &[next, first]);
    let null = pool.bv_u64(0xfff0, 16);
    let written = pool.mk(Op::Store, &[next, first, head]);
    let conjuncts = [
        pool.mk(Op::Eq, &[second, null]),
        pool.mk(Op::Distinct, &[head, first, null]),
        pool.mk(Op::Distinct, &[written, next]),
    ];
    let left = alone(small_indices, &mut pool, &conjuncts, &|_| false);
    assert_eq!(left.defined.len(), 2);
    let narrow = Sort::bitvec(3).unwrap();
    let short = pool.sorts_mut().array(narrow, narrow).unwrap();
    let after = symbols(&pool, &left.conjuncts);
    assert!(after.iter().all(|&symbol| [narrow, short].contains(&pool.sort(symbol))));
    let (mut random, mut models) = (fastrand::Rng::with_seed(0), 0);
    for _ in 0..20_000 {
        let mut assignment = Assignment::new();
        for &symbol in &after {
            let mut number = || Value::from(BitVec::from_u64(random.u64(..8), 3));
            let value = match pool.sort(symbol) == narrow {
                true => number(),
                false => {
                    let array = ArrayValue::constant(pool.sorts(), short, number());
                    let indices = (0..8).map(|index| Value::from(BitVec::from_u64(index, 3)));
                    indices.fold(array, |array, index| array.store(&index, &number())).into()
                }
            };
            assignment.set(symbol, value);
        }
        if holds(&pool, &left.conjuncts, &assignment) {
            models += 1;
            let mut lifted = assignment.clone();
            for defined in &left.defined {
                lifted.set(defined.symbol, eval(&pool, defined.term, &assignment));
            }
            assert!(holds(&pool, &conjuncts, &lifted), "{lifted:?}");
        }
    }
    assert!(models > 100, "{models} models");
    let one = pool.bv_u64(1, 16);
    let after_head = pool.mk(Op::BvAdd, &[head, one]);
    let more = pool.mk(Op::Eq, &[after_head, first]);
    let left = alone(small_indices, &mut pool, &[conjuncts[0], conjuncts[1], conjuncts[2], more], &|_| false);
    assert!(left.defined.is_empty());
}

/// A chain of seven different nodes has a model of the short kind: each read is a word that has a number.
#[test]
fn each_link_has_a_number() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(16).unwrap();
    let sort = pool.sorts_mut().array(word, word).unwrap();
    let (next, head) = (pool.symbol("next", sort), pool.symbol("head", word));
    let mut nodes = vec![head];
    while nodes.len() < 7 {
        nodes.push(pool.mk(Op::Select, &[next, nodes[nodes.len() - 1]]));
    }
    let conjunct = pool.mk(Op::Distinct, &nodes);
    let left = alone(small_indices, &mut pool, &[conjunct], &|_| false);
    assert_eq!(left.defined.len(), 2);
    let mut assignment = Assignment::new();
    for symbol in symbols(&pool, &left.conjuncts) {
        let number = |number: u64| Value::from(BitVec::from_u64(number, 3));
        let value = match pool.width(symbol) {
            Some(_) => number(0),
            None => {
                let array = ArrayValue::constant(pool.sorts(), pool.sort(symbol), number(0));
                (0..6).fold(array, |array, at| array.store(&number(at), &number(at + 1))).into()
            }
        };
        assignment.set(symbol, value);
    }
    assert!(holds(&pool, &left.conjuncts, &assignment));
    let values: Vec<Value> =
        left.defined.iter().map(|defined| eval(&pool, defined.term, &assignment)).collect();
    left.defined.iter().zip(values).for_each(|(defined, value)| assignment.set(defined.symbol, value));
    assert!(holds(&pool, &[conjunct], &assignment));
}

/// An array that is read from an array has elements that others may see: it was taken for a read of a word,
/// and a choice got branches of two widths.
#[test]
fn arrays_of_arrays_keep_their_elements() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(2).unwrap();
    let inner = pool.sorts_mut().array(word, word).unwrap();
    let outer = pool.sorts_mut().array(word, inner).unwrap();
    let (arrays, i, c) = (pool.symbol("a", outer), pool.symbol("i", word), pool.symbol("c", Sort::BOOL));
    let row = pool.mk(Op::Select, &[arrays, i]);
    let (read, x) = (pool.mk(Op::Select, &[row, i]), pool.symbol("x", word));
    let written = pool.mk(Op::Store, &[row, i, x]);
    let other = pool.mk(Op::Select, &[written, x]);
    let choice = pool.mk(Op::Ite, &[c, read, other]);
    let less = pool.mk(Op::BvUlt, &[choice, read]);
    let left = alone(small_domains, &mut pool, &[less], &|_| false);
    assert!(left.defined.is_empty(), "all of them are read from an array of arrays");
}

fn mentions(pool: &Pool, root: Term, op: Op) -> bool {
    pool.op(root) == op || pool.args(root).iter().any(|&arg| mentions(pool, arg, op))
}

#[test]
fn few_colours_for_few_disequalities() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(32).unwrap();
    let symbols: Vec<Term> = (0..20).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
    let mut conjuncts: Vec<Term> = vec![];
    for triple in symbols.windows(3) {
        let equations: Vec<Term> = triple[1..].iter().map(|&x| pool.mk(Op::Eq, &[triple[0], x])).collect();
        let denied: Vec<Term> = equations.into_iter().map(|e| make::not(&mut pool, e)).collect();
        let none = pool.mk(Op::And, &denied);
        conjuncts.push(make::not(&mut pool, none));
    }
    let ends = pool.mk(Op::Eq, &[symbols[0], symbols[19]]);
    conjuncts.push(make::not(&mut pool, ends));
    let left = alone(small_domains, &mut pool, &conjuncts, &|_| false);
    let widths: BTreeSet<Option<u32>> = symbols_of(&pool, &left.conjuncts);
    assert_eq!((left.defined.len(), widths), (20, BTreeSet::from([Some(1)])));
}

fn symbols_of(pool: &Pool, roots: &[Term]) -> BTreeSet<Option<u32>> {
    symbols(pool, roots).into_iter().map(|symbol| pool.width(symbol)).collect()
}
