//! The same replies, byte by byte, for any number of threads, and the verdicts of a session
//! without threads: random sessions of all theories, and formulas that take some rounds. Head starts are
//! short, so that even small checks come to rendezvous.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

mod common;

use bivalve::CheckResult;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_fuzz::formula::Recipe;
use bivalve_fuzz::session::Session as Random;
use bivalve_fuzz::theory::Theory;
use bivalve_portfolio::{Statistics, Threads};
use bivalve_session::{Config, NoMonitor, Reply, Session};
use common::{HARD, carry_out};

/// Head starts, in steps.
const ALONE: [u64; 3] = [0, 5, 60];

/// Compares a run of a script with one thread with runs with `counts` of them, and the verdicts with those of
/// a run of a `plain` script without threads. Returns what the engines were good for.
fn compare(script: &str, plain: &str, alone: u64, counts: &[u64]) -> Statistics {
    let plain = carry_out(plain, None, &mut bivalve_session::NoMonitor);
    let run = |count: u64| {
        let threads = Threads::new(count).unwrap().alone_for(alone);
        carry_out(script, Some(threads), &mut bivalve_session::NoMonitor)
    };
    let first = run(1);
    assert_eq!(first.verdicts(), plain.verdicts(), "with engines, after {alone} steps:\n{script}");
    for &count in counts {
        let other = run(count);
        assert_eq!(other.texts(), first.texts(), "with {count} threads after {alone} steps:\n{script}");
        assert_eq!(other.engines, first.engines, "with {count} threads after {alone} steps:\n{script}");
    }
    first.engines.unwrap()
}

#[test]
fn random_sessions_are_answered_the_same_with_any_number_of_threads() {
    let theories = [Theory::Bits, Theory::Arrays, Theory::Functions, Theory::All];
    let mut contested = 0;
    for number in 0..if cfg!(debug_assertions) { 60 } else { 1000 } {
        let theory = theories[number as usize % theories.len()];
        let recipe = Recipe { seed: 18, max_width: 9, size: 12, theory };
        let session = Random::random(&recipe, number, 25);
        let plain = carry_out(&session.script(&[]), None, &mut bivalve_session::NoMonitor);
        let answers: Vec<Option<bool>> = plain.verdicts().into_iter().map(answer_of).collect();
        let script = session.script(&answers);
        let statistics = compare(&script, &script, ALONE[number as usize % ALONE.len()], &[1, 2, 3, 4]);
        contested += statistics.contested;
    }
    assert!(contested > 100, "{contested} checks were contested");
}

fn answer_of(result: CheckResult) -> Option<bool> {
    match result {
        CheckResult::Sat => Some(true),
        CheckResult::Unsat => Some(false),
        CheckResult::Unknown(_) => None,
    }
}

#[test]
fn harder_formulas_are_answered_the_same_and_other_engines_win_some() {
    let mut wins = vec![];
    let mut rounds = 0;
    // Beside the reference backend, which is slow, the other engine wins.
    for (script, backend) in HARD.iter().flat_map(|script| [(script, "cadical"), (script, "naive")]) {
        for alone in [3, 40] {
            let statistics = compare(&format!("(set-option :sat {backend}){script}"), script, alone, &[2, 4]);
            rounds += statistics.rounds;
            wins.resize(statistics.wins.len().max(wins.len()), 0);
            statistics.wins.iter().zip(&mut wins).for_each(|(own, all)| *all += own.wins);
        }
    }
    assert!(rounds > 100, "{rounds} rounds");
    assert!(wins[0] > 0 && wins[1..].iter().any(|&wins| wins > 0), "wins of each engine: {wins:?}");
}

/// Spare engines take part in the first check only, and in none where the solver is to do the work alone.
#[test]
fn spare_engines_take_part_in_the_first_check() {
    let mut won = vec![];
    for script in HARD {
        let plain = carry_out(&format!("(set-option :courses false){script}"), None, &mut NoMonitor);
        assert_eq!(plain.engines, None);
        let threads = Some(Threads::spare().alone_for(0));
        let [first, second] = [(); 2].map(|()| carry_out(script, threads, &mut NoMonitor));
        assert_eq!(first.verdicts(), plain.verdicts(), "with spare engines:\n{script}");
        assert_eq!(first.texts(), second.texts(), "in every run:\n{script}");
        let engines = first.engines.unwrap();
        assert!(engines.contested <= 1, "{engines:?}");
        won.extend(engines.winner);
        for beginning in [
            "(set-option :conflict-limit 1000000)",
            "(set-option :sat naive)",
            "(set-option :rewrite-level 0)(set-option :seed 1)",
        ] {
            let run = carry_out(&format!("{beginning}{script}"), threads, &mut NoMonitor);
            assert_eq!(run.engines.unwrap().contested, 0, "{beginning}");
        }
    }
    assert!(won.iter().any(|&winner| winner != "first"), "{won:?}");
}

#[test]
fn who_races_answers_right() {
    for script in HARD {
        let plain = carry_out(script, None, &mut bivalve_session::NoMonitor);
        for count in [1, 2, 8] {
            let threads = Threads::new(count).unwrap().racing(true).alone_for(10);
            let run = carry_out(script, Some(threads), &mut bivalve_session::NoMonitor);
            assert_eq!(run.verdicts(), plain.verdicts(), "with {count} threads, racing:\n{script}");
            assert!(!run.replies.iter().any(|reply| matches!(reply, Reply::Fault(_))));
        }
    }
}

/// The checks and rounds of engines in a script that is a file, with two threads.
fn of_file(script: &str) -> (Vec<String>, Statistics) {
    let mut config = Config::default();
    config.options.threads = Some(Threads::new(2).unwrap().alone_for(10));
    let parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let (mut parser, mut session) = (parser.looking_ahead(), Session::new(config));
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor)).collect();
    let texts = replies.iter().filter_map(|reply| reply.text().map(String::from)).collect();
    (texts, session.report("script", &NoMonitor).engines.unwrap())
}

#[test]
fn engines_race_where_only_the_answer_matters() {
    let product = "(declare-const x (_ BitVec 26))(declare-const y (_ BitVec 26))
        (assert (= (bvmul x y) (_ bv4072291 26)))(assert (bvult x (_ bv8192 26)))(assert (bvult y (_ bv8192 26)))
        (assert (bvugt x (_ bv1 26)))(assert (bvugt y (_ bv1 26)))";
    let ends = ["(check-sat)(exit)", "(push 1)(check-sat)(pop 1)", "(check-sat-assuming (true)) ; the end"];
    for end in ends {
        let (texts, engines) = of_file(&format!("{product}{end}"));
        assert_eq!(texts, ["unsat"]);
        assert_eq!(engines.rounds, 1, "the solver waits for no rendezvous: {end}");
    }
    let more = [
        "(check-sat)(get-value (x))",
        "(set-option :produce-models true)(check-sat)(get-info :reason-unknown)",
        "(set-option :conflict-limit 1000000)(check-sat)",
    ];
    for end in more {
        let (texts, engines) = of_file(&format!("{product}{end}"));
        assert_eq!(texts[0], "unsat");
        assert!(engines.rounds > 1, "rounds decide: {end}");
        assert_eq!(texts, of_file(&format!("{product}{end}")).0);
    }
}

#[test]
fn numbers_of_threads_are_options() {
    let script = "(get-option :threads)(set-option :threads 2)(check-sat)(set-option :racing true)(check-sat)
        (set-option :threads 0)(set-option :threads 257)(set-option :threads many)(set-option :racing 1)
        (get-option :threads)(get-option :racing)(reset)(get-option :racing)
        (get-option :courses)(set-option :courses false)(get-option :courses)(set-option :courses 1)";
    let run = carry_out(script, None, &mut bivalve_session::NoMonitor);
    let expected = [
        "unsupported",
        "sat",
        "sat",
        "option ':threads': expected a number of threads from 1 to 256, found 0",
        "option ':threads': expected a number of threads from 1 to 256, found 257",
        "option ':threads' expects a numeral, found 'many'",
        "option ':racing' expects true or false, found '1'",
        "2",
        "true",
        "false",
        "true",
        "false",
        "option ':courses' expects true or false, found '1'",
    ];
    let texts = run.texts();
    assert_eq!(texts.len(), expected.len(), "{texts:?}");
    for (text, expected) in texts.iter().zip(expected) {
        assert!(text.contains(expected), "{text} is not {expected}");
    }
}
