//! Replies of a session as values: what is remembered from command to command, and what ends it.

use crate::support::{replies, replies_with, texts};
use bivalve::terms::Pool;
use bivalve::{CheckResult, Progress, Stop, Why};
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, Guard, Parser, ParserOptions, Symbols};
use bivalve_session::{Config, Evidence, Frontend, Monitor, NoMonitor, Options, Reply, Session};
use fastrand::Rng;
use std::cell::Cell;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

const SAT: Reply = Reply::Checked(CheckResult::Sat);
const UNSAT: Reply = Reply::Checked(CheckResult::Unsat);

#[test]
fn replies_say_what_they_are() {
    let script = "(declare-const p Bool)(assert p)(get-model)(check-sat)(get-value (p))(get-unsat-core)
        (set-option :produce-unsat-cores true)(assert (! (not p) :named b))(check-sat)(get-unsat-core)
        (check-sat-assuming (p))(get-unsat-assumptions)(frobnicate)(pop)(simplify p)(exit)(check-sat)";
    let replies = replies(script);
    assert_eq!(replies[..2], [Reply::Done, Reply::Done]);
    let missing = |evidence, text: &str| Reply::NotAvailable(evidence, format!("script:1:{text}"));
    let text = "33: model is not available: there is no answer of check-sat at this point";
    assert_eq!(replies[2], missing(Evidence::Model, text));
    assert_eq!(replies[3..5], [SAT, Reply::Evidence(Evidence::Values, "((p true))".into())]);
    let text =
        "70: unsat core is not available: set the option :produce-unsat-cores before assertions have names";
    assert_eq!(replies[5..8], [missing(Evidence::Core, text), Reply::Done, Reply::Done]);
    assert_eq!(replies[8..10], [UNSAT, Reply::Evidence(Evidence::Core, "(b)".into())]);
    assert!(matches!(replies[11], Reply::Evidence(Evidence::FailedAssumptions, _)));
    assert!(matches!(&replies[12], Reply::Refused(diagnostic) if diagnostic.line == 3));
    assert!(matches!(&replies[13], Reply::Error(text) if text.starts_with("script:3:")));
    assert_eq!(replies[14..], [Reply::Unsupported, Reply::Done], "nothing is read after (exit)");
}

/// Values of declared sorts were refused where the standard has clients use them. What a model prints is true
/// of it, and an element that it does not have is no other one.
#[test]
fn values_that_a_model_has_shown_are_taken_in_get_value() {
    let script = "(declare-sort U 0)(declare-sort |a b| 0)(declare-fun a () (Array U U))(declare-fun f (U) U)
        (declare-const x U)(declare-const y U)(declare-const z |a b|)
        (define-fun is-named ((e U)) Bool (or (= e x) (= e y) (= e (f y))))
        (assert (distinct x y (select a x) (f y)))(check-sat)";
    let value = |term: &str| {
        let found = texts(&format!("{script}(get-value ({term}))"));
        let pair = found[1].strip_prefix(&format!("(({term} ")).and_then(|rest| rest.strip_suffix("))"));
        pair.unwrap_or_else(|| panic!("{found:?}")).to_owned()
    };
    let [a, x, y, z] = ["a", "x", "y", "z"].map(value);
    assert!(a.contains("((as const (Array U U)) (as @U_") && z == "(as |@a b_0| |a b|)", "{a} {z}");
    for (term, expected) in [
        (format!("(= a {a})"), "true".to_owned()),
        (format!("(and (= x {x}) (= z {z}) (distinct {x} {y}))"), "true".to_owned()),
        (format!("(= (select a {x}) (select {a} x))"), "true".to_owned()),
        (format!("(= (f {y}) (f y))"), "true".to_owned()),
        (format!("(let ((e {x})) (store {a} e e))"), value("(store a x x)")),
        ("(is-named (as @U_4000000000 U))".to_owned(), "false".to_owned()),
    ] {
        assert_eq!(value(&term), expected, "{term}");
    }
    for refused in [
        "(assert (= x (as @U_0 U)))",
        "(get-value ((as @U_0 |a b|)))",
        "(get-value ((as @U_00 U)))",
        "(get-value ((as @U_4294967296 U)))",
        "(get-value ((as @Bool_0 Bool)))",
        "(get-value (@U_0))",
        "(get-value ((! (= x (as @U_0 U)) :named n)))",
    ] {
        let found = replies(&format!("{script}{refused}(get-value (x))"));
        let (last, after) = (&found[found.len() - 2], &found[found.len() - 1]);
        assert!(matches!(last, Reply::Refused(_)), "{refused}: {last:?}");
        assert!(!matches!(after, Reply::Refused(_)), "{refused}: {after:?}");
    }
}

/// A core left out what had a name before the option was set: it was no core.
#[test]
fn cores_are_asked_for_before_assertions_have_names() {
    let script = "(declare-const p Bool)(push)(assert (! p :named a))(set-option :produce-unsat-cores true)
        (assert (! (not p) :named b))(check-sat)(get-unsat-core)(pop)
        (set-option :produce-unsat-cores true)(assert p)(assert (! (not p) :named b))(check-sat)(get-unsat-core)
        (set-option :produce-unsat-cores false)(assert (! p :named c))(set-option :unsat_core true)";
    assert_eq!(
        texts(script),
        [
            "(error \"script:1:52: option ':produce-unsat-cores' has to be set before an assertion has a name\")",
            "unsat",
            "(error \"script:2:49: unsat core is not available: \
            set the option :produce-unsat-cores before assertions have names\")",
            "unsat",
            "(b)",
            "(error \"script:4:71: option ':unsat_core' has to be set before an assertion has a name\")",
        ]
    );
}

/// The reason is the state of the session; the place was missing, too.
#[test]
fn what_is_not_available_has_a_place_and_a_reason() {
    let script =
        "(declare-const p Bool)(assert p)\n(get-value (p))(check-sat)\n(get-proof)(get-unsat-assumptions)
(check-sat-assuming ((not p)))\n(get-model)(get-assignment)";
    assert_eq!(
        texts(script),
        [
            "(error \"script:2:1: model is not available: there is no answer of check-sat at this point\")",
            "sat",
            "(error \"script:3:1: proof is not available: set the option :produce-proofs\")",
            "(error \"script:3:12: unsat assumptions are not available: the last answer was sat\")",
            "unsat",
            "(error \"script:5:1: model is not available: the last answer was unsat\")",
            "(error \"script:5:12: model is not available: the last answer was unsat\")",
        ]
    );
}

/// These were accepted with any value, and did nothing.
#[test]
fn standard_options_have_the_values_of_the_standard() {
    let error = |column: usize, text: &str| format!("(error \"script:1:{column}: option {text}\")");
    for (script, expected) in [
        ("(set-option :random-seed zork)", error(1, "'seed' expects a numeral, found 'zork'")),
        ("(set-option :verbosity true)", error(1, "':verbosity' expects a numeral, found 'true'")),
        (
            "(set-option :regular-output-channel stdout)",
            error(1, "':regular-output-channel' expects a string, found 'stdout'"),
        ),
        ("(set-option :regular-output-channel \"file\")", "unsupported".into()),
        ("(set-option :regular-output-channel \"stderr\")", "unsupported".into()),
        ("(set-option :regular-output-channel \"stdout\")", String::new()),
        ("(set-option :diagnostic-output-channel \"file\")", "unsupported".into()),
        ("(set-option :diagnostic-output-channel \"stdout\")", String::new()),
        ("(set-option :diagnostic-output-channel \"stderr\")", String::new()),
        ("(set-option :random-seed 7)(get-option :random-seed)(get-option :seed)", "7\n7".into()),
        ("(get-option :random-seed)(get-option :verbosity)", "0\n0".into()),
        // The whole family was accepted, misspelt or not.
        ("(set-option :produce-unsat-core true)", "unsupported".into()),
        ("(set-option :produce-interpolants true)", String::new()),
        // Words that are no simple symbols were printed without their bars.
        ("(set-option :trace |a b|)(get-option :trace)", "|a b|".into()),
        ("(set-option :trace \"a\"\"b\")(get-option :trace)", "\"a\"\"b\"".into()),
    ] {
        assert_eq!(texts(script).join("\n"), expected, "{script}");
    }
}

/// The standard has assertions kept on demand only.
#[test]
fn assertions_are_there_on_demand_where_the_standard_is_kept() {
    let strict = || Config { strict: true, ..Config::default() };
    let replies = replies_with(strict(), "(set-logic QF_BV)(get-assertions)");
    let problem = "script:1:18: assertions are not available: set the option :produce-assertions";
    assert_eq!(replies, [Reply::Done, Reply::Error(problem.into())]);
    for option in [":produce-assertions", ":interactive-mode"] {
        let replies = replies_with(strict(), &format!("(set-option {option} true)(get-assertions)"));
        assert_eq!(replies, [Reply::Done, Reply::Info("()".into())]);
    }
}

/// Names such as `:arrays:-rounds` were no keywords.
#[test]
fn statistics_are_attributes_of_the_language() {
    let script = "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
        (declare-const i (_ BitVec 8))(assert (distinct (select a i) (select (store b i #x01) (bvadd i #x01))))
        (assert (= a b))(assert (distinct (select a #x00) (select b i)))(check-sat)(get-info :all-statistics)";
    let text = texts(script).pop().expect("statistics");
    for pair in text[1..text.len() - 1].lines() {
        let (name, value) = pair.trim().split_once(' ').expect("a name and a value");
        assert!(name.starts_with(':') && !name[1..].contains([':', ' ']), "{pair}");
        assert!(value.starts_with('"') || !value.contains(' '), "{pair}");
    }
}

/// Thirty short definitions stand for a billion terms. They were built whatever the limits.
#[test]
fn limits_hold_while_definitions_are_expanded() {
    let mut script = String::from("(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvadd (bvmul x x) #x01))");
    for i in 1..=30 {
        let last = i - 1;
        script += &format!("(define-fun f{i} ((x (_ BitVec 8))) (_ BitVec 8) (f{last} (f{last} x)))");
    }
    script += "(declare-const y (_ BitVec 8))(assert (= (f30 y) y))(check-sat)(get-info :reason-unknown)";
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    let mut monitor = Full { asked: Cell::new(0), from: 1 };
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut monitor)).collect();
    let errors: Vec<String> =
        replies.iter().filter_map(|reply| reply.error().map(|e| e.into_owned())).collect();
    let first = ": expected a term within the limits, found that the memory limit is reached";
    assert!(errors[0].ends_with(first), "{errors:?}");
    assert!(errors.last().is_some_and(|last| last.contains("found 'f30'")), "{errors:?}");
    assert!(matches!(replies[replies.len() - 2], Reply::Checked(CheckResult::Unknown(_))), "{replies:?}");
}

/// The memory is used up when it has been asked for so often.
struct Full {
    asked: Cell<u32>,
    from: u32,
}

impl Monitor for Full {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, _: Option<Duration>) {
        stop.reset();
    }

    fn ended(&mut self) {}

    fn exhausted(&self) -> Option<Why> {
        self.asked.set(self.asked.get() + 1);
        (self.asked.get() > self.from).then_some(Why::MemoryLimit)
    }
}

/// A long script filled the memory before its first check, whatever the limit.
#[test]
fn assertions_beyond_a_limit_are_missing() {
    let parts = [
        "(declare-const p Bool)(push 1)",
        "(assert p)(check-sat)",
        "(pop 1)(check-sat)(assert p)(check-sat)",
    ];
    let input = parts
        .iter()
        .fold(Box::new(&b""[..]) as Box<dyn Read>, |input, part| Box::new(input.chain(part.as_bytes())));
    let mut parser = Parser::new(input, "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    let mut monitor = Full { asked: Cell::new(0), from: 1 };
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut monitor)).collect();
    let unknown = Reply::Checked(CheckResult::Unknown(Why::Incomplete("an assertion was refused")));
    let done = Reply::Done;
    assert_eq!(replies, [&done, &done, &done, &unknown, &done, &SAT, &done, &unknown].map(Clone::clone));
}

/// What is refused is missing until its level is popped, however it was refused.
#[test]
fn sat_is_unknown_while_an_assertion_is_missing() {
    let refused = [
        "(assert x)",
        "(assert (= #b1 #b11))",
        "(assert (forall ((y Int)) p))",
        "(assert",
        "(assert p p)",
        "(assert 5)",
        "(assert \"\")",
        "(assert (= (div 1 (bv2nat #b1)) 1)",
    ];
    for assertion in refused {
        let open = assertion.matches('(').count() - assertion.matches(')').count();
        let assertion = format!("{assertion} #{}", ")".repeat(open));
        let script = format!(
            "(declare-const p Bool)(push){assertion}(push)(check-sat)(assert (and p (not p)))(check-sat)(pop)
            (check-sat)(pop)(check-sat){assertion}(check-sat)(reset-assertions)(check-sat)"
        );
        let answers: Vec<Reply> =
            replies(&script).into_iter().filter(|reply| matches!(reply, Reply::Checked(_))).collect();
        let unknown = || Reply::Checked(CheckResult::Unknown(Why::Incomplete("an assertion was refused")));
        assert_eq!(answers, [unknown(), UNSAT, unknown(), SAT, unknown(), SAT], "{script}");
    }
}

/// A declaration that is refused loses no assertion.
/// What is between commands is one error, whatever its length, and every other error has its place, too.
#[test]
fn errors_have_a_place_and_stray_text_is_one() {
    for (script, error) in [
        ("\n (set-logic HORN)", "2:2: expected one of the logics"),
        ("(check-sat)\n(get-proof)", "2:1: proof is not available"),
        ("(set-option :print-success)", "1:1: option ':print-success' expects true or false, found nothing"),
        ("(set-option :rewrite-level 9)", "1:1: option 'rewrite-level' expects"),
        (")))) a b \u{1}\u{2}(exit)", "1:1: expected '(' and a command, found ')'"),
        ("(exit a) \u{1} b ))) \u{2}", "1:7: expected ')'"),
    ] {
        let errors: Vec<String> =
            replies(script).iter().filter_map(|reply| reply.error().map(|text| text.into_owned())).collect();
        assert!(errors[0].starts_with(&format!("script:{error}")), "{script}: {errors:?}");
        assert_eq!(errors.len(), 1 + usize::from(script.starts_with("(exit a")), "{script}: {errors:?}");
    }
    // Text between commands does not hide the next command, and is refused again behind it.
    let replies = replies(") a (check-sat) b b (check-sat) ;");
    let answers: Vec<bool> = replies.iter().map(|reply| matches!(reply, Reply::Checked(_))).collect();
    assert_eq!(answers, [false, true, false, true]);
}

/// Clients of Z3 ask after every answer, whatever it was.
#[test]
fn the_reason_of_unknown_is_told_after_every_answer_as_z3_tells_it() {
    let ask = "(get-info :reason-unknown)";
    let script = format!(
        "{ask}(declare-const p Bool)(assert p)(check-sat){ask}(push 1){ask}(assert (not p))(check-sat){ask}"
    );
    let told: Vec<String> = replies(&script)
        .iter()
        .filter_map(|reply| match reply {
            Reply::Info(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    let not_known = "(:reason-unknown \"state of the most recent check-sat command is not known\")";
    assert_eq!(told, [not_known, "(:reason-unknown \"\")", not_known, "(:reason-unknown \"unknown\")"]);
    let strict = Config { strict: true, ..Config::default() };
    let refused = replies_with(strict, "(set-logic QF_BV)(check-sat)(get-info :reason-unknown)");
    assert!(matches!(refused.last(), Some(Reply::Error(text)) if text.contains("was not unknown")));
}

#[test]
fn sat_stays_where_something_else_was_refused() {
    for refused in
        ["(declare-const x Int)", "(define-fun-rec f () Bool f)", "(frobnicate)", "(get-value (x))"]
    {
        assert_eq!(replies(&format!("{refused}(check-sat)"))[1], SAT, "{refused}");
    }
}

#[test]
fn a_reset_returns_to_the_options_of_the_beginning_but_for_success() {
    let mut options = Options::default();
    options.set_text("global-declarations", "true").expect("an option");
    options.set_text(":produce-unsat-cores", "true").expect("an option");
    let script = "(set-option :print-success true)(push)(declare-const q Bool)(pop)(assert q)
        (set-option :global-declarations false)(set-option :verbosity 3)
        (reset)(get-option :global-declarations)(get-option :produce-unsat-cores)(get-option :verbosity)
        (push)(declare-const p Bool)(pop)(assert p)";
    let replies = replies_with(Config { options, ..Config::default() }, script);
    let infos: Vec<&Reply> = replies.iter().filter(|reply| matches!(reply, Reply::Info(_))).collect();
    assert_eq!(infos, [&Reply::Info("true".into()), &Reply::Info("true".into()), &Reply::Info("0".into())]);
    assert!(replies.iter().all(|reply| matches!(reply, Reply::Success | Reply::Info(_))), "{replies:?}");
    assert!(Options::default().set_text("global-declarations", "maybe").is_err());
    assert!(Options::default().set_text("no-such-option", "1").is_err());
}

/// A monitor that stops every check and counts what it is told.
#[derive(Default)]
struct Impatient {
    limits: Vec<Option<Duration>>,
    ended: usize,
}

impl Monitor for Impatient {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        self.limits.push(time_limit);
        stop.reset();
        stop.stop(Why::TimeLimit);
    }

    fn ended(&mut self) {
        self.ended += 1;
    }

    fn checked(&mut self, _: &mut bivalve::Solver, _: &mut Pool, _: CheckResult) -> Result<(), String> {
        if self.ended == 3 { Err("the disk is full".into()) } else { Ok(()) }
    }

    fn peak_memory(&self) -> Option<u64> {
        Some(5 << 20)
    }
}

#[test]
fn a_monitor_ends_checks_and_has_the_last_word() {
    let script =
        "(declare-const p Bool)(assert p)(check-sat)(get-info :reason-unknown)(set-option :timeout 250)
        (check-sat)(check-sat)(get-info :all-statistics)";
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let (mut session, mut monitor) = (Session::new(Config::default()), Impatient::default());
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut monitor)).collect();
    assert_eq!(replies[2], Reply::Checked(CheckResult::Unknown(Why::TimeLimit)));
    assert_eq!(replies[3], Reply::Info("(:reason-unknown timeout)".into()));
    assert_eq!(replies[6], Reply::Error("script:2:20: the disk is full".into()));
    assert!(matches!(&replies[7], Reply::Info(text) if text.contains(":peak-memory-MB 5.0")), "{replies:?}");
    let limit = Some(Duration::from_millis(250));
    assert_eq!((monitor.limits, monitor.ended), (vec![None, limit, limit], 3));
}

/// A search for a proof once had no limit but for those monitors that knew of it.
#[test]
fn a_monitor_is_told_of_proofs_as_of_checks() {
    #[derive(Default)]
    struct Counting {
        limits: Vec<Option<Duration>>,
        ended: usize,
    }
    impl Monitor for Counting {
        fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
            stop.reset();
            self.limits.push(time_limit);
        }

        fn ended(&mut self) {
            self.ended += 1;
        }
    }
    let script = "(set-option :produce-proofs true)(set-option :timeout 250)(declare-const p Bool)
        (assert (and p (not p)))(check-sat)(get-proof)";
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let (mut session, mut monitor) = (Session::new(Config::default()), Counting::default());
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut monitor)).collect();
    assert!(matches!(replies.last(), Some(Reply::Evidence(..))), "{replies:?}");
    assert_eq!((monitor.limits, monitor.ended), (vec![Some(Duration::from_millis(250)); 2], 2));
}

/// Another language: each letter is a constant, `-` closes a level, `+` opens one, `?` asks.
struct Letters {
    text: std::vec::IntoIter<char>,
    symbols: Symbols,
    read: u64,
}

impl Frontend for Letters {
    fn next_command(&mut self, pool: &mut Pool, _: &mut Guard) -> Result<Option<Command>, Diagnostic> {
        let Some(letter) = self.text.next() else { return Ok(None) };
        self.read += 1;
        Ok(Some(match letter {
            '+' => Command::Push(1),
            '-' => Command::Pop(1),
            '?' => Command::CheckSat,
            '!' => panic!("a fault of the reader"),
            _ => Command::Assert { term: pool.bool(letter != 'f'), named: vec![], groups: vec![] },
        }))
    }

    fn was_assertion(&self) -> bool {
        false
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    fn place(&self) -> String {
        format!("letter {}", self.read)
    }

    fn position(&self) -> u64 {
        self.read
    }
}

fn letters(text: &str) -> Vec<Reply> {
    let text: Vec<char> = text.chars().collect();
    let mut input = Letters { text: text.into_iter(), symbols: Symbols::default(), read: 0 };
    let mut session = Session::new(Config::default());
    std::iter::from_fn(|| session.step(&mut input, &mut NoMonitor)).collect()
}

#[test]
fn another_language_comes_in_by_the_same_door() {
    let replies = letters("t+f?-?--");
    assert_eq!((&replies[3], &replies[5]), (&UNSAT, &SAT));
    assert_eq!(replies[6], Reply::Error("letter 7: expected at most 0 levels to pop, found 1".into()));
}

#[test]
fn a_panic_is_a_fault_and_ends_the_session() {
    let replies = letters("t?!?");
    assert_eq!(replies.len(), 3);
    assert_eq!(replies[2], Reply::Fault("internal: panic: a fault of the reader".into()));
    assert_eq!(replies[2].text().as_deref(), Some("(error \"internal: panic: a fault of the reader\")"));
}

/// A client that begins each question with `(reset)` had the statistics of the last one, or of none.
#[test]
fn statistics_count_what_came_before_a_reset() {
    let question = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
        (assert (and (= (bvmul x y) (bvadd (bvmul y y) #x35)) (bvult x y) (bvult y #x10)))(check-sat)";
    let script = format!("{question}(reset){question}(reset)");
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    let monitor = &mut NoMonitor;
    let mut reports = vec![];
    while session.step(&mut parser, monitor).is_some() {
        let solver = session.report("script", monitor).solver;
        let passes: u64 = solver.passes.iter().map(|pass| pass.tried).sum();
        let rules: u64 = solver.rules.iter().map(|(_, count)| count).sum();
        reports.push((solver.checks, solver.gates, solver.clauses.clauses, passes, rules, solver.terms));
    }
    let (first, second) = (reports[3], reports[8]);
    assert!(first.0 == 1 && first.1 > 0 && first.2 > 0 && first.3 > 0, "{first:?}");
    let twice = (2, 2 * first.1, 2 * first.2, 2 * first.3, 2 * first.4, first.5);
    assert_eq!(second, twice, "{reports:?}");
    assert_eq!(reports[9].0, 2, "the reset at the end takes nothing away");
}

/// Consequences are those that all models of four Booleans have.
#[test]
fn consequences_are_what_all_models_have() {
    let names = ["a", "b", "c", "d"];
    let mut found = 0;
    for seed in 0..300 {
        let rng = &mut Rng::with_seed(seed);
        let mut literal = || (rng.usize(..4), rng.bool());
        let clauses: Vec<[(usize, bool); 2]> = (0..4).map(|_| [literal(), literal()]).collect();
        let assumed = literal();
        let text = |(variable, value): (usize, bool)| match value {
            true => names[variable].to_owned(),
            false => format!("(not {})", names[variable]),
        };
        let clause = |[x, y]: &[(usize, bool); 2]| format!("(assert (or {} {}))", text(*x), text(*y));
        let script = format!(
            "{}{}(get-consequences ({}) (a b c d))",
            names.map(|name| format!("(declare-const {name} Bool)")).concat(),
            clauses.iter().map(clause).collect::<String>(),
            text(assumed)
        );
        let holds = |model: u32, (variable, value): (usize, bool)| (model >> variable & 1 == 1) == value;
        let is_model = |model: &u32| {
            holds(*model, assumed) && clauses.iter().all(|clause| clause.iter().any(|&l| holds(*model, l)))
        };
        let models: Vec<u32> = (0..16).filter(is_model).collect();
        let answer = texts(&script).concat();
        let (verdict, implications) = answer.split_once('\n').expect("a verdict and a list");
        assert_eq!(verdict, if models.is_empty() { "unsat" } else { "sat" }, "{script}");
        let mut all: Vec<&str> = implications.split('\n').filter(|line| !line.is_empty()).collect();
        for variable in 0..4 {
            for value in [false, true] {
                let literal = (variable, value);
                let is_fixed = !models.is_empty() && models.iter().all(|&model| holds(model, literal));
                let lines = [
                    format!("(=> true {})", text(literal)),
                    format!("(=> {} {})", text(assumed), text(literal)),
                ];
                let before = all.len();
                all.retain(|line| !lines.iter().any(|expected| expected == line));
                assert_eq!(before - all.len(), usize::from(is_fixed), "{script}\n{answer}");
                found += usize::from(is_fixed);
            }
        }
        assert!(all.is_empty(), "{script}\n{answer}");
    }
    assert!(found > 100);
}

/// A status that a script states is about the next check; another answer is told, and refused where the
/// standard is kept.
#[test]
fn answers_are_compared_with_what_is_stated() {
    let script =
        "(set-logic QF_UF)(set-info :status unsat)(declare-const p Bool)\n(check-sat)(check-sat)(assert p)
        (set-info :status sat)(assert (not p))(check-sat)(set-info :status unknown)(check-sat)
        (set-info :status unsat)(check-sat)(exit)";
    let warnings = |strict| {
        let config = Config { strict, ..Config::default() };
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let mut session = Session::new(config);
        let mut said = vec![];
        while let Some(reply) = session.step(&mut parser, &mut NoMonitor) {
            if let Reply::Checked(_) = reply {
                said.extend(session.mismatch().map(str::to_owned));
            }
            said.extend(reply.error().map(|text| text.into_owned()));
        }
        said
    };
    let texts = [
        ["script:2:1: ", "expected 'unsat', as stated at script:1:18, found 'sat'"],
        ["script:3:47: ", "expected 'sat', as stated at script:3:9, found 'unsat'"],
    ];
    assert_eq!(warnings(false), texts.map(|[place, text]| format!("{place}warning: {text}")));
    assert_eq!(warnings(true), texts.map(|texts| texts.concat()));
}

/// What is asked about a check was an error where none was made.
#[test]
fn a_script_that_is_only_read_has_no_replies() {
    let script = "(set-option :produce-unsat-cores true)(declare-const p Bool)(assert p)(check-sat)
        (get-info :reason-unknown)(get-assertions)(get-unsat-core)(get-model)(echo \"x\")(get-option :verbosity)";
    let config = Config { parse_only: true, ..Config::default() };
    assert_eq!(replies_with(config, script), vec![Reply::Done; 10]);
}
