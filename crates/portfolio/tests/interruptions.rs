//! Checks that are interrupted at random moments, thousands of them: no wrong answer, no thread and no
//! memory is left behind.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

mod common;

use bivalve::terms::Pool;
use bivalve::{CheckResult, Progress, Solver, Stop, Why};
use bivalve_portfolio::Threads;
use bivalve_session::Monitor;
use common::{HARD, carry_out};
use fastrand::Rng;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Raises the flag of each check after a random time.
struct Impatient {
    random: Rng,
    longest: u64,
    /// The thread that does it; it ends when the check has ended.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Monitor for Impatient {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, _: Option<Duration>) {
        stop.reset();
        let (ended, is_over) = channel();
        let (stop, time) = (stop.clone(), Duration::from_micros(self.random.u64(0..self.longest)));
        let wait = move || {
            if is_over.recv_timeout(time).is_err() {
                stop.stop(Why::TimeLimit);
            }
        };
        self.running = Some((ended, std::thread::spawn(wait)));
    }

    fn ended(&mut self) {
        let (ended, thread) = self.running.take().unwrap();
        let _ = ended.send(());
        thread.join().unwrap();
    }

    fn checked(&mut self, solver: &mut Solver, _: &mut Pool, _: CheckResult) -> Result<(), String> {
        solver.stop_handle().reset();
        Ok(())
    }
}

/// A number of `/proc/self/status`; 0 where there is none.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.trim_matches([':', '\t', ' ', 'k', 'B']).parse().ok()).unwrap_or(0)
}

#[test]
fn interrupted_checks_leave_nothing_behind() {
    let expected: Vec<Vec<CheckResult>> = HARD
        .iter()
        .map(|script| carry_out(script, None, &mut bivalve_session::NoMonitor).verdicts())
        .collect();
    let threads_before = status("Threads");
    let (mut memory, mut interrupted, mut answered) = (0, 0, 0);
    let rounds = if cfg!(debug_assertions) { 300 } else { 10_000 };
    for round in 0..rounds {
        let mut random = Rng::with_seed(round);
        let which = random.usize(0..HARD.len());
        let threads =
            Threads::new(random.u64(1..4)).unwrap().racing(random.bool()).alone_for(random.u64(0..50));
        let longest = [500, 5_000, 50_000][random.usize(0..3)];
        let mut monitor = Impatient { random, longest, running: None };
        let run = carry_out(HARD[which], Some(threads), &mut monitor);
        assert_eq!(run.verdicts().len(), expected[which].len());
        for (found, expected) in run.verdicts().iter().zip(&expected[which]) {
            match found {
                CheckResult::Unknown(why) => {
                    assert_eq!(*why, Why::TimeLimit, "round {round}");
                    interrupted += 1;
                }
                answer => {
                    assert_eq!(answer, expected, "round {round}");
                    answered += 1;
                }
            }
        }
        if round == rounds / 3 {
            memory = status("VmRSS");
        }
    }
    assert!(interrupted > 50 && answered > 50, "{interrupted} interrupted, {answered} answered");
    // A thread that was joined may be counted by the system for a moment longer.
    let is_left = |_: &u32| {
        std::thread::sleep(Duration::from_millis(10));
        status("Threads") > threads_before
    };
    assert!((0..500).take_while(is_left).count() < 500, "threads are left");
    let grown = status("VmRSS").saturating_sub(memory);
    assert!(grown < 50_000, "{grown} kB more than after a third");
}
