//! Arrays through the whole solver: what is never built.
//!
//! The example of section 2.11.5 of Brummayer's thesis: `i != j and read(write(a, j, x / y), i) != read(a,
//! i)` at 64 bits is unsatisfiable whatever the quotient is, so a quotient must not get gates. The same for
//! an index that nobody needs, and for what lies below a branch that is not chosen.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};

struct Words {
    pool: Pool,
    word: Sort,
}

impl Words {
    fn new() -> Words {
        Words { pool: Pool::new(), word: Sort::bitvec(64).unwrap() }
    }

    fn word(&mut self, name: &str) -> Term {
        self.pool.symbol(name, self.word)
    }

    fn array(&mut self, name: &str) -> Term {
        let sort = self.pool.sorts_mut().array(self.word, self.word).unwrap();
        self.pool.symbol(name, sort)
    }

    fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.mk(op, args)
    }

    /// The answer and the gates at both levels of rewriting, products and quotients by circuits.
    fn decide(&mut self, assertions: &[Term]) -> Vec<(CheckResult, u64)> {
        let decide = |rewrite_level| {
            let settings = Settings::builder()
                .rewrite_level(rewrite_level)
                .rewrite_from(0)
                .abstract_from(0)
                .probe(false)
                .build();
            let mut solver = Solver::new(settings);
            for &assertion in assertions {
                solver.assert(&self.pool, assertion).unwrap();
            }
            let answer = solver.check(&mut self.pool).unwrap();
            (answer, solver.statistics(&self.pool).gates)
        };
        [0, 2].map(decide).to_vec()
    }
}

/// A divider of 64 bits has thousands of gates, an equation of 64 bits about a hundred.
const FEW: u64 = 2_000;

#[test]
fn a_written_quotient_that_is_not_read_gets_no_gates() {
    let mut w = Words::new();
    let a = w.array("a");
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| w.word(name));
    let quotient = w.mk(Op::BvUdiv, &[x, y]);
    let written = w.mk(Op::Store, &[a, j, quotient]);
    let (r, s) = (w.mk(Op::Select, &[written, i]), w.mk(Op::Select, &[a, i]));
    let (apart, differ) = (w.mk(Op::Distinct, &[i, j]), w.mk(Op::Distinct, &[r, s]));
    for (answer, gates) in w.decide(&[apart, differ]) {
        assert!(answer == CheckResult::Unsat && gates < FEW, "{answer:?} with {gates} gates");
    }
    // Where it is read, it gets its gates: the bound says something.
    let five = w.pool.bv_u64(5, 64);
    let (same, read) = (w.mk(Op::Eq, &[i, j]), w.mk(Op::Eq, &[r, five]));
    let three = w.pool.bv_u64(3, 64);
    let known = w.mk(Op::Eq, &[y, three]);
    let (answer, gates) = w.decide(&[same, read, known])[0];
    assert!(answer == CheckResult::Sat && gates > 2 * FEW, "{answer:?} with {gates} gates");
}

/// Two reads at a quotient are equal, whatever it is.
#[test]
fn an_index_that_is_the_same_for_both_gets_no_gates() {
    let mut w = Words::new();
    let (a, b) = (w.array("a"), w.array("b"));
    let [x, y] = ["x", "y"].map(|name| w.word(name));
    let quotient = w.mk(Op::BvUrem, &[x, y]);
    let (r, s) = (w.mk(Op::Select, &[a, quotient]), w.mk(Op::Select, &[b, quotient]));
    let (equal, differ) = (w.mk(Op::Eq, &[a, b]), w.mk(Op::Distinct, &[r, s]));
    // As a definition of one array the equation would be gone before it is looked at.
    let p = w.pool.symbol("p", Sort::BOOL);
    let maybe = w.mk(Op::Or, &[equal, p]);
    let not = w.mk(Op::Not, &[p]);
    for (answer, gates) in w.decide(&[maybe, differ, not]) {
        assert!(answer == CheckResult::Unsat && gates < FEW, "{answer:?} with {gates} gates");
    }
}

/// What is written in the branch that is not chosen does not matter.
#[test]
fn a_branch_that_is_not_chosen_gets_no_gates() {
    let mut w = Words::new();
    let a = w.array("a");
    let [i, x, y] = ["i", "x", "y"].map(|name| w.word(name));
    let p = w.pool.symbol("p", Sort::BOOL);
    let quotient = w.mk(Op::BvSdiv, &[x, y]);
    let written = w.mk(Op::Store, &[a, i, quotient]);
    let chosen = w.mk(Op::Ite, &[p, written, a]);
    let (r, s) = (w.mk(Op::Select, &[chosen, i]), w.mk(Op::Select, &[a, i]));
    let differ = w.mk(Op::Distinct, &[r, s]);
    let not = w.mk(Op::Not, &[p]);
    for (answer, gates) in w.decide(&[differ, not]) {
        assert!(answer == CheckResult::Unsat && gates < FEW, "{answer:?} with {gates} gates");
    }
}

/// An equality that comes back with its level finds its witness, and the clause that is there already.
#[test]
fn a_witness_is_introduced_once() {
    let mut words = Words::new();
    let (a, b) = (words.array("a"), words.array("b"));
    let differ = words.mk(Op::Distinct, &[a, b]);
    let mut solver = Solver::new(Settings::builder().probe(false).build());
    let mut seen = vec![];
    for _ in 0..20 {
        solver.push(1).unwrap();
        solver.assert(&words.pool, differ).unwrap();
        assert_eq!(solver.check(&mut words.pool), Ok(CheckResult::Sat));
        let statistics = solver.statistics(&words.pool);
        seen.push((
            statistics.refiners.get("arrays", "witness"),
            statistics.clauses.clauses,
            statistics.terms,
        ));
        solver.pop(1).unwrap();
    }
    assert_eq!(seen[0].0, 1);
    assert!(seen.iter().all(|now| now == &seen[0]), "{seen:?}");
}

/// Sorting by writes that choices stand between, and reads at symbols: every strategy says the same, in its
/// own way.
#[test]
fn strategies_agree() {
    let mut axioms = vec![];
    for row in bivalve_arrays::STRATEGIES {
        let mut w = Words::new();
        let a = w.array("a");
        let [i, j, k] = ["i", "j", "k"].map(|name| w.word(name));
        let p = w.pool.symbol("p", Sort::BOOL);
        let [at_i, at_j] = [i, j].map(|index| w.mk(Op::Select, &[a, index]));
        let swapped = w.mk(Op::Store, &[a, i, at_j]);
        let swapped = w.mk(Op::Store, &[swapped, j, at_i]);
        let chosen = w.mk(Op::Ite, &[p, swapped, a]);
        let read = w.mk(Op::Select, &[chosen, k]);
        let found = [i, j, k].map(|index| w.mk(Op::Select, &[a, index]));
        let others: Vec<Term> = found.iter().map(|&f| w.mk(Op::Distinct, &[read, f])).collect();
        let settings =
            Settings::builder().array_strategy(row.name).unwrap().rewrite_level(0).probe(false).build();
        let mut solver = Solver::new(settings);
        solver.assert(&w.pool, others[0]).unwrap();
        solver.assert(&w.pool, others[2]).unwrap();
        solver.push(1).unwrap();
        assert_eq!(solver.check(&mut w.pool).unwrap(), CheckResult::Sat, "{}", row.name);
        solver.assert(&w.pool, others[1]).unwrap();
        assert_eq!(solver.check(&mut w.pool).unwrap(), CheckResult::Unsat, "{}", row.name);
        solver.pop(1).unwrap();
        assert_eq!(solver.check(&mut w.pool).unwrap(), CheckResult::Sat, "{}", row.name);
        axioms.push(solver.statistics(&w.pool).refiners.get("arrays", "axiom"));
    }
    let &[demand, eager, reads, writes] = &axioms[..] else { panic!("four strategies") };
    assert!(demand == 0 && writes > 0 && reads > 0 && eager > reads, "{axioms:?}");
}

/// Arrays over a declared sort that all differ: the witnesses need more elements than the formula has terms,
/// and get them.
#[test]
fn elements_get_more_bits_when_lemmas_need_them() {
    let mut pool = Pool::new();
    let sort = pool.sorts_mut().declare("S");
    let arrays = pool.sorts_mut().array(sort, sort).unwrap();
    let (base, i) = (pool.symbol("base", arrays), pool.symbol("i", sort));
    for options in [5, 4] {
        let elements: Vec<Term> = (0..options).map(|n| pool.symbol(&format!("e{n}"), sort)).collect();
        let written: Vec<Term> = (0..5)
            .map(|n| {
                let element = pool.symbol(&format!("w{n}"), sort);
                pool.mk(Op::Store, &[base, i, element])
            })
            .collect();
        let mut solver = Solver::new(Settings::builder().rewrite_level(0).probe(false).build());
        for n in 0..5 {
            let own = pool.args(written[n])[2];
            let choices: Vec<Term> = elements.iter().map(|&e| pool.mk(Op::Eq, &[own, e])).collect();
            let choice = pool.mk(Op::Or, &choices);
            solver.assert(&pool, choice).unwrap();
            for other in 0..n {
                let same = pool.mk(Op::Eq, &[written[n], written[other]]);
                let differ = pool.mk(Op::Not, &[same]);
                solver.assert(&pool, differ).unwrap();
            }
        }
        // Five different elements out of five, and out of four.
        let expected = if options == 5 { CheckResult::Sat } else { CheckResult::Unsat };
        assert_eq!(solver.check(&mut pool).unwrap(), expected, "{options}");
    }
}
