//! The cells of memories that runs touch.
//!
//! A cell is touched if it is read or written in some frame, or if its value is not the one that most cells
//! of the memory have. Which symbols a read or a write goes to is found from the bottom up: a write is an
//! access to what its array is made of, and a choice is an access to both sides. The run is simulated once
//! more for the values of the indices.

use bivalve_systems::{Run, Simulator, System};
use bivalve_terms::{Op, Pool, Term, TermMap, Value, cone};
use std::collections::BTreeSet;

/// Indices of touched cells, for each state and input; empty for scalars.
pub(crate) struct Touched {
    pub(crate) states: Vec<BTreeSet<Value>>,
    pub(crate) inputs: Vec<BTreeSet<Value>>,
}

/// The cells that the runs touch.
pub(crate) fn touched(pool: &Pool, system: &System, runs: &[Run]) -> Touched {
    let symbols: Vec<Term> = system.symbols().collect();
    let mut cells = vec![BTreeSet::new(); symbols.len()];
    if symbols.iter().any(|&symbol| pool.sorts().array_parts(pool.sort(symbol)).is_some()) {
        let accesses = accesses(pool, system, &symbols);
        for run in runs {
            look(pool, system, run, &accesses, &mut cells);
        }
    }
    let inputs = cells.split_off(system.states.len());
    Touched { states: cells, inputs }
}

/// The indices that are read or written, each with the symbols of the arrays that it goes to.
fn accesses(pool: &Pool, system: &System, symbols: &[Term]) -> Vec<(Term, BTreeSet<usize>)> {
    let mut below: TermMap<BTreeSet<usize>> = TermMap::new();
    for (number, &symbol) in symbols.iter().enumerate() {
        below.insert(symbol, BTreeSet::from([number]));
    }
    let mut accesses = vec![];
    for term in cone(pool, &system.terms()) {
        let args = pool.args(term);
        let of = |arg: usize| below.get(args[arg]).cloned().unwrap_or_default();
        match pool.op(term) {
            Op::Select => accesses.push((args[1], of(0))),
            Op::Store => {
                accesses.push((args[1], of(0)));
                below.insert(term, of(0));
            }
            Op::Ite if pool.sorts().array_parts(pool.sort(term)).is_some() => {
                below.insert(term, of(1).union(&of(2)).copied().collect());
            }
            _ => {}
        }
    }
    accesses
}

fn look(
    pool: &Pool,
    system: &System,
    run: &Run,
    accesses: &[(Term, BTreeSet<usize>)],
    cells: &mut [BTreeSet<Value>],
) {
    let mut simulator = Simulator::new(pool, system).expect("internal: the run is one of this system");
    for frame in &run.frames {
        let states: Vec<Option<Value>> = frame.states.iter().cloned().map(Some).collect();
        simulator.set_states(&states, |_| None);
        simulator.evaluate(|input| Some(frame.inputs[input].clone()));
        for (index, symbols) in accesses {
            for &symbol in symbols {
                cells[symbol].insert(simulator.value(*index).clone());
            }
        }
        for (value, cells) in frame.states.iter().chain(&frame.inputs).zip(&mut *cells) {
            if let Value::Array(array) = value {
                cells.extend(array.entries().map(|(index, _)| index.clone()));
            }
        }
    }
}
