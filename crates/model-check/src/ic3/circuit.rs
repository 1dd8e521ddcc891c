//! A system as latches and gates.
//!
//! Every bit of a state is a latch: an input of the gate graph, the edge of its next value, and its initial
//! value, if that is a constant. The system is in normal form and has no arrays. A predicate, a condition on
//! the states, is a derived latch: its value now is a gate, and its next value is the predicate over the next
//! values of the states.

use bivalve::bitblast::{BitBlaster, BlastError, Edge, GateGraph, Limits, value_of_bits};
use bivalve::terms::{Pool, Substitution, Term, Value};
use bivalve::{Stop, Why};
use bivalve_systems::System;

/// One bit of a state, or a predicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latch {
    /// The state and the number of the bit; the predicate and zero.
    pub(crate) of: (Term, u32),
    /// The value in the current frame.
    pub(crate) now: Edge,
    /// The value in the next frame.
    pub(crate) next: Edge,
    pub(crate) init: Option<bool>,
}

/// A system as gates.
pub(crate) struct Circuit {
    blaster: BitBlaster,
    /// The bits of the states, then the predicates.
    pub(crate) latches: Vec<Latch>,
    /// The number of bits of the states.
    pub(crate) state_bits: usize,
    /// The bits of the inputs.
    pub(crate) inputs: Vec<Edge>,
    /// Edges that are all true in each frame of a run.
    pub(crate) constraints: Vec<Edge>,
    pub(crate) bad: Edge,
}

impl Circuit {
    /// The gates of a system in normal form, with its constraints and the bad state `bad`, and `predicates`
    /// over its states; the reason if there are more than `gates`, or if it has arrays.
    pub(crate) fn new(
        pool: &mut Pool,
        system: &System,
        bad: Term,
        predicates: &[Term],
        gates: u64,
        stop: &Stop,
    ) -> Result<Circuit, Why> {
        let mut circuit = Circuit {
            blaster: BitBlaster::new(),
            latches: vec![],
            state_bits: 0,
            inputs: vec![],
            constraints: vec![],
            bad: Edge::constant(false),
        };
        let limits = Limits { gates, stop };
        circuit.build(pool, system, bad, &limits).map_err(Why::from)?;
        circuit.derive(pool, system, predicates, &limits).map_err(Why::from)?;
        Ok(circuit)
    }

    pub(crate) fn graph(&self) -> &GateGraph {
        self.blaster.graph()
    }

    pub(crate) fn graph_mut(&mut self) -> &mut GateGraph {
        self.blaster.graph_mut()
    }

    fn build(
        &mut self,
        pool: &Pool,
        system: &System,
        bad: Term,
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        for state in &system.states {
            let now = self.blaster.bits_within(pool, state.term, limits)?.to_vec();
            let init = state.init.map(|init| constant_bits(pool, init));
            for (bit, now) in now.into_iter().enumerate() {
                let init = init.as_ref().map(|init| init[bit]);
                self.latches.push(Latch { of: (state.term, bit as u32), now, next: now, init });
            }
        }
        for input in &system.inputs {
            self.inputs.extend(self.blaster.bits_within(pool, input.term, limits)?);
        }
        let mut latch = 0;
        for state in &system.states {
            let next = state.next.expect("the system is in normal form");
            for &next in self.blaster.bits_within(pool, next, limits)? {
                self.latches[latch].next = next;
                latch += 1;
            }
        }
        for constraint in &system.constraints {
            self.constraints.extend(self.blaster.roots(pool, constraint.term, limits)?);
        }
        self.bad = self.blaster.root(pool, bad, limits)?;
        self.state_bits = self.latches.len();
        Ok(())
    }

    /// Adds latches for predicates, but for those that are constant or already there.
    fn derive(
        &mut self,
        pool: &mut Pool,
        system: &System,
        predicates: &[Term],
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        let mut step = Substitution::new();
        for state in &system.states {
            step.insert(pool, state.term, state.next.expect("the system is in normal form"));
        }
        for &predicate in predicates {
            let now = self.blaster.root(pool, predicate, limits)?;
            if now.is_constant() || self.latches.iter().any(|latch| latch.now.abs() == now.abs()) {
                continue;
            }
            let next = step.apply(pool, predicate);
            let next = self.blaster.root(pool, next, limits)?;
            self.latches.push(Latch { of: (predicate, 0), now, next, init: None });
        }
        Ok(())
    }
}

/// The bits of a constant, the lowest first.
fn constant_bits(pool: &Pool, term: Term) -> Vec<bool> {
    match pool.as_bitvec(term) {
        Some(value) => (0..value.width()).map(|bit| value.bit(bit)).collect(),
        None => vec![pool.as_bool(term).expect("initial values are constants")],
    }
}

/// The value of a symbol whose bits are given, the lowest first.
pub(crate) fn value_of(pool: &Pool, symbol: Term, bits: &[bool]) -> Value {
    value_of_bits(pool.sorts(), pool.sort(symbol), bits.iter().copied())
}
