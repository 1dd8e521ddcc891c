//! Trees: the answer is that of the solver, models hold, and nothing depends on who looks at nodes when.

use crate::support::{done, factors, job};
use bivalve::{CheckResult, Settings};
use bivalve_cubes::{Answer, Cube, Fault, Problem, State};
use bivalve_formats::smtlib::Parser;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_fuzz::mixture::Mixture;
use bivalve_session::{Config, NoMonitor, Options, Reply, Session};

/// The replies of a session.
fn replies(script: &str) -> Vec<Reply> {
    let mut session =
        Session::new(Config { options: Options::new(Settings::default()), ..Config::default() });
    let mut parser = Parser::new(script.as_bytes(), "script.smt2", ParserOptions::default());
    std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor)).collect()
}

fn answer(script: &str) -> CheckResult {
    let first = replies(script).into_iter().find_map(|reply| match reply {
        Reply::Checked(answer) => Some(answer),
        _ => None,
    });
    first.expect("a check")
}

#[test]
fn numbers_are_factored_in_trees() {
    // 2,027 and 2,029 are primes, and so is 4,111,333.
    for (product, is_composite) in [(2027 * 2029, true), (4_111_333, false)] {
        let job = job(&factors(product, 24), 20, None).unwrap();
        let one = done(&job, false);
        let least = if is_composite { 1 } else { 7 };
        assert!(one.tree.nodes.len() > least, "{:?}", one.tree);
        match &one.tree.state {
            State::Sat { model, .. } if is_composite => {
                assert!(model.contains("(define-fun |a b| () (_ BitVec 24) #b"), "{model}");
            }
            state => assert!(!is_composite && *state == State::Unsat, "{state:?}"),
        }
        // In whatever order the nodes of a round are looked at, the tree is the same.
        let other = done(&job, true);
        assert_eq!(one.tree, other.tree);
        // Splits are on words of the script.
        let mut splits = one.tree.nodes.iter().filter_map(|(_, outcome)| match &outcome.answer {
            Answer::Split { term } => Some(term),
            _ => None,
        });
        assert!(splits.all(|term| term.contains("|a b|") || term.contains('y')));
    }
}

#[test]
fn answers_are_those_of_the_solver() {
    let mixture = Mixture::new(59);
    let (mut split, mut sat, mut unsat) = (0, 0, 0);
    for number in 0..160 {
        let Some((name, script)) = mixture.case(number) else { continue };
        let job = match job(&script, 1, None) {
            Ok(job) => job,
            Err(Fault::Script(why)) => {
                assert!(why.contains("quantified") || why.contains("end of the script"), "{name}: {why}");
                continue;
            }
            Err(fault) => panic!("{name} {number}: {fault}"),
        };
        let tree = done(&job, false).tree;
        split += usize::from(tree.nodes.len() > 1);
        match (answer(&script), &tree.state) {
            (CheckResult::Unsat, State::Unsat) => unsat += 1,
            (CheckResult::Sat, State::Sat { .. }) => sat += 1,
            (answer, state) => panic!("{name} {number}: {answer:?}, {state:?}\n{script}"),
        }
    }
    assert!(split >= 10 && sat >= 10 && unsat >= 10, "{split} split, {sat} sat, {unsat} unsat");
}

#[test]
fn what_is_no_question_is_refused_with_its_place() {
    let refusal = |script: &str| match Problem::read(script.into(), "a.smt2", Settings::default()) {
        Ok(_) => panic!("{script} was read"),
        Err(Fault::Refused(diagnostic)) => diagnostic.to_string(),
        Err(fault) => fault.to_string(),
    };
    let unread = refusal("(declare-const x (_ BitVec 8))\n(assert (= x y))\n(check-sat)");
    assert!(unread.starts_with("a.smt2:2:14"), "{unread}");
    let no_check = refusal("(declare-const x Bool)\n(assert x)\n");
    assert_eq!(no_check, "a.smt2:3:1: expected a (check-sat), found the end of the script");
    let quantified = refusal("(assert (forall ((x (_ BitVec 8))) (= x x)))\n(check-sat)");
    assert!(quantified.contains("without quantifiers"), "{quantified}");
    // A cube that says nothing of the script.
    let job = job("(declare-const p Bool)\n(assert p)\n(check-sat)", 1, None).unwrap();
    let strange = Cube::default().split("q");
    assert!(job.run(&strange[0], &bivalve_harness::Cancel::new()).is_err());
}

#[test]
fn a_cancelled_node_has_no_outcome() {
    let cancel = bivalve_harness::Cancel::new();
    cancel.raise();
    let job = job(&factors(4_111_333, 24), 1 << 20, None).unwrap();
    assert!(job.run(&Cube::default(), &cancel).unwrap().is_none());
}

/// What a session says of the objectives of a script, which asks for them at its end.
fn objectives(script: &str) -> String {
    match replies(script).pop() {
        Some(Reply::Evidence(_, text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Two words under random constraints, with objectives of both kinds and signs, one or two of them.
fn random_problem(rng: &mut fastrand::Rng) -> (String, Vec<String>) {
    let mut script = String::from("(declare-const x (_ BitVec 6)) (declare-const y (_ BitVec 6))");
    let term = |rng: &mut fastrand::Rng| {
        let op = ["bvadd", "bvmul", "bvxor", "bvudiv", "bvsub"][rng.usize(..5)];
        format!("({op} x (bvadd y (_ bv{} 6)))", rng.u32(..64))
    };
    for _ in 0..rng.usize(1..4) {
        let relation = ["bvult", "bvsle", "distinct", "bvule"][rng.usize(..4)];
        let (one, other) = (term(rng), term(rng));
        script.push_str(&format!(" (assert ({relation} {one} {other}))"));
    }
    let names: Vec<String> = (0..rng.usize(1..3)).map(|number| format!("goal{number}")).collect();
    for name in &names {
        let (command, sign) = (["minimize", "maximize"][rng.usize(..2)], ["", " :signed"][rng.usize(..2)]);
        script.push_str(&format!(" ({command} {}{sign} :id {name})", term(rng)));
    }
    (script + "(check-sat)", names)
}

#[test]
fn optima_are_those_of_a_session() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut optimal, mut split, mut negative) = (0, 0, 0);
    for _ in 0..60 {
        let (script, names) = random_problem(&mut rng);
        let done = done(&job(&script, 1, None).unwrap(), rng.bool());
        let said = objectives(&format!("{script}(get-objectives)"));
        if done.tree.state == State::Unsat {
            assert_eq!(answer(&script), CheckResult::Unsat, "{script}");
            continue;
        }
        assert!(matches!(done.tree.state, State::Sat { .. }), "{script}: {:?}", done.tree.state);
        let line = |(name, value): (&String, &bivalve::terms::BigInt)| {
            let text = value.to_string();
            match text.strip_prefix('-') {
                Some(digits) => format!(" ({name} (- {digits}))\n"),
                None => format!(" ({name} {text})\n"),
            }
        };
        let lines: String = names.iter().zip(&done.values).map(line).collect();
        assert_eq!(format!("(objectives\n{lines})"), said, "{script}");
        assert!(done.questions <= 1 + 7 * names.len(), "{script}: {}", done.questions);
        optimal += 1;
        negative += usize::from(lines.contains('-'));
        let is_split =
            |(_, outcome): &(Cube, bivalve_cubes::Outcome)| matches!(outcome.answer, Answer::Split { .. });
        split += usize::from(done.tree.nodes.iter().any(is_split));
    }
    assert!(
        optimal > 30 && split > 8 && negative > 8,
        "{optimal} optimal, {split} split, {negative} negative"
    );
}

#[test]
fn only_what_is_asked_for_counts_as_an_objective() {
    let read = |script: &str| Problem::read(script.to_owned(), "script.smt2", Settings::default());
    let declared = "(declare-const x (_ BitVec 8))";
    // A name in an objective is given once.
    let named =
        format!("{declared}(assert (bvult x #x30))(maximize (! (bvadd x #x01) :named sum))(check-sat)");
    let found = done(&job(&named, 1, None).unwrap(), false);
    assert_eq!(found.values, [bivalve::terms::BigInt::from(0x30)]);
    let popped = format!("{declared}(push 1)(minimize x)(pop 1)(maximize (bvneg x))(check-sat)");
    let problem = read(&popped).unwrap();
    assert_eq!(problem.goals().iter().map(|goal| &goal.name).collect::<Vec<_>>(), ["(bvneg x)"]);
    for (script, why) in [
        (
            "(assert-soft (= x #x01))(check-sat)",
            "script.smt2:1:31: expected an objective that is a word, found a soft",
        ),
        (
            "(set-option :opt.priority box)(minimize x)(maximize x)(check-sat)",
            "expected one objective after another (lex), found another priority",
        ),
    ] {
        match read(&format!("{declared}{script}")) {
            Err(Fault::Script(refused)) => assert!(refused.contains(why), "{refused}"),
            other => panic!("{other:?}"),
        }
    }
}
