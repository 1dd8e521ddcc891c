//! Layered formulas and sessions: well-formed, diverse, reproducible, and of the status they claim.

use crate::support::decide;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_fuzz::case::Evidence;
use bivalve_fuzz::layered::{Division, Goal, Shape, Timeline, Vocabulary, session};
use bivalve_fuzz::session::Step;
use bivalve_terms::{BitVec, Evaluator, Op, Pool, Term, cone};
use std::collections::{BTreeMap, BTreeSet};

fn shapes() -> [Shape; 6] {
    [
        Shape::default(),
        Shape::no_division(),
        Shape::guarded_division(),
        Shape::arrays_of_thesis(),
        Shape::arrays(),
        Shape::everything(),
    ]
}

/// The assertions of a script, read again.
fn read(text: &str) -> (Pool, Vec<Term>) {
    let mut pool = Pool::new();
    let mut parser = Parser::new(text.as_bytes(), "case", ParserOptions::default());
    let mut assertions = vec![];
    loop {
        match parser.next_command(&mut pool) {
            Ok(None) => return (pool, assertions),
            Ok(Some(Command::Assert { term, .. })) => assertions.push(term),
            Ok(Some(_)) => {}
            Err(refusal) => panic!("{}\n{text}", refusal.render()),
        }
    }
}

#[test]
fn every_operator_occurs_and_only_those_that_shall() {
    let mut all: BTreeSet<Op> = BTreeSet::new();
    let mut connectives: BTreeSet<Op> = BTreeSet::new();
    for shape in shapes() {
        for number in 0..400 {
            let case = shape.case(11, number);
            for op in case.operators() {
                all.insert(op);
                if shape.vocabulary == Vocabulary::Standard {
                    connectives.insert(op);
                }
                let divides = matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod);
                assert!(!divides || shape.division != Division::Absent, "{op:?} in formula {number}");
                let shifts = matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr);
                assert!(!shifts || shape.shifts, "{op:?} in formula {number}");
            }
            let is_long = |term: Term| {
                matches!(case.pool.op(term), Op::BvSub | Op::BvXnor) && case.pool.args(term).len() > 2
            };
            let standard = shape.vocabulary == Vocabulary::Standard;
            assert!(
                !standard || !cone(&case.pool, &case.terms()).into_iter().any(is_long),
                "formula {number}"
            );
            let widest = *shape.widths.end();
            let wide = cone(&case.pool, &case.terms()).into_iter().filter_map(|t| case.pool.width(t)).max();
            assert!(
                wide.is_none_or(|width| width <= widest.max(*shape.index_widths.end())),
                "formula {number}"
            );
        }
    }
    let missing: Vec<Op> = Op::native().filter(|op| !all.contains(op)).collect();
    assert_eq!(missing, [], "every operator is met");
    assert!(!connectives.contains(&Op::BvUmulo) && !connectives.contains(&Op::RedXor));
}

#[test]
fn formulas_are_read_again_as_they_are_and_follow_from_their_number() {
    for (position, shape) in shapes().iter().enumerate() {
        for number in 0..60 {
            let case = shape.case(7, number);
            let text = case.script();
            let (pool, assertions) = read(&text);
            let count = |pool: &Pool, roots: &[Term]| cone(pool, roots).len();
            assert_eq!(assertions.len(), case.assertions.len());
            assert_eq!(
                count(&pool, &assertions),
                count(&case.pool, &case.terms()),
                "shape {position}\n{text}"
            );
            assert_eq!(shape.case(7, number).script(), text);
        }
        assert_ne!(shape.case(7, 0).script(), shape.case(8, 0).script());
    }
}

#[test]
fn structures_of_the_thesis_occur() {
    let (mut nested, mut read_as_index, mut wrapped, mut compared) = (0, 0, 0, 0);
    for number in 0..300 {
        let case = Shape::arrays().case(5, number);
        let (pool, below) = (&case.pool, cone(&case.pool, &case.terms()));
        let child = |term: Term, place: usize| pool.args(term).get(place).copied();
        let is = |term: Option<Term>, op: Op| term.is_some_and(|term| pool.op(term) == op);
        nested += usize::from(below.iter().any(|&t| pool.op(t) == Op::Store && is(child(t, 0), Op::Store)));
        read_as_index += usize::from(below.iter().any(|&t| {
            pool.op(t) == Op::Select
                && cone(pool, &pool.args(t)[1..]).iter().any(|&t| pool.op(t) == Op::Select)
        }));
        wrapped += usize::from(below.iter().any(|&t| pool.op(t) == Op::Ite && pool.width(t) == Some(1)));
        compared += usize::from(below.iter().any(|&t| {
            matches!(pool.op(t), Op::Eq | Op::Distinct)
                && child(t, 0).is_some_and(|a| pool.sorts().array_parts(pool.sort(a)).is_some())
        }));
    }
    assert!(
        nested > 60 && read_as_index > 20 && wrapped > 100 && compared > 150,
        "{nested} {read_as_index} {wrapped} {compared}"
    );
}

/// Under a model found by chance, no guarded divisor is zero.
#[test]
fn guards_rule_out_division_by_zero() {
    let shape = Shape { goal: Goal::Planted, ..Shape::guarded_division() };
    let mut divisions = 0;
    for number in 0..200 {
        let case = shape.case(3, number);
        let Evidence::Model(model) = &case.evidence else { panic!("planted formulas have models") };
        let mut evaluator = Evaluator::new(&case.pool, model);
        for term in cone(&case.pool, &case.terms()) {
            if matches!(case.pool.op(term), Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod) {
                divisions += 1;
                let divisor = case.pool.args(term)[1];
                let zero = BitVec::zero(case.pool.width(divisor).expect("a bit-vector"));
                assert_ne!(*evaluator.eval(divisor).expect_bitvec(), zero, "formula {number}");
            }
        }
    }
    assert!(divisions > 200, "{divisions}");
}

#[test]
fn planted_and_refuted_formulas_are_what_they_claim() {
    let mut known: BTreeMap<Option<bool>, u32> = BTreeMap::new();
    for goal in [Goal::Planted, Goal::Refuted] {
        for shape in shapes() {
            let shape = Shape { goal, ..shape };
            for number in 0..25 {
                let mut case = shape.case(1, number);
                *known.entry(case.status()).or_default() += 1;
                assert_ne!(case.model_holds(), Some(false), "{}", case.script());
                let mut terms = case.terms();
                if let Evidence::Core(core) = &case.evidence {
                    terms = core.iter().map(|&position| terms[position]).collect();
                }
                let answer = decide(&mut case.pool, &terms);
                assert!(
                    answer.is_none() || case.status().is_none() || answer == case.status(),
                    "{}",
                    case.script()
                );
            }
        }
    }
    assert!(known[&Some(true)] == 150 && known[&Some(false)] == 150, "{known:?}");
}

/// A lie about the status is noticed by the same test.
#[test]
fn a_planted_formula_with_a_root_turned_round_fails_under_its_model() {
    let shape = Shape { goal: Goal::Planted, ..Shape::everything() };
    for number in 0..20 {
        let mut case = shape.case(2, number);
        case.assertions[0] = case.pool.mk(Op::Not, &[case.assertions[0].term]).into();
        assert_eq!(case.model_holds(), Some(false));
    }
}

/// Each check of a session is decided by a solver of its own.
#[test]
fn sessions_have_the_answers_they_claim() {
    let (mut said, mut with_names, mut assumed) = ([0; 3], 0, 0);
    for (number, shape) in shapes().iter().cycle().take(24).enumerate() {
        let timeline = Timeline { doubt: if number % 3 == 0 { 30 } else { 0 }, ..Timeline::default() };
        let (mut made, answers) = session(shape, &timeline, 4, number as u64);
        assert_eq!(made.script(&answers), session(shape, &timeline, 4, number as u64).0.script(&answers));
        let (mut levels, mut answers) = (vec![vec![]], answers.into_iter());
        for step in made.steps.clone() {
            match step {
                Step::Push(count) => levels.extend(vec![vec![]; count as usize]),
                Step::Pop(count) => levels.truncate(levels.len() - count as usize),
                Step::Reset => levels = vec![vec![]],
                Step::Assert(term, named) => {
                    with_names += u32::from(named);
                    levels.last_mut().expect("the lowest level stays").push(term);
                }
                Step::Check(assumptions, _) => {
                    assumed += u32::from(!assumptions.is_empty());
                    let all = [levels.concat(), assumptions].concat();
                    let claim = answers.next().expect("an answer for each check");
                    said[claim.map_or(2, usize::from)] += 1;
                    let answer = decide(&mut made.pool, &all);
                    assert!(answer.is_none() || claim.is_none() || answer == claim, "session {number}");
                }
            }
        }
        assert_eq!(answers.next(), None);
    }
    assert!(
        said.iter().all(|&count| count > 15) && with_names > 30 && assumed > 30,
        "{said:?} {with_names} {assumed}"
    );
}
