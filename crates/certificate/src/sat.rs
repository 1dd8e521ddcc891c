//! Clauses that are refuted by a SAT solver which tells its reasons.
//!
//! The solver numbers clauses and names, for each one it derives, those that it follows from by unit
//! propagation (LRAT). The steps that the last one needs are found backwards, so what the solver tried in
//! vain is not written.
//!
//! Cost: memory for all that the solver derives.

use crate::definitions::{self, Definitions, Made};
use crate::recorder::Recorder;
use bivalve_checker::clause::Name;
use bivalve_checker::gate::{FALSE, Gates, Lit, TRUE};
use bivalve_sat_adapter as sat;
use bivalve_sat_adapter::{Budget, ProofSink, SatResult, SatSolver, Source, Stop, Why};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A clause that the solver has a number for.
#[derive(Clone, Copy)]
enum Numbered {
    Added(u32),
    Derived(u32),
}

/// All that the solver told. There is much of it, so numbers have half of the bits that they may have; a
/// clause with a larger one is not found again.
#[derive(Default)]
struct Trace {
    /// By the solver's number: 0 if there is no such clause, or one more than twice the number here, plus one
    /// if it was derived.
    numbered: Vec<u32>,
    /// By derived clause: where its literals and its hints end.
    ends: Vec<(usize, usize)>,
    literals: Vec<sat::Lit>,
    hints: Vec<u32>,
    next: Option<u64>,
}

impl Trace {
    fn number(&mut self, number: u64, what: Numbered) {
        let at = number as usize;
        if self.numbered.len() <= at {
            self.numbered.resize(at + 1, 0);
        }
        self.numbered[at] = match what {
            Numbered::Added(number) => (number << 1) + 1,
            Numbered::Derived(number) => (number << 1) + 2,
        };
    }

    fn get(&self, number: u32) -> Option<Numbered> {
        let code = self.numbered.get(number as usize)?.checked_sub(1)?;
        Some(if code & 1 == 0 { Numbered::Added(code >> 1) } else { Numbered::Derived(code >> 1) })
    }

    fn start(&self, derived: usize) -> (usize, usize) {
        if derived == 0 { (0, 0) } else { self.ends[derived - 1] }
    }

    fn literals_of(&self, derived: usize) -> &[sat::Lit] {
        &self.literals[self.start(derived).0..self.ends[derived].0]
    }

    fn hints_of(&self, derived: usize) -> &[u32] {
        &self.hints[self.start(derived).1..self.ends[derived].1]
    }
}

impl ProofSink for Trace {
    fn derived(&mut self, clause: &[sat::Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push((self.literals.len(), self.hints.len()));
        if let Some(number) = self.next.take() {
            self.number(number, Numbered::Derived(self.ends.len() as u32 - 1));
        }
    }

    fn deleted(&mut self, _clause: &[sat::Lit]) {}

    fn wants_antecedents(&self) -> bool {
        true
    }

    fn antecedents(&mut self, number: u64, source: Source<'_>) {
        match source {
            Source::Added(n) => self.number(number, Numbered::Added(n as u32)),
            Source::Derived(hints) => {
                self.hints.extend(hints.iter().map(|&hint| u32::try_from(hint).unwrap_or(u32::MAX)));
                self.next = Some(number);
            }
        }
    }
}

/// The solver's numbers of variables that are in clauses.
#[derive(Default)]
struct Numbering {
    /// By variable: the solver's number, 0 if it has none.
    numbers: Vec<u32>,
    /// By the solver's number: the variable.
    variables: Vec<u32>,
}

impl Numbering {
    /// Gives the literals numbers, if they have none yet; smaller variables have smaller ones.
    fn clause(&mut self, clause: &[Lit], solver: &mut dyn SatSolver) -> Vec<sat::Lit> {
        let mut new: Vec<u32> =
            clause.iter().map(|lit| lit.var()).filter(|&var| self.number(var).is_none()).collect();
        new.sort_unstable();
        for var in new {
            if self.number(var).is_none() {
                let number = solver.new_var().var() as usize;
                self.numbers.resize(self.numbers.len().max(var as usize + 1), 0);
                self.variables.resize(self.variables.len().max(number + 1), 0);
                self.numbers[var as usize] = number as u32;
                self.variables[number] = var;
            }
        }
        clause.iter().filter_map(|&lit| self.lit(lit)).collect()
    }

    fn number(&self, var: u32) -> Option<u32> {
        self.numbers.get(var as usize).copied().filter(|&number| number > 0)
    }

    /// The solver's literal, if it has one.
    fn lit(&self, lit: Lit) -> Option<sat::Lit> {
        let positive = self.number(lit.var()).map(sat::Lit::positive);
        positive.map(|positive| if lit.is_negated() { !positive } else { positive })
    }

    /// The literal that the solver has this one for.
    fn back(&self, lit: sat::Lit) -> Lit {
        Lit::from_code(self.variables[lit.var() as usize] << 1).flip(lit.is_negative())
    }
}

/// After so many gates the stop flag is looked at.
const GLANCE: usize = 1 << 12;

/// A solver that has the clauses of gates, and others.
pub(crate) struct Sat<Other> {
    solver: Box<dyn SatSolver>,
    trace: Rc<RefCell<Trace>>,
    definitions: Definitions,
    added: Vec<Added<Other>>,
    joined: Vec<Joined>,
    numbering: Numbering,
    /// An empty clause that was added.
    empty: Option<Other>,
    stop: Stop,
}

/// A clause that follows from the definitions of these gates together.
struct Joined {
    clause: Box<[Lit]>,
    of: Rc<[u32]>,
}

/// What was added.
#[derive(Clone, Copy)]
enum Added<Other> {
    Gate(u32, u32),
    /// The joined clause of this number.
    Joined(u32),
    Other(Other),
}

/// What a solver is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// One that may be hard.
    Hard,
    /// One of many small ones, which preprocessing costs more than it saves.
    Small,
}

impl Problem {
    fn backend(self) -> &'static str {
        match self {
            // Clauses that are shrunken have longer reasons: an eighth of the time of nine files.
            Problem::Hard => "cadical:shrink=0",
            Problem::Small => "cadical:inprocessing=0,preprocesslight=0,lucky=0,walk=0",
        }
    }
}

impl Problem {
    /// A SAT solver for it, if it is compiled in.
    pub(crate) fn solver(self) -> Option<Box<dyn SatSolver>> {
        sat::create(self.backend()).ok()
    }
}

impl<Other: Copy> Sat<Other> {
    /// A solver without clauses; `None` if no backend tells its reasons.
    pub(crate) fn new(problem: Problem, stop: &Stop) -> Option<Sat<Other>> {
        let mut solver = problem.solver()?;
        let trace = Rc::new(RefCell::new(Trace::default()));
        solver.set_stop(stop.clone());
        solver.set_proof(Box::new(Rc::clone(&trace))).ok()?;
        let (definitions, added, joined, numbering) = Default::default();
        let stop = stop.clone();
        Some(Sat { solver, trace, definitions, added, joined, numbering, empty: None, stop })
    }

    /// Adds the clauses of the gates at and below these literals that have none yet, unless it is stopped.
    fn define(&mut self, gates: &Gates, literals: &[Lit]) {
        let Sat { solver, definitions, added, joined, numbering, stop, .. } = self;
        let mut gates_of: Option<Rc<[u32]>> = None;
        let mut emit = |clause: &[Lit], made: Made<'_>| {
            let numbered = numbering.clause(clause, &mut **solver);
            solver.add_clause(&numbered);
            added.push(match made {
                Made::Gate(var, number) => Added::Gate(var, number),
                Made::Joined(of) => {
                    let same = gates_of.take().filter(|known| **known == *of);
                    let of = gates_of.insert(same.unwrap_or_else(|| of.into())).clone();
                    joined.push(Joined { clause: clause.into(), of });
                    Added::Joined(joined.len() as u32 - 1)
                }
            });
        };
        let mut done = 0;
        let mut goes_on = || {
            done += 1;
            done % GLANCE != 0 || stop.asked().is_none()
        };
        definitions.define(gates, literals, &mut emit, &mut goes_on);
    }

    /// Leaves these gates without clauses until they are opened, if they have none yet.
    pub(crate) fn close(&mut self, gates: &Gates, literals: &[Lit]) -> Vec<Lit> {
        self.definitions.close(gates, literals)
    }

    /// Gives the gates clauses that were left without.
    pub(crate) fn open(&mut self, gates: &Gates, closed: &[Lit]) {
        self.definitions.open(closed);
        self.define(gates, closed);
    }

    /// Adds a clause, after the definitions of what it mentions.
    pub(crate) fn add(&mut self, gates: &Gates, clause: &[Lit], what: Other) {
        if clause.contains(&TRUE) {
            return;
        }
        self.define(gates, clause);
        let clause: Vec<Lit> = clause.iter().copied().filter(|&lit| lit != FALSE).collect();
        let clause = self.numbering.clause(&clause, &mut *self.solver);
        if clause.is_empty() {
            self.empty.get_or_insert(what);
            return;
        }
        self.solver.add_clause(&clause);
        self.added.push(Added::Other(what));
    }

    /// Searches under assumptions, unless it is stopped: then gates may lack their clauses.
    pub(crate) fn solve(&mut self, gates: &Gates, assumed: &[Lit], conflicts: Option<u64>) -> SatResult {
        if self.empty.is_some() {
            return SatResult::Unsat;
        }
        self.define(gates, assumed);
        if let Some(why) = self.stop.asked() {
            return SatResult::Unknown(why);
        }
        if assumed.contains(&FALSE) {
            return SatResult::Unknown(Why::Backend("a false literal was assumed"));
        }
        let assumed: Vec<Lit> = assumed.iter().copied().filter(|&lit| lit != TRUE).collect();
        let assumptions = self.numbering.clause(&assumed, &mut *self.solver);
        self.solver.solve(&assumptions, &Budget { conflicts })
    }

    /// The conflicts so far.
    pub(crate) fn conflicts(&self) -> u64 {
        self.solver.statistics().conflicts.unwrap_or_default()
    }

    /// The value of a literal in the model.
    pub(crate) fn value(&mut self, lit: Lit) -> Option<bool> {
        match lit.var() {
            0 => Some(lit == TRUE),
            _ => self.solver.value(self.numbering.lit(lit)?),
        }
    }

    /// The hints that are kept.
    pub(crate) fn hints(&self) -> usize {
        self.trace.borrow().hints.len()
    }

    /// The steps to the last clause that was derived, without those that it does not need. What was assumed
    /// at the last search are clauses, too, if it is given with its sources: then the last clause is empty.
    pub(crate) fn proof(&self, gates: &Gates, assumed: &[(Lit, Other)]) -> Result<Proof<Other>, String> {
        let mut proof = Proof::default();
        if let Some(empty) = self.empty {
            proof.push(&[], [Hint::Other(empty)]);
            return Ok(proof);
        }
        let trace = self.trace.borrow();
        let last = trace.ends.len().checked_sub(1).ok_or("the SAT solver told no reason")?;
        let mut needed = vec![false; trace.ends.len()];
        needed[last] = true;
        for at in (0..=last).rev() {
            if !needed[at] {
                continue;
            }
            for &hint in trace.hints_of(at) {
                if let Some(Numbered::Derived(source)) = trace.get(hint) {
                    needed[source as usize] = true;
                }
            }
        }
        let mut places = vec![u32::MAX; trace.ends.len()];
        let mut joined: FxHashMap<u32, u32> = FxHashMap::default();
        let mut hints = vec![];
        for at in (0..=last).filter(|&at| needed[at]) {
            for &number in trace.hints_of(at) {
                hints.push(match trace.get(number) {
                    Some(Numbered::Added(added)) => match self.added[added as usize] {
                        Added::Gate(var, number) => Hint::Gate(var, number),
                        Added::Other(other) => Hint::Other(other),
                        Added::Joined(number) => Hint::Step(match joined.entry(number) {
                            Entry::Occupied(place) => *place.get(),
                            Entry::Vacant(place) => *place.insert(self.join(gates, number, &mut proof)?),
                        }),
                    },
                    Some(Numbered::Derived(source)) => Hint::Step(places[source as usize]),
                    None => return Err("the SAT solver named a clause that it does not have".into()),
                });
            }
            let clause: Vec<Lit> =
                trace.literals_of(at).iter().map(|&lit| self.numbering.back(lit)).collect();
            places[at] = proof.push(&clause, hints.drain(..));
            if at == last && !clause.is_empty() && !assumed.is_empty() {
                let of = |&lit: &Lit| assumed.iter().find(|&&(bit, _)| bit == !lit);
                let hints: Option<Vec<_>> =
                    clause.iter().map(|lit| of(lit).map(|&(_, source)| Hint::Other(source))).collect();
                let hints = hints.ok_or("the SAT solver named an assumption that was none")?;
                proof.push(&[], hints.into_iter().chain([Hint::Step(places[at])]));
            }
        }
        Ok(proof)
    }

    /// Derives a joined clause from those of its gates; gives the number of the step.
    fn join(&self, gates: &Gates, number: u32, proof: &mut Proof<Other>) -> Result<u32, String> {
        let Joined { clause, of } = &self.joined[number as usize];
        let names = definitions::hints(gates, clause, of).ok_or("a joined clause does not follow")?;
        let hints = names.into_iter().map(|name| match name {
            Name::Gate(var, number) => Ok(Hint::Gate(var, number)),
            Name::Stored(_) => Err("a gate is defined by clauses of gates"),
        });
        Ok(proof.push(clause, hints.collect::<Result<Vec<_>, _>>()?))
    }
}

/// Clauses that are derived in order.
pub(crate) struct Proof<Other> {
    /// By step: where its literals and its hints end.
    ends: Vec<(usize, usize)>,
    literals: Vec<Lit>,
    hints: Vec<Hint<Other>>,
}

impl<Other> Default for Proof<Other> {
    fn default() -> Proof<Other> {
        let (ends, literals, hints) = Default::default();
        Proof { ends, literals, hints }
    }
}

#[derive(Clone, Copy)]
enum Hint<Other> {
    Gate(u32, u32),
    Other(Other),
    Step(u32),
}

impl<Other: Copy> Proof<Other> {
    /// Adds a step; gives its number.
    fn push(&mut self, clause: &[Lit], hints: impl IntoIterator<Item = Hint<Other>>) -> u32 {
        self.literals.extend_from_slice(clause);
        self.hints.extend(hints);
        self.ends.push((self.literals.len(), self.hints.len()));
        self.ends.len() as u32 - 1
    }

    /// Whether the last clause is empty.
    pub(crate) fn ends_empty(&self) -> bool {
        let start = self.ends.len().checked_sub(2).map_or(0, |at| self.ends[at].0);
        start == self.literals.len()
    }

    /// The other clauses that are used.
    pub(crate) fn used(&self) -> impl Iterator<Item = Other> {
        self.hints.iter().filter_map(|hint| match hint {
            Hint::Other(other) => Some(*other),
            _ => None,
        })
    }

    /// Writes the steps; gives the number of the last clause. `stored` numbers the other clauses.
    pub(crate) fn write(
        &self,
        out: &mut Recorder,
        stored: impl Fn(Other) -> Option<u64>,
    ) -> Result<u64, String> {
        let mut last_use: Vec<usize> = (0..self.ends.len()).collect();
        let mut first = 0;
        for (at, &(_, end)) in self.ends.iter().enumerate() {
            for hint in &self.hints[std::mem::replace(&mut first, end)..end] {
                if let Hint::Step(source) = *hint {
                    last_use[source as usize] = at;
                }
            }
        }
        let mut numbers: Vec<u64> = Vec::with_capacity(self.ends.len());
        let (mut start, mut names, mut done) = ((0, 0), vec![], vec![]);
        for (at, &end) in self.ends.iter().enumerate() {
            let (literals, hints) = (&self.literals[start.0..end.0], &self.hints[start.1..end.1]);
            start = end;
            for hint in hints {
                names.push(match *hint {
                    Hint::Gate(var, number) => Name::Gate(var, number),
                    Hint::Other(other) => Name::Stored(stored(other).ok_or("a clause was not written")?),
                    Hint::Step(source) => {
                        if last_use[source as usize] == at {
                            done.push(source);
                        }
                        Name::Stored(numbers[source as usize])
                    }
                });
            }
            numbers.push(out.derive(literals, &names)?);
            names.clear();
            done.sort_unstable();
            done.dedup();
            for source in done.drain(..) {
                out.delete(numbers[source as usize])?;
            }
        }
        numbers.last().copied().ok_or_else(|| "an empty proof".into())
    }
}
