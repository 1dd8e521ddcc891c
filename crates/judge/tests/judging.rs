//! The judges are judged: solvers that lie in every known way, and one that does not.

use bivalve::Settings;
use bivalve_harness::tasks::Selection;
use bivalve_harness::{Cancel, Check, Ending, Key, Oracle, Reply, Verdict};
use bivalve_judge::{
    Campaign, Case, Inside, Judge, Kind, Pending, Record, Solver, Tally, USUAL_PERCENT, Wanted,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn inside() -> Inside {
    let mut settings = Settings::default();
    settings.set("minimize-core", "on").expect("an option");
    Inside::new("bivalve", settings, Duration::from_secs(20))
}

/// A solver that says what it was told to say.
#[derive(Clone)]
struct Liar {
    name: &'static str,
    say: Arc<dyn Fn(&str) -> Reply + Send + Sync>,
}

impl Oracle for Liar {
    fn name(&self) -> &str {
        self.name
    }

    fn identity(&self) -> Key {
        Key::of([self.name])
    }

    fn ask(&self, script: &str, _: &Cancel) -> Reply {
        (self.say)(script)
    }
}

fn says(check: Check) -> Reply {
    Reply { checks: vec![check], ..Reply::ended(Ending::Exited(0)) }
}

fn verdict(verdict: Verdict) -> Reply {
    says(Check::of(verdict))
}

const SAT: &str = "(set-info :status sat)(declare-const x (_ BitVec 4))(assert (bvult x #x3))(check-sat)";
const UNSAT: &str =
    "(set-info :status unsat)(set-info :bivalve-core \"a b\")(declare-const p Bool)(declare-const q Bool)
    (assert (! p :named a))(assert (! (not p) :named b))(assert (! q :named c))(check-sat)";

fn kind(text: &str, reply: Reply) -> Kind {
    let (trusted, case) = (inside(), Case::new("case", "group", text));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    judge.judge(&case, &[&reply]).judgements[0].kind
}

fn with_model(model: &str) -> Reply {
    says(Check { model: Some(model.to_owned()), ..Check::of(Verdict::Sat) })
}

fn with_core(core: &str) -> Reply {
    says(Check { core: Some(core.to_owned()), ..Check::of(Verdict::Unsat) })
}

#[test]
fn each_way_to_fail_has_its_column() {
    assert_eq!(kind(SAT, verdict(Verdict::Sat)), Kind::Passed);
    assert_eq!(kind(SAT, verdict(Verdict::Unsat)), Kind::WrongStatus);
    assert_eq!(kind(SAT, verdict(Verdict::Unknown)), Kind::Unknown);
    assert_eq!(kind(SAT, with_model("((define-fun x () (_ BitVec 4) #x2))")), Kind::Passed);
    assert_eq!(kind(SAT, with_model("((define-fun x () (_ BitVec 4) #x3))")), Kind::WrongModel);
    assert_eq!(kind(UNSAT, verdict(Verdict::Sat)), Kind::WrongStatus);
    assert_eq!(kind(UNSAT, with_core("(a b)")), Kind::Passed);
    assert_eq!(kind(UNSAT, with_core("(a |b| c)")), Kind::WrongCore);
    assert_eq!(kind(UNSAT, with_core("(a c)")), Kind::WrongCore);
    assert_eq!(kind(UNSAT, with_core("(a z)")), Kind::WrongCore);
    assert_eq!(kind(SAT, Reply::ended(Ending::TimedOut)), Kind::Timeout);
    assert_eq!(kind(SAT, Reply::ended(Ending::OutOfMemory)), Kind::Timeout);
    assert_eq!(kind(SAT, Reply::ended(Ending::Signal(11))), Kind::Error);
    assert_eq!(kind(SAT, Reply::ended(Ending::Exited(0))), Kind::Error);
    // Who refused a formula answers another question.
    assert_eq!(kind(UNSAT, Reply { errors: vec!["no".to_owned()], ..verdict(Verdict::Sat) }), Kind::Error);
}

/// No model says what the standard leaves open, so a right one was taken for wrong.
#[test]
fn results_that_are_open_are_chosen_for_a_model() {
    const OPEN: &str =
        "(set-info :status sat)(declare-const x (_ FloatingPoint 3 4))(declare-const y (_ FloatingPoint 3 4))
        (assert (fp.isZero x))(assert (fp.isNegative (fp.min x y)))(check-sat)";
    let model = |x: &str, y: &str| {
        let define =
            |name: &str, value: &str| format!("(define-fun {name} () (_ FloatingPoint 3 4) (_ {value} 3 4))");
        with_model(&format!("({}{})", define("x", x), define("y", y)))
    };
    assert_eq!(kind(OPEN, model("-zero", "-zero")), Kind::Passed);
    assert_eq!(kind(OPEN, model("+zero", "-zero")), Kind::Passed);
    assert_eq!(kind(OPEN, model("+zero", "+zero")), Kind::WrongModel);
    assert_eq!(kind(OPEN, model("-oo", "+zero")), Kind::WrongModel);
}

#[test]
fn a_core_that_is_minimal_need_not_be_the_expected_one() {
    let two = UNSAT.replace("(check-sat)", "(assert (! (not q) :named d))(check-sat)");
    assert_eq!(kind(&two, with_core("(c d)")), Kind::Passed);
    assert_eq!(kind(&two, with_core("(b c d)")), Kind::WrongCore);
}

#[test]
fn without_a_status_a_model_decides_and_then_the_majority() {
    let (trusted, case) = (inside(), Case::new("case", "group", SAT.replace("(set-info :status sat)", "")));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let kinds = |replies: &[Reply]| {
        let verdicts = judge.judge(&case, &replies.iter().collect::<Vec<_>>());
        let kinds: Vec<Kind> = verdicts.judgements.iter().map(|judgement| judgement.kind).collect();
        (verdicts.truth[0], kinds, verdicts.remark.is_some())
    };
    let (sat, unsat) = (verdict(Verdict::Sat), verdict(Verdict::Unsat));
    let proof = with_model("((define-fun x () (_ BitVec 4) #x2))");
    let lie = with_model("((define-fun x () (_ BitVec 4) #x4))");
    assert_eq!(
        kinds(&[unsat.clone(), unsat.clone(), proof]),
        (Some(Verdict::Sat), vec![Kind::WrongStatus, Kind::WrongStatus, Kind::Passed], false)
    );
    assert_eq!(
        kinds(&[unsat.clone(), unsat.clone(), lie]),
        (Some(Verdict::Unsat), vec![Kind::Passed, Kind::Passed, Kind::WrongStatus], false)
    );
    assert_eq!(
        kinds(&[sat.clone(), sat.clone(), unsat.clone()]),
        (Some(Verdict::Sat), vec![Kind::Passed, Kind::Passed, Kind::WrongStatus], false)
    );
    assert_eq!(kinds(&[sat, unsat]), (None, vec![Kind::Passed, Kind::Passed], true));
}

/// The case says what is not so, and a model shows it.
#[test]
fn a_wrong_case_is_a_finding() {
    let (trusted, case) = (inside(), Case::new("case", "group", SAT.replace("status sat", "status unsat")));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let reply = trusted.ask(&case.script(Wanted { models: true, cores: true }, false), &Cancel::new());
    let without = verdict(Verdict::Sat);
    assert_eq!(judge.judge(&case, &[&without]).judgements[0].kind, Kind::WrongStatus);
    assert!(judge.judge(&case, &[&without]).remark.is_none());
    // A script that expects unsat asks for no model, so it is given here.
    let model =
        Reply { checks: vec![Check { model: Some("()".to_owned()), ..reply.checks[0].clone() }], ..reply };
    let verdicts = judge.judge(&case, &[&model]);
    assert!(verdicts.remark.is_some() && verdicts.judgements[0].kind == Kind::Passed, "{verdicts:?}");
}

#[test]
fn sessions_are_judged_check_by_check() {
    let script = "(declare-const x (_ BitVec 8))(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
        (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(push 1)(assert (! (= (f x) (bvnot x)) :named n))(check-sat)
        (assert (! (= (f x) x) :named m))(check-sat)(pop 1)(check-sat-assuming ((= (select a x) x) (= (f x) #x01)))
        (check-sat-assuming ((= x #x00) (= x #x01)))(get-unsat-assumptions)";
    let (trusted, case) = (inside(), Case::new("case", "group", script));
    let wanted = Wanted { models: true, cores: true };
    let reply = trusted.ask(&case.script(wanted, false), &Cancel::new());
    use Verdict::{Sat, Unsat};
    assert_eq!(reply.verdicts(), [Sat, Unsat, Sat, Unsat], "{reply:?}");
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let verdicts = judge.judge(&case, &[&reply]);
    assert_eq!((verdicts.judgements[0].kind, verdicts.truth[0]), (Kind::Passed, Some(Sat)), "{verdicts:?}");
    for tamper in [
        |reply: &mut Reply| reply.checks[1].core = Some("(m)".to_owned()),
        |reply: &mut Reply| reply.checks[3].failed = Some("((= x #x00))".to_owned()),
    ] {
        let mut reply = reply.clone();
        tamper(&mut reply);
        assert_eq!(judge.judge(&case, &[&reply]).judgements[0].kind, Kind::WrongCore);
    }
    // What a model does not mention is zero everywhere.
    for (at, from, to) in [(0, "(define-fun x ", "(define-fun y "), (2, "(define-fun f ", "(define-fun g ")] {
        let mut reply = reply.clone();
        let model = reply.checks[at].model.take().expect("a model");
        reply.checks[at].model = Some(model.replace(from, to));
        assert_eq!(judge.judge(&case, &[&reply]).judgements[0].kind, Kind::WrongModel, "{model}");
    }
}

fn solver(oracle: impl Oracle + Clone + 'static) -> Solver {
    Solver {
        name: oracle.name().to_owned(),
        make: Box::new(move |_| (Box::new(oracle.clone()), String::new())),
        wanted: Wanted { models: true, cores: true },
        integers: false,
    }
}

/// Small sums: `x + a = b` with or without `x = b - a + 1`.
fn pending(number: u64) -> Pending {
    let name = format!("sum-{number}");
    let make = move || {
        let (a, b, unsat) = (number % 16, number / 16 % 16, number.is_multiple_of(3));
        let status = if unsat { "unsat" } else { "sat" };
        let other = if unsat { (16 + b - a) % 16 + 1 } else { (16 + b - a) % 16 };
        Ok(Some(Case::new(
            format!("sum-{number}"),
            "sums",
            format!(
                "(set-info :status {status})(declare-const x (_ BitVec 4))(assert (! (= (bvadd x (_ bv{a} 4)) (_ bv{b} 4)) :named a))
                (assert (! (= x (_ bv{} 4)) :named b))(check-sat)",
                other % 16
            ),
        )))
    };
    Pending { name, make: Box::new(make) }
}

fn run(jobs: usize, task: usize, stop_after: u64) -> (Vec<Record>, Tally, usize) {
    let trusted = inside();
    // Bivalve, but every tenth sum is a crash, and multiples of 30 are always satisfiable.
    let odd = Liar {
        name: "odd",
        say: Arc::new(|script| {
            let seven = script.contains("(_ bv7 4)) (_ bv7 4)");
            let mut reply = inside().ask(script, &Cancel::new());
            if seven {
                reply.ending = Ending::Signal(11);
            } else if script.contains("(bvadd x (_ bv3 4))") {
                reply.checks.iter_mut().for_each(|check| *check = Check::of(Verdict::Sat));
            }
            reply
        }),
    };
    let honest = Liar { name: "honest", say: Arc::new(|script| inside().ask(script, &Cancel::new())) };
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let campaign = Campaign { jobs, task, ..Campaign::new(vec![solver(honest), solver(odd)], judge) };
    let (mut records, mut tally, mut findings) = (vec![], Tally::default(), 0);
    let done = campaign.run((0..256).map(pending), &Cancel::new(), &mut |outcome| {
        let record = outcome.record.expect("all are asked about");
        tally.add(&record);
        findings += usize::from(outcome.finding.is_some());
        records.push(record);
        if records.len() as u64 == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    done.expect("threads start");
    records.iter_mut().flat_map(|record| &mut record.results).for_each(|entry| entry.us = 0);
    (records, tally, findings)
}

#[test]
fn a_campaign_finds_who_lies_and_its_log_is_the_same_on_any_number_of_threads() {
    let (records, tally, findings) = run(1, 1, 1_000);
    assert_eq!(records.len(), 256);
    let honest = tally.total("honest");
    assert_eq!((honest.of(Kind::Passed), honest.tests), (256, 256), "{}", tally.table());
    let odd = tally.total("odd");
    // The sixteen sums with 3, of which every third is unsatisfiable; one crash.
    assert!((5..=6).contains(&odd.of(Kind::WrongStatus)), "{}", tally.table());
    assert_eq!((odd.of(Kind::Error), odd.crashes), (1, 1));
    assert_eq!(findings as u64, tally.findings);
    assert_eq!(tally.findings, odd.of(Kind::WrongStatus) + 1);
    assert_eq!(run(3, 7, 1_000).0, records);
    assert_eq!(run(2, 5, 100).0, records[..100]);
    assert!(tally.table().lines().next().is_some_and(|head| head.contains("Passed  IS  IM  IC  U  T  E")));
}

/// A solver that is wrong only where it was asked about something else before is not accused.
#[test]
fn what_is_said_among_others_is_confirmed_alone() {
    struct Muddled(std::sync::atomic::AtomicUsize);
    impl Oracle for Muddled {
        fn name(&self) -> &str {
            "muddled"
        }

        fn identity(&self) -> Key {
            Key::default()
        }

        fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            inside().ask(script, cancel)
        }

        fn mixes(&self) -> bool {
            true
        }

        fn ask_all(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Reply> {
            let mut replies: Vec<Reply> = scripts.iter().map(|script| inside().ask(script, cancel)).collect();
            replies[1] = Reply::ended(Ending::Signal(11));
            replies
        }
    }
    let (trusted, muddled) = (inside(), Arc::new(Muddled(std::sync::atomic::AtomicUsize::new(0))));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let campaign = Campaign { task: 8, ..Campaign::new(vec![solver(muddled.clone())], judge) };
    let mut tally = Tally::default();
    let done = campaign.run((0..16).map(pending), &Cancel::new(), &mut |outcome| {
        tally.add(&outcome.record.expect("all are asked about"));
        ControlFlow::Continue(())
    });
    done.expect("threads start");
    assert_eq!(tally.total("muddled").of(Kind::Passed), 16, "{}", tally.table());
    assert_eq!(muddled.0.load(std::sync::atomic::Ordering::Relaxed), 2);
}

/// Shards of a campaign, each with a log of its own, are the whole campaign; what a log has is not asked
/// again, whatever its case is called; and another build of the solver is another solver.
#[test]
fn results_are_keyed_by_content() {
    struct Counted(&'static str, Arc<Mutex<u32>>);
    impl Oracle for Counted {
        fn name(&self) -> &str {
            "it"
        }

        fn identity(&self) -> Key {
            Key::of([self.0])
        }

        fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
            *self.1.lock().expect("no thread panics") += 1;
            inside().ask(script, cancel)
        }
    }
    let trusted = inside();
    let run = |build: &'static str, selection, known: &BTreeMap<Key, Record>, prefix: &'static str| {
        let (asked, kept) = (Arc::new(Mutex::new(0)), Mutex::new(BTreeMap::new()));
        let keep = |key: Key, record: &Record| {
            kept.lock().expect("no thread panics").insert(key, record.clone());
            Ok(())
        };
        let solvers = vec![solver(Arc::new(Counted(build, asked.clone())))];
        let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
        let known = known.clone();
        let campaign = Campaign { task: 3, selection, known, keep: &keep, ..Campaign::new(solvers, judge) };
        let named = |number| {
            let Pending { name, make } = pending(number);
            let rename = move |case: Case| Case { name: format!("{prefix}{}", case.name), ..case };
            Pending { name, make: Box::new(move || Ok(make()?.map(rename))) }
        };
        let mut records = vec![];
        let done = campaign.run((0..20).map(named), &Cancel::new(), &mut |outcome| {
            records.push(outcome.record.expect("all are asked about"));
            ControlFlow::Continue(())
        });
        done.expect("threads start");
        let asked = *asked.lock().expect("no thread panics");
        (asked, records, kept.into_inner().expect("no thread panics"))
    };
    let (asked, records, whole) = run("one", Selection::All, &BTreeMap::new(), "");
    assert_eq!((asked, records.len(), whole.len()), (20, 20, 20));
    let shard = |text: &str| Selection::Shard(text.parse().expect("a shard"));
    let mut merged = BTreeMap::new();
    for text in ["2/3", "1/3", "3/3", "1/3"] {
        merged.extend(run("one", shard(text), &BTreeMap::new(), "").2);
    }
    let keys = |records: &BTreeMap<Key, Record>| records.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&merged), keys(&whole));
    let (asked, records, _) = run("one", Selection::All, &merged, "other-");
    assert_eq!((asked, records[7].case.as_str()), (0, "other-sum-7"));
    assert_eq!(run("two", Selection::All, &merged, "").0, 20);
}
