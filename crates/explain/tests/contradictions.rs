//! Contradictory conjuncts and bits: found to be contradictory by enumeration, and not without any of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Assignment, BitVec, Op, Pool, Sort, Term, cone, eval};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_explain::{Budget, Contradiction, Explanation, Unit, explain};
use bivalve_formats::smtlib::Formulas;
use bivalve_terms::testing::TermGen;

fn contradiction(pool: &mut Pool, formulas: &[Term], budget: &Budget) -> Option<Contradiction> {
    let mut solver = Solver::new(Settings::default());
    formulas.iter().for_each(|&formula| solver.assert(pool, formula).unwrap());
    if solver.check(pool).unwrap() != CheckResult::Unsat {
        return None;
    }
    match explain(pool, &solver, budget, &Stop::new()).unwrap() {
        Some(Explanation::Contradiction(found)) => Some(found),
        other => panic!("{other:?}"),
    }
}

/// Two symbols of three bits.
fn symbols(pool: &mut Pool) -> [Term; 2] {
    ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()))
}

/// The symbols are six bits together.
fn assignment(symbols: [Term; 2], number: u64) -> Assignment {
    let mut assignment = Assignment::new();
    assignment.set(symbols[0], BitVec::from_u64(number & 7, 3));
    assignment.set(symbols[1], BitVec::from_u64(number >> 3, 3));
    assignment
}

/// In which of the 64 assignments a formula holds.
fn models(pool: &Pool, symbols: [Term; 2], formula: Term) -> u64 {
    let holds = |&number: &u64| eval(pool, formula, &assignment(symbols, number)).expect_bool();
    (0..64).filter(holds).fold(0, |set, number| set | 1 << number)
}

/// Random comparisons, conjunctions of them, and conjunctions of these.
fn formulas(random: &mut TermGen, pool: &mut Pool, symbols: [Term; 2]) -> Vec<Term> {
    let atom = |random: &mut TermGen, pool: &mut Pool| {
        let ops = [Op::BvUlt, Op::BvSle, Op::Eq, Op::Distinct];
        let inner = [Op::BvAdd, Op::BvAnd, Op::BvXor, Op::BvMul];
        let constant = pool.bv_u64(random.rng().u64(..8), 3);
        let other = pool.bv_u64(random.rng().u64(..8), 3);
        let x = symbols[random.rng().usize(..2)];
        let left = match random.rng().u32(..3) {
            0 => x,
            1 => pool.mk(inner[random.rng().usize(..4)], &[x, constant]),
            _ => pool.mk(inner[random.rng().usize(..4)], &symbols),
        };
        pool.mk(ops[random.rng().usize(..4)], &[left, other])
    };
    let mut formulas = vec![];
    for _ in 0..random.rng().usize(2..6) {
        let atoms: Vec<Term> = (0..3).map(|_| atom(random, pool)).collect();
        let pair = pool.mk(Op::And, &atoms[..2]);
        formulas.push(match random.rng().u32(..3) {
            0 => atoms[0],
            1 => pool.mk(Op::Or, &atoms),
            _ => pool.mk(Op::And, &[pair, atoms[2]]),
        });
    }
    formulas
}

/// Whether conjuncts stay contradictory if each of them has other bits where `shared` has no ones.
fn are_contradictory(sets: &[u64], shared: u64) -> bool {
    // The values of the shared bits at which a conjunct can be true.
    let projected = |set: &u64| {
        (0..64).filter(|number| set >> number & 1 == 1).fold(0u64, |all, number| all | 1 << (number & shared))
    };
    sets.iter().map(projected).fold(u64::MAX, |all, set| all & set) == 0
}

#[test]
fn conjuncts_and_bits_are_minimal() {
    let (mut found, mut bits) = (0, 0);
    for seed in 0..400 {
        let mut random = TermGen::new(seed);
        let mut pool = Pool::new();
        let symbols = symbols(&mut pool);
        let formulas = formulas(&mut random, &mut pool, symbols);
        let Some(explained) = contradiction(&mut pool, &formulas, &Budget::default()) else { continue };
        found += 1;
        assert!(explained.is_minimal && explained.conjuncts.len() <= explained.of);
        let sets: Vec<u64> = explained.conjuncts.iter().map(|c| models(&pool, symbols, c.term)).collect();
        assert_eq!(sets.iter().fold(u64::MAX, |all, set| all & set), 0, "seed {seed}");
        for left_out in 0..sets.len() {
            let rest = sets.iter().enumerate().filter(|(number, _)| *number != left_out);
            assert_ne!(rest.fold(u64::MAX, |all, (_, set)| all & set), 0, "seed {seed}: {explained:?}");
        }
        for conjunct in &explained.conjuncts {
            assert!(cone(&pool, &[formulas[conjunct.formula]]).contains(&conjunct.term));
            assert_ne!(pool.op(conjunct.term), Op::And);
        }
        let relevance = explained.bits.unwrap();
        assert!(relevance.is_minimal);
        // Where a symbol occurs several times in a conjunct, its places differ as well.
        let occurrences = |conjunct: Term, symbol: Term| {
            let below = cone(&pool, &[conjunct]);
            below.iter().flat_map(|&term| pool.args(term)).filter(|&&arg| arg == symbol).count()
        };
        let once = explained.conjuncts.iter().all(|c| symbols.iter().all(|&s| occurrences(c.term, s) < 2));
        if !once {
            continue;
        }
        let mut shared = 0u64;
        for relevant in &relevance.symbols {
            assert_eq!(relevant.unit, Unit::Value);
            let low = if relevant.symbol == symbols[0] { 0 } else { 3 };
            shared |= relevant.relevant.to_u64().unwrap() << low;
        }
        assert!(are_contradictory(&sets, shared), "seed {seed}: {relevance:?}");
        for bit in (0..6).filter(|bit| shared >> bit & 1 == 1) {
            assert!(!are_contradictory(&sets, shared & !(1 << bit)), "seed {seed}, bit {bit}: {relevance:?}");
            bits += 1;
        }
    }
    assert!(found > 100 && bits > 50, "{found} {bits}");
}

fn explained(text: &str, budget: &Budget) -> (Vec<String>, Option<Vec<String>>) {
    let mut pool = Pool::new();
    let (formulas, _) = Formulas::terms(&mut pool, &[], text).unwrap();
    let found = contradiction(&mut pool, &formulas, budget).unwrap();
    let conjuncts = found.conjuncts.iter().map(|c| pool.display(c.term).to_string()).collect();
    let bits = found.bits.map(|bits| {
        let words = |of: &bivalve_explain::Relevant| {
            format!("{} {:?} {}", pool.name(of.symbol).unwrap(), of.unit, of.relevant.to_binary_string())
        };
        bits.symbols.iter().map(words).collect()
    });
    (conjuncts, bits)
}

#[test]
fn symbols_of_all_sorts_have_relevant_bits() {
    let text = "(declare-sort S 0)(declare-const s S)(declare-const t S)(declare-const p Bool)
        (declare-const m (Array (_ BitVec 4) (_ BitVec 4)))(declare-const i (_ BitVec 4))
        (declare-fun f (S) (_ BitVec 4))
        (assert (and (= s t) p))
        (assert (and (= ((_ extract 2 2) (f s)) #b1) (= (f t) (select m i))))
        (assert (or (not p) (= ((_ extract 2 2) (select m i)) #b0)))";
    let (conjuncts, bits) = explained(text, &Budget::default());
    assert_eq!(conjuncts.len(), 5);
    assert_eq!(
        bits.unwrap(),
        ["s Whole 1", "t Whole 1", "p Value 1", "m Elements 0100", "i Value 1111", "f Results 0100"]
    );
}

#[test]
fn a_contradiction_around_a_symbol_needs_no_bit_and_one_of_a_symbol_with_itself_does() {
    let none = "(declare-const x (_ BitVec 4))(assert (bvult x #x0))(assert (bvult x #x3))";
    assert_eq!(
        explained(none, &Budget::default()),
        (vec!["(bvult x #b0000)".into()], Some(vec!["x Value 0000".into()]))
    );
    let itself = "(declare-const x (_ BitVec 4))(assert (bvult (bvor x #x2) (bvand x #xe)))";
    let (_, bits) = explained(itself, &Budget::default());
    assert_eq!(bits.unwrap(), ["x Value 1100"]);
    let memory = "(declare-const a (Array (_ BitVec 4) Bool))(declare-const i (_ BitVec 4))
        (assert (= (select (store a i true) i) (select a #x0)))(assert (not (select a #x0)))";
    let (_, bits) = explained(memory, &Budget::default());
    assert_eq!(bits.unwrap(), ["a Whole 1", "i Value 1111"]);
}

/// Without questions everything is named, and nothing is said of bits; a stopped explanation is the same.
#[test]
fn what_a_budget_ends_is_right_and_says_so() {
    let text = "(declare-const x (_ BitVec 4))(assert (and (bvult x #x3) (= x #x9)))(assert (bvult x #x8))";
    let mut pool = Pool::new();
    let (formulas, _) = Formulas::terms(&mut pool, &[], text).unwrap();
    for questions in 0..20 {
        let found = contradiction(&mut pool, &formulas, &Budget { questions, conflicts: 1000 }).unwrap();
        assert_eq!(found.of, 3);
        let mut solver = Solver::new(Settings::default());
        found.conjuncts.iter().for_each(|c| solver.assert(&pool, c.term).unwrap());
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat);
        assert!(!found.is_minimal || found.conjuncts.len() == 2);
        assert!(found.is_minimal || questions < 6, "{questions}");
        assert_eq!(found.bits.is_none(), questions == 0);
    }
    let mut solver = Solver::new(Settings::default());
    formulas.iter().for_each(|&formula| solver.assert(&pool, formula).unwrap());
    solver.check(&mut pool).unwrap();
    let stop = Stop::new();
    stop.stop(bivalve::Why::TimeLimit);
    let Some(Explanation::Contradiction(found)) = explain(&pool, &solver, &Budget::default(), &stop).unwrap()
    else {
        panic!("unsat")
    };
    assert!(found.conjuncts.len() == 3 && !found.is_minimal && found.bits.is_none());
}
