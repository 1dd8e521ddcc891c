//! What matters of a model: whatever the rest is replaced by, the assertions hold; and no bit of it can be
//! left out, where it is said to be minimal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Assignment, BitVec, Op, Pool, Sort, Term, Value, cone, eval};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_explain::{Budget, Explanation, Inputs, explain};
use bivalve_formats::smtlib::Formulas;
use bivalve_systems::Demand;
use bivalve_terms::testing::TermGen;

/// What matters to formulas that have a model; `None` if they have none, or are not supported.
fn inputs(pool: &mut Pool, formulas: &[Term], budget: &Budget) -> Option<Inputs> {
    let mut solver = Solver::new(Settings::builder().conflict_limit(10_000).build());
    for &formula in formulas {
        solver.assert(pool, formula).ok()?;
    }
    if solver.check(pool).unwrap() != CheckResult::Sat {
        return None;
    }
    let before = pool.len();
    let explained = explain(pool, &solver, budget, &Stop::new()).unwrap();
    assert_eq!(pool.len(), before, "the pool is as it was");
    match explained {
        Some(Explanation::Inputs(inputs)) => Some(inputs),
        other => panic!("{other:?}"),
    }
}

fn hold(pool: &Pool, formulas: &[Term], assignment: &Assignment) -> bool {
    formulas.iter().all(|&formula| eval(pool, formula, assignment).expect_bool())
}

/// Random formulas with everything that terms have, that hold in a random assignment, so that most have a
/// model: the dropped part is filled in at random.
#[test]
fn assertions_hold_whatever_the_rest_is() {
    let (mut explained, mut free, mut minimal) = (0, 0, 0);
    for seed in 0..400 {
        let mut random = TermGen::with_everything(seed);
        random.max_width = 6;
        let mut pool = Pool::new();
        let mut formulas: Vec<Term> = (0..random.rng().usize(1..5))
            .map(|_| {
                let size = random.rng().usize(1..15);
                random.term(&mut pool, Sort::BOOL, size)
            })
            .collect();
        let assignment = random.assignment(&pool, &formulas);
        for formula in &mut formulas {
            if !eval(&pool, *formula, &assignment).expect_bool() {
                *formula = pool.mk(Op::Not, &[*formula]);
            }
        }
        let Some(inputs) = inputs(&mut pool, &formulas, &Budget::default()) else { continue };
        explained += 1;
        minimal += usize::from(inputs.is_minimal);
        free += inputs.symbols.iter().filter(|(_, _, part)| part.is_none()).count();
        for _ in 0..10 {
            let filled = inputs.filled_by(&pool, &mut |sort| random.value(&pool, sort));
            assert!(hold(&pool, &formulas, &filled), "seed {seed}: {inputs:?}");
        }
    }
    assert!(explained > 300 && free > 100 && minimal > 150, "{explained} {free} {minimal}");
}

/// All assignments of values to symbols of few bits.
fn assignments(pool: &Pool, symbols: &[Term]) -> Vec<Assignment> {
    let widths: Vec<u32> = symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or(1)).collect();
    let all = 1u64 << widths.iter().sum::<u32>();
    let assignment = |mut number: u64| {
        let mut assignment = Assignment::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            let bits = BitVec::from_u64(number & ((1 << width) - 1), width);
            number >>= width;
            let value: Value = if pool.sort(symbol).is_bool() { bits.is_one().into() } else { bits.into() };
            assignment.set(symbol, value);
        }
        assignment
    };
    (0..all).map(assignment).collect()
}

fn bits(value: &Value) -> BitVec {
    value.as_bool().map_or_else(|| value.expect_bitvec().clone(), BitVec::from_bool)
}

/// Whether the formulas hold in all assignments that agree with the kept bits.
fn is_enough(pool: &Pool, formulas: &[Term], all: &[Assignment], inputs: &Inputs) -> bool {
    let agrees = |assignment: &&Assignment| {
        inputs.symbols.iter().all(|(symbol, value, part)| match part {
            Some(Demand::Bits(mask)) => {
                bits(assignment.get(*symbol).unwrap()).xor(&bits(value)).and(mask).is_zero()
            }
            Some(part) => panic!("{part:?}"),
            None => true,
        })
    };
    all.iter().filter(agrees).all(|assignment| hold(pool, formulas, assignment))
}

/// Over few bits everything is tried: no filling breaks the assertions, and without any kept bit one does.
#[test]
fn every_kept_bit_is_necessary() {
    let mut kept = 0;
    for seed in 0..150 {
        let mut random = TermGen::new(seed);
        (random.max_width, random.symbols_per_sort) = (3, 2);
        let mut pool = Pool::new();
        let size = random.rng().usize(3..12);
        let formulas = [random.term(&mut pool, Sort::BOOL, size)];
        let symbols: Vec<Term> =
            cone(&pool, &formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
        let width: u32 = symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or(1)).sum();
        if width > 10 {
            continue;
        }
        let Some(inputs) = inputs(&mut pool, &formulas, &Budget::default()) else { continue };
        assert!(inputs.is_minimal, "seed {seed}");
        let all = assignments(&pool, &symbols);
        assert!(is_enough(&pool, &formulas, &all, &inputs), "seed {seed}: {inputs:?}");
        for (number, (_, _, part)) in inputs.symbols.iter().enumerate() {
            let Some(Demand::Bits(mask)) = part else { continue };
            for bit in (0..mask.width()).filter(|&bit| mask.bit(bit)) {
                let mut fewer = inputs.clone();
                let without = mask.and(&BitVec::one(mask.width()).shl_by(bit).not());
                fewer.symbols[number].2 = (!without.is_zero()).then_some(Demand::Bits(without));
                assert!(!is_enough(&pool, &formulas, &all, &fewer), "seed {seed}, bit {bit}: {inputs:?}");
                kept += 1;
            }
        }
    }
    assert!(kept > 150, "{kept}");
}

/// What is kept, by name, in words.
fn kept(text: &str, budget: &Budget) -> (Vec<String>, bool) {
    let mut pool = Pool::new();
    let (formulas, _) = Formulas::terms(&mut pool, &[], text).unwrap();
    let inputs = inputs(&mut pool, &formulas, budget).unwrap();
    let words = inputs.symbols.iter().map(|(symbol, _, part)| {
        let part = match part {
            None => "any".into(),
            Some(Demand::Bits(mask)) => mask.to_binary_string(),
            Some(part) => format!("{part:?}"),
        };
        format!("{} {part}", pool.name(*symbol).unwrap())
    });
    (words.collect(), inputs.is_minimal)
}

#[test]
fn what_the_first_step_keeps_too_much_of_is_left_out_by_the_second() {
    // The difference of x and x is zero whatever x is, which the first step does not see.
    let text = "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
        (assert (= (bvsub x x) (bvand y #x6)))";
    assert_eq!(kept(text, &Budget::default()), (vec!["x any".into(), "y 0110".into()], true));
    let nothing = Budget { questions: 0, ..Budget::default() };
    let (words, is_minimal) = kept(text, &nothing);
    assert!(!is_minimal && words[0] != "x any", "{words:?}");
}

#[test]
fn cells_results_and_indices_are_kept_where_they_are_read() {
    let text = "(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))(declare-const i (_ BitVec 4))
        (declare-const unused (_ BitVec 4))(declare-fun f ((_ BitVec 4) Bool) (_ BitVec 2))
        (assert (= (select m i) #b1010))(assert (= i #x3))(assert (= ((_ extract 1 1) (f i true)) #b1))
        (assert (or (= unused #x1) (not (= unused #x1))))";
    let (words, is_minimal) = kept(text, &Budget::default());
    assert!(is_minimal);
    assert_eq!(words[1..3], ["i 1111", "unused any"]);
    assert!(
        words[0].starts_with("m Cells({BitVec") && words[3].starts_with("f Results({[BitVec"),
        "{words:?}"
    );
}
