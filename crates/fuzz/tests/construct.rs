//! Cases by construction: each is what it claims, judged by the semantics, by all assignments and by the
//! solver.

use crate::support::decide;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_fuzz::case::{Case, Evidence};
use bivalve_fuzz::construct::{Construction, Kind, MAX_WIDTH, Operators, Options, Theory};
use bivalve_judge::exhaustion::satisfiable;
use bivalve_terms::{Op, Pool, Term};
use std::collections::{BTreeMap, BTreeSet};

fn construction(theory: Theory, width: u32, operators: Operators) -> Construction {
    let options = Options { theory, width, operators, samples: 300, ..Options::default() };
    Construction::new(options).expect("a legal width")
}

/// The case of every `step`-th number of each kind of all theories; the others are not made.
fn some_cases(width: u32, operators: Operators, step: usize, judge: &mut dyn FnMut(Theory, Kind, Case)) {
    for theory in Theory::ALL {
        let construction = construction(theory, width, operators);
        for kind in Kind::ALL {
            let numbers = (0..construction.len(kind)).step_by(step);
            for case in numbers.filter_map(|number| construction.case(kind, number)) {
                judge(theory, kind, case);
            }
        }
    }
}

fn core_of(case: &Case) -> Option<Vec<Term>> {
    let Evidence::Core(core) = &case.evidence else { return None };
    let terms = case.terms();
    Some(core.iter().map(|&position| terms[position]).collect())
}

#[test]
fn every_model_satisfies_its_case() {
    let mut judged = 0;
    for (width, operators, step) in
        [(4, Operators::Thesis, 5), (1, Operators::All, 23), (7, Operators::All, 101)]
    {
        some_cases(width, operators, step, &mut |_, kind, case| {
            let expected = match kind {
                Kind::Single | Kind::Constants | Kind::Synthesis => Some(true),
                Kind::Chain | Kind::Fusion => case.status(),
                _ => Some(false),
            };
            assert_eq!(case.status(), expected, "{}", case.script());
            judged += u32::from(case.status() == Some(true));
            assert_ne!(case.model_holds(), Some(false), "{}", case.script());
        });
    }
    assert!(judged > 8_000, "{judged}");
}

#[test]
fn every_core_is_contradictory_by_all_assignments() {
    let mut judged: BTreeMap<Kind, [u32; 2]> = BTreeMap::new();
    for (width, operators, step) in
        [(1, Operators::All, 59), (2, Operators::Thesis, 11), (2, Operators::All, 401)]
    {
        some_cases(width, operators, step, &mut |_, kind, case| {
            let Some(core) = core_of(&case) else { return };
            let answer = satisfiable(&case.pool, &core, 10);
            assert_ne!(answer, Some(true), "{}", case.script());
            judged.entry(kind).or_default()[usize::from(answer.is_some())] += 1;
        });
    }
    let kinds = Kind::ALL.len() - 3;
    assert!(judged.len() == kinds && judged.values().all(|&[_, done]| done >= 5), "{judged:?}");
}

/// At widths where not all assignments can be tried, by the solver; it decides the satisfiable ones, too.
#[test]
fn the_solver_agrees() {
    let mut answers: BTreeMap<Option<bool>, u32> = BTreeMap::new();
    for (width, operators, step) in
        [(4, Operators::Thesis, 307), (9, Operators::All, 9001), (32, Operators::Thesis, 2003)]
    {
        some_cases(width, operators, step, &mut |_, _, mut case| {
            let terms = core_of(&case).unwrap_or_else(|| case.terms());
            let answer = decide(&mut case.pool, &terms);
            assert!(answer.is_none() || answer == case.status(), "{}", case.script());
            *answers.entry(answer).or_default() += 1;
        });
    }
    assert!(answers[&Some(true)] > 120 && answers[&Some(false)] > 120, "{answers:?}");
    assert!(answers.get(&None).is_none_or(|&unknown| unknown < 20), "{answers:?}");
}

/// No member of a core of a contradiction, or of a grown one, is redundant; and what is redundant is in
/// none.
#[test]
fn cores_are_minimal() {
    let mut sizes: BTreeMap<usize, u32> = BTreeMap::new();
    for theory in Theory::ALL {
        let construction = construction(theory, 3, Operators::Thesis);
        for kind in [Kind::Contradiction, Kind::Growth, Kind::Redundancy] {
            for (_, mut case) in construction.all(kind).step_by(7) {
                let core = core_of(&case).expect("these are unsatisfiable");
                *sizes.entry(core.len()).or_default() += 1;
                assert_eq!(core.len() < case.assertions.len(), kind == Kind::Redundancy, "{}", case.script());
                for left_out in 0..core.len() {
                    let mut rest = core.clone();
                    rest.remove(left_out);
                    assert_eq!(
                        decide(&mut case.pool, &rest),
                        Some(true),
                        "without {left_out}: {}",
                        case.script()
                    );
                }
            }
        }
    }
    assert!([2, 3, 4].iter().all(|size| sizes[size] > 20), "{sizes:?}");
}

#[test]
fn every_operator_occurs() {
    let mut seen: BTreeMap<Theory, BTreeSet<Op>> = BTreeMap::new();
    some_cases(4, Operators::All, 13, &mut |theory, kind, case| {
        if kind != Kind::Rule {
            seen.entry(theory).or_default().extend(case.operators());
        }
    });
    let missing = |theory: Theory| Op::native().filter(|op| !seen[&theory].contains(op)).collect::<Vec<_>>();
    assert_eq!(missing(Theory::Bits), [Op::Apply, Op::Select, Op::Store, Op::ConstArray]);
    assert_eq!(missing(Theory::Both), [Op::Apply]);
    assert!(seen[&Theory::Arrays].is_superset(&BTreeSet::from([
        Op::Select,
        Op::Store,
        Op::ConstArray,
        Op::Ite
    ])));
}

/// Numbers, satisfiable and unsatisfiable cases of each theory and kind at 4 bits, as the thesis tells them
/// in tables 12 to
/// 15. Rules and what is drawn from them change with the rules, so of these only that there are some.
#[test]
fn counts_are_stable() {
    const EXPECTED: [(Theory, [u64; 9]); 3] = [
        (Theory::Bits, [18, 782, 9724, 20, 1650, 262, 1140, 552, 15514]),
        (Theory::Arrays, [8, 1274, 14208, 8, 144, 0, 144, 480, 5712]),
        (Theory::Both, [0, 0, 17475, 0, 350, 0, 266, 0, 5472]),
    ];
    for (theory, expected) in EXPECTED {
        let construction = construction(theory, 4, Operators::Thesis);
        let counts = Kind::ALL[..9].iter().map(|&kind| {
            let tally = construction.tally(kind);
            assert_eq!(tally.numbers, construction.len(kind));
            tally.sat + tally.unsat
        });
        assert_eq!(counts.collect::<Vec<_>>(), expected, "{theory:?}");
        for kind in [Kind::Chain, Kind::Fusion, Kind::Rule] {
            assert!(construction.all(kind).count() > 50, "{theory:?} {kind:?}");
        }
    }
}

/// Formulas without their heads: no two of a kind are equal, where that is promised.
#[test]
fn formulas_differ() {
    for theory in Theory::ALL {
        let construction = construction(theory, 4, Operators::Thesis);
        for kind in [Kind::Single, Kind::Constants, Kind::Contradiction, Kind::Growth, Kind::Wrong] {
            let body = |case: &Case| {
                let text = case.script();
                text.lines().filter(|line| !line.starts_with("(set-info")).collect::<String>()
            };
            let mut seen = BTreeSet::new();
            for (number, case) in construction.all(kind) {
                assert!(seen.insert(body(&case)), "{theory:?} {kind:?} {number}: {}", case.script());
            }
        }
    }
}

/// What a script says: status, core, model, assertions with their names.
#[derive(Default)]
struct Read {
    infos: BTreeMap<String, String>,
    assertions: Vec<Term>,
    names: Vec<String>,
}

fn read(pool: &mut Pool, text: &str) -> Read {
    let mut parser = Parser::new(text.as_bytes(), "case", ParserOptions::default());
    let mut read = Read::default();
    loop {
        match parser.next_command(pool) {
            Ok(None) => return read,
            Ok(Some(Command::Assert { term, named, .. })) => {
                read.assertions.push(term);
                read.names.extend(named.into_iter().map(|(name, _)| name));
            }
            Ok(Some(Command::SetInfo { keyword, value: Some(value) })) => {
                read.infos.insert(keyword, value.text().to_owned());
            }
            Ok(Some(_)) => {}
            Err(refusal) => panic!("{}\n{text}", refusal.render()),
        }
    }
}

/// A model in the head of a script, put before its assertions in place of the declarations, makes them true.
#[test]
fn scripts_say_what_is_known() {
    let (mut models, mut cores) = (0, 0);
    some_cases(4, Operators::Thesis, 131, &mut |_, _, mut case| {
        let text = case.script();
        let said = read(&mut Pool::new(), &text);
        assert_eq!(said.assertions.len(), case.assertions.len(), "{text}");
        if let Evidence::Core(core) = &case.evidence {
            let names: Vec<&str> = said.infos[":bivalve-core"].split(' ').collect();
            assert_eq!(said.infos[":status"], "unsat");
            assert_eq!(names, core.iter().map(|&at| said.names[at].as_str()).collect::<Vec<_>>(), "{text}");
            cores += 1;
            return;
        }
        assert_eq!(said.infos[":status"], "sat");
        let rest =
            text.lines().filter(|line| !line.starts_with("(declare-fun")).collect::<Vec<_>>().join("\n");
        let mut pool = Pool::new();
        let closed = read(&mut pool, &format!("{}\n{rest}", said.infos[":bivalve-model"]));
        for &assertion in &closed.assertions {
            assert!(bivalve_terms::eval(&pool, assertion, &Default::default()).expect_bool(), "{text}");
        }
        assert!(
            bivalve_terms::cone(&pool, &closed.assertions).iter().all(|&term| pool.op(term) != Op::Symbol)
        );
        // A lie is noticed.
        case.assertions[0] = case.pool.mk(Op::Not, &[case.assertions[0].term]).into();
        assert_eq!(case.model_holds(), Some(false));
        models += 1;
    });
    assert!(models > 200 && cores > 200, "{models} {cores}");
}

/// In plain words a case is as true as before, and has no operators that others do not know.
#[test]
fn plain_words_change_nothing() {
    let mut changed = 0;
    some_cases(2, Operators::All, 301, &mut |_, _, mut case| {
        let before = case.terms();
        case.say_plainly();
        changed += u32::from(before != case.terms());
        assert_ne!(case.model_holds(), Some(false), "{}", case.script());
        if let Some(core) = core_of(&case) {
            assert_ne!(satisfiable(&case.pool, &core, 8), Some(true), "{}", case.script());
        }
        let later =
            |op: Op| matches!(op, Op::BvUmulo | Op::BvSmulo | Op::RedXor | Op::BvUdivo | Op::ExtRotateLeft);
        assert!(!case.operators().any(later), "{}", case.script());
    });
    assert!(changed > 50, "{changed}");
}

/// The formula of section 1.1, which Z3 4.8.8 calls satisfiable, is met at any width.
#[test]
fn the_formula_of_the_introduction_is_met() {
    let construction = construction(Theory::Arrays, 4, Operators::Thesis);
    let wanted = "(assert (! (= (store ((as const (Array Bool Bool)) true) false false) ((as const (Array Bool Bool)) false)) :named a0))";
    assert!(construction.all(Kind::Wrong).any(|(_, case)| case.script().contains(wanted)));
}

#[test]
fn cases_follow_from_their_number() {
    for theory in Theory::ALL {
        let one = construction(theory, 5, Operators::All);
        let other = construction(theory, 5, Operators::All);
        for kind in Kind::ALL {
            for index in 0..20 {
                let Some((number, case)) = one.sample(kind, index) else { continue };
                let again = other.case(kind, number).expect("it was met before");
                assert_eq!(case.script(), again.script());
                assert_eq!(other.sample(kind, index).expect("it was met before").0, number);
            }
        }
    }
    assert!(Construction::new(Options { width: 0, ..Options::default() }).is_err());
    assert!(Construction::new(Options { width: MAX_WIDTH + 1, ..Options::default() }).is_err());
    assert!(Construction::new(Options { breadth: 0, ..Options::default() }).is_err());
}

/// Wide ones take a moment each, and their models hold.
#[test]
fn widths_beyond_machine_words_are_no_exception() {
    let construction = construction(Theory::Both, 130, Operators::Thesis);
    for kind in Kind::ALL {
        for index in 0..3 {
            if let Some((_, case)) = construction.sample(kind, index) {
                assert_ne!(case.model_holds(), Some(false));
                read(&mut Pool::new(), &case.script());
            }
        }
    }
}
