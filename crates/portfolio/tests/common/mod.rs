//! Scripts carried out by a session with threads.

use bivalve::CheckResult;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_portfolio::{Statistics, Threads};
use bivalve_session::{Config, Monitor, Reply, Session};

/// What a session replied.
pub(crate) struct Run {
    /// Command by command.
    pub(crate) replies: Vec<Reply>,
    /// What the engines were good for, with threads.
    #[allow(dead_code, reason = "not every test compares these")]
    pub(crate) engines: Option<Statistics>,
}

impl Run {
    /// The texts of all replies.
    #[allow(dead_code, reason = "not every test compares texts")]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.replies.iter().filter_map(|reply| reply.text().map(String::from)).collect()
    }

    /// The answers of checks.
    #[allow(dead_code, reason = "not every test compares answers")]
    pub(crate) fn verdicts(&self) -> Vec<CheckResult> {
        let checked = |reply: &Reply| if let Reply::Checked(answer) = reply { Some(*answer) } else { None };
        self.replies.iter().filter_map(checked).collect()
    }
}

/// Carries out a script.
pub(crate) fn carry_out(script: &str, threads: Option<Threads>, monitor: &mut dyn Monitor) -> Run {
    let mut config = Config::default();
    config.options.threads = threads;
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(config);
    let replies = std::iter::from_fn(|| session.step(&mut parser, monitor)).collect();
    let engines = session.report("script", monitor).engines;
    Run { replies, engines }
}

/// Formulas that take some rounds, with levels, assumptions and cores.
pub(crate) const HARD: &[&str] = &[
    // A product of primes, its factors, and the same under assumptions and on levels.
    "(set-option :produce-unsat-cores true)(set-option :produce-unsat-assumptions true)
     (declare-const x (_ BitVec 26))(declare-const y (_ BitVec 26))(declare-const p Bool)
     (assert (! (= (bvmul x y) (_ bv4072291 26)) :named product))
     (assert (! (bvult x (_ bv8192 26)) :named small))(assert (! (bvult y (_ bv8192 26)) :named small2))
     (assert (! (bvugt x (_ bv1 26)) :named one))(assert (bvugt y (_ bv1 26)))
     (check-sat)(get-value (x y))(push 2)(assert (=> p (= ((_ extract 0 0) x) #b0)))
     (check-sat-assuming (p))(get-unsat-core)(get-unsat-assumptions)(check-sat)(get-value (x y p))(pop 1)
     (assert (! (bvult x y) :named order))(check-sat)(get-value (x y))(pop 1)(check-sat)(get-model)",
    // Multiplication distributes, at a width where that takes a search.
    "(declare-const x (_ BitVec 6))(declare-const y (_ BitVec 6))(declare-const z (_ BitVec 6))
     (assert (distinct (bvmul x (bvxor y z)) (bvmul (bvxor y z) (bvor x #b000000))
       (bvadd (bvmul x (bvor y z)) (bvneg (bvmul x (bvand y z))))))(check-sat)",
    // Pigeons, as functions into few bits, and with one hole more.
    "(declare-fun f ((_ BitVec 3)) (_ BitVec 3))(declare-const b Bool)
     (assert (distinct (f #b000) (f #b001) (f #b010) (f #b011) (f #b100) (f #b101) (f #b110) (f #b111)))
     (check-sat)(push)(assert (=> b (bvult (f #b000) #b111)))(assert (=> b (bvult (f #b001) #b111)))
     (assert (=> b (bvult (f #b010) #b111)))(assert (=> b (bvult (f #b011) #b111)))
     (assert (=> b (bvult (f #b100) #b111)))(assert (=> b (bvult (f #b101) #b111)))
     (assert (=> b (bvult (f #b110) #b111)))(assert (=> b (bvult (f #b111) #b111)))
     (check-sat-assuming (b))(check-sat)(get-value (b (f #b000)))(pop)(check-sat)",
    // Swaps in a memory, in two orders.
    "(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))(declare-const i (_ BitVec 8))
     (declare-const j (_ BitVec 8))(declare-const k (_ BitVec 8))
     (define-fun swap ((a (Array (_ BitVec 8) (_ BitVec 8))) (p (_ BitVec 8)) (q (_ BitVec 8)))
       (Array (_ BitVec 8) (_ BitVec 8)) (store (store a p (select a q)) q (select a p)))
     (assert (distinct (swap (swap (swap m i j) j k) i k) (swap m j k)))(check-sat)(get-value (i j k))
     (assert (distinct i j))(assert (distinct j k))(check-sat)(get-value (i j k))
     (assert (distinct (swap (swap m i j) i j) m))(check-sat)",
];
