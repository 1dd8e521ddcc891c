//! One step of an automaton, for all assignments to its inputs at once.

use super::automaton::{Automaton, Cell, Gate, Kind, Place, Wire};
use super::builder::MOST_INPUTS;

/// Bits for all assignments to the inputs at once.
type Bits = [u64; 1 << (MOST_INPUTS - 6)];

const NONE: Bits = [0; 1 << (MOST_INPUTS - 6)];

fn all(value: bool) -> Bits {
    if value { [u64::MAX; 1 << (MOST_INPUTS - 6)] } else { NONE }
}

fn zip(a: Bits, b: Bits, op: impl Fn(u64, u64) -> u64) -> Bits {
    std::array::from_fn(|i| op(a[i], b[i]))
}

fn choose(condition: Bits, a: Bits, b: Bits) -> Bits {
    zip(zip(condition, a, |c, a| c & a), zip(condition, b, |c, b| !c & b), |a, b| a | b)
}

fn xor(a: Bits, b: Bits) -> Bits {
    zip(a, b, |a, b| a ^ b)
}

/// The evaluation of an automaton at one position, for all inputs.
pub(super) struct Lanes {
    /// The number of assignments to the inputs.
    pub(super) count: usize,
    inputs: Vec<Bits>,
    values: Vec<Bits>,
    cells: Vec<Bits>,
}

impl Lanes {
    pub(super) fn new(automaton: &Automaton) -> Lanes {
        let input = |input: u32| {
            let mut bits = NONE;
            for lane in 0..1usize << MOST_INPUTS {
                bits[lane / 64] |= (lane as u64 >> input & 1) << (lane % 64);
            }
            bits
        };
        Lanes {
            count: 1 << automaton.inputs,
            inputs: (0..automaton.inputs).map(input).collect(),
            values: vec![],
            cells: vec![],
        }
    }

    /// The states after a position, sorted.
    pub(super) fn successors(&mut self, automaton: &Automaton, place: Place, state: u32) -> Box<[u32]> {
        self.cells.clear();
        self.cells.extend((0..automaton.cells).map(|cell| all(state >> cell & 1 == 1)));
        let before = self.cells.clone();
        let old = |cell: Cell| before[cell as usize];
        let mut dead = NONE;
        self.values.clear();
        for gate in &automaton.gates {
            let value = |wire: Wire| self.values[wire as usize];
            let bits = match *gate {
                Gate::Input(input) => self.inputs[input as usize],
                Gate::Constant(constant) => all(place.0 >> constant & 1 == 1),
                Gate::Not(a) => value(a).map(|a| !a),
                Gate::And(a, b) => zip(value(a), value(b), |a, b| a & b),
                Gate::Or(a, b) => zip(value(a), value(b), |a, b| a | b),
                Gate::Xor(a, b) => xor(value(a), value(b)),
                Gate::Choice(cell, a, b) => choose(old(cell), value(a), value(b)),
                Gate::Sum(a, b, cell) => {
                    let (a, b, carry) = (value(a), value(b), old(cell));
                    self.cells[cell as usize] = choose(xor(a, b), carry, a);
                    xor(xor(a, b), carry)
                }
                Gate::Minus(a, cell) => {
                    let (a, carry) = (value(a), old(cell));
                    self.cells[cell as usize] = zip(a, carry, |a, carry| !a & carry);
                    zip(a, carry, |a, carry| !a ^ carry)
                }
                Gate::Times { of, factor, cells: (first, count) } => {
                    // The carry and the multiple of the bit, added up; all but the lowest bit is the carry.
                    let (bit, mut carry, mut product) = (value(of), NONE, NONE);
                    for digit in 0..=count {
                        let a = if digit < count { old(first + digit) } else { NONE };
                        let b = if factor >> digit & 1 == 1 { bit } else { NONE };
                        let sum = xor(xor(a, b), carry);
                        carry = choose(xor(a, b), carry, a);
                        match digit {
                            0 => product = sum,
                            _ => self.cells[(first + digit) as usize - 1] = sum,
                        }
                    }
                    product
                }
                Gate::Behind { low, until, high, cells: (first, count) } => {
                    let last = old(first + count - 1);
                    let entering = value(high);
                    wait(&mut self.cells, &before, (first, count), entering);
                    if automaton.is_before(place, until) { value(low) } else { last }
                }
                Gate::Ahead { guess, of, width, cells: (first, count) } => {
                    let (last, guess) = (old(first + count - 1), self.inputs[guess as usize]);
                    let is_due =
                        !automaton.is_before(place, count) && automaton.is_before(place, width + count);
                    if is_due {
                        dead = zip(dead, xor(last, value(of)), |a, b| a | b);
                    }
                    wait(&mut self.cells, &before, (first, count), guess);
                    guess
                }
                Gate::Extended { of, width, sign } => {
                    let is_inside = automaton.is_before(place, width);
                    if let Some(cell) = sign.filter(|_| is_inside) {
                        self.cells[cell as usize] = value(of);
                    }
                    match sign {
                        _ if is_inside => value(of),
                        Some(cell) => old(cell),
                        None => NONE,
                    }
                }
            };
            self.values.push(bits);
        }
        for comparison in automaton.comparisons.iter().filter(|own| automaton.is_before(place, own.width)) {
            let [a, b] = comparison.wires.map(|wire| self.values[wire as usize]);
            let (differ, so_far) = (xor(a, b), old(comparison.cell));
            let is_last = !automaton.is_before(place, comparison.width - 1);
            let now = match comparison.kind {
                Kind::Equal => zip(so_far, differ, |so_far, differ| so_far & !differ),
                Kind::SignedLess if is_last => choose(differ, a, so_far),
                Kind::Less | Kind::SignedLess => choose(differ, b, so_far),
            };
            self.cells[comparison.cell as usize] = now;
            if comparison.is_asserted {
                dead = zip(dead, now, |dead, now| dead | !now);
            }
        }
        let bit = |bits: &Bits, lane: usize| (bits[lane / 64] >> (lane % 64) & 1) as u32;
        let alive = (0..self.count).filter(|&lane| bit(&dead, lane) == 0);
        let state = |lane: usize| self.cells.iter().rev().fold(0, |state, bits| state << 1 | bit(bits, lane));
        let mut states: Vec<u32> = alive.map(state).collect();
        states.sort_unstable();
        states.dedup();
        states.into()
    }
}

/// A bit enters the cells in which a word waits.
fn wait(cells: &mut [Bits], before: &[Bits], (first, count): (Cell, u32), bits: Bits) {
    for cell in (first + 1..first + count).rev() {
        cells[cell as usize] = before[cell as usize - 1];
    }
    cells[first as usize] = bits;
}
