//! The simulator: values of all terms of a system, frame by frame.
//!
//! The terms of a system are numbered once, children first, and a frame is one pass over them: the meaning of
//! each operator, as the operator table has it, is applied to the values of its arguments. States and inputs
//! get their values before the pass, from the caller where they are free and from the last pass where they
//! are not. Initial values are evaluated in the order of the states, which is possible because they depend on
//! earlier states alone.
//!
//! The simulator shares nothing with the engines but terms and their meanings, so it is the check of what
//! they report.
//!
//! Cost: a frame is linear in the terms of the system. Arrays are persistent trees: a write costs a
//! logarithm and the array before it stays as it was.

use crate::check::Fault;
use crate::system::System;
use bivalve_terms::{Assignment, Op, Pool, Term, TermMap, Valuation, Value, cone, meaning};

/// A system in one frame of a run.
///
/// [`Simulator::start`] or [`Simulator::advance`] sets the states of a frame, then [`Simulator::evaluate`]
/// sets its inputs and computes everything else.
pub struct Simulator<'a> {
    pool: &'a Pool,
    system: &'a System,
    /// The place of each term of the system among `values`.
    places: TermMap<u32>,
    /// What is evaluated in each frame, in order.
    program: Vec<Step>,
    /// The places of the arguments of all steps.
    args: Vec<u32>,
    values: Vec<Value>,
    /// The places of states, of next values and of inputs.
    states: Vec<u32>,
    nexts: Vec<Option<u32>>,
    inputs: Vec<u32>,
}

/// The evaluation of one term.
struct Step {
    term: Term,
    place: u32,
    /// Where its arguments begin and end.
    args: [u32; 2],
}

impl<'a> Simulator<'a> {
    /// A simulator in no frame yet: all states and inputs are zero, and nothing is evaluated.
    ///
    /// # Errors
    ///
    /// If the system is not well-formed.
    pub fn new(pool: &'a Pool, system: &'a System) -> Result<Simulator<'a>, Fault> {
        system.check(pool)?;
        let mut simulator = Simulator {
            pool,
            system,
            places: TermMap::new(),
            program: vec![],
            args: vec![],
            values: vec![],
            states: vec![],
            nexts: vec![],
            inputs: vec![],
        };
        for term in cone(pool, &system.terms()) {
            simulator.push(term);
        }
        let place = |term| *simulator.places.get(term).expect("a term of the system");
        let (states, inputs) = (&system.states, &system.inputs);
        simulator.states = states.iter().map(|state| place(state.term)).collect();
        simulator.nexts = states.iter().map(|state| state.next.map(place)).collect();
        simulator.inputs = inputs.iter().map(|input| place(input.term)).collect();
        Ok(simulator)
    }

    /// Gives a term its place; leaves get their values at once.
    fn push(&mut self, term: Term) {
        let pool = self.pool;
        let place = u32::try_from(self.values.len()).expect("terms have ids of 32 bits");
        self.places.insert(term, place);
        let value = match pool.op(term) {
            Op::Const => bivalve_terms::eval(pool, term, &Assignment::new()),
            Op::Symbol => Value::default_of(pool.sorts(), pool.sort(term)),
            _ => {
                let begin = self.args.len() as u32;
                let places = pool.args(term).iter();
                self.args.extend(places.map(|&arg| *self.places.get(arg).expect("children come first")));
                self.program.push(Step { term, place, args: [begin, self.args.len() as u32] });
                false.into()
            }
        };
        self.values.push(value);
    }

    /// Sets the states of the first frame. Those without an initial value are given by `free`, which is asked
    /// with the number of the state; `None` is zero.
    ///
    /// # Panics
    ///
    /// If a value is not of the sort of its state.
    pub fn start(&mut self, mut free: impl FnMut(usize) -> Option<Value>) {
        // Initial values mention only states that are earlier in the list.
        let mut assignment = Assignment::new();
        let mut valuation = Valuation::new();
        for (number, state) in self.system.states.iter().enumerate() {
            let value = match state.init {
                Some(init) => valuation.eval(self.pool, &assignment, init).clone(),
                None => self.free_value(state.term, free(number)),
            };
            assignment.set(state.term, value.clone());
            self.values[self.states[number] as usize] = value;
        }
    }

    /// Goes on to the states of the next frame; this one must be evaluated. States without a next value are
    /// given by `free`, which is asked with the number of the state; `None` is zero.
    ///
    /// # Panics
    ///
    /// If a value is not of the sort of its state.
    pub fn advance(&mut self, free: impl FnMut(usize) -> Option<Value>) {
        self.set_states(&self.next_states(), free);
    }

    /// Sets all states, to the values in `computed` where there is one, else as [`Simulator::advance`].
    ///
    /// # Panics
    ///
    /// If a value is not of the sort of its state.
    pub fn set_states(&mut self, computed: &[Option<Value>], mut free: impl FnMut(usize) -> Option<Value>) {
        for (number, state) in self.system.states.iter().enumerate() {
            self.values[self.states[number] as usize] = match &computed[number] {
                Some(value) => value.clone(),
                None => self.free_value(state.term, free(number)),
            };
        }
    }

    /// Sets the inputs of the frame, asking `free` with the number of each, and evaluates everything. `None`
    /// is zero.
    ///
    /// # Panics
    ///
    /// If a value is not of the sort of its input.
    pub fn evaluate(&mut self, mut free: impl FnMut(usize) -> Option<Value>) {
        for (number, input) in self.system.inputs.iter().enumerate() {
            self.values[self.inputs[number] as usize] = self.free_value(input.term, free(number));
        }
        for step in &self.program {
            self.values[step.place as usize] = self.meaning(step);
        }
    }

    /// The states that follow the frame, which must be evaluated; `None` for those without a next value.
    pub fn next_states(&self) -> Vec<Option<Value>> {
        let value = |&next: &Option<u32>| Some(self.values[next? as usize].clone());
        self.nexts.iter().map(value).collect()
    }

    /// The states of the frame.
    pub fn states(&self) -> Vec<Value> {
        self.states.iter().map(|&place| self.values[place as usize].clone()).collect()
    }

    /// The value of a term of the system, or of a part of one, in the frame.
    ///
    /// # Panics
    ///
    /// If the system does not mention the term.
    pub fn value(&self, term: Term) -> &Value {
        let place = self.places.get(term).expect("internal: the term is none of the system's");
        &self.values[*place as usize]
    }

    /// Whether a condition of the system holds in the frame.
    ///
    /// # Panics
    ///
    /// If the system does not mention the term, or it is not Boolean.
    pub fn holds(&self, condition: Term) -> bool {
        self.value(condition).expect_bool()
    }

    /// The number of the first constraint that does not hold in the frame.
    pub fn failed_constraint(&self) -> Option<usize> {
        self.system.constraints.iter().position(|constraint| !self.holds(constraint.term))
    }

    fn free_value(&self, term: Term, given: Option<Value>) -> Value {
        let (sorts, sort) = (self.pool.sorts(), self.pool.sort(term));
        let Some(value) = given else { return Value::default_of(sorts, sort) };
        assert!(value.is_of(sorts, sort), "internal: {value} is no value of sort {}", sorts.display(sort));
        value
    }

    fn meaning(&self, step: &Step) -> Value {
        let args = &self.args[step.args[0] as usize..step.args[1] as usize];
        meaning(self.pool, step.term, args.len(), |i| &self.values[args[i] as usize])
    }
}
