//! The naive backend: small, without dependencies, and meant to be right at a glance.
//!
//! It is there so that unit tests of any crate need no C++ and no foreign code, and as the judge of
//! the other backends where truth tables do not reach. It is conflict-driven clause learning and nothing
//! else: propagation with two watched literals per clause (Moskewicz et al., *Chaff*, DAC 2001), learning at
//! the first unique implication point (Marques-Silva and Sakallah, *GRASP*, 1996; Zhang et al., ICCAD 2001),
//! a variable order by how often a variable took part in conflicts lately, found by a linear scan, and the
//! last value of a variable as its next guess. No restarts, no deletion of clauses, no preprocessing.
//!
//! Why it is right. *Unsat* is said only when a conflict arises without any decision, and every clause used
//! for that is an input clause or a resolvent of earlier ones. *Sat* is said only when every variable has a
//! value and propagation found no conflict, so no clause is false. It ends because each learned clause forces
//! a literal at a lower level than before, so no sequence of decisions comes back.
//!
//! It forgets everything between two calls; [`Incremental`](crate::Incremental) makes up for that. The cost
//! of a decision is linear in the variables, and memory grows with every conflict: thousands of variables are
//! fine, millions are not.

use crate::{Answer, Budget, Capabilities, CnfLog, Lit, OneShot, Statistics, Stop};

/// The engine; [`Incremental<Naive>`](crate::Incremental) is the backend `naive`.
#[derive(Clone, Debug, Default)]
pub struct Naive {
    conflicts: u64,
    decisions: u64,
    propagations: u64,
}

impl OneShot for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn signature(&self) -> String {
        format!("naive {}", env!("CARGO_PKG_VERSION"))
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { budget: true, steady: true, ..Capabilities::ONE_SHOT }
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], budget: &Budget, stop: &Stop) -> Answer {
        let mut search = Search::new(cnf.variables() as usize);
        let loaded = cnf.clauses().chain(units.chunks(1)).all(|clause| search.load(clause));
        let answer = if loaded { search.run(budget, stop) } else { Answer::Unsat };
        self.conflicts += search.conflicts;
        self.decisions += search.decisions;
        self.propagations += search.trail.len() as u64 + search.undone;
        answer
    }

    fn effort(&self) -> Statistics {
        Statistics {
            conflicts: Some(self.conflicts),
            decisions: Some(self.decisions),
            propagations: Some(self.propagations),
            restarts: Some(0),
            ..Statistics::default()
        }
    }
}

/// What is known of a variable; meaningful while it has a value.
#[derive(Clone, Copy, Default)]
struct Cause {
    /// The number of decisions made before it got its value, itself included.
    level: usize,
    /// The clause that forced it; `None` for a decision and for a unit clause.
    reason: Option<usize>,
}

/// One search. Tables named by variable have an unused entry at index 0.
struct Search {
    /// Input and learned clauses of at least two literals. The first two literals are watched.
    clauses: Vec<Vec<Lit>>,
    /// By literal code: the clauses that watch the literal, to be looked at when it becomes false.
    watches: Vec<Vec<usize>>,
    value: Vec<Option<bool>>,
    cause: Vec<Cause>,
    /// The true literals in the order in which they became true.
    trail: Vec<Lit>,
    /// How long the trail was before each decision.
    limits: Vec<usize>,
    /// The trail up to here has been propagated.
    propagated: usize,
    /// By variable: the last value, which is the next guess.
    saved: Vec<bool>,
    activity: Vec<u64>,
    /// By variable, for conflict analysis.
    seen: Vec<bool>,
    conflicts: u64,
    decisions: u64,
    undone: u64,
}

impl Search {
    fn new(variables: usize) -> Search {
        Search {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables + 2],
            value: vec![None; variables + 1],
            cause: vec![Cause::default(); variables + 1],
            trail: Vec::new(),
            limits: Vec::new(),
            propagated: 0,
            saved: vec![false; variables + 1],
            activity: vec![0; variables + 1],
            seen: vec![false; variables + 1],
            conflicts: 0,
            decisions: 0,
            undone: 0,
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.var() as usize].map(|value| lit.under(value))
    }

    fn level(&self, lit: Lit) -> usize {
        self.cause[lit.var() as usize].level
    }

    fn assign(&mut self, lit: Lit, reason: Option<usize>) {
        self.value[lit.var() as usize] = Some(!lit.is_negative());
        self.cause[lit.var() as usize] = Cause { level: self.limits.len(), reason };
        self.trail.push(lit);
    }

    /// Takes an input clause; false when it contradicts the unit clauses before.
    fn load(&mut self, clause: &[Lit]) -> bool {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return true;
        }
        match lits[..] {
            [] => false,
            [unit] => match self.value(unit) {
                Some(value) => value,
                None => {
                    self.assign(unit, None);
                    true
                }
            },
            _ => {
                self.attach(lits);
                true
            }
        }
    }

    fn attach(&mut self, clause: Vec<Lit>) -> usize {
        let number = self.clauses.len();
        for watched in &clause[..2] {
            self.watches[watched.code()].push(number);
        }
        self.clauses.push(clause);
        number
    }

    fn run(&mut self, budget: &Budget, stop: &Stop) -> Answer {
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                stop.count_conflict();
                if self.limits.is_empty() {
                    return Answer::Unsat;
                }
                self.learn(conflict);
            } else {
                let Some(next) = self.next_decision() else {
                    return Answer::Sat(self.value[1..].iter().map(|value| *value == Some(true)).collect());
                };
                if let Some(why) = stop.reason() {
                    return Answer::Unknown(why);
                }
                if budget.is_spent(self.conflicts) {
                    return Answer::Unknown(crate::Why::Budget);
                }
                self.decisions += 1;
                self.limits.push(self.trail.len());
                self.assign(next, None);
            }
        }
    }

    /// The free variable that took part in conflicts most, with its last value.
    fn next_decision(&self) -> Option<Lit> {
        let free = (1..self.value.len()).filter(|&var| self.value[var].is_none());
        let var = free.max_by_key(|&var| (self.activity[var], std::cmp::Reverse(var)))?;
        let lit = Lit::positive(var as u32);
        Some(if self.saved[var] { lit } else { !lit })
    }

    /// Makes true what the clauses force; the number of a clause that became false, if one did.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let watching = std::mem::take(&mut self.watches[(!lit).code()]);
            for (position, &number) in watching.iter().enumerate() {
                if self.find_watch(number, !lit) {
                    continue;
                }
                let other = self.clauses[number][0];
                match self.value(other) {
                    Some(true) => {}
                    None => self.assign(other, Some(number)),
                    Some(false) => {
                        // The clauses not yet looked at keep watching, and so does this one.
                        self.watches[(!lit).code()].extend_from_slice(&watching[position..]);
                        return Some(number);
                    }
                }
                self.watches[(!lit).code()].push(number);
            }
        }
        None
    }

    /// A watched literal of the clause became false. Finds another one to watch, and says whether it did; if
    /// not, the other watched literal stands first.
    fn find_watch(&mut self, number: usize, lit: Lit) -> bool {
        if self.clauses[number][0] == lit {
            self.clauses[number].swap(0, 1);
        }
        let clause = &self.clauses[number];
        if self.value(clause[0]) == Some(true) {
            return false;
        }
        let Some(at) = (2..clause.len()).find(|&at| self.value(clause[at]) != Some(false)) else {
            return false;
        };
        self.clauses[number].swap(1, at);
        let watched = self.clauses[number][1];
        self.watches[watched.code()].push(number);
        true
    }

    /// Learns from a false clause, goes back to where the learned clause forces a literal, and assigns that.
    fn learn(&mut self, conflict: usize) {
        let learned = self.first_unique_implication_point(conflict);
        let back = learned.get(1).map_or(0, |&lit| self.level(lit));
        self.undo_to(back);
        let forced = learned[0];
        let reason = (learned.len() > 1).then(|| self.attach(learned));
        self.assign(forced, reason);
        if self.conflicts.is_multiple_of(256) {
            self.activity.iter_mut().for_each(|activity| *activity /= 2);
        }
    }

    /// Resolves the false clause with reasons, latest literal first, until one literal of the current level
    /// is left. That literal comes first in the result, one of the highest level among the others second.
    fn first_unique_implication_point(&mut self, conflict: usize) -> Vec<Lit> {
        let mut learned = Vec::new();
        let mut clause = Some(conflict);
        let mut open = 0;
        let mut at = self.trail.len();
        loop {
            let reason = clause.expect("only the last open literal of a level can be its decision");
            for position in 0..self.clauses[reason].len() {
                let lit = self.clauses[reason][position];
                let var = lit.var() as usize;
                if self.seen[var] || self.cause[var].level == 0 || self.value(lit) == Some(true) {
                    continue;
                }
                self.seen[var] = true;
                self.activity[var] += 1;
                if self.cause[var].level == self.limits.len() {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            let latest = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learned.insert(0, !latest);
                break;
            }
            clause = self.cause[latest.var() as usize].reason;
        }
        self.trail.iter().for_each(|lit| self.seen[lit.var() as usize] = false);
        if let Some(highest) = (1..learned.len()).max_by_key(|&at| self.level(learned[at])) {
            learned.swap(1, highest);
        }
        learned
    }

    fn undo_to(&mut self, level: usize) {
        let keep = self.limits[level];
        self.limits.truncate(level);
        self.undone += (self.trail.len() - keep) as u64;
        for lit in self.trail.drain(keep..) {
            self.saved[lit.var() as usize] = !lit.is_negative();
            self.value[lit.var() as usize] = None;
        }
        self.propagated = keep;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::pigeonhole;

    fn decide(cnf: &CnfLog, budget: &Budget) -> Answer {
        Naive::default().solve(cnf, &[], budget, &Stop::new())
    }

    #[test]
    fn pigeons_do_not_fit() {
        for holes in 1..=6 {
            let mut cnf = CnfLog::new();
            pigeonhole(&mut cnf, holes + 1, holes);
            assert_eq!(decide(&cnf, &Budget::UNLIMITED), Answer::Unsat, "{holes} holes");
        }
    }

    #[test]
    fn as_many_pigeons_as_holes_fit() {
        let mut cnf = CnfLog::new();
        pigeonhole(&mut cnf, 6, 6);
        let Answer::Sat(model) = decide(&cnf, &Budget::UNLIMITED) else { panic!("they fit") };
        assert!(
            cnf.clauses().all(|clause| clause.iter().any(|lit| lit.under(model[lit.var() as usize - 1])))
        );
    }

    #[test]
    fn a_budget_ends_the_search() {
        let mut cnf = CnfLog::new();
        pigeonhole(&mut cnf, 9, 8);
        assert_eq!(decide(&cnf, &Budget::conflicts(10)), Answer::Unknown(crate::Why::Budget));
    }
}
