//! The data of a transition system.
//!
//! States and inputs are symbols; everything else is terms over them. A step takes the values of all states
//! and inputs to the next values of the states. The semantics is that of BTOR2: a state without an initial
//! value is arbitrary in the first frame, a state without a next value is arbitrary in each frame, inputs
//! are arbitrary in each frame, and constraints hold in every frame up to the one that shows a property.
//!
//! Conditions are Boolean terms. States and inputs are bit-vectors, Booleans or arrays of bit-vectors.

use bivalve_terms::{Pool, Term};

/// A state: a symbol with its initial and next values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The symbol.
    pub term: Term,
    /// The value in the first frame, over states that come earlier in the list; arbitrary if absent.
    pub init: Option<Term>,
    /// The value in the next frame, over states and inputs of this one; arbitrary if absent.
    pub next: Option<Term>,
    /// The name as given. It may be absent or repeat, other than the name of the symbol.
    pub name: Option<String>,
}

/// An input: a symbol with a new arbitrary value in each frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The symbol.
    pub term: Term,
    /// The name as given.
    pub name: Option<String>,
}

/// A condition on a frame: a bad state, a constraint or a fairness condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// A Boolean term over states and inputs.
    pub term: Term,
    /// The name as given.
    pub name: Option<String>,
}

/// A liveness property: it is violated by a run on which each of its conditions holds infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Justice {
    /// Boolean terms over states and inputs.
    pub terms: Vec<Term>,
    /// The name as given.
    pub name: Option<String>,
}

/// A value that is shown, without a meaning for properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// A bit-vector or Boolean term over states and inputs.
    pub term: Term,
    /// The name as given.
    pub name: Option<String>,
}

/// A transition system. The order of each list is that of the text, which witnesses count by.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct System {
    /// The states.
    pub states: Vec<State>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Bad states: reaching one of them violates a property.
    pub bads: Vec<Property>,
    /// What holds in each frame.
    pub constraints: Vec<Property>,
    /// What holds infinitely often on each run that justice properties speak of.
    pub fairs: Vec<Property>,
    /// Liveness properties.
    pub justices: Vec<Justice>,
    /// Values that are shown.
    pub outputs: Vec<Output>,
    /// Other terms that have a name, for traces; no term stands here twice.
    pub named: Vec<Output>,
}

impl System {
    /// The formula of these assertions over these symbols, as a system without states. Inputs have the names
    /// of their symbols.
    pub fn of_assertions(pool: &Pool, symbols: Vec<Term>, assertions: Vec<Term>) -> System {
        let name = |term| pool.name(term).map(str::to_owned);
        let inputs = symbols.into_iter().map(|term| Input { term, name: name(term) });
        let constraints = assertions.into_iter().map(|term| Property { term, name: None });
        System { inputs: inputs.collect(), constraints: constraints.collect(), ..System::default() }
    }

    /// Replaces every term but the symbols by its image, which has the same sort.
    pub fn map_terms(&mut self, mut image: impl FnMut(Term) -> Term) {
        let mut replace = |term: &mut Term| *term = image(*term);
        for state in &mut self.states {
            state.init.iter_mut().chain(&mut state.next).for_each(&mut replace);
        }
        for property in self.bads.iter_mut().chain(&mut self.constraints).chain(&mut self.fairs) {
            replace(&mut property.term);
        }
        self.justices.iter_mut().flat_map(|justice| &mut justice.terms).for_each(&mut replace);
        self.outputs.iter_mut().chain(&mut self.named).for_each(|output| replace(&mut output.term));
    }

    /// Replaces every term, symbols included, by what it is called elsewhere.
    pub fn rename(&mut self, mut image: impl FnMut(Term) -> Term) {
        self.states.iter_mut().for_each(|state| state.term = image(state.term));
        self.inputs.iter_mut().for_each(|input| input.term = image(input.term));
        self.map_terms(image);
    }

    /// Whether one frame has no influence on another: no state has an initial or a next value, and there is
    /// no liveness property.
    pub fn is_combinational(&self) -> bool {
        let is_free = |state: &State| state.init.is_none() && state.next.is_none();
        self.states.iter().all(is_free) && self.justices.is_empty()
    }

    /// The symbols of states and inputs, states first.
    pub fn symbols(&self) -> impl Iterator<Item = Term> {
        let states = self.states.iter().map(|state| state.term);
        states.chain(self.inputs.iter().map(|input| input.term))
    }

    /// All terms of the system but the initial values, symbols included, in a fixed order.
    pub fn roots(&self) -> Vec<Term> {
        let values = self.states.iter().filter_map(|state| state.next);
        let conditions = self.bads.iter().chain(&self.constraints).chain(&self.fairs).map(|p| p.term);
        let justices = self.justices.iter().flat_map(|justice| justice.terms.iter().copied());
        let outputs = self.outputs.iter().chain(&self.named).map(|output| output.term);
        self.symbols().chain(values).chain(conditions).chain(justices).chain(outputs).collect()
    }

    /// All terms of the system, symbols included, in a fixed order.
    pub fn terms(&self) -> Vec<Term> {
        self.roots().into_iter().chain(self.states.iter().filter_map(|state| state.init)).collect()
    }
}
