//! Systems in normal form: every state has a next value, initial values are constants, and words are as
//! narrow as `slices` makes them.
//!
//! Engines that compare the states of two frames, or that keep sets of states, need both. A state without
//! a next value is an input; if it has an initial value, it is an input that counts from the second frame
//! on. An initial value that depends on other states counts in the first frame. So where it is needed
//! there is one more state, which is true in the first frame only, and each such state is replaced by a
//! choice on it.
//!
//! Why it is right: a run of one system gives a run of the other with the same values of all terms of the
//! original, and the images say which. Cost: one walk over the terms.

use crate::slices::{self, Image};
use bivalve::Stop;
use bivalve::rewrite::{Level, Rewriter};
use bivalve::terms::{Op, Pool, Rebuild, Sort, Term, TermMap};
use bivalve_limits::Deadline;
use bivalve_systems::{Input, Property, State, System};

/// A system in normal form, and where the symbols of the original are.
pub(crate) struct Normalized {
    pub(crate) system: System,
    /// The state that is true in the first frame only, if there is one.
    pub(crate) first: Option<Term>,
    /// The symbols of the original system, each with its value over the symbols of the normal form.
    images: TermMap<Image>,
}

impl Normalized {
    /// The normal form of a well-formed system, of what bad states depend on: liveness is not in it. Words
    /// become narrow unless they are to stay whole.
    pub(crate) fn new(pool: &mut Pool, original: &System, whole: bool, stop: &Stop) -> Normalized {
        let rewritten = rewritten(pool, original, stop);
        let mut normalized = Builder { system: System::default(), images: Rebuild::new() };
        let first = rewritten.states.iter().any(|state| needs_first(pool, state));
        let first = first.then(|| pool.symbol("first frame", Sort::BOOL));
        for input in &rewritten.inputs {
            normalized.system.inputs.push(input.clone());
        }
        for state in &rewritten.states {
            normalized.replace(pool, state, first);
        }
        for state in &rewritten.states {
            let Some(next) = state.next else { continue };
            let next = normalized.image(pool, next);
            let init = state.init.filter(|&init| is_constant(pool, init));
            let name = state.name.clone();
            normalized.system.states.push(State { term: state.term, init, next: Some(next), name });
        }
        if let Some(term) = first {
            let (yes, no) = (pool.bool(true), pool.bool(false));
            normalized.system.states.push(State { term, init: Some(yes), next: Some(no), name: None });
        }
        let images = |normalized: &mut Builder, pool: &mut Pool, list: &[Property]| {
            let image = |property: &Property| Property {
                term: normalized.image(pool, property.term),
                name: property.name.clone(),
            };
            list.iter().map(image).collect::<Vec<_>>()
        };
        normalized.system.bads = images(&mut normalized, pool, &rewritten.bads);
        normalized.system.constraints = images(&mut normalized, pool, &rewritten.constraints);
        let symbols: Vec<Term> = original.symbols().collect();
        let roots: Vec<Term> = symbols.iter().map(|&symbol| normalized.image(pool, symbol)).collect();
        let narrowed = if whole { None } else { slices::narrowed(pool, &normalized.system, &roots) };
        let (system, terms) = match narrowed {
            Some(narrowed) => narrowed,
            None => (normalized.system, roots.into_iter().map(Image::plain).collect()),
        };
        let mut images = TermMap::new();
        for (symbol, image) in symbols.into_iter().zip(terms) {
            images.insert(symbol, image);
        }
        Normalized { system, first, images }
    }

    /// What a symbol of the original system is.
    pub(crate) fn image(&self, symbol: Term) -> &Image {
        self.images.get(symbol).expect("a symbol of the system")
    }
}

/// A system that is brought to normal form.
struct Builder {
    system: System,
    images: Rebuild,
}

impl Builder {
    /// A term of the original system over the symbols of the normal form.
    fn image(&mut self, pool: &mut Pool, term: Term) -> Term {
        self.images.apply(pool, term, || true, |_, _, _| None).expect("nothing stops the walk")
    }

    /// Gives the symbol of a state its image, if that is another term.
    fn replace(&mut self, pool: &mut Pool, state: &State, first: Option<Term>) {
        let later = match state.next {
            Some(_) => state.term,
            None => {
                let name = pool.name(state.term).unwrap_or_default().to_owned();
                let term = pool.symbol(&name, pool.sort(state.term));
                self.system.inputs.push(Input { term, name: state.name.clone() });
                term
            }
        };
        let image = match (state.init, first) {
            (Some(init), Some(first)) if needs_first(pool, state) => {
                let init = self.image(pool, init);
                pool.mk(Op::Ite, &[first, init, later])
            }
            _ => later,
        };
        self.images.set(state.term, image);
    }
}

/// What bad states depend on, with simpler terms; those that were not reached when the stop flag was raised
/// are as they were.
fn rewritten(pool: &mut Pool, original: &System, stop: &Stop) -> System {
    let (mut rewriter, deadline) = (Rewriter::new(Level::Local), Deadline::stopped_by(stop));
    let mut system = System {
        states: original.states.clone(),
        inputs: original.inputs.clone(),
        bads: original.bads.clone(),
        constraints: original.constraints.clone(),
        ..System::default()
    };
    system.map_terms(|term| rewriter.rewrite_within(pool, term, &deadline));
    system
}

/// Whether the initial value can only be said by a choice on the first frame.
fn needs_first(pool: &Pool, state: &State) -> bool {
    state.init.is_some_and(|init| state.next.is_none() || !is_constant(pool, init))
}

/// Whether a term is a constant, or an array all of whose elements are one.
fn is_constant(pool: &Pool, term: Term) -> bool {
    pool.is_const(term) || pool.op(term) == Op::ConstArray && pool.is_const(pool.args(term)[0])
}
