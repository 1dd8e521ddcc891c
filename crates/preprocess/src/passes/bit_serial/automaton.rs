//! The automaton: what it computes at each position, what it remembers, and its runs.

use super::lanes::Lanes;
use bivalve_limits::Deadline;
use bivalve_terms::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

/// States that are in a set at once, at most.
const MOST_STATES: usize = 4096;

/// The number of a bit that is computed at each position.
pub(super) type Wire = u32;

/// The number of a bit of the state.
pub(super) type Cell = u32;

/// How the bit of a word at a position is made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gate {
    Input(u32),
    Constant(u32),
    Not(Wire),
    And(Wire, Wire),
    Or(Wire, Wire),
    Xor(Wire, Wire),
    /// The first if the cell is set.
    Choice(Cell, Wire, Wire),
    /// A sum with its carry.
    Sum(Wire, Wire, Cell),
    /// The complement of two with its carry.
    Minus(Wire, Cell),
    /// A multiple of a word, with its carry.
    Times {
        of: Wire,
        factor: u32,
        cells: (Cell, u32),
    },
    /// The first word up to a position, then the second from its beginning, which waits in cells.
    Behind {
        low: Wire,
        until: u32,
        high: Wire,
        cells: (Cell, u32),
    },
    /// The bits of a word some places ahead: an input that waits in cells until the word has come so far.
    Ahead {
        guess: u32,
        of: Wire,
        width: u32,
        cells: (Cell, u32),
    },
    /// The word up to a position; then zero, or its last bit.
    Extended {
        of: Wire,
        width: u32,
        sign: Option<Cell>,
    },
}

/// A comparison of words of this width, up to the position, in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) kind: Kind,
    pub(super) wires: [Wire; 2],
    pub(super) width: u32,
    pub(super) cell: Cell,
    /// It is asserted, so a run in which it is false ends at once.
    pub(super) is_asserted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Equal,
    Less,
    /// With sign.
    SignedLess,
}

/// A formula over the cells at the end.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Constant(bool),
    Cell(Cell),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Xor(Vec<usize>),
    Equal(usize, usize),
    Choice(usize, usize, usize),
}

/// What distinguishes a position: the bits of constants there, and which words go on there.
pub(super) type Place = (u64, u64);

/// An automaton that reads words.
pub(super) struct Automaton {
    /// Positions.
    pub(super) width: u32,
    pub(super) gates: Vec<Gate>,
    pub(super) comparisons: Vec<Comparison>,
    /// Children first.
    pub(super) formulas: Vec<Formula>,
    pub(super) roots: Vec<usize>,
    /// What was guessed in a cell is the value of a formula.
    pub(super) guessed: Vec<(Cell, usize)>,
    pub(super) constants: Vec<BitVec>,
    /// Positions at which something ends.
    pub(super) ends: Vec<u32>,
    pub(super) inputs: u32,
    pub(super) cells: u32,
    /// The cells that are set at the start, and those that may be.
    pub(super) set: u32,
    pub(super) free: u32,
}

impl Automaton {
    /// Does no run end well? `None` where that takes more steps than there are in the budget.
    pub(super) fn is_refuted(&self, budget: &mut usize, deadline: &Deadline) -> Option<bool> {
        let mut known: FxHashMap<(Place, u32), Box<[u32]>> = FxHashMap::default();
        let mut states: Vec<u32> = self.starts();
        let mut lanes = Lanes::new(self);
        let mut position = 0;
        while position < self.width {
            let place = self.place(position);
            let mut next: FxHashSet<u32> = FxHashSet::default();
            for &state in &states {
                let successors = known.entry((place, state)).or_insert_with(|| {
                    *budget = budget.saturating_sub(lanes.count * self.gates.len());
                    lanes.successors(self, place, state)
                });
                *budget = budget.saturating_sub(1 + successors.len());
                next.extend(successors.iter());
            }
            if next.len() > MOST_STATES || *budget == 0 || !deadline.step(states.len() as u64) {
                return None;
            }
            let mut next: Vec<u32> = next.into_iter().collect();
            next.sort_unstable();
            position += 1;
            if next == states {
                // The same set, as long as the positions are alike.
                while position < self.width && self.place(position) == place {
                    position += 1;
                }
            }
            states = next;
        }
        Some(!states.iter().any(|&state| self.holds(state)))
    }

    /// The states before the first position.
    fn starts(&self) -> Vec<u32> {
        let mut states = vec![self.set];
        for cell in (0..self.cells).filter(|cell| self.free >> cell & 1 == 1) {
            states = states.iter().flat_map(|&state| [state, state | 1 << cell]).collect();
        }
        states.sort_unstable();
        states
    }

    fn place(&self, position: u32) -> Place {
        let bit = |constant: &BitVec| position < constant.width() && constant.bit(position);
        let constants = self.constants.iter().enumerate().map(|(i, constant)| u64::from(bit(constant)) << i);
        let ends = self.ends.iter().enumerate().map(|(i, &end)| u64::from(position < end) << i);
        (constants.sum(), ends.sum())
    }

    /// Is the position before this one?
    pub(super) fn is_before(&self, place: Place, end: u32) -> bool {
        let number = self.ends.iter().position(|&known| known == end).expect("it was noted");
        place.1 >> number & 1 == 1
    }

    /// Does a run that ends in this state satisfy everything?
    fn holds(&self, state: u32) -> bool {
        let mut values: Vec<bool> = Vec::with_capacity(self.formulas.len());
        for formula in &self.formulas {
            let value = match formula {
                Formula::Constant(value) => *value,
                Formula::Cell(cell) => state >> cell & 1 == 1,
                &Formula::Not(a) => !values[a],
                Formula::And(all) => all.iter().all(|&a| values[a]),
                Formula::Or(any) => any.iter().any(|&a| values[a]),
                Formula::Xor(all) => all.iter().fold(false, |sum, &a| sum ^ values[a]),
                &Formula::Equal(a, b) => values[a] == values[b],
                &Formula::Choice(c, a, b) => values[if values[c] { a } else { b }],
            };
            values.push(value);
        }
        let is_guessed_right = |&(cell, formula): &(Cell, usize)| (state >> cell & 1 == 1) == values[formula];
        self.roots.iter().all(|&root| values[root]) && self.guessed.iter().all(is_guessed_right)
    }
}
