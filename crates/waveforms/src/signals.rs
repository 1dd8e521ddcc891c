//! The signals of some runs: a path, a kind, and the bits in each frame.
//!
//! Signals are sorted by their paths, so that the signals of a scope stand together.
//!
//! Cost: linear in the values that are shown, and a simulation of the runs for the memories.

use crate::touched::touched;
use bivalve_systems::{Design, DistinctNames, Edge, Run, RunFrame, System};
use bivalve_terms::{Pool, Term, Value};

/// The scope that holds all others where the design has no name: signals of VCD are in a scope.
const ROOT: &str = "system";

/// What a signal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A state, or a cell of one.
    Register,
    Input,
    /// An output or another term that has a name.
    Wire,
}

/// A signal with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signal {
    /// The scopes it is in, and its name.
    pub(crate) path: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) width: u32,
    /// The bits in each frame, most significant first: `0`, `1` or `x`.
    pub(crate) values: Vec<String>,
    /// The edge with which each frame begins, for a clock; its values are of no interest.
    pub(crate) clock: Option<Edge>,
}

/// A step of writing the names of signals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item<'s> {
    Open(&'s str),
    Close,
    /// The signal with this number.
    Signal(usize),
}

impl Signal {
    /// A clock in both halves of each frame: after the edge with which it begins, and after the other one.
    pub(crate) fn halves(edge: Edge) -> [&'static str; 2] {
        match edge {
            Edge::Rising => ["1", "0"],
            Edge::Falling => ["0", "1"],
        }
    }
}

/// The signals of runs of equal length. A bit on which they differ is `x`.
pub(crate) fn signals(pool: &Pool, system: &System, design: &Design, runs: &[Run]) -> Vec<Signal> {
    let mut all = Signals { runs, design, names: DistinctNames::new(), signals: vec![] };
    let mut cells = touched(pool, system, runs);
    for (number, state) in system.states.iter().enumerate() {
        let path = all.path(&state.name, "state", number);
        let value = |frame: &RunFrame| frame.states[number].clone();
        if pool.sorts().array_parts(pool.sort(state.term)).is_none() {
            all.add(path, Kind::Register, Some(state.term), value);
        } else {
            all.memory(&path, Kind::Register, std::mem::take(&mut cells.states[number]), value);
        }
    }
    for (number, input) in system.inputs.iter().enumerate() {
        let path = all.path(&input.name, "input", number);
        let value = |frame: &RunFrame| frame.inputs[number].clone();
        if pool.sorts().array_parts(pool.sort(input.term)).is_none() {
            all.add(path, Kind::Input, Some(input.term), value);
        } else {
            all.memory(&path, Kind::Input, std::mem::take(&mut cells.inputs[number]), value);
        }
    }
    let is_scalar = |term| pool.sorts().array_parts(pool.sort(term)).is_none();
    for (number, output) in system.outputs.iter().enumerate().filter(|(_, o)| is_scalar(o.term)) {
        let path = all.path(&output.name, "output", number);
        all.add(path, Kind::Wire, Some(output.term), |frame| frame.outputs[number].clone());
    }
    for (number, named) in system.named.iter().enumerate().filter(|(_, o)| is_scalar(o.term)) {
        let path = all.path(&named.name, "term", number);
        all.add(path, Kind::Wire, Some(named.term), |frame| frame.named[number].clone());
    }
    let mut signals = all.signals;
    signals.sort_by(|a, b| a.path.cmp(&b.path));
    signals
}

struct Signals<'r> {
    runs: &'r [Run],
    design: &'r Design,
    names: DistinctNames,
    signals: Vec<Signal>,
}

impl Signals<'_> {
    /// A path of its own.
    fn path(&mut self, name: &Option<String>, kind: &str, number: usize) -> Vec<String> {
        let name = name
            .clone()
            .filter(|name| name.bytes().any(|byte| byte != b'.'))
            .unwrap_or_else(|| format!("{kind}{number}"));
        let name: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        let parts = self.names.distinct(&name);
        let parts = parts.split('.').filter(|part| !part.is_empty());
        let root = self.design.top.as_deref().unwrap_or(ROOT);
        std::iter::once(root).chain(parts).map(str::to_owned).collect()
    }

    /// Adds a signal; the term is what it is the value of, unless it is a cell.
    fn add(&mut self, path: Vec<String>, kind: Kind, term: Option<Term>, value: impl Fn(&RunFrame) -> Value) {
        let frames = self.runs.first().map_or(0, |run| run.frames.len());
        let bits = |number: usize| {
            let mut values = self.runs.iter().map(|run| digits(&value(&run.frames[number])));
            let first = values.next().unwrap_or_default();
            values.fold(first, |all, other| {
                all.chars().zip(other.chars()).map(|(a, b)| if a == b { a } else { 'x' }).collect()
            })
        };
        let values: Vec<String> = (0..frames).map(bits).collect();
        let width = values.first().map_or(1, |bits| bits.len() as u32);
        let clock = self.design.clocks.iter().find(|clock| Some(clock.term) == term);
        self.signals.push(Signal { path, kind, width, values, clock: clock.map(|clock| clock.edge) });
    }

    fn memory(
        &mut self,
        path: &[String],
        kind: Kind,
        cells: impl IntoIterator<Item = Value>,
        value: impl Fn(&RunFrame) -> Value,
    ) {
        for cell in cells {
            let name = match &cell {
                Value::BitVec(index) => format!("cell_{}", index.to_decimal_string()),
                index => format!("cell_{index}"),
            };
            let path = path.iter().cloned().chain([name]).collect();
            self.add(path, kind, None, |frame| value(frame).expect_array().select(&cell).clone());
        }
    }
}

fn digits(value: &Value) -> String {
    match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        value => value.expect_bitvec().to_binary_string(),
    }
}

/// The scopes and signals in the order of writing; signals are sorted by path.
pub(crate) fn layout(signals: &[Signal]) -> Vec<Item<'_>> {
    let mut items = vec![];
    let mut open: &[String] = &[];
    for (number, signal) in signals.iter().enumerate() {
        let scopes = &signal.path[..signal.path.len() - 1];
        let common = open.iter().zip(scopes).take_while(|(a, b)| a == b).count();
        items.extend(open[common..].iter().map(|_| Item::Close));
        items.extend(scopes[common..].iter().map(|name| Item::Open(name)));
        items.push(Item::Signal(number));
        open = scopes;
    }
    items.extend(open.iter().map(|_| Item::Close));
    items
}
