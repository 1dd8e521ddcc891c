//! A system as latches and gates.
//!
//! Every bit of a state is a latch: an input of the gate graph, the edge of its next value, and its initial
//! value, if that is a constant. The system is in normal form and has no arrays.

use bivalve::bitblast::{BitBlaster, BlastError, Edge, GateGraph, Limits, value_of_bits};
use bivalve::terms::{Pool, Term, Value};
use bivalve::{Stop, Why};
use bivalve_systems::System;

/// One bit of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latch {
    /// The state and the number of the bit.
    pub(super) of: (Term, u32),
    /// The value in the current frame.
    pub(super) now: Edge,
    /// The value in the next frame.
    pub(super) next: Edge,
    pub(super) init: Option<bool>,
}

/// A system as gates.
pub(super) struct Circuit {
    blaster: BitBlaster,
    pub(super) latches: Vec<Latch>,
    /// The bits of the inputs.
    pub(super) inputs: Vec<Edge>,
    /// Edges that are all true in each frame of a run.
    pub(super) constraints: Vec<Edge>,
    pub(super) bad: Edge,
}

impl Circuit {
    /// The gates of a system in normal form, with its constraints and the bad state `bad`; the reason if
    /// there are more than `gates`, or if it has arrays.
    pub(super) fn new(
        pool: &Pool,
        system: &System,
        bad: Term,
        gates: u64,
        stop: &Stop,
    ) -> Result<Circuit, Why> {
        let mut circuit = Circuit {
            blaster: BitBlaster::new(),
            latches: vec![],
            inputs: vec![],
            constraints: vec![],
            bad: Edge::constant(false),
        };
        let limits = Limits { gates, stop };
        circuit.build(pool, system, bad, &limits).map_err(Why::from)?;
        Ok(circuit)
    }

    pub(super) fn graph(&self) -> &GateGraph {
        self.blaster.graph()
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
pub(super) fn value_of(pool: &Pool, symbol: Term, bits: &[bool]) -> Value {
    value_of_bits(pool.sorts(), pool.sort(symbol), bits.iter().copied())
}
