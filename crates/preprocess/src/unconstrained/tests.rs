//! Rows are judged for all values at small widths; the pass by brute force on random conjuncts.

use super::rows::{ROWS, Sorts};
use super::template::{SLOTS, Template};
use super::*;
use crate::scheduler::Simplified;
use crate::tests::Stage;
use bivalve_limits::Deadline;
use bivalve_rewrite::RuleTable;
use bivalve_terms::testing::TermGen;
use bivalve_terms::{ArrayValue, Assignment, BitVec, Evaluator, Sort, Value, cone, eval};
use std::collections::BTreeSet;

/// All values of a sort: Booleans, narrow bit-vectors, and arrays of few such elements.
pub(super) fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if sort.is_bool() {
        return vec![false.into(), true.into()];
    }
    if let Some(width) = sort.width() {
        return (0..1 << width).map(|value| BitVec::from_u64(value, width).into()).collect();
    }
    let (index, element) = pool.sorts().array_parts(sort).expect("an array");
    let (indices, elements) = (values(pool, index), values(pool, element));
    let constant = |element: &Value| ArrayValue::constant(pool.sorts(), sort, element.clone());
    let mut arrays: Vec<ArrayValue> = elements.iter().map(constant).collect();
    for index in &indices[1..] {
        arrays = arrays.iter().flat_map(|array| elements.iter().map(|e| array.store(index, e))).collect();
    }
    arrays.into_iter().map(Value::from).collect()
}

/// All assignments to some symbols.
pub(super) fn assignments(pool: &Pool, symbols: &[Term]) -> Vec<Assignment> {
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
pub(super) fn alone(
    pass: Run,
    pool: &mut Pool,
    conjuncts: &[Term],
    used: &dyn Fn(Term) -> bool,
) -> Elimination {
    let (frozen, tables, deadline) = (TermSet::new(), Tables::default(), Deadline::unlimited());
    let problem = Problem::new(conjuncts, &frozen, &tables, &deadline);
    let mut left = Elimination { conjuncts: conjuncts.to_vec(), defined: vec![] };
    pass(pool, &problem, used, &mut left);
    left
}

pub(super) fn symbols(pool: &Pool, roots: &[Term]) -> Vec<Term> {
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

pub(super) fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
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
