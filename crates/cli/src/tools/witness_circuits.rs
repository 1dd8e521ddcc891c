//! Witness circuits of transition systems: written, and checked.
//!
//! A circuit shares its first inputs and states with the model, in their order, unless names of its symbols
//! begin with `=` and the number that the symbol of the model has in its text: that of its line in BTOR2, its
//! literal in AIGER.

use super::check_model::WitnessFormat;
use super::systems::{self, Trouble};
use crate::limits::{Limits, Watchdog};
use crate::outputs;
use bivalve::terms::{Pool, Term};
use bivalve::{Settings, Stop};
use bivalve_convert::{Document, Format};
use bivalve_formats::btor2;
use bivalve_model_check::{NoCircuit, Outcome, check_circuit, over_symbols_of_model};
use bivalve_systems::System;
use std::path::Path;

/// Checks a circuit that was made for a system, and writes it. Where a bad state was not shown to be out of
/// reach there is none, as its verdict says.
///
/// # Errors
/// A sentence, when there is none, it is not one, or it cannot be written.
pub(super) fn write(
    mut pool: Pool,
    system: &System,
    circuit: &Result<System, NoCircuit>,
    (path, format): (&Path, WitnessFormat),
    settings: &Settings,
    limits: Limits,
) -> Result<(), String> {
    let circuit = match circuit {
        Ok(circuit) => circuit,
        Err(NoCircuit::NotShown(_)) => return Ok(()),
        Err(why) => return Err(format!("no witness circuit: {why}")),
    };
    match within(limits, |stop| check_circuit(&mut pool, system, circuit, settings, stop))? {
        Outcome::Holds => {}
        Outcome::Open(why) => return Err(format!("no witness circuit: its check ended with: {why}")),
        Outcome::Fails(fault) => return Err(format!("internal error: the witness circuit is none: {fault}")),
    }
    let format = match format {
        WitnessFormat::Btor2 => Format::Btor2,
        WitnessFormat::Aiger => Format::AigerAscii,
    };
    let text = Document::of(pool, circuit.clone()).print(format);
    outputs::write(path, text.map_err(|error| format!("no witness circuit: {error}"))?)
}

/// Reads a circuit and checks whether it shows that no bad state of the system in `model` is reached.
///
/// # Errors
/// When the circuit cannot be read, or does not fit the model.
pub(super) fn check(
    pool: &mut Pool,
    (model, system): (&Path, &System),
    path: &Path,
    language: Option<&str>,
    settings: &Settings,
    limits: Limits,
) -> Result<Outcome, Trouble> {
    let circuit = systems::read(pool, path, language, limits)?;
    let refused = |why: String| Trouble::Other(format!("{}: {why}", path.display()));
    let shared = shared(model, system, &circuit).map_err(refused)?;
    for &(own, models) in &shared {
        if pool.sort(own) != pool.sort(models) {
            let [own_sort, sort] =
                [own, models].map(|term| pool.sorts().display(pool.sort(term)).to_string());
            let name = pool.name(models).unwrap_or_default();
            return Err(refused(format!("expected {sort} as '{name}' of the model is, found {own_sort}")));
        }
    }
    let circuit = over_symbols_of_model(pool, &circuit, &shared);
    // A symbol that stands for two of the model.
    circuit.check(pool).map_err(|fault| refused(fault.to_string()))?;
    Ok(within(limits, |stop| check_circuit(pool, system, &circuit, settings, stop))?)
}

/// The symbols of a circuit with those of the model that they stand for.
fn shared(path: &Path, model: &System, circuit: &System) -> Result<Vec<(Term, Term)>, String> {
    let symbols = |system: &System| {
        let inputs = system.inputs.iter().map(|input| (input.term, input.name.clone()));
        inputs.chain(system.states.iter().map(|state| (state.term, state.name.clone()))).collect::<Vec<_>>()
    };
    let named = |(term, name): (Term, Option<String>)| {
        let number = name.as_deref().and_then(|name| name.strip_prefix('='))?;
        Some((term, number.split_whitespace().next().unwrap_or_default().to_owned()))
    };
    let named: Vec<(Term, String)> = symbols(circuit).into_iter().filter_map(named).collect();
    if named.is_empty() {
        let (inputs, own_inputs) = (&model.inputs, &circuit.inputs);
        let (states, own_states) = (&model.states, &circuit.states);
        let inputs = own_inputs.iter().zip(inputs).map(|(own, models)| (own.term, models.term));
        return Ok(inputs
            .chain(own_states.iter().zip(states).map(|(own, models)| (own.term, models.term)))
            .collect());
    }
    let text = systems::bytes(path, None)?;
    let numbers = match text.starts_with(b"aag ") || text.starts_with(b"aig ") {
        true => (1..=symbols(model).len() as u64).map(|variable| 2 * variable).collect(),
        false => btor2::numbers(&text).concat(),
    };
    let models: Vec<(u64, Term)> =
        numbers.into_iter().zip(symbols(model).into_iter().map(|(term, _)| term)).collect();
    let pair = |(own, number): (Term, String)| {
        let found = models.iter().find(|(known, _)| number.parse() == Ok(*known));
        let expected =
            || format!("expected the number of an input or a state of the model, found '={number}'");
        found.map(|&(_, term)| (own, term)).ok_or_else(expected)
    };
    named.into_iter().map(pair).collect()
}

/// Does something within limits.
fn within<T, E: ToString>(limits: Limits, act: impl FnOnce(&Stop) -> Result<T, E>) -> Result<T, String> {
    let (mut watchdog, stop) = (Watchdog::new(limits), Stop::new());
    watchdog.catch_interrupts(false).map_err(|error| format!("Ctrl-C: {error}"))?;
    watchdog.begin(&stop, None);
    let done = act(&stop);
    watchdog.end();
    done.map_err(|error| error.to_string())
}
