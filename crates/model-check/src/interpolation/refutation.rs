//! Two sets of clauses, *A* and *B*, that contradict each other, and a condition between them.
//!
//! The SAT solver names, for each clause that it derives, those that it follows from by unit propagation.
//! Read backwards, that is a derivation by resolution: where a clause became a unit, its literal is resolved
//! away. Each clause of the derivation gets a condition (McMillan, CAV 2003): one of *A* the shared literals
//! in it, one of *B* true; a resolvent has the disjunction of both where the variable is one of *A* alone,
//! and else the conjunction. That of the last clause follows from *A*, contradicts *B*, and is over shared
//! variables.
//!
//! Cost: memory for all that the solver derives, and a gate for each resolution that the last clause needs.

use bivalve::bitblast::{Edge, GateGraph, Gates};
use bivalve::sat::{self, Budget, ClauseSink, Lit, ProofSink, SatResult, SatSolver, Source};
use bivalve::{Settings, Stop, Why};
use std::cell::RefCell;
use std::rc::Rc;

const NO_REASONS: Why = Why::Incomplete("the SAT backend does not tell its reasons");

/// A clause that the solver has a number for: twice its place among those that were added, or among those
/// that were derived and one more.
type Number = u32;

/// No clause.
const NONE: Number = u32::MAX;

/// Clauses, one behind the other.
#[derive(Default)]
struct Clauses {
    literals: Vec<Lit>,
    /// By clause: where its literals end.
    ends: Vec<usize>,
}

impl Clauses {
    fn push(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    fn get(&self, at: usize) -> &[Lit] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[at]]
    }
}

/// All that the solver told.
#[derive(Default)]
struct Trace {
    /// By the solver's number.
    numbered: Vec<Number>,
    derived: Clauses,
    /// What derived clauses follow from, and by clause where that ends.
    hints: Vec<Number>,
    ends: Vec<usize>,
    /// The solver's number of the clause that is told next.
    next: Option<u64>,
}

impl Trace {
    fn number(&mut self, by_solver: u64, number: Number) {
        let at = by_solver as usize;
        self.numbered.resize(self.numbered.len().max(at + 1), NONE);
        self.numbered[at] = number;
    }

    fn hints(&self, at: usize) -> &[Number] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.hints[start..self.ends[at]]
    }
}

impl ProofSink for Trace {
    fn derived(&mut self, clause: &[Lit]) {
        if let Some(number) = self.next.take() {
            self.number(number, (self.ends.len() as Number) << 1 | 1);
        }
        self.derived.push(clause);
        self.ends.push(self.hints.len());
    }

    fn deleted(&mut self, _: &[Lit]) {}

    fn wants_antecedents(&self) -> bool {
        true
    }

    fn antecedents(&mut self, number: u64, source: Source<'_>) {
        match source {
            Source::Added(place) => self.number(number, (place as Number) << 1),
            Source::Derived(hints) => {
                self.next = Some(number);
                let of = |&hint: &u64| self.numbered.get(hint as usize).copied().unwrap_or(NONE);
                self.hints.extend(hints.iter().map(of));
            }
        }
    }
}

/// Where a clause belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    A,
    B,
}

/// A solver of the clauses of both sides.
pub(super) struct Refutation {
    solver: Box<dyn SatSolver>,
    trace: Rc<RefCell<Trace>>,
    added: Clauses,
    /// Where clauses and variables belong that are added now.
    side: Side,
    /// By added clause, and by variable. Variables of *B* are shared if *A* mentions them.
    clauses: Vec<Side>,
    variables: Vec<Side>,
    /// By derived clause: its condition, where it was asked for.
    conditions: Vec<Option<Edge>>,
}

impl ClauseSink for Refutation {
    fn new_var(&mut self) -> Lit {
        let lit = self.solver.new_var();
        self.variables.resize(lit.var() as usize + 1, self.side);
        lit
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause);
        self.added.push(clause);
        self.clauses.push(self.side);
    }
}

/// A SAT solver as the settings say.
pub(super) fn backend(settings: &Settings, stop: &Stop) -> Result<Box<dyn SatSolver>, Why> {
    let spec = settings.get("sat").map_err(|_| NO_REASONS)?;
    let mut solver = sat::create(&spec).map_err(|_| NO_REASONS)?;
    solver.set_stop(stop.clone());
    Ok(solver)
}

/// The marks of one derivation after the other.
struct Marks {
    /// By literal.
    is_false: Vec<bool>,
    /// By variable: whether the clause at hand has it.
    is_open: Vec<bool>,
    /// Literals that became units, and the clauses by which.
    units: Vec<(Lit, Number)>,
}

impl Refutation {
    /// A solver without clauses.
    ///
    /// # Errors
    ///
    /// When the backend does not tell its reasons.
    pub(super) fn new(settings: &Settings, stop: &Stop) -> Result<Refutation, Why> {
        let mut solver = backend(settings, stop)?;
        let trace = Rc::new(RefCell::new(Trace::default()));
        solver.set_proof(Box::new(Rc::clone(&trace))).map_err(|_| NO_REASONS)?;
        let (added, clauses, conditions) = Default::default();
        Ok(Refutation { solver, trace, added, side: Side::B, clauses, variables: vec![Side::B], conditions })
    }

    /// What is added from here on belongs to this side.
    pub(super) fn turn(&mut self, side: Side) {
        self.side = side;
    }

    /// Whether the clauses and what is assumed have a model.
    ///
    /// # Errors
    ///
    /// When the search was stopped.
    pub(super) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        match self.solver.solve(assumptions, &Budget::UNLIMITED) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(why) => Err(why),
        }
    }

    /// The value of a literal in the model.
    pub(super) fn value(&mut self, lit: Lit) -> bool {
        self.solver.value(lit) == Some(true)
    }

    /// The literals and hints that are kept.
    pub(super) fn size(&self) -> u64 {
        let trace = self.trace.borrow();
        (self.added.literals.len() + trace.derived.literals.len() + trace.hints.len()) as u64
    }

    /// About the bytes of solver and trace.
    pub(super) fn bytes(&self) -> u64 {
        let trace = self.trace.borrow();
        let clauses = self.clauses.len() + trace.ends.len();
        4 * self.size() + 100 * clauses as u64 + 400 * self.variables.len() as u64
    }

    fn literals<'a>(&'a self, trace: &'a Trace, number: Number) -> &'a [Lit] {
        let at = number as usize >> 1;
        if number & 1 == 0 { self.added.get(at) } else { trace.derived.get(at) }
    }

    /// A clause that says that not all of what was assumed is true, after that was refuted. It may be older
    /// than the question: then the solver has derived nothing anew.
    fn conclusion(&self, trace: &Trace, assumptions: &[Lit]) -> Option<Number> {
        let concludes =
            |clauses: &Clauses, at: usize| clauses.get(at).iter().all(|&lit| assumptions.contains(&!lit));
        let derived = (0..trace.ends.len()).rev().find(|&at| concludes(&trace.derived, at));
        let added = || (0..self.clauses.len()).rev().find(|&at| concludes(&self.added, at));
        derived.map(|at| (at as Number) << 1 | 1).or_else(|| added().map(|at| (at as Number) << 1))
    }

    /// After what was assumed is refuted: a condition that follows from *A*, with what was assumed of it, and
    /// contradicts *B*, in a graph in which shared literals have edges; and how many hints were looked at.
    ///
    /// # Errors
    ///
    /// When the solver has not told its reasons.
    pub(super) fn interpolant(
        &mut self,
        graph: &mut GateGraph,
        assumptions: &[Lit],
        shared: impl Fn(Lit) -> Option<Edge>,
    ) -> Result<(Edge, u64), Why> {
        let trace = Rc::clone(&self.trace);
        let trace = trace.borrow();
        let last = self.conclusion(&trace, assumptions).ok_or(NO_REASONS)?;
        let mut read = 0;
        let count = trace.ends.len();
        self.conditions.resize(count, None);
        let (mut needed, mut is_seen) = (vec![], vec![false; count]);
        let mut todo: Vec<usize> = (last & 1 == 1).then_some(last as usize >> 1).into_iter().collect();
        while let Some(at) = todo.pop() {
            if self.conditions[at].is_some() || std::mem::replace(&mut is_seen[at], true) {
                continue;
            }
            needed.push(at);
            let hints = trace.hints(at);
            read += hints.len() as u64;
            if hints.contains(&NONE) {
                return Err(NO_REASONS);
            }
            todo.extend(hints.iter().filter(|&hint| hint & 1 == 1).map(|&hint| hint as usize >> 1));
        }
        // What a clause follows from was derived before it.
        needed.sort_unstable();
        let variables = self.variables.len();
        let (is_false, is_open) = (vec![false; 2 * variables], vec![false; variables]);
        let mut marks = Marks { is_false, is_open, units: vec![] };
        for at in needed {
            let condition = self.derived(graph, &shared, &trace, at, &mut marks)?;
            self.conditions[at] = Some(condition);
        }
        Ok((self.condition(graph, &shared, last), read))
    }

    /// The condition of a derived clause, when those that it follows from have theirs.
    fn derived(
        &self,
        graph: &mut GateGraph,
        shared: &impl Fn(Lit) -> Option<Edge>,
        trace: &Trace,
        at: usize,
        marks: &mut Marks,
    ) -> Result<Edge, Why> {
        let Marks { is_false, is_open, units } = marks;
        let clause = trace.derived.get(at);
        clause.iter().for_each(|lit| is_false[lit.code()] = true);
        units.clear();
        let mut conflict = None;
        for &hint in trace.hints(at) {
            let mut left = self.literals(trace, hint).iter().filter(|lit| !is_false[lit.code()]);
            match (left.next(), left.next()) {
                (None, _) => {
                    conflict = Some(hint);
                    break;
                }
                (Some(&unit), None) if !is_false[(!unit).code()] => {
                    is_false[(!unit).code()] = true;
                    units.push((unit, hint));
                }
                _ => {}
            }
        }
        let conflict = conflict.ok_or(NO_REASONS)?;
        let mut condition = self.condition(graph, shared, conflict);
        self.literals(trace, conflict).iter().for_each(|lit| is_open[lit.var() as usize] = true);
        for &(unit, hint) in units.iter().rev() {
            is_false[(!unit).code()] = false;
            if !std::mem::replace(&mut is_open[unit.var() as usize], false) {
                continue;
            }
            let other = self.condition(graph, shared, hint);
            condition = match self.variables[unit.var() as usize] {
                Side::A => graph.or(condition, other),
                Side::B => graph.and(condition, other),
            };
            let rest = self.literals(trace, hint).iter().filter(|&&lit| lit != unit);
            rest.for_each(|lit| is_open[lit.var() as usize] = true);
        }
        for lit in clause {
            is_false[lit.code()] = false;
            is_open[lit.var() as usize] = false;
        }
        Ok(condition)
    }

    /// The condition of a clause.
    fn condition(
        &self,
        graph: &mut GateGraph,
        shared: &impl Fn(Lit) -> Option<Edge>,
        number: Number,
    ) -> Edge {
        let at = number as usize >> 1;
        match () {
            () if number & 1 == 1 => self.conditions[at].expect("what comes before has its condition"),
            () if self.clauses[at] == Side::B => Edge::TRUE,
            () => {
                let literals = self.added.get(at).iter().filter_map(|&lit| shared(lit));
                literals.fold(Edge::FALSE, |any, edge| graph.or(any, edge))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The values of variables 1 to 9 that satisfy clauses, a bit for each.
    fn models(clauses: &[Vec<Lit>]) -> impl Iterator<Item = u32> + '_ {
        let is_true = |values: u32, lit: &Lit| lit.under(values >> (lit.var() - 1) & 1 == 1);
        (0..1 << 9)
            .filter(move |&values| clauses.iter().all(|clause| clause.iter().any(|lit| is_true(values, lit))))
    }

    /// The value of an edge whose inputs are the variables 1, 2 and 3.
    fn value(graph: &GateGraph, edge: Edge, values: u32) -> bool {
        let mut words = vec![0_u64; graph.len()];
        for node in 0..graph.len() {
            let word = |edge: Edge| words[edge.index()] ^ if edge.is_negated() { u64::MAX } else { 0 };
            let of_input = || if values >> (node - 1) & 1 == 1 { u64::MAX } else { 0 };
            words[node] = graph.gate(node as u32).evaluated(word).unwrap_or_else(of_input);
        }
        (words[edge.index()] & 1 == 1) != edge.is_negated()
    }

    /// Variables 1 to 3 are shared, 4 to 6 are of B, 7 to 9 of A. One solver is asked again and again, with
    /// clauses of A that hold for one question alone.
    #[test]
    fn conditions_are_between_both_sides() {
        let mut random = Random(1);
        let (mut found, mut models_found) = (0, 0);
        for _ in 0..200 {
            let mut refutation =
                Refutation::new(&Settings::default(), &Stop::new()).expect("there are reasons");
            let mut graph = GateGraph::new();
            let inputs = [(); 3].map(|()| graph.input());
            refutation.turn(Side::B);
            let mut vars: Vec<Lit> = (0..6).map(|_| refutation.new_var()).collect();
            refutation.turn(Side::A);
            vars.extend((0..3).map(|_| refutation.new_var()));
            let mut side = |of: [usize; 2], count: u32| -> Vec<Vec<Lit>> {
                let pool: Vec<Lit> = vars[..3].iter().chain(&vars[of[0]..of[1]]).copied().collect();
                let clause = |random: &mut Random| {
                    let length = 1 + random.below(3);
                    let mut lits = vec![];
                    for _ in 0..length {
                        let lit = pool[random.below(6) as usize];
                        lits.push(if random.below(2) == 0 { lit } else { !lit });
                    }
                    lits
                };
                (0..count).map(|_| clause(&mut random)).collect()
            };
            let b = side([3, 6], 6);
            let a = side([6, 9], 4);
            refutation.turn(Side::B);
            b.iter().for_each(|clause| refutation.add_clause(clause));
            refutation.turn(Side::A);
            a.iter().for_each(|clause| refutation.add_clause(clause));
            for _ in 0..4 {
                let extra = side([6, 9], 3);
                let switch = refutation.new_var();
                for clause in &extra {
                    refutation.add_clause(&[&clause[..], &[!switch]].concat());
                }
                let a = [&a[..], &extra].concat();
                let both = [&a[..], &b].concat();
                let is_sat = refutation.solve(&[switch]).expect("nothing stops it");
                assert_eq!(is_sat, models(&both).next().is_some());
                if is_sat {
                    models_found += 1;
                    continue;
                }
                found += 1;
                let shared = |lit: Lit| {
                    let input = inputs.get(lit.var() as usize - 1).copied();
                    input.map(|input| input ^ lit.is_negative())
                };
                let (edge, _) =
                    refutation.interpolant(&mut graph, &[switch], shared).expect("there are reasons");
                assert!(models(&a).all(|values| value(&graph, edge, values)), "it follows from A");
                assert!(!models(&b).any(|values| value(&graph, edge, values)), "it contradicts B");
            }
        }
        assert!(found > 100 && models_found > 100, "{found} {models_found}");
    }

    #[test]
    fn a_backend_without_reasons_is_refused() {
        let mut settings = Settings::default();
        settings.set("sat", "batsat").expect("it is compiled in");
        let mut refutation = match Refutation::new(&settings, &Stop::new()) {
            Err(why) => return assert_eq!(why, NO_REASONS),
            Ok(refutation) => refutation,
        };
        let x = refutation.new_var();
        refutation.add_clause(&[x]);
        refutation.add_clause(&[!x]);
        assert_eq!(refutation.solve(&[]), Ok(false));
        let refused = refutation.interpolant(&mut GateGraph::new(), &[], |_| None);
        assert_eq!(refused.err(), Some(NO_REASONS));
    }
}
