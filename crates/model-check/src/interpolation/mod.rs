//! Interpolation: an invariant from refutations of bounded model checking.
//!
//! McMillan (CAV 2003). A step leads from states *R*, at first the initial ones, to states from which no bad
//! one is reached within `k` frames: a SAT solver has refuted that. Between both sides there is a condition
//! on the states in the middle: it holds after each step from *R*, and where it holds, no bad state is
//! reached within `k` frames. These states are the next *R*, and so on, until no state is in it that was not
//! in one before: then all of them together are an invariant. Where a bad state is reached from a later *R*,
//! the conditions were too weak, and the search begins anew with a larger `k`; where it is reached from the
//! initial states, that is a violation, and a shortest one.
//!
//! IC3 excludes states one by one, and a lemma says a little of each; here a refutation that speaks of many
//! frames gives the whole condition at once. Neither is better: what takes IC3 longest has short refutations
//! at times, and conditions may become large.
//!
//! For one `k` there is one solver: what holds in a step and in the frames behind it is asserted, *R* is
//! assumed. What it has learnt stays, so a further *R* costs a tenth of what a fresh solver would take. That
//! is sound for conditions, too: what was learnt with a former *R* says that this *R* does not hold, and
//! nothing resolves that away.
//!
//! Why it is right: the invariant and the run are both checked by others, a fresh solver and the simulator.
//! Cost: a solver, all that it has derived, and the gates of conditions.

mod ahead;
mod conditions;
mod refutation;

use crate::ic3::circuit::Circuit;
use crate::ic3::values;
use crate::pace::Grant;
use crate::proving::{Prover, Search};
use ahead::Ahead;
use bivalve::Why;
use bivalve::bitblast::{CnfEncoder, Edge, Gates};
use bivalve::sat::{Budget, ClauseSink, Lit, SatResult};
use bivalve::terms::{Pool, Term};
use bivalve_systems::{Frame, System};
use refutation::{Refutation, Side};

/// A system of more gates is left to other engines, and so is one whose conditions have so many.
const MOST_GATES: u64 = 1_000_000;
const MOST_NODES: usize = 100_000_000;

/// A solver that was told so much is not used for the next `k`.
const MOST_REMEMBERED: u64 = 20_000_000;

/// So many literals and reasons that are read or written are a step.
const STEP: u64 = 100;

/// The search for an invariant that excludes one bad state.
pub(crate) struct Interpolation {
    ahead: Ahead,
    grant: Grant,
    initial: Edge,
    /// The frames that were searched without a violation, and how many are looked ahead: none before the
    /// initial states were looked at.
    k: usize,
    /// The states that a step begins with, and those that there were before, these among them.
    from: Edge,
    reached: Edge,
    /// The states that follow, before it is known whether all of them were reached before.
    next: Option<Edge>,
    question: Option<Question>,
}

/// Is a bad state reached within `k` frames after a step?
struct Question {
    refutation: Refutation,
    /// The step is *A*, the frames behind it are *B*.
    of_a: CnfEncoder,
    of_b: CnfEncoder,
    /// By latch: whether its value after the step is the one in the frames behind it.
    is_joined: Vec<bool>,
    /// By variable: the latch that it is of, where both sides have it.
    shared: Vec<Option<Edge>>,
    /// What is assumed: where the step begins, and what is to be reached.
    from: Option<Lit>,
    target: Option<Lit>,
}

impl Interpolation {
    /// A search for `bad`, a condition of a system in normal form without arrays.
    ///
    /// # Errors
    ///
    /// When the system has too many gates, or the search was stopped.
    pub(crate) fn begin(
        pool: &mut Pool,
        system: &System,
        bad: Term,
        _: &[Term],
        grant: &Grant,
    ) -> Result<Box<dyn Prover>, Why> {
        let mut circuit = Circuit::new(pool, system, bad, &[], MOST_GATES, &grant.patient())?;
        let values = circuit.latches.iter().map(|latch| latch.init.map(|init| latch.now ^ !init));
        let values: Vec<Edge> = values.flatten().collect();
        let initial = values.into_iter().fold(Edge::TRUE, |all, edge| circuit.graph_mut().and(all, edge));
        let (ahead, grant) = (Ahead::new(circuit), grant.clone());
        let (from, reached, next, question) = (initial, initial, None, None);
        Ok(Box::new(Interpolation { ahead, grant, initial, k: 0, from, reached, next, question }))
    }

    /// Asks one question, or looks at what came of the last one.
    fn search(&mut self, pool: &mut Pool, system: &System) -> Result<Search, Why> {
        if let Some(next) = self.next {
            if self.is_reached(next)? {
                return Ok(Search::Invariant(self.invariant(pool)));
            }
            self.reached = self.ahead.circuit.graph_mut().or(self.reached, next);
            (self.from, self.next) = (next, None);
        }
        if self.ahead.circuit.graph().len() > MOST_NODES {
            return Err(Why::Incomplete("interpolants are too large"));
        }
        let mut question = match self.question.take() {
            Some(question) => question,
            None => self.begun()?,
        };
        let assumed = self.ask(&mut question);
        let answer = question.refutation.solve(&assumed);
        match answer {
            Err(why) => {
                self.question = Some(question);
                return Err(why);
            }
            Ok(true) if self.from == self.initial => {
                return Ok(Search::Violated(self.run(pool, system, &mut question)));
            }
            Ok(true) => {
                self.look_further();
                (question.from, question.target) = (None, None);
                self.question = Some(question).filter(|it| it.refutation.size() < MOST_REMEMBERED);
            }
            Ok(false) if self.k == 0 => self.look_further(),
            Ok(false) => {
                self.next = Some(self.interpolant(&mut question, &assumed)?);
                question.from = None;
                self.question = Some(question);
            }
        }
        Ok(Search::Level)
    }

    /// Begins anew with one frame more.
    fn look_further(&mut self) {
        self.k += 1;
        (self.from, self.reached) = (self.initial, self.initial);
    }

    /// A solver that knows of a step that the constraints hold before it.
    fn begun(&self) -> Result<Question, Why> {
        let mut refutation = Refutation::new(&self.grant.settings, &self.grant.paced())?;
        let (mut of_a, of_b) = (CnfEncoder::new(), CnfEncoder::new());
        let circuit = &self.ahead.circuit;
        refutation.turn(Side::A);
        if self.k > 0 {
            for &constraint in &circuit.constraints {
                of_a.assert_root(circuit.graph(), constraint, &mut refutation);
            }
        }
        let is_joined = vec![false; circuit.latches.len()];
        Ok(Question { refutation, of_a, of_b, is_joined, shared: vec![], from: None, target: None })
    }

    /// Tells a solver what it does not know; what is to be assumed.
    fn ask(&mut self, question: &mut Question) -> [Lit; 2] {
        let bad = self.ahead.reaches_bad(self.k.max(1));
        let circuit = &self.ahead.circuit;
        let Question { refutation, of_a, of_b, is_joined, shared, .. } = question;
        let size = refutation.size();
        let target = *question.target.get_or_insert_with(|| {
            refutation.turn(Side::B);
            let target = refutation.new_var();
            of_b.assert_root_if(circuit.graph(), target, bad, refutation);
            target
        });
        refutation.turn(Side::A);
        for (latch, is_joined) in circuit.latches.iter().zip(is_joined) {
            let Some(behind) = of_b.lookup(latch.now).filter(|_| !*is_joined) else { continue };
            // Before the initial states were looked at, there is no step.
            let value = if self.k == 0 { latch.now } else { latch.next };
            let before = of_a.literal(circuit.graph(), value, refutation);
            refutation.add_clause(&[before, !behind]);
            refutation.add_clause(&[!before, behind]);
            shared.resize(shared.len().max(behind.var() as usize + 1), None);
            shared[behind.var() as usize] = Some(latch.now ^ behind.is_negative());
            *is_joined = true;
        }
        let from = *question.from.get_or_insert_with(|| {
            let from = refutation.new_var();
            of_a.assert_root_if(circuit.graph(), from, self.from, refutation);
            from
        });
        self.grant.pace.charge((refutation.size() - size) / STEP);
        [from, target]
    }

    /// The states between both sides of a question that was refuted.
    fn interpolant(&mut self, question: &mut Question, assumed: &[Lit]) -> Result<Edge, Why> {
        let shared = |lit: Lit| {
            let latch = question.shared.get(lit.var() as usize).copied().flatten();
            latch.map(|edge| edge ^ lit.is_negative())
        };
        let (next, read) =
            question.refutation.interpolant(self.ahead.circuit.graph_mut(), assumed, shared)?;
        self.grant.pace.charge(read / STEP);
        Ok(next)
    }

    /// Whether all these states are among those that were there before.
    fn is_reached(&self, next: Edge) -> Result<bool, Why> {
        let mut solver = refutation::backend(&self.grant.settings, &self.grant.paced())?;
        let (graph, mut encoder) = (self.ahead.circuit.graph(), CnfEncoder::new());
        encoder.assert_root(graph, next, &mut *solver);
        encoder.assert_root(graph, !self.reached, &mut *solver);
        self.grant.pace.charge(encoder.statistics().literals / STEP);
        match solver.solve(&[], &Budget::UNLIMITED) {
            SatResult::Sat => Ok(false),
            SatResult::Unsat => Ok(true),
            SatResult::Unknown(why) => Err(why),
        }
    }

    /// The run of the last model, up to its first bad state.
    fn run(&self, pool: &Pool, system: &System, question: &mut Question) -> Vec<Frame> {
        let Question { refutation, of_a, of_b, .. } = question;
        let mut bits = |encoder: &CnfEncoder, edges: &[Edge]| -> Vec<bool> {
            let literals = edges.iter().map(|&edge| encoder.lookup(edge));
            literals.map(|lit| lit.is_some_and(|lit| refutation.value(lit))).collect()
        };
        let circuit = &self.ahead.circuit;
        let latches: Vec<Edge> = circuit.latches.iter().map(|latch| latch.now).collect();
        let free = bits(of_a, &latches);
        let state: Vec<bool> =
            circuit.latches.iter().zip(free).map(|(latch, free)| latch.init.unwrap_or(free)).collect();
        let mut inputs = vec![];
        if self.k > 0 {
            inputs.push(bits(of_a, &circuit.inputs));
        }
        inputs.extend((0..self.k.max(1)).map(|frame| bits(of_b, self.ahead.inputs(frame))));
        inputs.truncate(self.ahead.until_bad(state.clone(), &inputs));
        let mut frames: Vec<Frame> = inputs
            .iter()
            .map(|bits| {
                let symbols = system.inputs.iter().map(|input| input.term);
                Frame { states: vec![], inputs: values(pool, symbols, bits) }
            })
            .collect();
        frames[0].states = values(pool, system.states.iter().map(|state| state.term), &state);
        frames
    }

    /// All states that were reached, as conditions that hold together.
    fn invariant(&self, pool: &mut Pool) -> Vec<Term> {
        let circuit = &self.ahead.circuit;
        let conjuncts = conditions::conjuncts(circuit.graph(), self.reached);
        conditions::terms(pool, circuit, &conjuncts)
    }
}

impl Prover for Interpolation {
    /// The frames that were searched.
    fn level(&self) -> usize {
        self.k
    }

    fn bytes(&self) -> u64 {
        let question = self.question.as_ref().map_or(0, |question| question.refutation.bytes());
        self.ahead.circuit.graph().heap_bytes() as u64 + question
    }

    fn step(&mut self, pool: &mut Pool, system: &System) -> Search {
        self.search(pool, system).unwrap_or_else(Search::Paused)
    }
}
