//! A session of many rounds: what is pushed and popped leaves nothing behind, neither memory nor time.
//!
//! Each round pushes a level, asserts something, checks and pops. One kind of round says the same each time,
//! one says something new about old symbols, one declares symbols of its own, one assumes instead of pushing.
//! Memory is that of the process, as the system tells it; time is compared between parts of the same session,
//! generously, since other processes run beside.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "time is what is measured, and is shown")]

use crate::support::Client;
use std::time::Duration;

const ROUNDS: u32 = 20_000;

/// Processor time that the process has used, in ticks of ten milliseconds: a loaded machine makes it no
/// longer.
fn spent(client: &Client) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.child.id())).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// Kilobytes that the process holds.
fn resident(client: &Client) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

/// Rounds of one kind: processor time of the third quarter and of the last, and memory after half and after
/// all.
fn session(round: impl Fn(u32) -> (String, &'static str)) -> ([Duration; 2], [u64; 2]) {
    // The smaller the limits, the sooner a leak shows.
    let mut client = Client::start(&["--compact-from", "4096"]);
    client.send(
        "(set-logic QF_BV)(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))
        (assert (bvult x y))(assert (= (bvand x #x000f) #x0003))",
    );
    let mut part = |rounds: std::ops::Range<u32>| {
        let before = spent(&client);
        // Some at once, so that the pipe does not count.
        for first in rounds.step_by(50) {
            let all: Vec<_> = (first..first + 50).map(&round).collect();
            all.iter().for_each(|(text, _)| client.send(text));
            all.iter().for_each(|(text, answer)| assert_eq!(client.line(), *answer, "{text}"));
        }
        (spent(&client) - before, resident(&client))
    };
    let (_, half) = part(0..ROUNDS / 2);
    let (third, _) = part(ROUNDS / 2..ROUNDS / 4 * 3);
    let (last, end) = part(ROUNDS / 4 * 3..ROUNDS);
    client.send("(exit)");
    assert!(client.child.wait().unwrap().success());
    ([third, last], [half, end])
}

fn judge(name: &str, (times, memory): ([Duration; 2], [u64; 2])) {
    println!("{name}: {times:?}, {memory:?} kB");
    assert!(memory[1] < memory[0] + 3000, "{name}: {memory:?} kB");
    assert!(times[1] < 3 * times[0] + Duration::from_millis(500), "{name}: {times:?}");
}

#[test]
fn the_same_round_over_and_over() {
    let round = |_| ("(push 1)(assert (bvugt (bvadd x y) #x0010))(check-sat)(pop 1)\n".to_owned(), "sat");
    judge("the same", session(round));
}

#[test]
fn every_round_says_something_new() {
    let round = |number: u32| {
        let text = format!(
            "(push 1)(assert (= (bvxor x #x{number:04x}) (bvadd y #x0001)))(assert (= x y))(check-sat)(pop 1)\n"
        );
        (text, "unsat")
    };
    judge("something new", session(round));
}

#[test]
fn every_round_has_symbols_of_its_own() {
    let round = |number: u32| {
        let text = format!(
            "(push 1)(declare-const z{number} (_ BitVec 16))(define-fun f{number} ((a (_ BitVec 16))) Bool
            (bvult a (bvor z{number} x)))(assert (f{number} #x{number:04x}))(check-sat)(pop 1)\n"
        );
        (text, "sat")
    };
    judge("symbols", session(round));
}

#[test]
fn every_round_assumes_something() {
    let round = |number: u32| {
        let text = format!("(check-sat-assuming ((bvult y #x{number:04x}) (bvugt x #x{number:04x})))\n");
        (text, "unsat")
    };
    judge("assumptions", session(round));
}
