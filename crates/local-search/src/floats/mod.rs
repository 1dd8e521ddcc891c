//! Local search for models of floating point, by the machine's own arithmetic.
//!
//! Formulas over single and double precision that round to the nearest are evaluated some ten million terms a
//! second, so what a search lacks in insight it has in trials. How far a comparison is from what is wanted of
//! it is the number of floats between its sides, on a scale of logarithms; a conjunction is as far as its
//! conjuncts together, a disjunction as the nearest of its disjuncts (Fu and Su, *XSat: a fast floating-point
//! satisfiability solver*, CAV 2016; the distance is theirs).
//!
//! Symbols that the formulas define are what they are defined as (`definitions.rs`).
//!
//! A move takes a comparison that is not as is wanted, and a symbol below it. The derivative of the
//! difference of its sides says where they would meet if all were linear (Newton's step), a little further,
//! or for all symbols together, by the shortest way; or the symbol becomes the next float, one that is some
//! power of two of floats away, minus itself, a constant of the formula, or another symbol. What does not
//! come nearer is taken back, but for now and then. A search that stands still begins elsewhere.
//!
//! Where a search begins, and while it stands still, it looks at all comparisons at once: each is an
//! inequality in the symbols, if it were linear, and the search goes to the middle of what they leave
//! (`centre.rs`), or as far as the derivatives may be believed.
//!
//! That there is no model is said by [`sums`] and [`boxes`] alone.
//!
//! An assignment is a proposal, which the caller evaluates by the meaning of the terms; so it does no harm
//! if a machine rounds in another way. Formulas with other formats, other rounding modes, words or functions
//! are not searched.

pub mod boxes;
mod centre;
mod definitions;
pub mod sums;
mod tape;

use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, Pool, Term};
use centre::{Row, RowKind, centre};
use fastrand::Rng;
use tape::{Leaf, Side, Tape};

/// Trials without coming nearer before a search begins elsewhere, for each symbol.
const PATIENCE: usize = 60;

/// What a trial costs beside its terms, in steps: choices and lists, some 400 nanoseconds.
const TRIAL: u64 = 100;

/// How often a search that stands still looks at all comparisons at once.
const LOOKS: usize = 3;

/// How far it goes then, in parts of each symbol: linear formulas let it go everywhere.
const REACHES: [f64; 4] = [f64::INFINITY, 1.0, 0.1, 0.01];

/// Of so many trials that do not come nearer one is kept.
const KEPT: u32 = 40;

/// An assignment under which the formulas are true, as machines compute, if one is found before the deadline;
/// nothing, too, where they are not about such floats alone.
pub fn search(pool: &Pool, formulas: &[Term], seed: u64, deadline: &Deadline) -> Option<Assignment> {
    let tape = Tape::new(pool, formulas)?;
    let mut search = Search::new(tape, seed);
    for start in 0.. {
        search.begin(start);
        if search.descend(deadline) {
            search.tape.refresh(&search.values);
            return Some(search.tape.assignment(&search.values));
        }
        if deadline.is_over() {
            break;
        }
    }
    None
}

struct Search {
    tape: Tape,
    rng: Rng,
    /// The values of symbols.
    values: Vec<f64>,
    distance: f64,
}

impl Search {
    fn new(tape: Tape, seed: u64) -> Search {
        let values = vec![0.0; tape.symbols()];
        Search { tape, rng: Rng::with_seed(seed ^ crate::SEED), values, distance: f64::INFINITY }
    }

    /// Zeros, ones, then numbers of all sizes.
    fn begin(&mut self, start: u64) {
        for at in 0..self.values.len() {
            let value = match start {
                0 => 0.0,
                1 => 1.0,
                _ => self.any(),
            };
            self.values[at] = self.tape.fitting(at, value);
        }
        self.distance = self.tape.evaluate(&self.values);
    }

    fn any(&mut self) -> f64 {
        let constants = self.tape.constants.len();
        if constants > 0 && self.rng.u32(..4) == 0 {
            return self.tape.constants[self.rng.usize(..constants)];
        }
        let sign = if self.rng.bool() { 1.0 } else { -1.0 };
        // Between a sixteenth and 256.
        sign * (1.0 + self.rng.f64()) * f64::from(1u32 << self.rng.u32(..12)) / 16.0
    }

    /// Comes nearer until all is as is wanted, or nothing helps.
    fn descend(&mut self, deadline: &Deadline) -> bool {
        let (mut idle, patience) = (0, PATIENCE * (4 + self.values.len()));
        self.go_to_the_middle(f64::INFINITY, deadline);
        while self.distance > 0.0 && idle < patience {
            let cost = self.tape.len() as u64;
            if !deadline.step(TRIAL + 3 * cost) {
                return false;
            }
            self.tape.refresh(&self.values);
            let Some(leaf) = self.tape.wrong(&mut self.rng) else { return false };
            let before = self.distance;
            match self.rng.u32(..4) {
                _ if idle > 0 && idle % (patience / LOOKS) == 0 => {
                    let reach = REACHES[self.rng.usize(..REACHES.len())];
                    self.go_to_the_middle(reach, deadline);
                }
                0..2 => self.step_by_slope(&leaf, deadline),
                _ => self.change_one(&leaf),
            }
            idle = if self.distance < before { 0 } else { idle + 1 };
        }
        self.distance <= 0.0
    }

    /// Tries other values of some symbols.
    fn try_values(&mut self, changes: &[(usize, f64)]) -> bool {
        let old: Vec<(usize, f64)> = changes.iter().map(|&(at, _)| (at, self.values[at])).collect();
        for &(at, value) in changes {
            self.values[at] = self.tape.fitting(at, value);
        }
        if old.iter().all(|&(at, value)| self.values[at].to_bits() == value.to_bits()) {
            return false;
        }
        let distance = self.tape.evaluate(&self.values);
        if distance < self.distance || self.rng.u32(..KEPT) == 0 {
            self.distance = distance;
            return true;
        }
        old.into_iter().for_each(|(at, value)| self.values[at] = value);
        self.tape.is_stale = true;
        false
    }

    /// To where the sides of a comparison meet, by the derivatives of their difference.
    fn step_by_slope(&mut self, leaf: &Leaf, deadline: &Deadline) {
        let (difference, slopes) = self.tape.slopes(leaf);
        if !difference.is_finite() {
            return self.change_one(leaf);
        }
        let useful: Vec<(usize, f64)> =
            slopes.into_iter().filter(|&(_, slope)| slope != 0.0 && slope.is_finite()).collect();
        let Some(square) = Some(useful.iter().map(|(_, slope)| slope * slope).sum::<f64>())
            .filter(|square| square.is_normal())
        else {
            return self.change_one(leaf);
        };
        let factor = [1.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 1.001, 1.1, 2.0, 0.5][self.rng.usize(..8)];
        if self.rng.u32(..3) == 0 {
            let step = -factor * difference / square;
            let all: Vec<(usize, f64)> =
                useful.iter().map(|&(at, slope)| (at, self.values[at] + step * slope)).collect();
            self.try_values(&all);
            return;
        }
        let start = self.rng.usize(..useful.len());
        for turn in 0..useful.len().min(4) {
            let (at, slope) = useful[(start + turn) % useful.len()];
            let value = self.values[at] - factor * difference / slope;
            if !deadline.step(TRIAL + self.tape.len() as u64) || self.try_values(&[(at, value)]) {
                return;
            }
        }
    }

    /// To the middle of where all comparisons are as is wanted, as far as they are linear.
    fn go_to_the_middle(&mut self, reach: f64, deadline: &Deadline) {
        self.tape.refresh(&self.values);
        let (mut rows, mut symbols) = (vec![], vec![]);
        for leaf in self.tape.wanted(&mut self.rng) {
            let Some(side) = self.tape.side(&leaf) else { continue };
            let (difference, slopes) = self.tape.slopes(&leaf);
            let is_good = difference.is_finite() && slopes.iter().all(|(_, slope)| slope.is_finite());
            if !is_good || slopes.is_empty() || !deadline.step(self.tape.len() as u64) {
                continue;
            }
            symbols.extend(slopes.iter().map(|&(at, _)| at));
            let sign = if side == Side::Above { -1.0 } else { 1.0 };
            let terms = slopes.into_iter().map(|(at, slope)| (at, sign * slope)).collect();
            let kind = if side == Side::On { RowKind::Equation } else { RowKind::Inside };
            rows.push(Row { terms, bound: -sign * difference, kind });
        }
        symbols.sort_unstable();
        symbols.dedup();
        if reach.is_finite() {
            for &at in &symbols {
                let bound = reach * (1.0 + self.values[at].abs());
                let limit = |sign| Row { terms: vec![(at, sign)], bound, kind: RowKind::Within };
                rows.extend([1.0, -1.0].map(limit));
            }
        }
        let place = |at: usize| symbols.binary_search(&at).expect("it is one of them");
        rows.iter_mut().flat_map(|row| &mut row.terms).for_each(|(at, _)| *at = place(*at));
        if let Some(steps) = centre(symbols.len(), &rows, deadline) {
            let steps = symbols.iter().zip(steps);
            let all: Vec<(usize, f64)> = steps.map(|(&at, step)| (at, self.values[at] + step)).collect();
            self.try_values(&all);
        }
    }

    fn change_one(&mut self, leaf: &Leaf) {
        let symbols = self.tape.symbols_of(leaf);
        if symbols.is_empty() {
            return;
        }
        let at = symbols[self.rng.usize(..symbols.len())];
        let value = self.values[at];
        let value = match self.rng.u32(..10) {
            0..6 => {
                let power = self.rng.u32(..if self.tape.is_single(at) { 31 } else { 62 });
                let by = 1i64 << if self.rng.bool() { power } else { power / 4 };
                self.tape.moved(at, value, if self.rng.bool() { by } else { -by })
            }
            6 => -value,
            7 => self.values[self.rng.usize(..self.values.len())],
            8 => self.any(),
            _ => value * [2.0, 0.5, 10.0, 0.1][self.rng.usize(..4)],
        };
        self.try_values(&[(at, value)]);
    }
}

#[cfg(test)]
mod tests;
