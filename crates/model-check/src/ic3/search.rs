//! A SAT solver for many small questions about one large circuit.
//!
//! Conflict-driven clause learning (Silva and Sakallah 1996; Eén and Sörensson, SAT 2003) that gives values
//! to a *domain* only: the cones of the question's literals, and of what holds in all questions (Su, Yang,
//! Ci, Li, Bu and Huang, *Deeply Optimizing the SAT Solver for the IC3 Algorithm*, CAV 2025). A gate outside
//! of the domain is a function of its operands, so values of the domain that satisfy all clauses within it
//! extend to a model of all; clauses that reach outside are passed over. A clause for one question, and what
//! was learnt from it, is forgotten afterwards, so the solver never has to be made anew.
//!
//! Cost: a question costs its cone, not the circuit. Steps are propagations and variables of domains.

mod clauses;
mod conflict;
mod heap;

use bivalve::sat::{ClauseSink, Lit};
use bivalve::{Stop, Why};
use clauses::{Clauses, Kind, Place};
use heap::Heap;

pub(super) use clauses::ClauseId;

/// No clause: the reason of a decision.
const NONE: u32 = u32::MAX;

/// Activities are scaled down beyond this.
const MOST_ACTIVITY: f64 = 1e100;

/// What an activity loses in a conflict, as a factor.
const DECAY: f64 = 0.95;

/// A variable is active if its activity is this part of what a conflict adds: it had a part in one of the
/// last few hundred.
const QUIET: f64 = 1e-6;

/// The conflicts of the shortest stretch between two restarts.
const RESTART: u64 = 100;

/// Learnt clauses are halved after so many conflicts, and each time after some more.
const REDUCE: [u64; 2] = [2_000, 300];

/// Propagations and variables of domains that make a step of the stop flag, about 20 microseconds, and those
/// after which it is looked at.
const STEP: u64 = 200;
const POLL: u64 = 10 * STEP;

/// The value of a literal.
type Value = i8;
const FALSE: Value = -1;
const OPEN: Value = 0;
const TRUE: Value = 1;
/// Not in the domain: as good as true, since a clause with such a literal can be satisfied.
const OUTSIDE: Value = 2;

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseId,
    /// Another literal of the clause.
    blocker: Lit,
    /// Where the literals of the clause are: looking them up by its number would be a second cache miss. None
    /// if there is no third literal and it belongs to a gate, so that it need not be looked at.
    place: Option<Place>,
}

#[derive(Clone, Copy, Default)]
struct Variable {
    level: u32,
    reason: ClauseId,
    /// The value that it had last.
    phase: bool,
    /// Where its operands are, if it is a gate.
    operands: [u32; 2],
}

/// The solver.
pub(super) struct Search {
    stop: Stop,
    /// By code of the literal.
    values: Vec<Value>,
    variables: Vec<Variable>,
    watches: Vec<Vec<Watch>>,
    clauses: Clauses,
    learnt: Vec<ClauseId>,
    trail: Vec<Lit>,
    /// Where the levels begin in the trail.
    levels: Vec<usize>,
    /// Literals of the trail before this one are propagated.
    propagated: usize,
    heap: Heap,
    /// Whether the heap is filled: that is left to the first decision, which most refutations do without.
    is_heap_filled: bool,
    bump: f64,
    /// The variables of the domain before this one have values.
    scanned: usize,
    is_refuted: bool,

    operands: Vec<u32>,
    /// The gate whose clauses are being added.
    defined: Option<u32>,
    /// Variables that belong to every domain, closed under operands.
    always: Vec<u32>,
    is_always: Vec<bool>,
    domain: Vec<u32>,

    /// The literal that is assumed for the clause of one question, the clause, and what was learnt from it.
    question: Option<Lit>,
    tainted: Vec<ClauseId>,
    /// By code: whether the last refutation needs the assumption.
    failed: Vec<bool>,
    core: Vec<Lit>,

    seen: Vec<bool>,
    steps: u64,
    next_poll: u64,
    conflicts: u64,
    next_reduction: u64,
    reductions: u64,
}

impl ClauseSink for Search {
    fn new_var(&mut self) -> Lit {
        let var = self.variables.len() as u32;
        self.variables.push(Variable::default());
        self.values.extend([OUTSIDE; 2]);
        self.watches.extend([vec![], vec![]]);
        self.failed.extend([false; 2]);
        self.seen.push(false);
        self.is_always.push(false);
        self.heap.grow();
        Lit::positive(var)
    }

    /// A clause of the definition of a gate, which is its last variable.
    fn add_clause(&mut self, clause: &[Lit]) {
        self.leave();
        let gate = clause.iter().map(|lit| lit.var()).max().expect("no gate is contradictory");
        if self.defined != Some(gate) {
            self.defined = Some(gate);
            self.variables[gate as usize].operands = [self.operands.len() as u32; 2];
        }
        let [start, end] = self.variables[gate as usize].operands.map(|place| place as usize);
        debug_assert_eq!(end, self.operands.len(), "the clauses of a gate come together");
        for lit in clause.iter().filter(|lit| lit.var() != gate) {
            if !self.operands[start..].contains(&lit.var()) {
                self.operands.push(lit.var());
            }
        }
        self.variables[gate as usize].operands[1] = self.operands.len() as u32;
        self.attach_given(clause, Kind::Gate);
    }
}

impl Search {
    pub(super) fn new(stop: &Stop) -> Search {
        Search {
            stop: stop.clone(),
            // Variables are numbered from 1 on.
            values: vec![OUTSIDE; 2],
            variables: vec![Variable::default()],
            watches: vec![vec![], vec![]],
            clauses: Clauses::default(),
            learnt: vec![],
            trail: vec![],
            levels: vec![],
            propagated: 0,
            heap: Heap::default(),
            is_heap_filled: false,
            bump: 1.0,
            scanned: 0,
            is_refuted: false,
            operands: vec![],
            defined: None,
            always: vec![],
            is_always: vec![false],
            domain: vec![],
            question: None,
            tainted: vec![],
            failed: vec![false; 2],
            core: vec![],
            seen: vec![false],
            steps: 0,
            next_poll: 0,
            conflicts: 0,
            next_reduction: REDUCE[0],
            reductions: 0,
        }
    }

    /// About the bytes of clauses, watches and variables.
    pub(super) fn bytes(&self) -> u64 {
        let watches = 2 * self.clauses.count() * size_of::<Watch>();
        let variables = self.variables.len() * (size_of::<Variable>() + 2 * size_of::<Vec<Watch>>() + 40);
        (self.clauses.bytes() + watches + variables) as u64
    }

    /// Adds a clause whose variables belong to every domain from now on.
    pub(super) fn add_lemma(&mut self, clause: &[Lit]) -> Option<ClauseId> {
        self.leave();
        for lit in clause {
            self.include_always(lit.var());
        }
        self.attach_given(clause, Kind::Given)
    }

    /// Adds a clause that says nothing about variables outside of a domain even if others of it are inside.
    pub(super) fn add_loose(&mut self, clause: &[Lit]) {
        self.leave();
        self.attach_given(clause, Kind::Given);
    }

    /// Takes a clause away that was added as a lemma. The others imply it: what was learnt from it stays.
    pub(super) fn remove(&mut self, clause: ClauseId) {
        self.leave();
        self.clauses.kill(clause);
    }

    /// Whether the clauses, with `extra` as one more, can be satisfied together with the assumptions; the
    /// domain is the cones of all these.
    ///
    /// # Errors
    ///
    /// When the stop flag was raised, or the steps are spent.
    pub(super) fn solve(&mut self, assumptions: &[Lit], extra: &[Lit]) -> Result<bool, Why> {
        self.open_domain(assumptions.iter().chain(extra).map(|lit| lit.var()));
        self.solve_within(assumptions, extra)
    }

    /// The same for the domain that [`Search::open_domain`] has opened.
    ///
    /// # Errors
    ///
    /// When the stop flag was raised, or the steps are spent.
    pub(super) fn solve_within(&mut self, assumptions: &[Lit], extra: &[Lit]) -> Result<bool, Why> {
        if self.is_refuted {
            return Ok(false);
        }
        let mut assumptions = assumptions.to_vec();
        if !extra.is_empty() {
            let question = match self.question {
                Some(question) if self.values[question.code()].abs() != TRUE => question,
                _ => self.new_var(),
            };
            self.question = Some(question);
            self.include(question.var());
            let clause: Vec<Lit> = extra.iter().copied().chain([!question]).collect();
            let clause = self.attach_given(&clause, Kind::Given);
            self.tainted.extend(clause);
            assumptions.insert(0, question);
        }
        self.heap.clear();
        self.is_heap_filled = false;
        self.scanned = 0;
        self.run(&assumptions)
    }

    /// After a refutation: whether it needs this assumption.
    pub(super) fn failed(&self, assumption: Lit) -> bool {
        self.failed[assumption.code()]
    }

    /// After a model was found: the value of a literal; none outside of the domain.
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.code()] {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Forgets the last question and makes the cones of these variables the domain.
    pub(super) fn open_domain(&mut self, roots: impl Iterator<Item = u32>) {
        self.leave();
        for i in 0..self.always.len() {
            self.include(self.always[i]);
        }
        let mut next = self.domain.len();
        roots.for_each(|var| self.include(var));
        while next < self.domain.len() {
            let [start, end] = self.variables[self.domain[next] as usize].operands;
            for i in start..end {
                self.include(self.operands[i as usize]);
            }
            next += 1;
        }
        self.steps += self.domain.len() as u64 / 4;
    }

    /// Whether a variable is in the domain.
    pub(super) fn is_inside(&self, lit: Lit) -> bool {
        self.values[lit.code()] != OUTSIDE
    }

    fn include(&mut self, var: u32) {
        let code = (var as usize) << 1;
        if self.values[code] == OUTSIDE {
            self.values[code] = OPEN;
            self.values[code + 1] = OPEN;
            self.domain.push(var);
        }
    }

    /// Makes the cone of a variable a part of every domain.
    pub(super) fn include_always(&mut self, var: u32) {
        let mut todo = vec![var];
        while let Some(var) = todo.pop() {
            if !std::mem::replace(&mut self.is_always[var as usize], true) {
                self.always.push(var);
                let [start, end] = self.variables[var as usize].operands;
                todo.extend(&self.operands[start as usize..end as usize]);
            }
        }
    }

    /// Goes back to where no question is asked.
    fn leave(&mut self) {
        self.undo(0);
        for clause in std::mem::take(&mut self.tainted) {
            self.clauses.kill(clause);
        }
        for &var in &self.domain {
            let code = (var as usize) << 1;
            if self.values[code] == OPEN {
                self.values[code] = OUTSIDE;
                self.values[code + 1] = OUTSIDE;
            }
        }
        self.domain.clear();
        self.core.drain(..).for_each(|lit| self.failed[lit.code()] = false);
        if self.clauses.is_sweep_due() {
            self.sweep();
        }
    }

    /// Lets go of dead clauses. Nothing has a value but at level 0, whose reasons are not asked for.
    fn sweep(&mut self) {
        self.watches.iter_mut().for_each(Vec::clear);
        self.learnt.retain(|&clause| !self.clauses.is_dead(clause));
        for clause in self.clauses.sweep() {
            self.watch(clause);
        }
    }

    fn watch(&mut self, clause: ClauseId) {
        let literals = self.clauses.literals(clause);
        let is_pair = literals.len() == 2 && self.clauses.get(clause).kind == Kind::Gate;
        let (first, second) = (literals[0], literals[1]);
        let place = (!is_pair).then(|| self.clauses.get(clause).place);
        self.watches[first.code()].push(Watch { clause, blocker: second, place });
        self.watches[second.code()].push(Watch { clause, blocker: first, place });
    }

    /// Adds a clause at level 0; none if that is a matter of single literals.
    fn attach_given(&mut self, clause: &[Lit], kind: Kind) -> Option<ClauseId> {
        debug_assert!(self.levels.is_empty(), "clauses come between questions");
        let mut kept: Vec<Lit> = vec![];
        for &lit in clause {
            match self.values[lit.code()] {
                TRUE => return None,
                FALSE => {}
                _ if kept.contains(&!lit) => return None,
                _ if kept.contains(&lit) => {}
                _ => kept.push(lit),
            }
        }
        match kept[..] {
            [] => self.is_refuted = true,
            [unit] => {
                self.assign(unit, NONE);
                self.is_refuted |= self.propagate().is_some();
            }
            _ => return Some(self.attach(&kept, kind, 0)),
        }
        None
    }

    fn attach(&mut self, literals: &[Lit], kind: Kind, glue: u32) -> ClauseId {
        let id = self.clauses.add(literals, kind, glue);
        self.watch(id);
        id
    }

    fn assign(&mut self, lit: Lit, reason: ClauseId) {
        self.values[lit.code()] = TRUE;
        self.values[(!lit).code()] = FALSE;
        let level = self.levels.len() as u32;
        let variable = &mut self.variables[lit.var() as usize];
        (variable.level, variable.reason) = (level, reason);
        self.trail.push(lit);
    }

    /// Draws consequences; returns a clause that is false. Within a question, those outside of the domain are
    /// not drawn.
    fn propagate(&mut self) -> Option<ClauseId> {
        // The values that satisfy a clause: at level 0 nothing is outside.
        let satisfied = |value: Value, at_root: bool| if at_root { value == TRUE } else { value >= TRUE };
        let at_root = self.levels.is_empty();
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            self.steps += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.code()]);
            let (mut read, mut kept) = (0, 0);
            let mut conflict = None;
            'clauses: while read < watches.len() {
                let watch = watches[read];
                read += 1;
                let value = self.values[watch.blocker.code()];
                if satisfied(value, at_root) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let Some(place) = watch.place else {
                    watches[kept] = watch;
                    kept += 1;
                    if value == FALSE {
                        conflict = Some(watch.clause);
                        break;
                    }
                    self.assign(watch.blocker, watch.clause);
                    continue;
                };
                let Some(literals) = self.clauses.living_at(place) else { continue };
                if literals[0] == falsified {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                let value = self.values[first.code()];
                watches[kept] = Watch { blocker: first, ..watch };
                kept += 1;
                if satisfied(value, at_root) {
                    continue;
                }
                for i in 2..literals.len() {
                    if self.values[literals[i].code()] != FALSE {
                        literals.swap(1, i);
                        kept -= 1;
                        self.watches[literals[1].code()].push(Watch { blocker: first, ..watch });
                        continue 'clauses;
                    }
                }
                if value == FALSE {
                    conflict = Some(watch.clause);
                    break;
                }
                self.assign(first, watch.clause);
            }
            watches.copy_within(read.., kept);
            watches.truncate(kept + watches.len() - read);
            self.watches[falsified.code()] = watches;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn backtrack(&mut self, level: usize) {
        if self.levels.len() <= level {
            return;
        }
        let undone = if self.is_heap_filled { self.levels[level]..self.trail.len() } else { 0..0 };
        for i in undone {
            self.heap.insert(self.trail[i].var(), self.bump * QUIET);
        }
        self.scanned = 0;
        self.undo(level);
    }

    /// Takes values back.
    fn undo(&mut self, level: usize) {
        if self.levels.len() <= level {
            return;
        }
        for lit in self.trail.drain(self.levels[level]..) {
            self.values[lit.code()] = OPEN;
            self.values[(!lit).code()] = OPEN;
            self.variables[lit.var() as usize].phase = !lit.is_negative();
        }
        self.levels.truncate(level);
        self.propagated = self.trail.len();
    }

    fn run(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        let (mut restarts, mut until_restart) = (0, RESTART);
        loop {
            if self.steps >= self.next_poll {
                let steps = (self.steps + POLL - self.next_poll) / STEP;
                self.next_poll = self.steps + POLL;
                if let Some(why) = self.stop.spend(steps) {
                    return Err(why);
                }
            }
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    self.is_refuted = true;
                    return Ok(false);
                }
                self.conflicts += 1;
                self.learn(conflict);
                self.bump /= DECAY;
                until_restart = until_restart.saturating_sub(1);
                continue;
            }
            if until_restart == 0 {
                restarts += 1;
                until_restart = RESTART * luby(restarts);
                self.backtrack(0);
                continue;
            }
            if self.conflicts >= self.next_reduction {
                self.backtrack(0);
                self.reduce();
            }
            let next = match assumptions.get(self.levels.len()) {
                Some(&lit) => match self.values[lit.code()] {
                    TRUE => {
                        self.levels.push(self.trail.len());
                        continue;
                    }
                    FALSE => {
                        self.blame(lit);
                        return Ok(false);
                    }
                    _ => lit,
                },
                None => match self.decision() {
                    Some(lit) => lit,
                    None => return Ok(true),
                },
            };
            self.levels.push(self.trail.len());
            self.assign(next, NONE);
        }
    }

    /// A literal to try: the most active variable of recent conflicts; when these have values, the first
    /// variable of the domain that has none.
    fn decision(&mut self) -> Option<Lit> {
        if !std::mem::replace(&mut self.is_heap_filled, true) {
            self.heap.fill(&self.domain, self.bump * QUIET);
        }
        loop {
            let var = match self.heap.pop() {
                Some(var) => var,
                None => {
                    self.scanned += 1;
                    *self.domain.get(self.scanned - 1)?
                }
            };
            if self.values[(var as usize) << 1] == OPEN {
                let is_true = self.variables[var as usize].phase;
                return Some(if is_true { Lit::positive(var) } else { Lit::negative(var) });
            }
        }
    }
}

/// The n-th element, from 1 on, of the sequence 1 1 2 1 1 2 4 ... of Luby, Sinclair and Zuckerman (1993).
fn luby(mut n: u64) -> u64 {
    loop {
        let bits = u64::BITS - n.leading_zeros();
        if n == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        n -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn literal(random: &mut Random, vars: u32) -> Lit {
        let lit = Lit::positive(1 + random.below(vars));
        if random.below(2) == 0 { lit } else { !lit }
    }

    fn clause(random: &mut Random, vars: u32, most: u32) -> Vec<Lit> {
        (0..1 + random.below(most)).map(|_| literal(random, vars)).collect()
    }

    fn satisfies(assignment: u32, clause: &[Lit]) -> bool {
        clause.iter().any(|lit| lit.under(assignment >> (lit.var() - 1) & 1 == 1))
    }

    fn is_possible(vars: u32, clauses: &[Vec<Lit>], assumed: &[Lit]) -> bool {
        let units = assumed.iter().map(std::slice::from_ref);
        let all: Vec<&[Lit]> = clauses.iter().map(|clause| &clause[..]).chain(units).collect();
        (0..1 << vars).any(|assignment| all.iter().all(|clause| satisfies(assignment, clause)))
    }

    /// Inputs, gates over them and lemmas about inputs, with questions in between: the answers, the values of
    /// the domain and the failed assumptions are right for all clauses together, those outside of the domain
    /// included.
    #[test]
    fn answers_about_a_domain_are_right_for_the_whole() {
        let mut random = Random(1);
        let (mut yes, mut no) = (0, 0);
        for _ in 0..300 {
            let mut search = Search::new(&Stop::new());
            let (inputs, vars) = (5, 11);
            let mut clauses: Vec<Vec<Lit>> = vec![];
            for _ in 0..inputs {
                search.new_var();
            }
            for gate in inputs + 1..=vars {
                let out = search.new_var();
                assert_eq!(out.var(), gate);
                let [a, b] = [literal(&mut random, gate - 1), literal(&mut random, gate - 1)];
                let and = [vec![!out, a], vec![!out, b], vec![out, !a, !b]];
                let xor = [vec![!out, a, b], vec![!out, !a, !b], vec![out, a, !b], vec![out, !a, b]];
                let definition = if a.var() != b.var() && random.below(3) == 0 { &xor[..] } else { &and[..] };
                definition.iter().for_each(|clause| search.add_clause(clause));
                clauses.extend_from_slice(definition);
            }
            let mut lemmas: Vec<(Vec<Lit>, Option<ClauseId>)> = vec![];
            for _ in 0..20 {
                match random.below(6) {
                    0 => {
                        let lemma = clause(&mut random, inputs, 4);
                        let id = search.add_lemma(&lemma);
                        lemmas.push((lemma, id));
                    }
                    1 if lemmas.last().is_some_and(|(lemma, id)| id.is_some() && lemma.len() > 1) => {
                        let (mut lemma, id) = lemmas.pop().unwrap();
                        lemma.pop();
                        let stronger = search.add_lemma(&lemma);
                        lemmas.push((lemma, stronger));
                        search.remove(id.unwrap());
                    }
                    2 => {
                        search.leave();
                        search.sweep();
                    }
                    _ => {
                        let assumed: Vec<Lit> =
                            (0..random.below(4)).map(|_| literal(&mut random, vars)).collect();
                        let extra = if random.below(2) == 0 { vec![] } else { clause(&mut random, vars, 3) };
                        let lemmas = lemmas.iter().map(|(lemma, _)| lemma.clone());
                        let mut all: Vec<Vec<Lit>> = clauses.iter().cloned().chain(lemmas).collect();
                        all.extend((!extra.is_empty()).then(|| extra.clone()));
                        let expected = is_possible(vars, &all, &assumed);
                        assert_eq!(search.solve(&assumed, &extra).unwrap(), expected);
                        if expected {
                            yes += 1;
                            let known = (1..=vars).map(Lit::positive);
                            let known = known
                                .filter_map(|lit| search.value(lit).map(|is| if is { lit } else { !lit }));
                            assert!(is_possible(vars, &all, &known.collect::<Vec<_>>()));
                        } else {
                            no += 1;
                            let core: Vec<Lit> =
                                assumed.into_iter().filter(|&lit| search.failed(lit)).collect();
                            assert!(!is_possible(vars, &all, &core));
                        }
                    }
                }
            }
        }
        assert!(yes > 500 && no > 500, "{yes} {no}");
    }

    #[test]
    fn the_sequence_of_restarts() {
        assert_eq!((1..=15).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
