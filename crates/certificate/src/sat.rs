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
use std::cell::RefCell;
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
    derived: Vec<Derived>,
    /// How many hints there are.
    hints: usize,
    /// The number and the hints of the clause that is told next.
    next: Option<(u64, Box<[u32]>)>,
}

/// A derived clause, and the numbers of those that it follows from.
struct Derived {
    literals: Box<[sat::Lit]>,
    hints: Box<[u32]>,
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

    /// Which of the derived clauses up to this one it needs.
    fn needed(&self, last: usize) -> Vec<bool> {
        let mut needed = vec![false; self.derived.len()];
        needed[last] = true;
        for at in (0..=last).rev() {
            if !needed[at] {
                continue;
            }
            for &hint in &self.derived[at].hints {
                if let Some(Numbered::Derived(source)) = self.get(hint) {
                    needed[source as usize] = true;
                }
            }
        }
        needed
    }
}

impl ProofSink for Trace {
    fn derived(&mut self, clause: &[sat::Lit]) {
        let (number, hints) = self.next.take().unzip();
        if let Some(number) = number {
            self.number(number, Numbered::Derived(self.derived.len() as u32));
        }
        self.derived.push(Derived { literals: clause.into(), hints: hints.unwrap_or_default() });
    }

    fn deleted(&mut self, _clause: &[sat::Lit]) {}

    fn wants_antecedents(&self) -> bool {
        true
    }

    fn antecedents(&mut self, number: u64, source: Source<'_>) {
        match source {
            Source::Added(n) => self.number(number, Numbered::Added(n as u32)),
            Source::Derived(hints) => {
                self.hints += hints.len();
                let hints = hints.iter().map(|&hint| u32::try_from(hint).unwrap_or(u32::MAX));
                self.next = Some((number, hints.collect()));
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
        self.trace.borrow().hints
    }

    /// The steps to the last clause that was derived, without those that it does not need. What was assumed
    /// at the last search are clauses, too, if it is given with its sources: then the last clause is empty.
    pub(crate) fn proof(&self, gates: &Gates, assumed: &[(Lit, Other)]) -> Result<Proof<Other>, String> {
        let mut proof = Proof::default();
        if let Some(empty) = self.empty {
            let hint = proof.input(Input::Other(empty));
            proof.push(&[], &[hint]);
            return Ok(proof);
        }
        let trace = self.trace.borrow();
        let last = trace.derived.len().checked_sub(1).ok_or("the SAT solver told no reason")?;
        let needed = trace.needed(last);
        let mut places = vec![None; trace.derived.len()];
        let mut inputs = vec![None; self.added.len()];
        let (mut clause, mut hints) = (vec![], vec![]);
        for at in (0..=last).filter(|&at| needed[at]) {
            hints.clear();
            for &number in &trace.derived[at].hints {
                let hint = match trace.get(number) {
                    Some(Numbered::Derived(source)) => places[source as usize],
                    Some(Numbered::Added(added)) => {
                        let hint = &mut inputs[added as usize];
                        if hint.is_none() {
                            *hint = Some(self.input(gates, added, &mut proof)?);
                        }
                        *hint
                    }
                    None => None,
                };
                hints.push(hint.ok_or("the SAT solver named a clause that it does not have")?);
            }
            clause.clear();
            clause.extend(trace.derived[at].literals.iter().map(|&lit| self.numbering.back(lit)));
            let place = proof.push(&clause, &hints);
            places[at] = Some(place);
            if at == last && !clause.is_empty() && !assumed.is_empty() {
                hints.clear();
                for lit in &clause {
                    let of = assumed.iter().find(|&&(bit, _)| bit == !*lit);
                    let (_, source) = of.ok_or("the SAT solver named an assumption that was none")?;
                    hints.push(proof.input(Input::Other(*source)));
                }
                hints.push(place);
                proof.push(&[], &hints);
            }
        }
        Ok(proof)
    }

    /// What names an added clause in hints. A joined one is derived from those of its gates.
    fn input(&self, gates: &Gates, added: u32, proof: &mut Proof<Other>) -> Result<Hint, String> {
        let number = match self.added[added as usize] {
            Added::Gate(var, number) => return Ok(proof.input(Input::Gate(var, number))),
            Added::Other(other) => return Ok(proof.input(Input::Other(other))),
            Added::Joined(number) => number,
        };
        let Joined { clause, of } = &self.joined[number as usize];
        let names = definitions::hints(gates, clause, of).ok_or("a joined clause does not follow")?;
        let hints = names.into_iter().map(|name| match name {
            Name::Gate(var, number) => Ok(proof.input(Input::Gate(var, number))),
            Name::Stored(_) => Err("a gate is defined by clauses of gates"),
        });
        let hints = hints.collect::<Result<Vec<_>, _>>()?;
        Ok(proof.push(clause, &hints))
    }
}

/// Clauses that are derived in order.
pub(crate) struct Proof<Other> {
    /// The clauses that are not derived.
    inputs: Vec<Input<Other>>,
    /// By step: where its literals and its hints end.
    ends: Vec<(usize, usize)>,
    literals: Vec<Lit>,
    hints: Vec<Hint>,
}

impl<Other> Default for Proof<Other> {
    fn default() -> Proof<Other> {
        let (inputs, ends, literals, hints) = Default::default();
        Proof { inputs, ends, literals, hints }
    }
}

/// A clause that is not derived.
enum Input<Other> {
    Gate(u32, u32),
    Other(Other),
}

/// A clause that a step follows from. There are many, so it is one word.
#[derive(Clone, Copy)]
struct Hint(u32);

/// What a hint is of, by number.
enum Of {
    Input(usize),
    Step(usize),
}

impl Hint {
    fn new(of: &Of) -> Hint {
        match *of {
            Of::Input(number) => Hint((number as u32) << 1),
            Of::Step(number) => Hint(((number as u32) << 1) + 1),
        }
    }

    fn of(self) -> Of {
        let number = self.0 as usize >> 1;
        if self.0 & 1 == 0 { Of::Input(number) } else { Of::Step(number) }
    }
}

impl<Other: Copy> Proof<Other> {
    /// Adds a clause that is not derived.
    fn input(&mut self, input: Input<Other>) -> Hint {
        self.inputs.push(input);
        Hint::new(&Of::Input(self.inputs.len() - 1))
    }

    /// Adds a step.
    fn push(&mut self, clause: &[Lit], hints: &[Hint]) -> Hint {
        self.literals.extend_from_slice(clause);
        self.hints.extend_from_slice(hints);
        self.ends.push((self.literals.len(), self.hints.len()));
        Hint::new(&Of::Step(self.ends.len() - 1))
    }

    /// Whether the last clause is empty.
    pub(crate) fn ends_empty(&self) -> bool {
        let start = self.ends.len().checked_sub(2).map_or(0, |at| self.ends[at].0);
        start == self.literals.len()
    }

    /// The other clauses that are used.
    pub(crate) fn used(&self) -> impl Iterator<Item = Other> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Other(other) => Some(*other),
            Input::Gate(..) => None,
        })
    }

    /// Writes the steps; gives the number of the last clause. `stored` numbers the other clauses.
    pub(crate) fn write(
        &self,
        out: &mut Recorder,
        stored: impl Fn(Other) -> Option<u64>,
    ) -> Result<u64, String> {
        let inputs = self.inputs.iter().map(|input| match *input {
            Input::Gate(var, number) => Some(Name::Gate(var, number)),
            Input::Other(other) => stored(other).map(Name::Stored),
        });
        let inputs: Vec<Name> = inputs.collect::<Option<_>>().ok_or("a clause was not written")?;
        let mut last_use: Vec<usize> = (0..self.ends.len()).collect();
        let mut first = 0;
        for (at, &(_, end)) in self.ends.iter().enumerate() {
            for hint in &self.hints[std::mem::replace(&mut first, end)..end] {
                if let Of::Step(source) = hint.of() {
                    last_use[source] = at;
                }
            }
        }
        let mut numbers: Vec<u64> = Vec::with_capacity(self.ends.len());
        let (mut start, mut names, mut done) = ((0, 0), vec![], vec![]);
        for (at, &end) in self.ends.iter().enumerate() {
            let (literals, hints) = (&self.literals[start.0..end.0], &self.hints[start.1..end.1]);
            start = end;
            for hint in hints {
                names.push(match hint.of() {
                    Of::Input(input) => inputs[input],
                    Of::Step(source) => {
                        if last_use[source] == at {
                            done.push(source);
                        }
                        Name::Stored(numbers[source])
                    }
                });
            }
            numbers.push(out.derive(literals, &names)?);
            names.clear();
            done.sort_unstable();
            done.dedup();
            for source in done.drain(..) {
                out.delete(numbers[source])?;
            }
        }
        numbers.last().copied().ok_or_else(|| "an empty proof".into())
    }
}
