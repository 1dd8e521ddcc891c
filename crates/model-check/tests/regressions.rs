//! Systems on which model checkers have gone wrong.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::terms::Pool;
use bivalve::{Settings, Stop, Why};
use bivalve_formats::btor2;
use bivalve_model_check::{Engine, Options, Proof, Verdict, check};

/// The verdict of the only property of a system.
fn verdict(text: &str, engine: Engine) -> Verdict {
    limited_verdict(text, engine, Settings::default())
}

fn limited_verdict(text: &str, engine: Engine, settings: Settings) -> Verdict {
    let mut pool = Pool::new();
    let system = btor2::read(&mut pool, text.as_bytes(), "text", Default::default()).unwrap();
    let options = Options { engine, most_frames: Some(20), recheck: true, settings, ..Options::default() };
    check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap().bads.remove(0)
}

fn is_violated_in(text: &str, frame: usize) {
    let by_gates = [Engine::Ic3, Engine::Cuts, Engine::Interpolation];
    for engine in [Engine::Bmc, Engine::Induction, Engine::Auto].into_iter().chain(by_gates) {
        match verdict(text, engine) {
            Verdict::Violated(witness) => assert_eq!(witness.frames.len(), frame + 1, "{engine:?}"),
            other => panic!("{engine:?}: {other:?}"),
        }
    }
}

/// A counter 0, 1, 2, 1, ... and a memory that is set to zeros, then to ones; bad is 1 with ones. The
/// state of frame 3 differs from that of frame 1 in the memory alone, and from that of frame 2 in the
/// counter alone. Who demands one component that differs from all frames before proves that frame 3 is not
/// reached.
#[test]
fn pairs_of_frames_differ_in_components_of_their_own() {
    is_violated_in(
        "1 sort bitvec 2\n2 sort bitvec 1\n3 sort array 2 2\n4 state 1 x\n5 state 3 memory\n6 zero 1\n\
         7 one 1\n8 constd 1 2\n9 init 1 4 6\n10 eq 2 4 6\n11 eq 2 4 7\n12 ite 1 11 8 7\n13 next 1 4 12\n\
         14 zero 2\n15 one 2\n16 write 3 5 14 14\n17 write 3 16 15 14\n18 write 3 5 14 15\n\
         19 write 3 18 15 15\n20 ite 3 10 17 19\n21 next 3 5 20\n22 read 2 5 14\n23 read 2 5 15\n\
         24 and 2 22 23\n25 and 2 24 11\n26 bad 25\n",
        3,
    );
}

/// The same with all of the state in the memory.
#[test]
fn memories_are_compared_where_there_are_no_registers() {
    is_violated_in(
        "1 sort bitvec 2\n2 sort bitvec 1\n3 sort array 2 1\n4 zero 1\n5 state 3 memory\n6 init 3 5 4\n\
         7 one 1\n8 constd 1 2\n9 ones 1\n10 zero 2\n11 one 2\n12 read 1 5 10\n13 read 1 5 11\n\
         14 eq 2 12 4\n15 eq 2 12 7\n16 ite 1 15 8 7\n17 ite 1 14 4 9\n18 write 3 5 10 16\n\
         19 write 3 18 11 17\n20 next 3 5 19\n21 eq 2 13 9\n22 and 2 21 15\n23 bad 22\n",
        3,
    );
}

/// A run ends where a constraint fails, so a step that would be taken from there is none: the counter
/// stops at 3, and 5 is not reached, although frames without constraints would get there.
#[test]
fn dead_ends_end_runs() {
    let text = "1 sort bitvec 3\n2 state 1 x\n3 zero 1\n4 init 1 2 3\n5 one 1\n6 add 1 2 5\n7 next 1 2 6\n\
                8 sort bitvec 1\n9 constd 1 3\n10 ulte 8 2 9\n11 constraint 10\n12 constd 1 5\n13 eq 8 2 12\n\
                14 bad 13\n";
    let by_gates = [Engine::Ic3, Engine::Cuts, Engine::Interpolation];
    for engine in [Engine::Bmc, Engine::Induction, Engine::Auto].into_iter().chain(by_gates) {
        assert!(matches!(verdict(text, engine), Verdict::Holds(_)), "{engine:?}");
    }
}

/// A state with an initial value and no next value is free from the second frame on; an initial value may be
/// that of another state, which has none.
#[test]
fn states_may_lack_half_of_their_values() {
    is_violated_in(
        "1 sort bitvec 2\n2 state 1 free\n3 state 1 copy\n4 init 1 3 2\n5 next 1 2 2\n6 sort bitvec 1\n\
         7 state 6 once\n8 zero 6\n9 init 6 7 8\n10 neq 6 2 3\n11 and 6 10 7\n12 bad 11\n",
        1,
    );
}

/// The squares of odd numbers are odd. Under a limit that leaves no gate to the solvers of words, engines
/// come to an end, and nobody confirms the invariant that IC3 finds on its own gates, so nothing is known;
/// an answer of the confirming solver that is neither yes nor no had once counted as a yes.
#[test]
fn what_a_limit_leaves_open_is_unknown() {
    let text = "1 sort bitvec 4\n2 sort bitvec 1\n3 state 1 x\n4 one 1\n5 init 1 3 4\n6 input 1\n7 add 1 6 6\n\
                8 add 1 7 4\n9 mul 1 3 8\n10 next 1 3 9\n11 slice 2 3 0 0\n12 bad -11\n";
    let by_gates = [Engine::Ic3, Engine::Cuts, Engine::Interpolation];
    for engine in [Engine::Bmc, Engine::Induction, Engine::Auto].into_iter().chain(by_gates) {
        let settings = Settings::builder().set("gate-limit", "1").unwrap().set("rewrite-level", "0").unwrap();
        let verdict = limited_verdict(text, engine, settings.build());
        assert!(matches!(verdict, Verdict::Unknown(Why::Budget, _)), "{engine:?}: {verdict:?}");
        if engine != Engine::Bmc {
            assert!(matches!(self::verdict(text, engine), Verdict::Holds(_)), "{engine:?}");
        }
    }
}

/// A count that goes on by 1 or 2, from 60 on by 1; it is 120 in frame 90 at the soonest. Bounded model
/// checking stops before that, and IC3 by itself finds a longer run.
#[test]
fn a_violation_of_ic3_is_made_shorter() {
    let text = "1 sort bitvec 8\n2 sort bitvec 1\n3 zero 1\n4 one 1\n5 constd 1 2\n6 input 2 twice\n\
                7 state 1 count\n8 init 1 7 3\n9 ite 1 6 5 4\n10 add 1 7 9\n11 next 1 7 10\n\
                12 constd 1 60\n13 ult 2 7 12\n14 or 2 13 -6\n15 constraint 14\n16 constd 1 120\n17 ulte 2 7 16\n\
                18 constraint 17\n19 eq 2 7 16\n20 bad 19\n";
    let frame = |engine| match verdict(text, engine) {
        Verdict::Violated(witness) => witness.frames.len() - 1,
        other => panic!("{other:?}"),
    };
    assert_eq!(frame(Engine::Auto), 90);
    assert!(frame(Engine::Ic3) > 90, "the example no longer shows a difference");
}

/// A counter of four bits that an input may raise: 9 is reached in frame 9, and by most runs of sixteen
/// frames. Leaps look at frames 8, 16 and so on, so they find it in a later frame; what no run reaches stays
/// open where the frames end.
#[test]
fn leaps_find_what_is_far_and_prove_nothing() {
    let system = |bad: &str| {
        format!(
            "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 input 2 raise\n\
             7 one 1\n8 add 1 4 7\n9 ite 1 6 8 4\n10 next 1 4 9\n11 constd 1 9\n12 eq 2 4 11\n\
             13 neq 2 4 4\n14 bad {bad}\n"
        )
    };
    match verdict(&system("12"), Engine::Leaps) {
        Verdict::Violated(witness) => assert_eq!(witness.frames.len() - 1, 16),
        other => panic!("{other:?}"),
    }
    let open = verdict(&system("13"), Engine::Leaps);
    assert!(matches!(open, Verdict::Unknown(Why::Budget, _)), "{open:?}");
}

/// A word of sixteen bits that begins with 1 and is three times what it was, beside one that an input adds
/// to. That the first is odd needs the product and not the sum; it is 27 in frame 3.
#[test]
fn cuts_put_back_what_a_property_needs() {
    let system = |bad: &str| {
        format!(
            "1 sort bitvec 16\n2 sort bitvec 1\n3 one 1\n4 state 1 power\n5 init 1 4 3\n6 constd 1 3\n\
             7 mul 1 4 6\n8 next 1 4 7\n9 slice 2 4 0 0\n10 input 1 more\n11 state 1 sum\n\
             12 add 1 11 10\n13 next 1 11 12\n14 neq 2 11 11\n15 constd 1 27\n16 eq 2 4 15\n17 bad {bad}\n"
        )
    };
    for (bad, is_odd) in [("-9", true), ("14", true), ("16", false)] {
        match (verdict(&system(bad), Engine::Cuts), is_odd) {
            (Verdict::Holds(Proof::Invariant(_)), true) => {}
            (Verdict::Violated(witness), false) => assert_eq!(witness.frames.len() - 1, 3),
            (other, _) => panic!("{bad}: {other:?}"),
        }
    }
}

/// Two registers that take the same product of two inputs, or keep what they have. Once the product is cut a
/// bit of each is enough, and what is said of it is said of all sixteen.
#[test]
fn products_that_are_only_moved_become_narrow() {
    let text = "1 sort bitvec 16\n2 sort bitvec 1\n3 zero 1\n4 state 1 a\n5 init 1 4 3\n6 state 1 b\n7 init 1 6 3\n\
                8 input 1 x\n9 input 1 y\n10 input 2 go\n11 mul 1 8 9\n12 ite 1 10 11 4\n13 next 1 4 12\n\
                14 ite 1 10 11 6\n15 next 1 6 14\n16 neq 2 4 6\n17 bad 16\n";
    match verdict(text, Engine::Cuts) {
        Verdict::Holds(Proof::Invariant(clauses)) => assert_eq!(clauses.len() % 16, 0),
        other => panic!("{other:?}"),
    }
}
