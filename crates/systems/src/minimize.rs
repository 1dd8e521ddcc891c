//! Minimising a witness: the free values that matter.
//!
//! The run is walked backwards from what has to hold: the constraints of all frames, the claimed bad states
//! in the last, each condition of a lasso in the last frame of the loop that shows it, and all states where
//! the loop closes. Each frame passes demands from terms to their arguments down to states and inputs (see
//! `demand`), and from the states to the next values of the frame before. What arrives at a free value is
//! needed, bit by bit and cell by cell; the rest may be anything. (The idea is that of lifting by
//! justification in IC3, on words and arrays.)
//!
//! Cost: a simulation forwards, another backwards from the states that were kept, and the demanded bits.

use crate::demand::{Demand, Step, add};
use crate::partial::{KnownBits, Partial, PartialFrame, PartialWitness, bits_of};
use crate::replay::{ReplayError, Run};
use crate::simulator::Simulator;
use crate::system::System;
use crate::witness::Claim;
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, Value, cone};

impl System {
    /// The part of a witness that is needed to show what it claims. Whatever the rest is replaced by, the
    /// witness replays; with zeros, that is checked here.
    ///
    /// # Errors
    ///
    /// If the witness does not show what it claims.
    pub fn minimize(&self, pool: &Pool, witness: &PartialWitness) -> Result<PartialWitness, ReplayError> {
        let run = self.replay_partial(pool, witness)?;
        let mut lifting = Lifting {
            pool,
            system: self,
            order: cone(pool, &self.terms()),
            demands: TermMap::new(),
            carried: vec![],
            pending: self.loop_conditions(witness),
        };
        let simulator = Simulator::new(pool, self)?;
        let frames = lifting.frames(simulator, &run, witness);
        let (claims, loop_start) = (witness.claims.clone(), run.loop_start);
        let minimal = PartialWitness { claims, frames, loop_start };
        self.replay_partial(pool, &minimal)?;
        Ok(minimal)
    }

    /// What has to hold somewhere in the loop.
    fn loop_conditions(&self, witness: &PartialWitness) -> Vec<Term> {
        let claimed = witness.claims.iter().filter_map(|claim| match claim {
            Claim::Justice(number) => Some(&self.justices[*number]),
            Claim::Bad(_) => None,
        });
        let mut conditions: Vec<Term> = claimed.flat_map(|justice| justice.terms.iter().copied()).collect();
        if witness.claims.iter().any(|claim| matches!(claim, Claim::Justice(_))) {
            conditions.extend(self.fairs.iter().map(|fair| fair.term));
        }
        conditions
    }
}

struct Lifting<'l> {
    pool: &'l Pool,
    system: &'l System,
    /// All terms, children first.
    order: Vec<Term>,
    demands: TermMap<Demand>,
    /// What the frame after this one demands of next values.
    carried: Vec<(Term, Demand)>,
    /// Conditions of the loop that no later frame shows.
    pending: Vec<Term>,
}

fn truth() -> Demand {
    Demand::Bits(BitVec::one(1))
}

impl Lifting<'_> {
    fn frames(
        &mut self,
        mut simulator: Simulator<'_>,
        run: &Run,
        witness: &PartialWitness,
    ) -> Vec<PartialFrame> {
        let last = run.frames.len() - 1;
        let mut frames = vec![];
        for number in (0..=last).rev() {
            let frame = &run.frames[number];
            let states: Vec<Option<Value>> = frame.states.iter().cloned().map(Some).collect();
            simulator.set_states(&states, |_| None);
            simulator.evaluate(|input| Some(frame.inputs[input].clone()));
            self.begin(&simulator, run, witness, number);
            for place in (0..self.order.len()).rev() {
                self.pass(&simulator, self.order[place]);
            }
            if number == 0 {
                self.initial(&simulator);
            }
            frames.push(self.end(&simulator, number));
        }
        frames.reverse();
        frames
    }

    /// What is demanded of a frame at first.
    fn begin(&mut self, simulator: &Simulator<'_>, run: &Run, witness: &PartialWitness, number: usize) {
        let last = run.frames.len() - 1;
        for (term, demand) in std::mem::take(&mut self.carried) {
            add(&mut self.demands, term, demand);
        }
        for constraint in &self.system.constraints {
            add(&mut self.demands, constraint.term, truth());
        }
        for claim in witness.claims.iter().filter(|_| number == last) {
            if let Claim::Bad(bad) = claim {
                add(&mut self.demands, self.system.bads[*bad].term, truth());
            }
        }
        let Some(start) = run.loop_start.filter(|&start| start <= number) else { return };
        let demands = &mut self.demands;
        self.pending.retain(|&condition| {
            let holds = simulator.holds(condition);
            if holds {
                add(demands, condition, truth());
            }
            !holds
        });
        for state in &self.system.states {
            let Some(next) = state.next else { continue };
            if number == start {
                add(&mut self.demands, state.term, Demand::full(self.pool, state.term));
            }
            if number == last {
                add(&mut self.demands, next, Demand::full(self.pool, next));
            }
        }
    }

    /// Passes the demand of a term to its arguments; symbols keep theirs.
    fn pass(&mut self, simulator: &Simulator<'_>, term: Term) {
        if self.pool.op(term) == Op::Symbol {
            return;
        }
        let Some(demand) = self.demands.remove(term) else { return };
        let demands = &mut self.demands;
        let value = |term| simulator.value(term).clone();
        let demands = &mut |term, demand| add(demands, term, demand);
        Step { pool: self.pool, term, value: &value, demands }.pass(demand);
    }

    /// Passes the demands of states to the initial values: these depend on earlier states alone.
    fn initial(&mut self, simulator: &Simulator<'_>) {
        for state in self.system.states.iter().rev() {
            if let Some(init) = state.init
                && let Some(demand) = self.demands.remove(state.term)
            {
                add(&mut self.demands, init, demand);
                for &term in cone(self.pool, &[init]).iter().rev() {
                    self.pass(simulator, term);
                }
            }
        }
    }

    /// Takes the demands that are left: they are those of states and inputs.
    fn end(&mut self, simulator: &Simulator<'_>, number: usize) -> PartialFrame {
        let mut frame = PartialFrame::default();
        for (place, state) in self.system.states.iter().enumerate() {
            let Some(demand) = self.demands.remove(state.term) else { continue };
            match state.next {
                Some(next) if number > 0 => self.carried.push((next, demand)),
                _ => frame.states.push((place, part(simulator.value(state.term), demand))),
            }
        }
        for (place, input) in self.system.inputs.iter().enumerate() {
            if let Some(demand) = self.demands.remove(input.term) {
                frame.inputs.push((place, part(simulator.value(input.term), demand)));
            }
        }
        frame
    }
}

/// The demanded part of a value.
fn part(value: &Value, demand: Demand) -> Partial {
    match demand {
        Demand::Bits(known) if !known.is_ones() => Partial::Bits(KnownBits { value: bits_of(value), known }),
        Demand::Cells(cells) => {
            let array = value.expect_array();
            let cell = |(index, part): (Value, Demand)| {
                let mut cell = KnownBits::all(array.select(&index));
                if let Demand::Bits(known) = part {
                    cell.known = known;
                }
                (index, cell)
            };
            Partial::Cells { cells: cells.into_iter().map(cell).collect(), rest: None }
        }
        _ => Partial::Exact(value.clone()),
    }
}
