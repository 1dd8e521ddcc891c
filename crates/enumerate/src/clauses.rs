//! A search on clauses that goes on from decisions that its caller made.
//!
//! The caller opens a level for each of its decisions ([`Clauses::decide`]) and takes levels back
//! ([`Clauses::backtrack`]). In between, [`Clauses::complete`] looks for values of all variables, above the
//! levels that are there: it decides the variables in a fixed order, by the values that they had last, and
//! learns a clause from each conflict (first implication point; Marques-Silva and Sakallah, 1996). It never
//! takes back a level of the caller, so models that were enumerated stay behind, and no clause has to exclude
//! them (Grumberg, Schuster and Yadgar, 2004).
//!
//! From one model to the next most values stay, and nothing is set up anew. That is what it is for: it has
//! neither restarts nor a heuristic of variables, and gives up after a number of conflicts, where a SAT
//! solver goes on. Cost: what is propagated.

use bivalve::sat::{CnfLog, Lit};

/// Literals that learned clauses may have together, per variable. At more of them all are forgotten.
const LEARNED_PER_VARIABLE: usize = 20;

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Completion {
    /// All variables have values that satisfy the clauses.
    Model,
    /// There are no such values under the decisions of the caller.
    Nothing,
    /// There were too many conflicts.
    GivenUp,
}

/// Clauses, values of some of their variables, and what these follow from.
pub(crate) struct Clauses {
    /// The literals of all clauses of two and more, one clause after the other. The first two of each are
    /// watched.
    literals: Vec<Lit>,
    /// Where each clause begins, and the last one ends.
    starts: Vec<usize>,
    /// The clauses that were given; those behind them are learned.
    given: usize,
    /// For each literal, by code: clauses that watch it, each with another of its literals.
    watches: Vec<Vec<(u32, Lit)>>,
    /// By code of a literal: 1 if it is true, -1 if it is false, 0 if it has no value.
    values: Vec<i8>,
    variables: Vec<Variable>,
    trail: Vec<Lit>,
    /// The literals of the trail before this have been propagated.
    propagated: usize,
    /// For each level the length of the trail below it.
    levels: Vec<usize>,
    /// The variables in the order in which they are decided. Those before `next` have values.
    order: Vec<u32>,
    next: usize,
    is_contradictory: bool,
}

/// A variable.
#[derive(Clone, Copy, Default)]
struct Variable {
    /// The last value.
    phase: bool,
    level: u32,
    /// The clause of which it is the first literal and follows.
    reason: Option<u32>,
    /// Its place in the order.
    place: usize,
    is_marked: bool,
}

impl Clauses {
    /// A search on these clauses, which decides these variables first.
    pub(crate) fn new(clauses: &CnfLog, first: &[Lit]) -> Clauses {
        let count = clauses.variables() as usize + 1;
        let mut search = Clauses {
            literals: Vec::with_capacity(clauses.literals()),
            starts: vec![0],
            given: 0,
            watches: vec![vec![]; 2 * count],
            values: vec![0; 2 * count],
            variables: vec![Variable { place: usize::MAX, ..Variable::default() }; count],
            trail: vec![],
            propagated: 0,
            levels: vec![],
            order: vec![],
            next: 0,
            is_contradictory: clauses.has_empty_clause(),
        };
        for var in first.iter().map(|literal| literal.var()).chain(1..count as u32) {
            let place = &mut search.variables[var as usize].place;
            if *place == usize::MAX {
                *place = search.order.len();
                search.order.push(var);
            }
        }
        for clause in clauses.clauses() {
            let mut clause = clause.to_vec();
            clause.sort_unstable();
            clause.dedup();
            // A literal comes before its negation.
            if clause.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
                continue;
            }
            match clause[..] {
                [] => {}
                [only] => search.is_contradictory |= !search.imply(only, None),
                _ => _ = search.add(&clause),
            }
        }
        search.given = search.starts.len() - 1;
        search.is_contradictory |= search.propagate().is_some();
        search
    }

    /// The value of a literal.
    pub(crate) fn value(&self, literal: Lit) -> Option<bool> {
        match self.values[literal.code()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// The number of levels.
    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Opens a level on which a literal is true; `false` if that contradicts the levels below.
    pub(crate) fn decide(&mut self, literal: Lit) -> bool {
        self.levels.push(self.trail.len());
        if self.is_contradictory || !self.imply(literal, None) {
            return false;
        }
        match self.propagate() {
            None => true,
            Some(conflict) => {
                self.learn(conflict);
                false
            }
        }
    }

    /// Takes back all levels but so many.
    pub(crate) fn backtrack(&mut self, levels: usize) {
        let Some(&length) = self.levels.get(levels) else { return };
        self.levels.truncate(levels);
        for literal in self.trail.drain(length..) {
            self.values[literal.code()] = 0;
            self.values[(!literal).code()] = 0;
            let variable = &mut self.variables[literal.var() as usize];
            variable.phase = !literal.is_negative();
            self.next = self.next.min(variable.place);
        }
        self.propagated = length;
    }

    /// Looks for values of all variables above the present levels. Takes its own levels back if there are
    /// none, or if `conflicts`, from which those that it has are taken, are used up.
    pub(crate) fn complete(&mut self, conflicts: &mut u32) -> Completion {
        let floor = self.levels.len();
        while let Some(literal) = self.undecided() {
            self.levels.push(self.trail.len());
            self.imply(literal, None);
            while let Some(conflict) = self.propagate() {
                if self.levels.len() == floor {
                    return Completion::Nothing;
                }
                *conflicts = conflicts.saturating_sub(1);
                let learned = self.learn(conflict);
                self.backtrack(learned.level.max(floor));
                if *conflicts == 0 {
                    self.backtrack(floor);
                    return Completion::GivenUp;
                }
                if !self.imply(learned.literal, learned.clause) {
                    return Completion::Nothing;
                }
            }
        }
        Completion::Model
    }

    /// Forgets learned clauses if there are many. All levels are taken back then.
    pub(crate) fn forget(&mut self) {
        let learned = self.literals.len() - self.starts[self.given];
        if learned <= LEARNED_PER_VARIABLE * self.variables.len() {
            return;
        }
        self.backtrack(0);
        // What follows without decisions has no use for its reason.
        self.trail.iter().for_each(|literal| self.variables[literal.var() as usize].reason = None);
        self.literals.truncate(self.starts[self.given]);
        self.starts.truncate(self.given + 1);
        let given = self.given as u32;
        self.watches.iter_mut().for_each(|watches| watches.retain(|&(clause, _)| clause < given));
    }

    /// The literal to be decided next.
    fn undecided(&mut self) -> Option<Lit> {
        while let Some(&var) = self.order.get(self.next) {
            let positive = Lit::positive(var);
            if self.values[positive.code()] == 0 {
                return Some(if self.variables[var as usize].phase { positive } else { !positive });
            }
            self.next += 1;
        }
        None
    }

    /// Makes a literal true; `false` if it is false.
    fn imply(&mut self, literal: Lit, reason: Option<u32>) -> bool {
        match self.values[literal.code()] {
            0 => {
                self.values[literal.code()] = 1;
                self.values[(!literal).code()] = -1;
                let variable = &mut self.variables[literal.var() as usize];
                (variable.level, variable.reason) = (self.levels.len() as u32, reason);
                self.trail.push(literal);
                true
            }
            value => value > 0,
        }
    }

    /// Adds a clause of two or more literals, and watches its first two.
    fn add(&mut self, clause: &[Lit]) -> u32 {
        let number = self.starts.len() as u32 - 1;
        self.literals.extend_from_slice(clause);
        self.starts.push(self.literals.len());
        self.watches[clause[0].code()].push((number, clause[1]));
        self.watches[clause[1].code()].push((number, clause[0]));
        number
    }

    /// Makes true what follows from clauses; a clause that is false, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let falsified = !literal;
            let mut watches = std::mem::take(&mut self.watches[falsified.code()]);
            let (mut kept, mut at, mut conflict) = (0, 0, None);
            while at < watches.len() {
                let (clause, other) = watches[at];
                at += 1;
                let next = if self.values[other.code()] > 0 {
                    Some(other)
                } else {
                    match self.visit(clause, falsified) {
                        Visit::Moved => None,
                        Visit::Kept(other) => Some(other),
                        Visit::False(other) => {
                            conflict = Some(clause);
                            Some(other)
                        }
                    }
                };
                if let Some(other) = next {
                    watches[kept] = (clause, other);
                    kept += 1;
                }
                if conflict.is_some() {
                    break;
                }
            }
            watches.drain(kept..at);
            self.watches[falsified.code()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks for another literal to watch in a clause than the one that became false.
    fn visit(&mut self, clause: u32, falsified: Lit) -> Visit {
        let range = self.starts[clause as usize]..self.starts[clause as usize + 1];
        let literals = &mut self.literals[range];
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let first = literals[0];
        if self.values[first.code()] > 0 {
            return Visit::Kept(first);
        }
        let free = literals[2..].iter().position(|literal| self.values[literal.code()] >= 0);
        if let Some(free) = free {
            literals.swap(1, free + 2);
            let watched = literals[1];
            self.watches[watched.code()].push((clause, first));
            return Visit::Moved;
        }
        if self.imply(first, Some(clause)) { Visit::Kept(first) } else { Visit::False(first) }
    }

    /// Learns a clause from one that is false: its only literal of the highest level in it, what that is
    /// below, and the clause. At level 0 there is nothing to learn but that the clauses contradict each
    /// other.
    fn learn(&mut self, conflict: u32) -> Learned {
        let level = self.levels.len() as u32;
        if level == 0 {
            self.is_contradictory = true;
            return Learned {
                literal: self.literals[self.starts[conflict as usize]],
                level: 0,
                clause: None,
            };
        }
        let (mut learned, mut marked, mut open) = (vec![], vec![], 0);
        let (mut clause, mut at, mut is_reason) = (conflict, self.trail.len(), false);
        let literal = loop {
            let range =
                self.starts[clause as usize] + usize::from(is_reason)..self.starts[clause as usize + 1];
            for &literal in &self.literals[range] {
                let variable = &mut self.variables[literal.var() as usize];
                if variable.is_marked || variable.level == 0 {
                    continue;
                }
                variable.is_marked = true;
                marked.push(literal.var());
                if variable.level == level { open += 1 } else { learned.push(literal) }
            }
            let last = loop {
                at -= 1;
                let literal = self.trail[at];
                let variable = self.variables[literal.var() as usize];
                if variable.is_marked && variable.level == level {
                    break literal;
                }
            };
            open -= 1;
            match self.variables[last.var() as usize].reason {
                Some(reason) if open > 0 => (clause, is_reason) = (reason, true),
                _ => break last,
            }
        };
        marked.iter().for_each(|&var| self.variables[var as usize].is_marked = false);
        let level_of = |literal: &Lit| self.variables[literal.var() as usize].level;
        // The second watch is the literal that loses its value first.
        learned.sort_by_key(|literal| std::cmp::Reverse(level_of(literal)));
        let level = learned.first().map_or(0, level_of) as usize;
        learned.insert(0, !literal);
        let clause = (learned.len() > 1).then(|| self.add(&learned));
        Learned { literal: !literal, level, clause }
    }
}

/// What a clause says when one of its watched literals has become false.
enum Visit {
    /// Another literal is watched instead.
    Moved,
    /// This one is true.
    Kept(Lit),
    /// All are false, this one among them.
    False(Lit),
}

/// A clause that was learned.
struct Learned {
    /// What follows where all its other literals are false.
    literal: Lit,
    /// The highest level on which one of these became false.
    level: usize,
    /// Its number, if it has two literals or more.
    clause: Option<u32>,
}
