//! The values of nodes under assignments that tell different nodes apart.
//!
//! Uniformly random words rarely meet the cases that comparisons and adders distinguish: equal operands,
//! zeros and ones, small numbers, long carries. So of each sixteen words of 64 assignments four are uniform,
//! and in the others leaves are, in random assignments, all zeros or all ones, the value of an earlier leaf
//! of the same width but for few bits, or small.
//!
//! Cost: [`WORDS`] words a node.

use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use rustc_hash::FxHashMap;

/// Words of 64 assignments that a node has a value under.
pub(super) const WORDS: usize = 16;

/// The values of a node, an assignment a bit.
pub(super) type Values = [u64; WORDS];

/// Values, each word made from its number.
pub(super) fn of(word: impl FnMut(usize) -> u64) -> Values {
    std::array::from_fn(word)
}

/// Whether something holds of all words, given by number.
pub(super) fn is(mut word: impl FnMut(usize) -> bool) -> bool {
    (0..WORDS).all(&mut word)
}

/// The seed of all assignments.
const SEED: u64 = 0x6269_7661_6c76_6521;

/// Assignments to the inputs.
pub(super) struct Patterns {
    /// By input.
    inputs: Vec<Values>,
}

impl Patterns {
    /// Assignments to so many inputs, of which each leaf has those from its first to that of the next.
    pub(super) fn new(inputs: u32, leaves: &[u32]) -> Patterns {
        let mut random = fastrand::Rng::with_seed(SEED);
        let mut values: Vec<Values> = vec![[0; WORDS]; inputs as usize];
        for input in &mut values {
            input.iter_mut().for_each(|word| *word = random.u64(..));
        }
        let ends = leaves.iter().skip(1).copied().chain([inputs]);
        let leaves: Vec<(usize, usize)> =
            leaves.iter().zip(ends).map(|(&first, end)| (first as usize, end as usize)).collect();
        // By width, the last leaf.
        let mut last = FxHashMap::default();
        for &(first, end) in &leaves {
            let other = last.insert(end - first, first);
            let masks: [[u64; 2]; WORDS] = std::array::from_fn(|_| [(); 2].map(|()| random.u64(..)));
            for place in 0..end - first {
                let earlier = other.map(|other| values[other + place]);
                for (word, &[some, others]) in masks.iter().enumerate() {
                    let uniform = values[first + place][word];
                    let few = uniform & random.u64(..) & random.u64(..) & random.u64(..);
                    let either = some | others;
                    values[first + place][word] = match (word % 4, earlier) {
                        (0, _) => uniform,
                        // The value of the other leaf in three quarters, but for few bits in half.
                        (2, Some(earlier)) => (earlier[word] ^ few & some) & either | uniform & !either,
                        // All zeros in a quarter of the assignments, all ones in another; in a word of these
                        // the low bits are free.
                        (kind, _) if kind == 1 || place >= 3 => uniform & some & others | some & !others,
                        _ => uniform,
                    };
                }
            }
        }
        Patterns { inputs: values }
    }

    /// The values of an input.
    pub(super) fn input(&self, number: u32) -> Values {
        self.inputs[number as usize]
    }
}

/// The values of the nodes of a graph that grows.
#[derive(Default)]
pub(super) struct Table {
    nodes: Vec<Values>,
}

impl Table {
    /// Follows the graph; `input` gives the values of its inputs.
    pub(super) fn follow(&mut self, graph: &GateGraph, input: impl Fn(u32) -> Values) {
        for node in self.nodes.len() as u32..graph.len() as u32 {
            let gate = graph.gate(node);
            let values = match gate {
                Gate::Input(number) => input(number),
                _ => std::array::from_fn(|number| {
                    let value = gate.evaluated(|edge| self.of(edge, number));
                    value.expect("all but inputs have values")
                }),
            };
            self.nodes.push(values);
        }
    }

    /// A word of the values of an edge.
    pub(super) fn of(&self, edge: Edge, word: usize) -> u64 {
        self.nodes[edge.index()][word] ^ u64::from(edge.is_negated()).wrapping_neg()
    }

    /// The values of an edge.
    pub(super) fn values(&self, edge: Edge) -> Values {
        std::array::from_fn(|word| self.of(edge, word))
    }
}
