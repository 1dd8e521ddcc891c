//! Explicit-state search: small systems decided by enumeration, to test model checkers with.
//!
//! Each value is packed into 64 bits, an array as its cells side by side, so a state is a number. A
//! breadth-first search visits the states that can be reached, with all values of what is free in a frame,
//! and keeps the first frame of each bad state. States without a next value are free in every frame but the
//! first, so they are no part of the numbers. A justice property is violated if a strongly connected
//! component of the graph of states has edges on which all its conditions and all fairness conditions hold:
//! each edge is a frame whose constraints hold. A frame without successor is a dead end, and no infinite
//! run goes through it.
//!
//! It is right because nothing is left out: the search shares the meaning of scalar operators with the rest
//! of the project, and neither arrays nor the simulator.
//!
//! Cost: states times values of what is free, times terms; hence the limits.

use crate::check::Fault;
use crate::system::System;
use bivalve_terms::{Args, BitVec, Op, Pool, Sort, Term, TermMap, Value, cone};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use thiserror::Error;

/// The most bits of the states that are enumerated.
pub const MAX_STATE_BITS: u32 = 20;

/// The most bits that are free in one frame.
pub const MAX_FREE_BITS: u32 = 16;

/// What is true of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// For each bad state the first frame in which it can hold; `None` if it cannot.
    pub bads: Vec<Option<usize>>,
    /// For each justice property whether it is violated: whether there is a run that shows it.
    pub justices: Vec<bool>,
}

/// Why a system is not decided.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum ExplicitError {
    /// The system is not well-formed.
    #[error(transparent)]
    System(#[from] Fault),
    /// Too much to enumerate.
    #[error("{what} are expected to have at most {most} bits, found {found}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit.
        most: u32,
        /// The bits.
        found: u64,
    },
    /// More than 64 conditions of liveness.
    #[error("at most 64 fairness and justice conditions are expected, found {0}")]
    TooManyConditions(usize),
}

/// Decides all properties of a small system.
///
/// # Errors
///
/// If the system is not well-formed or too large.
pub fn decide(pool: &Pool, system: &System) -> Result<Decision, ExplicitError> {
    system.check(pool)?;
    let conditions = system.fairs.len() + system.justices.iter().map(|j| j.terms.len()).sum::<usize>();
    if conditions > 64 {
        return Err(ExplicitError::TooManyConditions(conditions));
    }
    let mut machine = Machine::new(pool, system)?;
    let mut search = Search::new(&machine, system);
    for key in 0..1u64 << bits(&machine.uninitialised) {
        machine.begin(key);
        search.expand(&mut machine, None);
    }
    let mut next = 0;
    while next < search.states.len() && !search.is_over() {
        unpack(&mut machine.values, &machine.carried, search.states[next].0);
        search.expand(&mut machine, Some(next));
        next += 1;
    }
    let justices = search.justices(system);
    Ok(Decision { bads: search.bads, justices })
}

/// The bits of a value.
#[derive(Clone, Copy)]
enum Shape {
    Bool,
    Bits(u32),
    /// The bits of an element, for each of 2^n indices.
    Array {
        index: u32,
        element: u32,
    },
}

impl Shape {
    fn of(pool: &Pool, sort: Sort) -> Result<Shape, ExplicitError> {
        let scalar = |sort: Sort| sort.width().unwrap_or(1);
        let shape = match pool.sorts().array_parts(sort) {
            Some((index, element)) => Shape::Array { index: scalar(index), element: scalar(element) },
            None => sort.width().map_or(Shape::Bool, Shape::Bits),
        };
        let found = match shape {
            Shape::Array { index, element } => u64::from(element).saturating_mul(1 << index.min(32)),
            _ => u64::from(scalar(sort)),
        };
        match found {
            ..=64 => Ok(shape),
            _ => Err(ExplicitError::TooLarge { what: "values", most: 64, found }),
        }
    }

    fn bits(self) -> u32 {
        match self {
            Shape::Bool => 1,
            Shape::Bits(width) => width,
            Shape::Array { index, element } => element << index,
        }
    }

    fn value(self, packed: u64) -> Value {
        match self {
            Shape::Bool => (packed == 1).into(),
            Shape::Bits(width) => BitVec::from_u64(packed, width).into(),
            Shape::Array { .. } => unreachable!("arrays have operators of their own"),
        }
    }
}

/// A symbol: its place and its bits.
#[derive(Clone, Copy)]
struct Field {
    place: usize,
    bits: u32,
}

fn bits(fields: &[Field]) -> u64 {
    fields.iter().map(|field| u64::from(field.bits)).sum()
}

fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// The evaluation of one term.
#[derive(Clone)]
struct Step {
    op: Op,
    place: usize,
    args: Vec<usize>,
    index: u32,
    width: u32,
}

/// Packed values of all terms.
struct Machine {
    values: Vec<u64>,
    shapes: Vec<Shape>,
    places: TermMap<usize>,
    uninitialised: Vec<Field>,
    /// For each state with an initial value: its place, that of the value, and how it is evaluated.
    initial: Vec<(usize, usize, Vec<Step>)>,
    carried: Vec<Field>,
    /// The places of the next values of the carried states.
    nexts: Vec<usize>,
    inputs: Vec<Field>,
    /// The inputs, then the states without a next value.
    free: Vec<Field>,
    /// What depends on carried states alone, and all the rest.
    steady: Vec<Step>,
    varying: Vec<Step>,
    constraints: Vec<usize>,
}

impl Machine {
    fn new(pool: &Pool, system: &System) -> Result<Machine, ExplicitError> {
        let mut places = TermMap::new();
        let (mut values, mut shapes) = (vec![], vec![]);
        for term in cone(pool, &system.terms()) {
            places.insert(term, values.len());
            shapes.push(Shape::of(pool, pool.sort(term))?);
            let constant = pool.as_u64(term).or_else(|| pool.as_bool(term).map(u64::from));
            values.push(constant.unwrap_or(0));
        }
        let place = |term: Term| *places.get(term).expect("a term of the system");
        let field = |term: Term| Field { place: place(term), bits: shapes[place(term)].bits() };
        let states = || system.states.iter();
        let inputs: Vec<Field> = system.inputs.iter().map(|input| field(input.term)).collect();
        let loose = states().filter(|s| s.next.is_none()).map(|s| field(s.term));
        let free: Vec<Field> = inputs.iter().copied().chain(loose).collect();
        let step = |term: &Term| step(pool, &places, *term);
        let initial = states().filter_map(|s| Some((s.term, s.init?)));
        let initial = initial.map(|(state, init)| {
            (place(state), place(init), cone(pool, &[init]).iter().filter_map(step).collect())
        });
        let (steady, varying) = Machine::steps(pool, system, &places, &free);
        let machine = Machine {
            uninitialised: states().filter(|s| s.init.is_none()).map(|s| field(s.term)).collect(),
            initial: initial.collect(),
            carried: states().filter(|s| s.next.is_some()).map(|s| field(s.term)).collect(),
            nexts: states().filter_map(|s| s.next).map(place).collect(),
            constraints: system.constraints.iter().map(|c| place(c.term)).collect(),
            inputs,
            free,
            steady,
            varying,
            values,
            shapes,
            places,
        };
        let limit = |what, most, fields: &[Field]| match bits(fields) {
            found if found <= u64::from(most) => Ok(()),
            found => Err(ExplicitError::TooLarge { what, most, found }),
        };
        limit("states", MAX_STATE_BITS, &machine.carried)?;
        limit("states without an initial value", MAX_STATE_BITS, &machine.uninitialised)?;
        limit("free values of a frame", MAX_FREE_BITS, &machine.free)?;
        Ok(machine)
    }

    /// The steps of a frame: those that depend on carried states alone, and all the rest.
    fn steps(
        pool: &Pool,
        system: &System,
        places: &TermMap<usize>,
        free: &[Field],
    ) -> (Vec<Step>, Vec<Step>) {
        let mut varies = vec![false; places.iter().count()];
        free.iter().for_each(|field| varies[field.place] = true);
        let (mut steady, mut varying) = (vec![], vec![]);
        for term in cone(pool, &system.terms()) {
            if let Some(step) = step(pool, places, term) {
                varies[step.place] = step.args.iter().any(|&arg| varies[arg]);
                if varies[step.place] { varying.push(step) } else { steady.push(step) }
            }
        }
        (steady, varying)
    }

    /// The states of the first frame: `key` holds those without an initial value.
    fn begin(&mut self, key: u64) {
        unpack(&mut self.values, &self.uninitialised, key);
        for (state, value, steps) in &self.initial {
            run(&mut self.values, &self.shapes, steps);
            self.values[*state] = self.values[*value];
        }
    }

    /// The number of the carried states of the next frame.
    fn next(&self) -> u64 {
        let mut shift = 0;
        let pack = |(field, &next): (&Field, &usize)| {
            let packed = self.values[next] << shift;
            shift += field.bits;
            packed
        };
        self.carried.iter().zip(&self.nexts).map(pack).fold(0, |key, part| key | part)
    }

    fn is_allowed(&self) -> bool {
        self.constraints.iter().all(|&constraint| self.values[constraint] == 1)
    }
}

fn unpack(values: &mut [u64], fields: &[Field], mut key: u64) {
    for field in fields {
        values[field.place] = key & mask(field.bits);
        key >>= field.bits;
    }
}

/// How a term is evaluated; `None` for a leaf.
fn step(pool: &Pool, places: &TermMap<usize>, term: Term) -> Option<Step> {
    let op = pool.op(term);
    if matches!(op, Op::Const | Op::Symbol) {
        return None;
    }
    let place = |&term: &Term| *places.get(term).expect("a term of the system");
    let args = pool.args(term).iter().map(place).collect();
    let (index, width) = (pool.index(term), pool.width(term).unwrap_or(0));
    Some(Step { op, place: place(&term), args, index, width })
}

fn run(values: &mut [u64], shapes: &[Shape], steps: &[Step]) {
    for step in steps {
        values[step.place] = meaning(values, shapes, step);
    }
}

/// The value of one term. Arrays are computed here; scalar operators are those of the operator table.
fn meaning(values: &[u64], shapes: &[Shape], step: &Step) -> u64 {
    let arg = |i: usize| values[step.args[i]];
    let element_of = |i: usize| match shapes[step.args[i]] {
        Shape::Array { element, .. } => element,
        _ => unreachable!("terms are well-sorted"),
    };
    match step.op {
        Op::Ite => arg(if arg(0) == 1 { 1 } else { 2 }),
        Op::Eq => step.args.windows(2).all(|pair| values[pair[0]] == values[pair[1]]).into(),
        Op::Distinct => {
            let mut all: Vec<u64> = step.args.iter().map(|&arg| values[arg]).collect();
            all.sort_unstable();
            all.windows(2).all(|pair| pair[0] != pair[1]).into()
        }
        Op::Select => arg(0) >> (arg(1) as u32 * element_of(0)) & mask(element_of(0)),
        Op::Store => {
            let shift = arg(1) as u32 * element_of(0);
            arg(0) & !(mask(element_of(0)) << shift) | arg(2) << shift
        }
        Op::ConstArray => {
            let Shape::Array { index, element } = shapes[step.place] else {
                unreachable!("terms are well-sorted")
            };
            (0..1u32 << index).fold(0, |cells, i| cells | arg(0) << (i * element))
        }
        op => {
            let unpacked = |&arg: &usize| shapes[arg].value(values[arg]);
            let value = |values: &[&Value]| match (op.info().meaning)(&Args::native(
                values, step.index, step.width,
            )) {
                Value::Bool(value) => value.into(),
                value => value.to_u64().expect("at most 64 bits"),
            };
            match &step.args[..] {
                [a] => value(&[&unpacked(a)]),
                [a, b] => value(&[&unpacked(a), &unpacked(b)]),
                all => {
                    let all: Vec<Value> = all.iter().map(unpacked).collect();
                    value(&all.iter().collect::<Vec<_>>())
                }
            }
        }
    }
}

/// The states that were reached, and what was seen on the way.
struct Search {
    /// The carried states as numbers, each with the first frame in which it is reached.
    states: Vec<(u64, usize)>,
    numbers: FxHashMap<u64, u32>,
    /// Frames from state to state with the conditions that hold in them; kept if there is a justice property.
    edges: Vec<(u32, u32, u64)>,
    bads: Vec<Option<usize>>,
    bad_places: Vec<usize>,
    /// Fairness conditions, then the conditions of the justice properties.
    conditions: Vec<usize>,
    has_justice: bool,
}

impl Search {
    fn new(machine: &Machine, system: &System) -> Search {
        let place = |term: Term| *machine.places.get(term).expect("a term of the system");
        let justices = system.justices.iter().flat_map(|justice| justice.terms.iter().copied());
        Search {
            states: vec![],
            numbers: FxHashMap::default(),
            edges: vec![],
            bads: vec![None; system.bads.len()],
            bad_places: system.bads.iter().map(|bad| place(bad.term)).collect(),
            conditions: system.fairs.iter().map(|fair| fair.term).chain(justices).map(place).collect(),
            has_justice: !system.justices.is_empty(),
        }
    }

    fn is_over(&self) -> bool {
        !self.has_justice && self.bads.iter().all(Option::is_some)
    }

    /// Visits all frames whose states are loaded: those of a state that was reached, or of the beginning.
    fn expand(&mut self, machine: &mut Machine, from: Option<usize>) {
        // In the first frame the states without a next value are set already.
        let (free, frame) = match from {
            None => (machine.inputs.clone(), 0),
            Some(state) => (machine.free.clone(), self.states[state].1),
        };
        run(&mut machine.values, &machine.shapes, &machine.steady);
        for key in 0..1u64 << bits(&free) {
            unpack(&mut machine.values, &free, key);
            run(&mut machine.values, &machine.shapes, &machine.varying);
            if !machine.is_allowed() {
                continue;
            }
            for (bad, &place) in self.bads.iter_mut().zip(&self.bad_places) {
                if machine.values[place] == 1 {
                    bad.get_or_insert(frame);
                }
            }
            let next = machine.next();
            let number = match self.numbers.entry(next) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => {
                    self.states.push((next, frame + 1));
                    *place.insert(self.states.len() as u32 - 1)
                }
            };
            if let Some(from) = from.filter(|_| self.has_justice) {
                let conditions = self.conditions.iter().enumerate();
                let held =
                    conditions.map(|(i, &place)| machine.values[place] << i).fold(0, |all, one| all | one);
                self.edges.push((from as u32, number, held));
            }
        }
    }

    /// For each justice property whether a component of the graph shows it.
    fn justices(&self, system: &System) -> Vec<bool> {
        if !self.has_justice {
            return vec![];
        }
        let graph = DiGraph::<(), ()>::from_edges(self.edges.iter().map(|&(from, to, _)| (from, to)));
        let mut component = vec![0; self.states.len()];
        let components = kosaraju_scc(&graph);
        for (number, states) in components.iter().enumerate() {
            states.iter().for_each(|state| component[state.index()] = number);
        }
        // What holds on edges within each component; `None` if there is none.
        let mut held: Vec<Option<u64>> = vec![None; components.len()];
        for &(from, to, conditions) in &self.edges {
            let number = component[from as usize];
            if number == component[to as usize] {
                *held[number].get_or_insert(0) |= conditions;
            }
        }
        let fairs = system.fairs.len();
        let mut first = fairs;
        let justices = system.justices.iter().map(|justice| {
            let own = mask(justice.terms.len() as u32).checked_shl(first as u32).unwrap_or(0);
            first += justice.terms.len();
            let needed = mask(fairs as u32) | own;
            held.iter().flatten().any(|held| held & needed == needed)
        });
        justices.collect()
    }
}
