//! A violation of the abstract system, looked at: what do memories hold in it?
//!
//! The writes of the run say what is at an index in a frame: the walk goes back from write to write until one
//! is to that index, or to the first frame, where a cell without an initial value holds what is first read
//! of it. A read that gives something else is broken. The violation is minimised first, so reads that do not
//! matter for it come last. If no read that matters is broken, the run is simulated on the system with
//! memories; if that is no violation there, reads that seemed not to matter decide what is written, and the
//! broken ones among them are looked at as well. Of several, that of the latest frame is taken, whose history
//! is the shortest.
//!
//! Cost: for each read and frame, the arrays and frames before it.

use super::abstraction::Read;
use super::{Prophecy, reason};
use crate::trace;
use bivalve::Why;
use bivalve::terms::{ArrayValue, Assignment, BitVec, Op, Pool, Term, TermMap, Valuation, Value};
use bivalve_limits::Deadline;
use bivalve_systems::{Claim, Frame, KnownBits, Partial, PartialWitness, ReplayError, Witness};
use std::collections::BTreeMap;

/// What is wrong in a run.
pub(crate) enum Broken {
    /// Two reads of a memory at the same index of one frame differ.
    Congruence(Term, [Term; 2]),
    /// A read at this index contradicts what is in the memory.
    Cell { group: usize, index: Term, frame: usize },
}

/// What a walk ends with.
pub(super) enum Walked {
    /// A run of the system with memories that violates it.
    Run(Vec<Frame>),
    Broken(Broken),
}

/// A cell of a memory before any write: the memory, the frame (the first one for a state), and the index.
type Origin = (Term, usize, Value);

/// What is in a cell.
enum Content {
    Value(Value),
    /// What was there at first, which is free.
    Origin(Origin),
}

/// What was read of a cell that is free.
struct Seen {
    bits: KnownBits,
    /// The frame and the index.
    first: (usize, Term),
}

impl Prophecy {
    /// Looks at a run of the part of the abstract system that matters.
    pub(super) fn walk(
        &self,
        pool: &Pool,
        run: Vec<Frame>,
        deadline: &Deadline,
    ) -> Result<Result<Walked, Why>, ReplayError> {
        let whole = &self.abstraction.system;
        let places = |symbols: &mut dyn Iterator<Item = Term>| {
            let mut places = TermMap::new();
            for (place, symbol) in symbols.enumerate() {
                places.insert(symbol, place);
            }
            places
        };
        let states = places(&mut whole.states.iter().map(|state| state.term));
        let inputs = places(&mut whole.inputs.iter().map(|input| input.term));
        let place = |places: &TermMap<usize>, term| *places.get(term).expect("a part of the system");
        let moved = |frame: Frame| Frame {
            states: frame
                .states
                .into_iter()
                .map(|(i, v)| (place(&states, self.system.states[i].term), v))
                .collect(),
            inputs: frame
                .inputs
                .into_iter()
                .map(|(i, v)| (place(&inputs, self.system.inputs[i].term), v))
                .collect(),
        };
        let frames: Vec<Frame> = run.into_iter().map(moved).collect();
        let witness = Witness { claims: vec![Claim::Bad(0)], frames: frames.clone(), loop_start: None };
        let minimal = whole.minimize(pool, &PartialWitness::from(&witness))?;
        let assignments = trace::assignments(pool, whole, frames)?;
        let mut frames = vec![];
        for (assignment, minimal) in assignments.into_iter().zip(&minimal.frames) {
            let mut needed = TermMap::new();
            for (input, part) in &minimal.inputs {
                needed.insert(whole.inputs[*input].term, part.clone());
            }
            frames.push(Values { assignment, valuation: Valuation::new(), needed });
        }
        let mut walk = Walk { prophecy: self, pool, deadline, frames, origins: BTreeMap::new() };
        Ok(walk.run())
    }
}

/// A frame of the run.
struct Values {
    assignment: Assignment,
    valuation: Valuation,
    /// The inputs that matter.
    needed: TermMap<Partial>,
}

struct Walk<'w> {
    prophecy: &'w Prophecy,
    pool: &'w Pool,
    deadline: &'w Deadline,
    frames: Vec<Values>,
    origins: BTreeMap<Origin, Seen>,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<Walked, Why> {
        let tracked = self.tracked();
        if let Some(broken) = tracked {
            return Ok(Walked::Broken(broken));
        }
        let needed = self.broken(true)?;
        let broken = match needed {
            Some(broken) => Some(broken),
            None => match self.differing()? {
                Some(broken) => Some(broken),
                None => {
                    let frames = self.concrete();
                    let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
                    if self.prophecy.part.replay(self.pool, &witness).is_ok() {
                        return Ok(Walked::Run(witness.frames));
                    }
                    self.broken(false)?
                }
            },
        };
        broken.map(Walked::Broken).ok_or(Why::Incomplete("a run of abstract memories is none of the system"))
    }

    /// The value of a term of the system with memories.
    fn value(&mut self, frame: usize, term: Term) -> Value {
        let Values { assignment, valuation, .. } = &mut self.frames[frame];
        valuation.eval(self.pool, assignment, self.prophecy.abstraction.image(term)).clone()
    }

    /// Notes what tracked cells hold at first; two of them that are one cell hold the same.
    fn tracked(&mut self) -> Option<Broken> {
        for &(memory, at, register) in &self.prophecy.abstraction.registers {
            let is_input = self.prophecy.part.inputs.iter().any(|input| input.term == memory);
            for frame in 0..if is_input { self.frames.len() } else { 1 } {
                let index = self.value(frame, at);
                let bits = KnownBits::all(&self.value(frame, register));
                if !is_input && self.initial(memory).is_some() {
                    continue;
                }
                if let Some(other) = self.note((memory, frame, index), bits, (frame, at)) {
                    return Some(Broken::Congruence(memory, [other.1, at]));
                }
            }
        }
        None
    }

    fn initial(&self, memory: Term) -> Option<Term> {
        self.prophecy.part.states.iter().find(|state| state.term == memory).and_then(|state| state.init)
    }

    /// Notes what was read of a cell that is free; if something else was, returns where.
    fn note(&mut self, origin: Origin, bits: KnownBits, at: (usize, Term)) -> Option<(usize, Term)> {
        match self.origins.get_mut(&origin) {
            None => {
                self.origins.insert(origin, Seen { bits, first: at });
                None
            }
            Some(seen) if is_conflict(&seen.bits, &bits) => Some(seen.first),
            Some(seen) => {
                let new = bits.value.and(&bits.known);
                seen.bits.value = seen.bits.value.and(&seen.bits.known).or(&new);
                seen.bits.known = seen.bits.known.or(&bits.known);
                None
            }
        }
    }

    /// The broken read of the latest frame, of those that matter or of all.
    fn broken(&mut self, needed: bool) -> Result<Option<Broken>, Why> {
        let mut found = None;
        for frame in 0..self.frames.len() {
            for &read in &self.prophecy.abstraction.reads {
                let Some(bits) = self.bits(frame, &read, needed) else { continue };
                let index = self.value(frame, read.index);
                let group = self.prophecy.memories.group(read.memory).expect("a memory");
                let other = match self.content(read.memory, frame, index)? {
                    Content::Value(value) if is_conflict(&KnownBits::all(&value), &bits) => None,
                    Content::Value(_) => continue,
                    Content::Origin(origin) => match self.note(origin, bits, (frame, read.index)) {
                        Some(other) => Some(other),
                        None => continue,
                    },
                };
                found = Some(match other {
                    Some((first, other)) if first == frame && self.is_at(frame, &read, other) => {
                        Broken::Congruence(read.memory, [other, read.index])
                    }
                    _ => Broken::Cell { group, index: read.index, frame },
                });
            }
        }
        Ok(found)
    }

    /// Whether another index of a read of the same memory has the same value.
    fn is_at(&mut self, frame: usize, read: &Read, other: Term) -> bool {
        let reads = &self.prophecy.abstraction.reads;
        let is_read = reads.iter().any(|one| one.memory == read.memory && one.index == other);
        is_read && other != read.index && self.value(frame, other) == self.value(frame, read.index)
    }

    /// What a read gives, as far as it matters.
    fn bits(&mut self, frame: usize, read: &Read, needed: bool) -> Option<KnownBits> {
        let part = self.frames[frame].needed.get(read.other).cloned();
        if needed && part.is_none() {
            return None;
        }
        let mut bits = KnownBits::all(&self.value(frame, read.value));
        if let (true, Some(Partial::Bits(part))) = (needed, part) {
            bits.known = part.known;
        }
        Some(bits)
    }

    /// What an array holds at an index.
    fn content(&mut self, array: Term, frame: usize, index: Value) -> Result<Content, Why> {
        let (mut array, mut frame) = (array, frame);
        loop {
            if !self.deadline.step(1) {
                return Err(reason(self.deadline));
            }
            let args = self.pool.args(array);
            match self.pool.op(array) {
                Op::Store if self.value(frame, args[1]) == index => {
                    return Ok(Content::Value(self.value(frame, args[2])));
                }
                Op::Store => array = args[0],
                Op::Ite if self.value(frame, args[0]).expect_bool() => array = args[1],
                Op::Ite => array = args[2],
                Op::ConstArray => return Ok(Content::Value(self.value(frame, args[0]))),
                _ => {
                    let state = self.prophecy.part.states.iter().find(|state| state.term == array);
                    match state {
                        Some(state) if frame > 0 => {
                            frame -= 1;
                            array = state.next.expect("the system is in normal form");
                        }
                        Some(state) if state.init.is_some() => array = state.init.expect("it has one"),
                        _ => return Ok(Content::Origin((array, frame, index))),
                    }
                }
            }
        }
    }

    /// An index at which arrays differ that are said to be equal.
    fn differing(&mut self) -> Result<Option<Broken>, Why> {
        let abstraction = &self.prophecy.abstraction;
        let mut found = None;
        for last in 0..self.frames.len() {
            for &(arrays, [is_equal, _]) in &abstraction.equalities {
                let is_needed = self.frames[last].needed.contains(is_equal);
                if !is_needed || !self.value(last, is_equal).expect_bool() {
                    continue;
                }
                let group = self.prophecy.memories.group(arrays[0]).expect("an array");
                let reads = abstraction
                    .reads
                    .iter()
                    .map(|read| (self.prophecy.memories.group(read.memory), read.index));
                let writes = abstraction.writes.iter().map(|&(group, index)| (Some(group), index));
                for (_, index) in reads.chain(writes).filter(|&(of, _)| of == Some(group)) {
                    for frame in 0..=last {
                        let at = self.value(frame, index);
                        let cells = [self.cell(arrays[0], last, &at)?, self.cell(arrays[1], last, &at)?];
                        if let [Some(a), Some(b)] = &cells
                            && is_conflict(a, b)
                        {
                            found = Some(Broken::Cell { group, index, frame });
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// What is known of a cell.
    fn cell(&mut self, array: Term, frame: usize, index: &Value) -> Result<Option<KnownBits>, Why> {
        Ok(match self.content(array, frame, index.clone())? {
            Content::Value(value) => Some(KnownBits::all(&value)),
            Content::Origin(origin) => self.origins.get(&origin).map(|seen| seen.bits.clone()),
        })
    }

    /// The run of the system with memories: the same inputs, and cells hold what was read of them.
    fn concrete(&mut self) -> Vec<Frame> {
        let part = &self.prophecy.part;
        let mut frames = vec![];
        for frame in 0..self.frames.len() {
            let mut values = Frame::default();
            for (number, state) in part.states.iter().enumerate() {
                if frame == 0 && state.init.is_none() {
                    values.states.push((number, self.free(frame, state.term)));
                }
            }
            for (number, input) in part.inputs.iter().enumerate() {
                values.inputs.push((number, self.free(frame, input.term)));
            }
            frames.push(values);
        }
        frames
    }

    fn free(&mut self, frame: usize, symbol: Term) -> Value {
        if self.prophecy.memories.group(symbol).is_none() {
            return self.value(frame, symbol);
        }
        let (sorts, sort) = (self.pool.sorts(), self.pool.sort(symbol));
        let (_, element) = sorts.array_parts(sort).expect("an array");
        let array = ArrayValue::constant(sorts, sort, Value::default_of(sorts, element));
        let cells = self.origins.iter().filter(|((memory, at, _), _)| (*memory, *at) == (symbol, frame));
        let store = |array: ArrayValue, ((_, _, index), seen): (&Origin, &Seen)| {
            let bits = seen.bits.value.and(&seen.bits.known);
            let cell = if element.is_bool() { (bits == BitVec::ones(1)).into() } else { bits.into() };
            array.store(index, &cell)
        };
        cells.fold(array, store).into()
    }
}

/// Whether what is known of both differs.
fn is_conflict(a: &KnownBits, b: &KnownBits) -> bool {
    !a.value.xor(&b.value).and(&a.known).and(&b.known).is_zero()
}
