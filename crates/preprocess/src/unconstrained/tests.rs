//! Rows are judged for all values at small widths; the pass by brute force on random conjuncts.

use super::rows::{ROWS, Sorts};
use super::template::{SLOTS, Template};
use super::*;
use crate::scheduler::Simplified;
use crate::tests::Stage;
use bivalve_limits::Deadline;
use bivalve_rewrite::{Level, Rewriter, RuleTable};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{ArrayValue, Assignment, BitVec, Evaluator, Sort, Value, cone, eval};
use std::collections::BTreeSet;

/// All values of a sort: Booleans, narrow bit-vectors, and arrays of two such elements.
fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if sort.is_bool() {
        return vec![false.into(), true.into()];
    }
    if let Some(width) = sort.width() {
        return (0..1 << width).map(|value| BitVec::from_u64(value, width).into()).collect();
    }
    let (index, element) = pool.sorts().array_parts(sort).expect("an array");
    let (indices, elements) = (values(pool, index), values(pool, element));
    let constant = |element: &Value| ArrayValue::constant(pool.sorts(), sort, element.clone());
    let mut arrays: BTreeSet<Value> = BTreeSet::new();
    for first in &elements {
        for second in &elements {
            let array = constant(first).store(&indices[1], second);
            arrays.insert(array.into());
        }
    }
    arrays.into_iter().collect()
}

/// All assignments to some symbols.
fn assignments(pool: &Pool, symbols: &[Term]) -> Vec<Assignment> {
    let mut all = vec![Assignment::new()];
    for &symbol in symbols {
        let values = values(pool, pool.sort(symbol));
        let extended = |assignment: &Assignment| {
            let assignment = assignment.clone();
            values.clone().into_iter().map(move |value| {
                let mut more = assignment.clone();
                more.set(symbol, value);
                more
            })
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// The sorts of the operands of a row at a width; several possibilities.
fn operand_sorts(pool: &mut Pool, op: Op, count: usize, sorts: Sorts, width: u32) -> Vec<Vec<Sort>> {
    let word = Sort::bitvec(width).unwrap();
    let bit = Sort::bitvec(1).unwrap();
    let narrow = Sort::bitvec(width.min(2)).unwrap();
    let array = pool.sorts_mut().array(bit, narrow).unwrap();
    match op {
        Op::Not | Op::And => vec![vec![Sort::BOOL; count]],
        Op::Eq if sorts == Sorts::Boolean => vec![vec![Sort::BOOL; 2]],
        Op::Ite => [Sort::BOOL, word, array].into_iter().map(|sort| vec![Sort::BOOL, sort, sort]).collect(),
        Op::Select => vec![vec![array, bit]],
        Op::Store => vec![vec![array, bit, narrow]],
        _ => vec![vec![word; count]],
    }
}

/// How often a row fired on operands of these sorts; panics with the row's name if it is wrong.
fn judge(
    template: &Template,
    name: &str,
    letters: &[char],
    op: Op,
    sorts: &[Sort],
    onto: bool,
    pool: &mut Pool,
) -> usize {
    let is_free = |letter: &char| matches!(letter, 'x' | 'y');
    let constants: Vec<Vec<Value>> = letters
        .iter()
        .zip(sorts)
        .map(|(&letter, &sort)| if letter == 'k' { values(pool, sort) } else { vec![false.into()] })
        .collect();
    let mut fired = 0;
    for number in 0..constants.iter().map(Vec::len).max().unwrap() {
        let operands: Vec<Term> = letters
            .iter()
            .zip(sorts)
            .zip(&constants)
            .map(|((&letter, &sort), constants)| match letter {
                'k' => make::constant(pool, &constants[number]),
                _ => pool.symbol(&letter.to_string(), sort),
            })
            .collect();
        let mut free = TermSet::new();
        let named: Vec<(char, Term)> = letters.iter().copied().zip(operands.iter().copied()).collect();
        let chosen: Vec<Term> = named.iter().filter(|(letter, _)| is_free(letter)).map(|&(_, t)| t).collect();
        let others: Vec<Term> =
            named.iter().filter(|(letter, _)| !is_free(letter) && *letter != 'k').map(|&(_, t)| t).collect();
        for &symbol in &chosen {
            free.insert(symbol);
        }
        let term = pool.mk(op, &operands);
        let Some(Step { fresh, becomes, defined }) = template.apply(pool, term, &operands, &free) else {
            continue;
        };
        fired += 1;
        assert_eq!(pool.sort(becomes), pool.sort(term), "{name}");
        assert_eq!(defined.iter().map(|d| d.symbol).collect::<Vec<_>>(), chosen, "{name}");
        for fixed in assignments(pool, &others) {
            let merged = |chosen: &Assignment| {
                let mut all = fixed.clone();
                chosen.symbols().into_iter().for_each(|s| all.set(s, chosen.get(s).unwrap().clone()));
                all
            };
            let reached: BTreeSet<Value> =
                assignments(pool, &chosen).iter().map(|a| eval(pool, term, &merged(a))).collect();
            let (mut offered, mut taken) = (BTreeSet::new(), BTreeSet::new());
            for choice in assignments(pool, &[fresh]) {
                let mut all = merged(&choice);
                let value = eval(pool, becomes, &all);
                let witnesses: Vec<Value> = defined.iter().map(|d| eval(pool, d.term, &all)).collect();
                defined.iter().zip(&witnesses).for_each(|(d, value)| all.set(d.symbol, value.clone()));
                assert_eq!(eval(pool, term, &all), value, "{name}: {all:?}");
                offered.insert(value);
                taken.insert(witnesses);
            }
            assert_eq!(reached, offered, "{name}: {fixed:?}");
            assert!(!onto || taken.len() == assignments(pool, &chosen).len(), "{name} is not onto");
        }
    }
    fired
}

#[test]
fn every_row_offers_what_can_be_reached_and_reaches_what_it_offers() {
    for row in ROWS {
        let template = Template::new(row).unwrap();
        let letters: Vec<char> = template.operands().iter().map(|&slot| SLOTS[slot]).collect();
        let mut fired = 0;
        for width in 1..=4 {
            let mut pool = Pool::new();
            for sorts in operand_sorts(&mut pool, template.op, letters.len(), row.sorts, width) {
                fired += judge(&template, row.name, &letters, template.op, &sorts, row.onto, &mut pool);
            }
        }
        assert!(fired > 0, "{} never fired", row.name);
    }
}

/// The judge is judged.
#[test]
fn wrong_rows_are_refuted() {
    let wrong: [super::rows::Row; 3] = [
        super::rows::wrong("(bvmul x t)", "v", &[('x', "v")], false),
        super::rows::wrong("(bvult x t)", "v", &[('x', "(ite v 0 t)")], false),
        super::rows::wrong("(= x t)", "v", &[('x', "(ite v t (bvnot t))")], true),
    ];
    for row in wrong {
        let row: &'static super::rows::Row = Box::leak(Box::new(row));
        let found = std::panic::catch_unwind(|| {
            let template = Template::new(row).unwrap();
            let mut pool = Pool::new();
            let sorts = operand_sorts(&mut pool, template.op, 2, row.sorts, 2);
            judge(&template, row.name, &['x', 't'], template.op, &sorts[0], row.onto, &mut pool)
        });
        assert!(found.is_err(), "{} is wrong", row.term);
    }
}

/// Random conjuncts over many symbols, most of which occur once.
fn conjuncts(pool: &mut Pool, seed: u64) -> Vec<Term> {
    let mut random = TermGen::new(seed);
    (random.max_width, random.symbols_per_sort) = (3, 4);
    if seed.is_multiple_of(4) {
        random.arrays = true;
    }
    random.rng().u64(..);
    let count = 1 + seed % 3;
    (0..count).map(|_| random.term(pool, Sort::BOOL, 3 + seed as usize % 9)).collect()
}

/// What a pass makes of some conjuncts.
fn alone(pass: Run, pool: &mut Pool, conjuncts: &[Term], used: &dyn Fn(Term) -> bool) -> Elimination {
    let (frozen, tables, deadline) = (TermSet::new(), Tables::default(), Deadline::unlimited());
    let problem = Problem::new(conjuncts, &frozen, &tables, &deadline);
    let mut left = Elimination { conjuncts: conjuncts.to_vec(), defined: vec![] };
    pass(pool, &problem, used, &mut left);
    left
}

fn symbols(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    cone(pool, roots).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect()
}

/// So many assignments, at most, are tried; `None` for sorts that are not listed.
fn count(pool: &Pool, symbols: &[Term]) -> Option<u64> {
    let size = |&symbol: &Term| match pool.sort(symbol) {
        sort if sort.is_bool() => Some(2u64),
        sort => sort.width().map(|width| 1 << width),
    };
    symbols
        .iter()
        .try_fold(1u64, |product, symbol| product.checked_mul(size(symbol)?))
        .filter(|&n| n <= 1 << 9)
}

fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(pool, assignment);
    conjuncts.iter().all(|&conjunct| evaluator.eval(conjunct).expect_bool())
}

/// What is left is satisfiable exactly if the conjuncts were, and its models lift to theirs; with formulas
/// beside that mention some of the symbols, both hold for all together.
#[test]
fn satisfiability_is_kept_and_models_lift() {
    let (mut judged, mut eliminated, mut unsat) = (0, 0, 0);
    let table = std::sync::Arc::new(RuleTable::new());
    for seed in 0..2500 {
        let mut pool = Pool::new();
        let mut original = conjuncts(&mut pool, seed);
        let others = if seed % 3 == 0 { original.split_off(original.len() / 2) } else { vec![] };
        let all: Vec<Term> = original.iter().chain(&others).copied().collect();
        let mut stage = Stage::with_table(table.clone());
        let left = stage.run(&mut pool, &original, &[], Some(&others));
        assert!(others.iter().all(|&other| !stage.is_invalidated_by(&mut pool, other)), "seed {seed}");
        let left = match left {
            Simplified::Conjuncts(mut left) => {
                left.extend(others.iter().map(|&other| stage.apply(&mut pool, other)));
                left
            }
            Simplified::False => vec![pool.bool(false)],
        };
        let (before, after) = (symbols(&pool, &all), symbols(&pool, &left));
        if count(&pool, &before).is_none() || count(&pool, &after).is_none() {
            continue;
        }
        judged += 1;
        eliminated += usize::from(stage.substitution.solutions().next().is_some());
        let satisfiable = assignments(&pool, &before).iter().any(|a| holds(&pool, &all, a));
        unsat += usize::from(!satisfiable);
        let mut any = false;
        for mut assignment in assignments(&pool, &after) {
            if holds(&pool, &left, &assignment) {
                any = true;
                stage.substitution.lift(&pool, &mut assignment);
                assert!(holds(&pool, &all, &assignment), "seed {seed}: {assignment:?}");
            }
        }
        assert_eq!(any, satisfiable, "seed {seed}");
    }
    assert!(
        judged > 300 && eliminated > 150 && unsat > 20,
        "{judged} judged, {eliminated} eliminated, {unsat} unsat"
    );
}

#[test]
fn what_occurs_once_takes_the_formula_away() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(32).unwrap();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort));
    let product = pool.mk(Op::BvMul, &[b, c]);
    let square = pool.mk(Op::BvMul, &[product, c]);
    let sum = pool.mk(Op::BvAdd, &[a, square]);
    let below = pool.mk(Op::BvUlt, &[sum, d]);
    let mut stage = Stage::default();
    let conjuncts = vec![below];
    let left = stage.run(&mut pool, &conjuncts, &[], Some(&[]));
    assert!(matches!(left, Simplified::Conjuncts(left) if left.is_empty()));
    let mut assignment = Assignment::new();
    stage.substitution.lift(&pool, &mut assignment);
    assert!(holds(&pool, &conjuncts, &assignment));
    // `d` can only be what it takes; `a` can be anything, but only together with it.
    let nothing = pool.mk(Op::Eq, &[a, b]);
    assert!(stage.is_invalidated_by(&mut pool, nothing));
    let five = pool.bv_u64(5, 32);
    let about_c = pool.mk(Op::BvUlt, &[c, five]);
    assert!(!stage.is_invalidated_by(&mut pool, about_c));
}

/// `x` is mentioned through a definition that was there before.
#[test]
fn restricted_symbols_are_met_through_definitions() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let square = pool.mk(Op::BvMul, &[x, x]);
    let says = pool.mk(Op::Eq, &[y, square]);
    let mut stage = Stage::default();
    stage.run(&mut pool, &[says], &[], Some(&[]));
    assert_eq!(stage.substitution.len(), 1);
    stage.substitution.push();
    let small = pool.mk(Op::BvUlt, &[x, z]);
    stage.run(&mut pool, &[small], &[], Some(&[]));
    assert!(stage.substitution.len() > 1);
    let about_y = pool.mk(Op::BvUlt, &[z, y]);
    assert!(stage.is_invalidated_by(&mut pool, about_y) && stage.is_invalidated_by(&mut pool, x));
    stage.substitution.pop();
    assert!(!stage.is_invalidated_by(&mut pool, about_y) && stage.substitution.len() == 1);
    // The same with the formula on the other side of the fence.
    stage.substitution.push();
    let left = stage.run(&mut pool, &[small], &[], Some(&[about_y]));
    assert!(!stage.is_invalidated_by(&mut pool, about_y));
    assert!(matches!(left, Simplified::Conjuncts(left) if left.len() == 1));
}

/// A free factor is judged like the rows.
#[test]
fn products_reach_the_multiples() {
    for width in 1..=4 {
        let mut pool = Pool::new();
        let [x, t] = ["x", "t"].map(|name| pool.symbol(name, Sort::bitvec(width).unwrap()));
        let mut free = TermSet::new();
        free.insert(x);
        for args in [[x, t], [t, x]] {
            let term = pool.mk(Op::BvMul, &args);
            let Step { fresh, becomes, defined } = product::step(&mut pool, term, &args, &free).unwrap();
            for fixed in assignments(&pool, &[t]) {
                let with = |symbol: Term, value: &Value| {
                    let mut all = fixed.clone();
                    all.set(symbol, value.clone());
                    all
                };
                let numbers = values(&pool, pool.sort(x));
                let reached: BTreeSet<Value> =
                    numbers.iter().map(|n| eval(&pool, term, &with(x, n))).collect();
                let mut offered = BTreeSet::new();
                for number in &numbers {
                    let value = eval(&pool, becomes, &with(fresh, number));
                    let witness = eval(&pool, defined[0].term, &with(fresh, number));
                    assert_eq!(eval(&pool, term, &with(x, &witness)), value);
                    offered.insert(value);
                }
                assert_eq!(reached, offered);
            }
        }
    }
}

/// Whether conjuncts are satisfiable, by all assignments; and that narrow ones are if they are, with models
/// that lift.
fn is_satisfiable_like(pool: &Pool, conjuncts: &[Term], left: &Elimination, seed: u64) -> bool {
    let before = self::symbols(pool, conjuncts);
    let satisfiable = assignments(pool, &before).iter().any(|a| holds(pool, conjuncts, a));
    let after = self::symbols(pool, &left.conjuncts);
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

/// Slices with a gap between them become symbols, overlapping ones stay; a formula about the whole is none
/// the worse.
#[test]
fn slices_apart_become_symbols() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(4).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let slice =
        |pool: &mut Pool, of: Term, high: u32, low: u32| pool.mk_indexed(Op::Extract, &[high, low], &[of]);
    let (top, bottom) = (slice(&mut pool, x, 3, 3), slice(&mut pool, x, 1, 0));
    let (over, under) = (slice(&mut pool, y, 3, 1), slice(&mut pool, y, 1, 1));
    let wide = pool.mk(Op::Concat, &[top, bottom]);
    let conjuncts = vec![pool.mk(Op::BvUlt, &[over, wide]), pool.mk(Op::BvUlt, &[under, top])];
    let left = alone(slices, &mut pool, &conjuncts, &|symbol| symbol == y);
    assert!(matches!(&left.defined[..], [Defined { symbol, restricts: false, .. }] if *symbol == x));
    let after = symbols(&pool, &[left.conjuncts.clone(), vec![left.defined[0].term]].concat());
    assert_eq!(after.len(), 4, "y, two slices and a gap");
    let mut values = BTreeSet::new();
    for assignment in assignments(&pool, &after) {
        let mut lifted = assignment.clone();
        let value = eval(&pool, left.defined[0].term, &assignment);
        lifted.set(x, value.clone());
        values.insert(value);
        assert_eq!(holds(&pool, &left.conjuncts, &assignment), holds(&pool, &conjuncts, &lifted));
    }
    assert_eq!(values.len(), 16, "a change of variable");
    let left = alone(slices, &mut pool, &conjuncts, &|symbol| symbol == x);
    assert!(left.defined.is_empty());
}
