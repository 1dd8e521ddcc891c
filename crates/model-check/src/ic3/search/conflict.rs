//! What a conflict teaches: the clause of the first unique implication point, made shorter by reasons (Eén
//! and Sörensson, SAT 2003), which clauses are forgotten again, and which assumptions a refutation needs.

use super::{ClauseId, Kind, MOST_ACTIVITY, NONE, REDUCE, Search, TRUE};
use bivalve::sat::Lit;

impl Search {
    /// Learns from a conflict, and goes back to where the new clause has a consequence.
    pub(super) fn learn(&mut self, conflict: ClauseId) {
        let mut clause = vec![self.trail[0]];
        let (mut open, mut place, mut reason) = (0, self.trail.len(), conflict);
        let current = self.levels.len() as u32;
        let uip = loop {
            for &lit in self.clauses.literals(reason) {
                let var = lit.var() as usize;
                if self.seen[var] || self.variables[var].level == 0 || self.values[lit.code()] == TRUE {
                    continue;
                }
                self.seen[var] = true;
                if self.heap.bump(lit.var(), self.bump) > MOST_ACTIVITY {
                    self.heap.scale(1.0 / MOST_ACTIVITY);
                    self.bump /= MOST_ACTIVITY;
                }
                match self.variables[var].level == current {
                    true => open += 1,
                    false => clause.push(lit),
                }
            }
            loop {
                place -= 1;
                if self.seen[self.trail[place].var() as usize] {
                    break;
                }
            }
            open -= 1;
            if open == 0 {
                break self.trail[place];
            }
            reason = self.variables[self.trail[place].var() as usize].reason;
            self.seen[self.trail[place].var() as usize] = false;
        };
        clause[0] = !uip;
        let marked = clause.clone();
        let mut kept = 1;
        for i in 1..clause.len() {
            if !self.is_implied(clause[i]) {
                clause[kept] = clause[i];
                kept += 1;
            }
        }
        clause.truncate(kept);
        marked.iter().for_each(|lit| self.seen[lit.var() as usize] = false);
        self.keep(&mut clause);
    }

    /// Whether the other literals of the clause that is being learnt imply this one, by its reason.
    fn is_implied(&self, lit: Lit) -> bool {
        let reason = self.variables[lit.var() as usize].reason;
        if reason == NONE {
            return false;
        }
        self.clauses.literals(reason).iter().all(|&other| {
            let var = other.var() as usize;
            other == !lit || self.seen[var] || self.variables[var].level == 0
        })
    }

    fn keep(&mut self, clause: &mut [Lit]) {
        let level = |search: &Search, lit: Lit| search.variables[lit.var() as usize].level;
        let is_tainted = self.question.is_some_and(|question| clause.contains(&!question));
        if clause.len() == 1 {
            self.backtrack(0);
            self.assign(clause[0], NONE);
            return;
        }
        let highest = (1..clause.len()).max_by_key(|&i| level(self, clause[i])).expect("two literals");
        clause.swap(1, highest);
        let mut levels: Vec<u32> = clause.iter().map(|&lit| level(self, lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        self.backtrack(level(self, clause[1]) as usize);
        let id = self.attach(clause, Kind::Learnt, levels.len() as u32);
        match is_tainted {
            true => self.tainted.push(id),
            false => self.learnt.push(id),
        }
        self.assign(clause[0], id);
    }

    /// Forgets the half of the learnt clauses that spans the most levels.
    pub(super) fn reduce(&mut self) {
        self.reductions += 1;
        self.next_reduction = self.conflicts + REDUCE[0] + REDUCE[1] * self.reductions;
        let mut learnt = std::mem::take(&mut self.learnt);
        learnt.retain(|&clause| !self.clauses.is_dead(clause));
        // Among equals the younger ones stay.
        learnt.reverse();
        learnt.sort_by_key(|&clause| self.clauses.get(clause).glue);
        for clause in learnt.split_off(learnt.len() / 2) {
            match self.clauses.get(clause).glue <= 2 {
                true => learnt.push(clause),
                false => self.clauses.kill(clause),
            }
        }
        learnt.sort_unstable();
        self.learnt = learnt;
    }

    /// Notes the assumptions that refute the assumption `lit`, which is false.
    pub(super) fn blame(&mut self, lit: Lit) {
        self.core.push(lit);
        if !self.levels.is_empty() && self.variables[lit.var() as usize].level > 0 {
            self.seen[lit.var() as usize] = true;
            for i in (self.levels[0]..self.trail.len()).rev() {
                let implied = self.trail[i];
                let var = implied.var() as usize;
                if !std::mem::replace(&mut self.seen[var], false) {
                    continue;
                }
                let reason = self.variables[var].reason;
                if reason == NONE {
                    self.core.push(implied);
                    continue;
                }
                for other in self.clauses.literals(reason) {
                    let other = other.var() as usize;
                    self.seen[other] |= other != var && self.variables[other].level > 0;
                }
            }
        }
        self.core.iter().for_each(|lit| self.failed[lit.code()] = true);
    }
}
