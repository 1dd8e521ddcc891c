//! Small questions about edges of one graph: has this one the same value as that one, for all inputs?
//!
//! One SAT solver answers them one after the other, and keeps what it was told and what it has learnt: the
//! gates below the edges, and the equalities proved before. It assigns all of its variables for each `sat`,
//! so after some questions it is replaced by a new one, which gets the gates of the next question alone.
//!
//! Cost: [`CONFLICTS`] for a question, [`ALL_CONFLICTS`] and [`ALL_STEPS`] in all.

use crate::cnf::CnfEncoder;
use crate::edge::Edge;
use crate::encoder::SolverFactory;
use crate::graph::GateGraph;
use bivalve_sat_adapter::{Budget, Lit, SatResult, SatSolver, Stop};

/// Conflicts that one question may cost.
const CONFLICTS: u64 = 300;

/// Conflicts that all questions may cost.
const ALL_CONFLICTS: u64 = 30_000;

/// Steps that may be taken between the questions, looking for what to ask.
const ALL_STEPS: u64 = 1 << 26;

/// Questions to one SAT solver with many variables.
const QUESTIONS: u32 = 200;

/// Variables that are many.
const MANY: u64 = 4_000;

/// See the head of this file.
pub(super) struct Prover<'a> {
    factory: &'a SolverFactory,
    stop: &'a Stop,
    cnf: CnfEncoder,
    solver: Option<Box<dyn SatSolver>>,
    asked: u32,
    conflicts: u64,
    steps: u64,
    /// The number of questions so far.
    pub(super) questions: u64,
}

impl<'a> Prover<'a> {
    pub(super) fn new(factory: &'a SolverFactory, stop: &'a Stop) -> Prover<'a> {
        Prover {
            factory,
            stop,
            cnf: CnfEncoder::stopped_by(stop),
            solver: None,
            asked: 0,
            conflicts: 0,
            steps: 0,
            questions: 0,
        }
    }

    /// Counts steps of work; `false` when nothing more can be found out.
    pub(super) fn step(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps as u64);
        !self.is_spent()
    }

    fn is_spent(&self) -> bool {
        let is_over = self.conflicts >= ALL_CONFLICTS || self.steps >= ALL_STEPS;
        is_over || self.stop.reason().is_some() || self.cnf.is_stopped()
    }

    /// Are the edges equal for all inputs, as far as a question may cost? Ask about edges of the same graph
    /// always, which may grow.
    pub(super) fn are_equal(&mut self, graph: &GateGraph, a: Edge, b: Edge) -> bool {
        if a == b {
            return true;
        }
        if a == !b || self.is_spent() {
            return false;
        }
        self.questions += 1;
        self.start();
        let mut literals = |edge: Edge| {
            let solver = self.solver.as_mut().expect("just started");
            (!edge.is_constant()).then(|| self.cnf.literal(graph, edge, &mut **solver))
        };
        let (one, other) = (literals(a), literals(b));
        let cases: Vec<Vec<Lit>> = match (one, other) {
            (Some(one), Some(other)) => vec![vec![one, !other], vec![!one, other]],
            (Some(one), None) => vec![vec![if b == Edge::TRUE { !one } else { one }]],
            (None, Some(other)) => vec![vec![if a == Edge::TRUE { !other } else { other }]],
            (None, None) => return false,
        };
        for case in &cases {
            if !self.solve(case).is_unsat() {
                return false;
            }
        }
        let solver = self.solver.as_mut().expect("just asked");
        for case in cases {
            let clause: Vec<Lit> = case.into_iter().map(|lit| !lit).collect();
            solver.add_clause(&clause);
        }
        true
    }

    /// A SAT solver for the next question.
    fn start(&mut self) {
        let variables = self.solver.as_ref().map_or(0, |solver| solver.statistics().variables);
        if self.asked >= QUESTIONS && variables > MANY {
            self.solver = None;
        }
        if self.solver.is_none() {
            let mut solver = (self.factory)();
            solver.set_stop(self.stop.clone());
            (self.solver, self.asked) = (Some(solver), 0);
            self.cnf = CnfEncoder::stopped_by(self.stop);
        }
        self.asked += 1;
    }

    fn solve(&mut self, case: &[Lit]) -> SatResult {
        if self.cnf.is_stopped() {
            return SatResult::Unknown(bivalve_sat_adapter::Why::Interrupted);
        }
        let solver = self.solver.as_mut().expect("a question has a solver");
        let before = solver.statistics().conflicts.unwrap_or(0);
        let result = solver.solve(case, &Budget::conflicts(CONFLICTS));
        // A question is worth something even without a conflict, so that their number has an end.
        self.conflicts += 1 + solver.statistics().conflicts.unwrap_or(CONFLICTS) - before;
        result
    }
}
