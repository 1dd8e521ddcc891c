//! Proofs, replayed.
//!
//! `Replay` is a checker for reverse unit propagation that is too simple to be wrong and too slow for more
//! than small instances: it looks at every clause again and again until nothing changes. It is handed to a
//! solver as a sink, so each step is judged at the moment it is reported.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::Make;
use super::random::Random;
use crate::{Budget, Lit, NoProof, ProofSink, SatResult};

/// A set of clauses and the first step that did not follow from them.
#[derive(Debug, Default)]
struct Replay {
    clauses: Vec<Vec<Lit>>,
    /// The first clause that was derived without reason. A sink must not panic: its caller may be C++.
    unfounded: Option<Vec<Lit>>,
}

impl Replay {
    /// Whether making all the literals true leads to a conflict by unit propagation.
    fn conflicts(&self, lits: impl Iterator<Item = Lit>) -> bool {
        let mut truths: BTreeSet<Lit> = lits.collect();
        if truths.iter().any(|&lit| truths.contains(&!lit)) {
            return true;
        }
        loop {
            let before = truths.len();
            for clause in &self.clauses {
                if clause.iter().any(|lit| truths.contains(lit)) {
                    continue;
                }
                let open: BTreeSet<Lit> =
                    clause.iter().copied().filter(|&lit| !truths.contains(&!lit)).collect();
                match open.len() {
                    0 => return true,
                    1 => truths.extend(open),
                    _ => {}
                }
            }
            if truths.len() == before {
                return false;
            }
        }
    }
}

impl ProofSink for Replay {
    fn derived(&mut self, clause: &[Lit]) {
        if self.unfounded.is_none() && !self.conflicts(clause.iter().map(|&lit| !lit)) {
            self.unfounded = Some(clause.to_vec());
        }
        self.clauses.push(clause.to_vec());
    }

    fn deleted(&mut self, clause: &[Lit]) {
        let wanted: BTreeSet<Lit> = clause.iter().copied().collect();
        let same = |known: &Vec<Lit>| known.iter().copied().collect::<BTreeSet<Lit>>() == wanted;
        if let Some(at) = self.clauses.iter().rposition(same) {
            self.clauses.swap_remove(at);
        }
    }
}

/// `set_proof` succeeds on a fresh solver of a backend that has proofs, and never later.
pub fn asking(make: Make<'_>) {
    let mut solver = make();
    let has_proofs = solver.capabilities().proof;
    let answer = solver.set_proof(Box::new(Rc::new(RefCell::new(Replay::default()))));
    assert_eq!(
        answer,
        if has_proofs { Ok(()) } else { Err(NoProof::Unsupported) },
        "as the capabilities say"
    );
    let mut late = make();
    late.new_var();
    assert!(late.set_proof(Box::new(Rc::new(RefCell::new(Replay::default())))).is_err(), "too late");
}

/// Every derived clause follows, and an unsat answer ends in the clause that contradicts its core.
pub fn replay(make: Make<'_>) {
    if !make().capabilities().proof {
        return;
    }
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut solver = make();
        let replay = Rc::new(RefCell::new(Replay::default()));
        solver.set_proof(Box::new(Rc::clone(&replay))).expect("the solver is fresh and has proofs");
        let variables = 10 + random.below(15) as u32;
        for _ in 0..5 {
            for _ in 0..1 + variables * 6 / 5 {
                let clause = random.ternary(variables);
                replay.borrow_mut().clauses.push(clause.to_vec());
                solver.add_clause(&clause);
            }
            let number = random.below(4);
            let assumptions = random.lits(variables, number);
            let result = solver.solve(&assumptions, &Budget::UNLIMITED);
            let core: BTreeSet<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
            let replay = replay.borrow();
            assert_eq!(replay.unfounded, None, "seed {seed}: a derived clause does not follow");
            let refuting = |clause: &Vec<Lit>| clause.iter().all(|&lit| core.contains(&!lit));
            if result == SatResult::Unsat && !core.iter().any(|&lit| core.contains(&!lit)) {
                assert!(
                    replay.clauses.iter().any(refuting),
                    "seed {seed}: no clause contradicts the core {core:?}"
                );
            }
        }
    }
}
