//! Systems in normal form: every state has a next value, and initial values are constants.
//!
//! Engines that compare the states of two frames, or that keep sets of states, need both. A state without
//! a next value is an input; if it has an initial value, it is an input that counts from the second frame
//! on. An initial value that depends on other states counts in the first frame. So where it is needed
//! there is one more state, which is true in the first frame only, and each such state is replaced by a
//! choice on it.
//!
//! Why it is right: a run of one system gives a run of the other with the same values of all terms of the
//! original, and the images say which. Cost: one walk over the terms.

use bivalve::terms::{Op, Pool, Rebuild, Sort, Term};
use bivalve_systems::{Input, Justice, Property, State, System};

/// A system in normal form, and where the symbols of the original are.
pub(crate) struct Normalized {
    pub(crate) system: System,
    /// The symbols of the original system, each with its value over the symbols of the normal form.
    images: Rebuild,
}

impl Normalized {
    /// The normal form of a well-formed system.
    pub(crate) fn new(pool: &mut Pool, original: &System) -> Normalized {
        let mut normalized = Normalized { system: System::default(), images: Rebuild::new() };
        let first = original.states.iter().any(|state| needs_first(pool, state));
        let first = first.then(|| pool.symbol("first frame", Sort::BOOL));
        for input in &original.inputs {
            normalized.system.inputs.push(input.clone());
        }
        for state in &original.states {
            normalized.replace(pool, state, first);
        }
        for state in &original.states {
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
        let images = |normalized: &mut Normalized, pool: &mut Pool, list: &[Property]| {
            let image = |property: &Property| Property {
                term: normalized.image(pool, property.term),
                name: property.name.clone(),
            };
            list.iter().map(image).collect::<Vec<_>>()
        };
        normalized.system.bads = images(&mut normalized, pool, &original.bads);
        normalized.system.constraints = images(&mut normalized, pool, &original.constraints);
        normalized.system.fairs = images(&mut normalized, pool, &original.fairs);
        for justice in &original.justices {
            let terms = justice.terms.iter().map(|&term| normalized.image(pool, term)).collect();
            normalized.system.justices.push(Justice { terms, name: justice.name.clone() });
        }
        normalized
    }

    /// For a system in normal form: each symbol is where it was.
    pub(crate) fn plain() -> Normalized {
        Normalized { system: System::default(), images: Rebuild::new() }
    }

    /// A term of the original system over the symbols of the normal form.
    pub(crate) fn image(&mut self, pool: &mut Pool, term: Term) -> Term {
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

/// Whether the initial value can only be said by a choice on the first frame.
fn needs_first(pool: &Pool, state: &State) -> bool {
    state.init.is_some_and(|init| state.next.is_none() || !is_constant(pool, init))
}

/// Whether a term is a constant, or an array all of whose elements are one.
fn is_constant(pool: &Pool, term: Term) -> bool {
    pool.is_const(term) || pool.op(term) == Op::ConstArray && pool.is_const(pool.args(term)[0])
}
