//! From what engines find to runs of the system as given.
//!
//! Engines work on the normal form of a part of the system. Every symbol of the system is a term over the
//! symbols of the normal form, so its value in a frame is that of the term. What is outside of the part has
//! no influence and is zero. The run is replayed on the system as given before it is reported.

use crate::memories::Registers;
use crate::normalize::Normalized;
use crate::unroll::Unrolling;
use crate::verdict::Error;
use bivalve::terms::{Assignment, Pool, Term, Value, eval};
use bivalve::{Model, Why};
use bivalve_systems::{Claim, Frame, ReplayError, System, Witness};

/// The symbols of a system whose values are free in a frame: numbers of states, then of inputs.
fn free(system: &System, frame: usize) -> (Vec<usize>, Vec<usize>) {
    let is_free = |i: &usize| match frame {
        0 => system.states[*i].init.is_none(),
        _ => system.states[*i].next.is_none(),
    };
    ((0..system.states.len()).filter(is_free).collect(), (0..system.inputs.len()).collect())
}

/// The run of `frames` frames in a model of its unrolling.
///
/// # Errors
///
/// When the stop flag was raised.
pub(crate) fn of_model(
    pool: &mut Pool,
    system: &System,
    normalized: &Normalized,
    unrolling: &mut Unrolling,
    model: &Model,
    frames: usize,
) -> Result<Vec<Frame>, Why> {
    let mut value = |pool: &mut Pool, frame: usize, symbol: Term| -> Result<Value, Why> {
        let image = normalized.image(symbol);
        let term = unrolling.at(pool, frame, image.term)?;
        let value = model.value(pool, term);
        Ok(image.widened(pool, &value, pool.sort(symbol)))
    };
    let mut run = vec![];
    for number in 0..frames {
        run.push(frame(system, number, |symbol| value(pool, number, symbol))?);
    }
    Ok(run)
}

/// The run of the system with the values of a run of a part of its normal form, whose memories are registers.
///
/// # Errors
///
/// When that is no run of the part.
pub(crate) fn of_registers(
    pool: &mut Pool,
    system: &System,
    normalized: &Normalized,
    registers: &mut Registers,
    frames: Vec<Frame>,
) -> Result<Vec<Frame>, ReplayError> {
    let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
    let run = registers.system.replay(pool, &witness)?;
    let mut frames = vec![];
    for (number, values) in run.frames.iter().enumerate() {
        let mut assignment = Assignment::new();
        let states = registers.system.states.iter().map(|state| state.term).zip(&values.states);
        let inputs = registers.system.inputs.iter().map(|input| input.term).zip(&values.inputs);
        states.chain(inputs).for_each(|(symbol, value)| assignment.set(symbol, value.clone()));
        frames.push(frame(system, number, |symbol| -> Result<Value, ReplayError> {
            let image = normalized.image(symbol);
            let term = registers.image(pool, image.term);
            Ok(image.widened(pool, &eval(pool, term, &assignment), pool.sort(symbol)))
        })?);
    }
    Ok(frames)
}

fn frame<E>(
    system: &System,
    number: usize,
    mut value: impl FnMut(Term) -> Result<Value, E>,
) -> Result<Frame, E> {
    let (states, inputs) = free(system, number);
    let mut values = |i: usize, term: Term| Ok((i, value(term)?));
    Ok(Frame {
        states: states.into_iter().map(|i| values(i, system.states[i].term)).collect::<Result<_, E>>()?,
        inputs: inputs.into_iter().map(|i| values(i, system.inputs[i].term)).collect::<Result<_, E>>()?,
    })
}

/// The witness of a violation, replayed on the system as given.
///
/// # Errors
///
/// When it does not show the violation.
pub(crate) fn replayed(
    pool: &Pool,
    system: &System,
    property: usize,
    frames: Vec<Frame>,
) -> Result<Witness, Error> {
    let witness = Witness { claims: vec![Claim::Bad(property)], frames, loop_start: None };
    replay(pool, system, &witness, property)?;
    Ok(witness)
}

/// Replays a witness of a property on the system as given.
///
/// # Errors
///
/// When it does not show what it claims.
pub(crate) fn replay(pool: &Pool, system: &System, witness: &Witness, property: usize) -> Result<(), Error> {
    let run = system.replay(pool, witness);
    run.map(|_| ()).map_err(|fault| Error::Replay { property, fault })
}
