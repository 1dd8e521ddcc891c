//! From what engines find to runs of the system as given.
//!
//! Engines work on the normal form of a part of the system. Every symbol of the system is a term over the
//! symbols of the normal form, so its value in a frame is that of the term. What is outside of the part has
//! no influence and is zero. The run is replayed on the system as given before it is reported.

use crate::slices::Image;
use crate::verdict::Error;
use bivalve::terms::{Assignment, Pool, Term, Value, eval};
use bivalve_systems::{Claim, Frame, ReplayError, RunFrame, System, Witness};

/// The symbols of a system whose values are free in a frame: numbers of states, then of inputs.
fn free(system: &System, frame: usize) -> (Vec<usize>, Vec<usize>) {
    let is_free = |i: &usize| match frame {
        0 => system.states[*i].init.is_none(),
        _ => system.states[*i].next.is_none(),
    };
    ((0..system.states.len()).filter(is_free).collect(), (0..system.inputs.len()).collect())
}

/// The first `count` frames of a run whose values are known.
///
/// # Errors
///
/// When `value` has none.
pub(crate) fn frames<E>(
    system: &System,
    count: usize,
    mut value: impl FnMut(usize, Term) -> Result<Value, E>,
) -> Result<Vec<Frame>, E> {
    (0..count).map(|number| frame(system, number, |symbol| value(number, symbol))).collect()
}

/// The run of the system with the values of a run of a part of its normal form. Terms of the normal form are
/// terms of `part` through `image`: its memories may be registers there.
///
/// # Errors
///
/// When that is no run of the part.
pub(crate) fn of_part(
    pool: &mut Pool,
    system: &System,
    image_of: impl Fn(Term) -> Image,
    part: &System,
    mut image: impl FnMut(&mut Pool, Term) -> Term,
    run: Vec<Frame>,
) -> Result<Vec<Frame>, ReplayError> {
    let mut frames = vec![];
    for (number, assignment) in assignments(pool, part, run)?.iter().enumerate() {
        frames.push(frame(system, number, |symbol| -> Result<Value, ReplayError> {
            let of = image_of(symbol);
            let term = image(pool, of.term);
            Ok(of.widened(pool, &eval(pool, term, assignment), pool.sort(symbol)))
        })?);
    }
    Ok(frames)
}

/// The values of all symbols in each frame of a run that violates the only property of a system.
///
/// # Errors
///
/// When it does not.
pub(crate) fn assignments(
    pool: &Pool,
    system: &System,
    frames: Vec<Frame>,
) -> Result<Vec<Assignment>, ReplayError> {
    let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
    let run = system.replay(pool, &witness)?;
    let assignment = |values: &RunFrame| {
        let mut assignment = Assignment::new();
        let states = system.states.iter().map(|state| state.term).zip(&values.states);
        let inputs = system.inputs.iter().map(|input| input.term).zip(&values.inputs);
        states.chain(inputs).for_each(|(symbol, value)| assignment.set(symbol, value.clone()));
        assignment
    };
    Ok(run.frames.iter().map(assignment).collect())
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
