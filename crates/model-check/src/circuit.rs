//! Witness circuits: a system that shows why no bad state of another one is reached.
//!
//! A circuit has states and inputs of the model among its own, and a property that is inductive: it holds in
//! initial states, and every step keeps it. Each run of the model is, on what both share, a run of the
//! circuit, whose property excludes bad states of the model. That comes down to five questions of one frame
//! or two (Yu, Froleyks, Biere and Heljanko, *Stratified certification for k-induction*, FMCAD 2022; Cerbtora
//! and Certifaiger ask the same of BTOR2 and AIGER, for the certificates of the competition).
//!
//! An invariant becomes the property as it is, with a state that is true in the first frame only if the
//! normal form has one: there, states have their initial values. Induction over `k` frames remembers `k - 1`
//! of them: the property says that they are good and follow each other, and that the last one is an initial
//! state where fewer are known. Where constraints leave no run of more than `n` frames, `n` are remembered,
//! and never all of them. Cost: the states of the model, once for each frame that is remembered.

use crate::recheck::{Obligation, Outcome};
use crate::verdict::{Error, Proof, Verdict};
use bivalve::terms::{Op, Pool, Rebuild, Sort, Term, TermSet};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_systems::{Property, State, System};
use thiserror::Error;

/// Why there is no witness circuit.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum NoCircuit {
    /// A circuit is about all bad states of a system.
    #[error("b{0} was not shown to hold; a witness circuit is about all bad states")]
    NotShown(usize),
    /// The proof is about a system without memories, of which the runs of the system are runs.
    #[error("the proof of b{0} tracks cells of memory, which a witness circuit cannot say")]
    Cells(usize),
    /// The proof says that the frames of a step differ.
    #[error("the proof of b{0} says that no state repeats, which a witness circuit cannot say")]
    Distinct(usize),
}

/// The circuit of verdicts about all bad states of a system, from proofs over its normal form with whole
/// words, whose state `first` is true in the first frame only. States and inputs of the system are the first
/// ones of the circuit, in their order.
///
/// # Errors
///
/// Why there is none.
pub(crate) fn circuit<'v>(
    pool: &mut Pool,
    system: &System,
    first: Option<Term>,
    verdicts: impl IntoIterator<Item = &'v Verdict>,
) -> Result<System, NoCircuit> {
    let (mut property, mut equations, mut depth, mut most) = (vec![], vec![], 0, None);
    for (number, verdict) in verdicts.into_iter().enumerate() {
        match verdict {
            Verdict::Holds(Proof::Invariant(clauses)) => property.extend(clauses),
            Verdict::Holds(Proof::Induction { k, distinct, equal }) if distinct.is_empty() => {
                equations.extend(equal);
                depth = depth.max(k.saturating_sub(1));
            }
            Verdict::Holds(Proof::NoLongerRun { frames }) => {
                most = Some(most.map_or(*frames, |most: usize| most.min(*frames)));
            }
            Verdict::Holds(Proof::Induction { .. }) => return Err(NoCircuit::Distinct(number)),
            Verdict::Holds(_) => return Err(NoCircuit::Cells(number)),
            Verdict::Violated(_) | Verdict::Unknown(..) => return Err(NoCircuit::NotShown(number)),
        }
    }
    let mut circuit = System {
        states: system.states.clone(),
        inputs: system.inputs.clone(),
        constraints: system.constraints.clone(),
        ..System::default()
    };
    let names = circuit.states.iter_mut().map(|state| &mut state.name);
    for name in names.chain(circuit.inputs.iter_mut().map(|input| &mut input.name)) {
        // Such a name would say which symbol of the model is meant.
        name.take_if(|name| name.starts_with('='));
    }
    let first = first.filter(|_| !property.is_empty() || !equations.is_empty());
    equations.push(good(pool, system));
    let good = pool.and_all(&equations);
    property.push(good);
    if let Some(first) = first {
        let initial = initial(pool, system);
        property.push(implies(pool, first, initial));
        circuit.states.push(flag(pool, first, true, |pool| pool.bool(false)));
    }
    let depth = depth.max(most.unwrap_or(0));
    remember(pool, system, &mut circuit, good, depth, &mut property, most);
    if most == Some(0) {
        // There is no initial state, so none is good.
        property.push(pool.bool(false));
    }
    let holds = pool.and_all(&property);
    circuit.bads = vec![Property { term: pool.mk(Op::Not, &[holds]), name: None }];
    Ok(circuit)
}

/// Adds so many frames of the past to a circuit, the nearest first, and to its property what is known of
/// them; the frame `most` of the past never exists.
fn remember(
    pool: &mut Pool,
    system: &System,
    circuit: &mut System,
    good: Term,
    depth: usize,
    property: &mut Vec<Term>,
    most: Option<usize>,
) {
    let symbols: Vec<Term> = system.symbols().collect();
    let (yes, initial) = (pool.bool(true), initial(pool, system));
    let constraints: Vec<Term> = system.constraints.iter().map(|constraint| constraint.term).collect();
    let allowed = pool.and_all(&constraints);
    // The frame at hand.
    let (mut known, mut now, mut is_initial) = (yes, symbols.clone(), initial);
    for back in 1..=depth {
        let exists = pool.symbol("remembered", Sort::BOOL);
        circuit.states.push(flag(pool, exists, false, |_| known));
        let mut images = Rebuild::new();
        let before: Vec<Term> = symbols
            .iter()
            .zip(&now)
            .map(|(&symbol, &later)| {
                let term = pool.symbol("before", pool.sort(symbol));
                images.set(symbol, term);
                circuit.states.push(State { term, init: None, next: Some(later), name: None });
                term
            })
            .collect();
        let mut image =
            |pool: &mut Pool, term| images.apply(pool, term, || true, |_, _, _| None).expect("nothing stops");
        let mut facts = vec![known, image(pool, good), image(pool, allowed)];
        for (state, &later) in system.states.iter().zip(&now) {
            if let Some(next) = state.next {
                let next = image(pool, next);
                facts.push(pool.mk(Op::Eq, &[later, next]));
            }
        }
        let fact = pool.and_all(&facts);
        property.push(implies(pool, exists, fact));
        let is_last = pool.mk(Op::Not, &[exists]);
        let ends = pool.and_all(&[known, is_last]);
        property.push(implies(pool, ends, is_initial));
        if most == Some(back) {
            property.push(is_last);
        }
        is_initial = image(pool, initial);
        (known, now) = (exists, before);
    }
}

/// A state of one bit without a name.
fn flag(pool: &mut Pool, term: Term, init: bool, next: impl FnOnce(&mut Pool) -> Term) -> State {
    State { term, init: Some(pool.bool(init)), next: Some(next(pool)), name: None }
}

/// No bad state.
fn good(pool: &mut Pool, system: &System) -> Term {
    let goods: Vec<Term> = system.bads.iter().map(|bad| pool.mk(Op::Not, &[bad.term])).collect();
    pool.and_all(&goods)
}

/// All states that have an initial value have it.
fn initial(pool: &mut Pool, system: &System) -> Term {
    let equations: Vec<Term> = system
        .states
        .iter()
        .filter_map(|state| state.init.map(|init| pool.mk(Op::Eq, &[state.term, init])))
        .collect();
    pool.and_all(&equations)
}

fn implies(pool: &mut Pool, condition: Term, fact: Term) -> Term {
    pool.mk(Op::Implies, &[condition, fact])
}

/// The five questions whether `circuit` shows that no bad state of `model` is reached. Both are over symbols
/// of one pool; what they share is the same symbol. They have to be well-formed.
pub fn circuit_obligations(pool: &mut Pool, model: &System, circuit: &System) -> Vec<Obligation> {
    let (mut own, mut shared) = (TermSet::new(), TermSet::new());
    for symbol in circuit.symbols() {
        own.insert(symbol);
    }
    for symbol in model.symbols().filter(|&symbol| own.contains(symbol)) {
        shared.insert(symbol);
    }
    let mut later = Rebuild::new();
    for symbol in model.symbols().chain(circuit.symbols()) {
        if later.image(symbol).is_none() {
            let name = format!("{}@1", pool.name(symbol).unwrap_or_default());
            let image = pool.symbol(&name, pool.sort(symbol));
            later.set(symbol, image);
        }
    }
    let mut after =
        |pool: &mut Pool, term| later.apply(pool, term, || true, |_, _, _| None).expect("nothing stops");
    let resets = |pool: &mut Pool, system: &System, all: bool| {
        let states = system.states.iter().filter(|state| all || shared.contains(state.term));
        let equations: Vec<Term> =
            states.filter_map(|state| state.init.map(|init| pool.mk(Op::Eq, &[state.term, init]))).collect();
        pool.and_all(&equations)
    };
    let mut steps = |pool: &mut Pool, system: &System, all: bool| {
        let states = system.states.iter().filter(|state| all || shared.contains(state.term));
        let equations: Vec<Term> = states
            .filter_map(|state| {
                let next = state.next?;
                let then = after(pool, state.term);
                Some(pool.mk(Op::Eq, &[then, next]))
            })
            .collect();
        pool.and_all(&equations)
    };
    let reset = resets(pool, model, false);
    let (own_reset, whole_reset) = (resets(pool, circuit, false), resets(pool, circuit, true));
    let step = steps(pool, model, false);
    let (own_step, whole_step) = (steps(pool, circuit, false), steps(pool, circuit, true));
    let all = |pool: &mut Pool, list: &[Property]| {
        let terms: Vec<Term> = list.iter().map(|property| property.term).collect();
        pool.and_all(&terms)
    };
    let (allowed, own_allowed) = (all(pool, &model.constraints), all(pool, &circuit.constraints));
    let (fine, own_fine) = (good(pool, model), good(pool, circuit));
    let [allowed_then, own_allowed_then, own_fine_then] =
        [allowed, own_allowed, own_fine].map(|term| after(pool, term));
    let not = |pool: &mut Pool, terms: &[Term]| {
        let together = pool.and_all(terms);
        pool.mk(Op::Not, &[together])
    };
    let question = |name: &str, fault: &str, conditions: Vec<Term>| Obligation {
        name: name.into(),
        fault: fault.into(),
        conditions,
    };
    vec![
        question(
            "reset",
            "an initial state of the model is none of the circuit",
            vec![reset, allowed, not(pool, &[own_reset, own_allowed])],
        ),
        question(
            "transition",
            "a step of the model is none of the circuit",
            vec![step, allowed, allowed_then, own_allowed, not(pool, &[own_step, own_allowed_then])],
        ),
        question(
            "property",
            "a state is bad in the model and good in the circuit",
            vec![allowed, own_allowed, own_fine, not(pool, &[fine])],
        ),
        question(
            "base",
            "an initial state of the circuit is bad",
            vec![whole_reset, own_allowed, not(pool, &[own_fine])],
        ),
        question(
            "step",
            "a step of the circuit leads from a good state to a bad one",
            vec![own_fine, whole_step, own_allowed, own_allowed_then, not(pool, &[own_fine_then])],
        ),
    ]
}

/// Whether fresh solvers find that `circuit` shows that no bad state of `model` is reached, see
/// [`circuit_obligations`].
///
/// # Errors
///
/// When a solver refuses a condition or fails.
pub fn check_circuit(
    pool: &mut Pool,
    model: &System,
    circuit: &System,
    settings: &Settings,
    stop: &Stop,
) -> Result<Outcome, Error> {
    for Obligation { name, fault, conditions } in circuit_obligations(pool, model, circuit) {
        let (own, outer) = (Stop::new(), stop.clone());
        own.ask_why(move || outer.asked());
        let mut solver = Solver::stopped_by(settings.clone(), own);
        for condition in conditions {
            solver.assert(pool, condition)?;
        }
        match solver.check(pool)? {
            CheckResult::Unsat => {}
            CheckResult::Sat => return Ok(Outcome::Fails(format!("{name}: {fault}"))),
            CheckResult::Unknown(why) => return Ok(Outcome::Open(why)),
        }
    }
    Ok(Outcome::Holds)
}

/// The same circuit over the symbols of the model: `shared` pairs symbols of the circuit with those of the
/// model that they stand for.
pub fn over_symbols_of_model(pool: &mut Pool, circuit: &System, shared: &[(Term, Term)]) -> System {
    let mut images = Rebuild::new();
    shared.iter().for_each(|&(own, models)| images.set(own, models));
    let mut circuit = circuit.clone();
    circuit.rename(|term| images.apply(pool, term, || true, |_, _, _| None).expect("nothing stops"));
    circuit
}
