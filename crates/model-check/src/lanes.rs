//! Sixty-four runs at once: the gates of a system, with a bit of a machine word for each run.
//!
//! Inputs are drawn at random: each bit of an input is, in each run, seldom true, seldom false, or either,
//! and which of these changes with each start. A run that does not satisfy the constraints in a frame gets
//! other inputs there, a few times; then another run takes its place, so that runs get as far as they can.
//! The same takes place where a run has shown no state for long that is new among its narrow registers, most
//! of which are control: runs go on from where others have found something new.
//!
//! Cost: a frame is one pass over the gates; memories are registers here.

use crate::ic3::circuit::Circuit;
use bivalve::bitblast::Edge;
use bivalve::terms::{Pool, Term};
use bivalve::{Stop, Why};
use bivalve_limits::Deadline;
use bivalve_systems::{NoRegisters, Registers, System};
use fastrand::Rng;
use rustc_hash::FxHashSet;

/// So many runs.
pub(crate) const LANES: usize = 64;

/// The most gates of a system.
const MOST_GATES: u64 = 1_000_000;

/// How often inputs are drawn for a frame until runs without allowed ones are given up.
const MOST_DRAWS: usize = 4;

/// Every search draws the same numbers.
const SEED: u64 = 1;

/// Registers of at most so many bits say whether a state is new.
const NARROW: u32 = 8;

/// The most bits of such registers that are looked at, and the most states that are remembered.
const MOST_NARROW_BITS: usize = 256;
const MOST_SEEN: usize = 1 << 20;

/// A run without a new state for so many frames goes on from another one.
const PATIENCE: u32 = 48;

/// Where all runs are in a frame.
pub(crate) struct Lanes {
    pub(crate) registers: Registers,
    pub(crate) circuit: Circuit,
    /// By node.
    values: Vec<u64>,
    /// By latch, in this frame.
    states: Vec<u64>,
    /// The latches of narrow registers.
    narrow: Vec<usize>,
    seen: FxHashSet<u64>,
    /// By run: frames since it was in a state that was new.
    stale: [u32; LANES],
    /// By bit of an input: the runs in which it is seldom true, and those in which it is seldom false.
    habits: Vec<[u64; 2]>,
    random: Rng,
    /// What was drawn since the start.
    history: Vec<Drawn>,
    initial: Vec<u64>,
}

/// What was drawn for a frame.
struct Drawn {
    inputs: Vec<u64>,
    /// By run: which one it goes on from in the next frame.
    parents: [u8; LANES],
}

/// 64 bits, each of which is true once in 16 times.
fn seldom(random: &mut Rng) -> u64 {
    (0..4).fold(u64::MAX, |bits, _| bits & random.u64(..))
}

impl Lanes {
    /// Runs of a part in normal form whose only property is looked at.
    ///
    /// # Errors
    ///
    /// When its memories are too large, it has too many gates, or the search was stopped.
    pub(crate) fn new(pool: &mut Pool, system: &System, bits: u64, stop: &Stop) -> Result<Lanes, Why> {
        let deadline = Deadline::stopped_by(stop);
        let registers = Registers::new(pool, system, bits, &mut |cells| deadline.step(cells));
        let registers = registers.map_err(|refusal| match refusal {
            NoRegisters::TooLarge { .. } | NoRegisters::TooMany => {
                Why::Incomplete("a memory is too large for registers")
            }
            NoRegisters::Stopped => deadline.reason().unwrap_or(Why::Interrupted),
        })?;
        let bad = registers.system.bads[0].term;
        let circuit = Circuit::new(pool, &registers.system, bad, &[], MOST_GATES, stop)?;
        let is_narrow = |of: Term| pool.width(of).is_none_or(|width| width <= NARROW);
        let latches = circuit.latches.iter().enumerate();
        let narrow = latches.filter(|(_, latch)| is_narrow(latch.of.0)).map(|(number, _)| number);
        let narrow = narrow.take(MOST_NARROW_BITS).collect();
        let values = vec![0; circuit.graph().len()];
        let (states, habits) = (vec![0; circuit.latches.len()], vec![[0; 2]; circuit.inputs.len()]);
        Ok(Lanes {
            registers,
            circuit,
            values,
            states,
            narrow,
            seen: FxHashSet::default(),
            stale: [0; LANES],
            habits,
            random: Rng::with_seed(SEED),
            history: vec![],
            initial: vec![],
        })
    }

    /// The gates that a frame passes over.
    pub(crate) fn gates(&self) -> usize {
        self.values.len()
    }

    /// About the bytes that it keeps.
    pub(crate) fn bytes(&self) -> u64 {
        let kept = self.history.len() * (self.circuit.inputs.len() + LANES / 8);
        (8 * kept + 16 * self.seen.len() + 40 * self.values.len()) as u64
    }

    /// The frames since the start, this one among them.
    pub(crate) fn frames(&self) -> usize {
        self.history.len()
    }

    /// All runs begin anew, with other habits.
    pub(crate) fn start(&mut self) {
        for habit in &mut self.habits {
            let (some, others) = (self.random.u64(..), self.random.u64(..));
            *habit = [some & others, some & !others];
        }
        for (state, latch) in self.states.iter_mut().zip(&self.circuit.latches) {
            *state = latch.init.map_or_else(|| self.random.u64(..), |init| if init { u64::MAX } else { 0 });
        }
        self.initial = self.states.clone();
        self.history.clear();
        self.stale = [0; LANES];
    }

    /// Draws the inputs of the frame. Returns the runs that satisfy the constraints.
    pub(crate) fn draw(&mut self) -> u64 {
        for (latch, &state) in self.circuit.latches.iter().zip(&self.states) {
            set(&mut self.values, latch.now, state);
        }
        let (mut inputs, mut allowed) = (vec![0; self.habits.len()], 0);
        for _ in 0..MOST_DRAWS {
            for (place, &[seldom_true, seldom_false]) in self.habits.iter().enumerate() {
                let seldom = seldom(&mut self.random);
                let either = self.random.u64(..) & !(seldom_true | seldom_false);
                let drawn = seldom & seldom_true | !seldom & seldom_false | either;
                inputs[place] = inputs[place] & allowed | drawn & !allowed;
                set(&mut self.values, self.circuit.inputs[place], inputs[place]);
            }
            self.evaluate();
            let constraints = self.circuit.constraints.iter();
            allowed = constraints.fold(u64::MAX, |all, &constraint| all & value(&self.values, constraint));
            if allowed == u64::MAX {
                break;
            }
        }
        self.history.push(Drawn { inputs, parents: std::array::from_fn(|lane| lane as u8) });
        allowed
    }

    fn evaluate(&mut self) {
        let graph = self.circuit.graph();
        for node in 0..graph.len() {
            if let Some(bits) = graph.gate(node as u32).evaluated(|edge| value(&self.values, edge)) {
                self.values[node] = bits;
            }
        }
    }

    /// The runs in which an edge is true in the frame.
    pub(crate) fn value(&self, edge: Edge) -> u64 {
        value(&self.values, edge)
    }

    /// Goes on to the next frame from the runs that are `allowed`, which are some.
    pub(crate) fn advance(&mut self, allowed: u64) {
        let mut next: Vec<u64> =
            self.circuit.latches.iter().map(|latch| value(&self.values, latch.next)).collect();
        let mut parents: [u8; LANES] = std::array::from_fn(|lane| lane as u8);
        let fresh = self.fresh(&next) & allowed;
        let good = if fresh == 0 { allowed } else { fresh };
        for (lane, parent) in parents.iter_mut().enumerate() {
            self.stale[lane] = if fresh >> lane & 1 == 1 { 0 } else { self.stale[lane] + 1 };
            let is_lost = allowed >> lane & 1 == 0;
            if is_lost || fresh != 0 && self.stale[lane] > PATIENCE {
                *parent = nth(good, self.random.u64(..));
                self.stale[lane] = 0;
            }
        }
        // Most runs go on from where they are.
        let moved = (0..LANES).zip(parents).filter(|&(lane, parent)| usize::from(parent) != lane);
        let moved: Vec<(usize, u8)> = moved.collect();
        let staying = moved.iter().fold(u64::MAX, |lanes, &(lane, _)| lanes & !(1 << lane));
        for bits in &mut next {
            let old = *bits;
            *bits =
                moved.iter().fold(old & staying, |new, &(lane, parent)| new | (old >> parent & 1) << lane);
        }
        self.states = next;
        self.history.last_mut().expect("the frame was drawn").parents = parents;
    }

    /// The runs whose narrow registers have values that were not seen before.
    fn fresh(&mut self, states: &[u64]) -> u64 {
        if self.seen.len() >= MOST_SEEN {
            return 0;
        }
        let mut hashes = [0_u64; LANES];
        for &latch in &self.narrow {
            for (lane, hash) in hashes.iter_mut().enumerate() {
                *hash =
                    (hash.rotate_left(5) ^ (states[latch] >> lane & 1)).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
        }
        let mut fresh = 0;
        for (lane, hash) in hashes.into_iter().enumerate() {
            fresh |= u64::from(self.seen.insert(hash)) << lane;
        }
        fresh
    }

    /// The bits of the states in the first frame of a run, and of the inputs in each frame up to this one.
    pub(crate) fn history(&self, mut lane: usize) -> (Vec<bool>, Vec<Vec<bool>>) {
        let bits = |words: &[u64], lane: usize| words.iter().map(|word| word >> lane & 1 == 1).collect();
        let mut inputs: Vec<Vec<bool>> = vec![];
        for (back, drawn) in self.history.iter().rev().enumerate() {
            if back > 0 {
                lane = usize::from(drawn.parents[lane]);
            }
            inputs.push(bits(&drawn.inputs, lane));
        }
        inputs.reverse();
        (bits(&self.initial, lane), inputs)
    }
}

fn value(values: &[u64], edge: Edge) -> u64 {
    values[edge.index()] ^ if edge.is_negated() { u64::MAX } else { 0 }
}

fn set(values: &mut [u64], edge: Edge, bits: u64) {
    values[edge.index()] = bits ^ if edge.is_negated() { u64::MAX } else { 0 };
}

/// Some bit of a word that is true, by a random number.
fn nth(word: u64, random: u64) -> u8 {
    let mut rest = word;
    for _ in 0..random % u64::from(word.count_ones()) {
        rest &= rest - 1;
    }
    rest.trailing_zeros() as u8
}
