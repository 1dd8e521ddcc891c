//! Small random transition systems, for model checkers to be compared with enumeration.
//!
//! A system has up to three states of one to three bits or a memory of two to four cells, up to two inputs,
//! and terms grown from them by all operators. States may lack an initial value or a next value; initial
//! values may depend on earlier states; constraints may lead into dead ends; there are bad states and, often,
//! justice properties and fairness conditions. All of it is small enough for
//! [`explicit::decide`](bivalve_systems::explicit::decide).
//!
//! Cost: some ten thousand systems a second.

use crate::seed_of;
use bivalve_systems::{Input, Justice, Output, Property, State, System};
use bivalve_terms::{Op, Pool, Sort, Term};
use fastrand::Rng;

/// The most bits that all states have together.
const STATE_BITS: u32 = 8;

/// No term is wider.
const MAX_WIDTH: u32 = 6;

/// System `number` of a campaign, with the pool that holds its terms.
pub fn small(campaign: u64, number: u64) -> (Pool, System) {
    let mut growth =
        Growth { pool: Pool::new(), rng: Rng::with_seed(seed_of(campaign, number)), terms: vec![] };
    let mut system = System::default();
    growth.states(&mut system);
    for number in 0..growth.rng.usize(..3) {
        let sort = if growth.rng.u32(..4) == 0 { Sort::BOOL } else { width(growth.rng.u32(1..=2)) };
        let term = growth.pool.symbol(&format!("i{number}"), sort);
        growth.terms.push(term);
        system.inputs.push(Input { term, name: Some(format!("i{number}")) });
    }
    for _ in 0..growth.rng.usize(4..20) {
        growth.grow();
    }
    growth.transitions(&mut system);
    growth.properties(&mut system);
    (growth.pool, system)
}

/// The bits of a word of a data path.
const WORD: u32 = 3;

/// System `number` of another campaign: words that are chosen, combined bit by bit, kept in a memory of two
/// cells and compared, a control of two bits at most, and bad states that compare words.
pub fn data_path(campaign: u64, number: u64) -> (Pool, System) {
    let mut growth =
        Growth { pool: Pool::new(), rng: Rng::with_seed(seed_of(campaign, number)), terms: vec![] };
    let mut system = System::default();
    let symbols = |growth: &mut Growth, kind: &str, sort: Sort, least: usize| -> Vec<Term> {
        let count = growth.rng.usize(least..=2);
        (0..count).map(|number| growth.pool.symbol(&format!("{kind}{number}"), sort)).collect()
    };
    let control = symbols(&mut growth, "c", Sort::BOOL, 0);
    let sort = growth.pool.sorts_mut().array(width(1), width(WORD)).expect("a small sort");
    let memory = (control.len() < 2 && growth.chance(40)).then(|| growth.pool.symbol("m", sort));
    let mut words = symbols(&mut growth, "w", width(WORD), 1);
    words.truncate(if memory.is_some() { 1 } else { 2 });
    let switches = symbols(&mut growth, "s", Sort::BOOL, 1);
    let data = growth.pool.symbol("data", width(WORD + 2));
    growth.terms = [&control[..], &switches].concat();
    for _ in 0..3 {
        growth.combine(Sort::BOOL);
    }
    let part = growth.pool.mk_indexed(Op::Extract, &[WORD, 1], &[data]);
    growth.terms.extend(words.iter().copied().chain([part]));
    for _ in 0..growth.rng.usize(1..3) {
        let mask = growth.mask();
        growth.terms.push(mask);
    }
    for _ in 0..growth.rng.usize(2..10) {
        growth.combine(width(WORD));
        if let Some(memory) = memory {
            growth.use_memory(memory);
        }
    }
    for (&term, name) in control.iter().chain(&words).chain(&memory).zip(["a", "b", "c", "d"]) {
        let sort = growth.pool.sort(term);
        let init = if growth.chance(70) { Some(growth.constant(sort)) } else { None };
        let next = growth.any(sort);
        system.states.push(State { term, init, next: Some(next), name: Some(name.into()) });
    }
    for (&term, name) in switches.iter().chain([&data]).zip(["e", "f", "g"]) {
        system.inputs.push(Input { term, name: Some(name.into()) });
    }
    for _ in 0..growth.rng.usize(1..3) {
        let mut term = growth.any(Sort::BOOL);
        for _ in 0..growth.rng.usize(1..4) {
            let equation = growth.equation();
            term = growth.pool.mk(Op::And, &[term, equation]);
        }
        system.bads.push(Property { term, name: None });
    }
    if growth.chance(40) {
        let term = if growth.chance(20) { growth.equation() } else { growth.any(Sort::BOOL) };
        system.constraints.push(Property { term, name: None });
    }
    (growth.pool, system)
}

fn width(bits: u32) -> Sort {
    Sort::bitvec(bits).expect("a small width")
}

/// The terms made so far.
struct Growth {
    pool: Pool,
    rng: Rng,
    terms: Vec<Term>,
}

impl Growth {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    /// The states with their initial values.
    fn states(&mut self, system: &mut System) {
        let mut left = STATE_BITS;
        for number in 0..self.rng.usize(1..=3) {
            let sort = match self.rng.u32(..8) {
                0 => Sort::BOOL,
                1 | 2 if left >= 4 => {
                    let (index, element) = if self.rng.bool() && left >= 8 { (2, 2) } else { (1, 2) };
                    self.pool.sorts_mut().array(width(index), width(element)).expect("a small sort")
                }
                _ => width(self.rng.u32(1..=3)),
            };
            let bits = self.bits(sort);
            if bits > left {
                break;
            }
            left -= bits;
            let name = format!("s{number}");
            let term = self.pool.symbol(&name, sort);
            let init = if self.chance(80) { Some(self.initial(sort)) } else { None };
            self.terms.push(term);
            system.states.push(State { term, init, next: None, name: Some(name) });
        }
    }

    fn bits(&self, sort: Sort) -> u32 {
        match self.pool.sorts().array_parts(sort) {
            Some((index, element)) => self.bits(element) << self.bits(index),
            None => sort.width().unwrap_or(1),
        }
    }

    /// A constant, or a term over the states made so far, which are all terms there are.
    fn initial(&mut self, sort: Sort) -> Term {
        if self.terms.is_empty() || self.chance(50) {
            return self.constant(sort);
        }
        let before = self.terms.len();
        for _ in 0..4 {
            self.grow();
        }
        let term = self.pick(sort).unwrap_or_else(|| self.constant(sort));
        // What was grown here must not be in the way of other states.
        self.terms.truncate(before);
        term
    }

    fn constant(&mut self, sort: Sort) -> Term {
        if let Some((_, element)) = self.pool.sorts().array_parts(sort) {
            let element = self.constant(element);
            return self.pool.const_array(sort, element).expect("an element of the sort");
        }
        let value = if self.chance(50) { 0 } else { self.rng.u64(..8) };
        match sort.width() {
            Some(width) => self.pool.bv_u64(value & ((1 << width) - 1), width),
            None => self.pool.bool(value % 2 == 1),
        }
    }

    /// A term of the sort that was made already; the later ones are more likely.
    fn pick(&mut self, sort: Sort) -> Option<Term> {
        let all: Vec<Term> =
            self.terms.iter().copied().filter(|&term| self.pool.sort(term) == sort).collect();
        let first = self.rng.usize(..all.len().max(1));
        let second = self.rng.usize(..all.len().max(1));
        all.get(first.max(second)).copied()
    }

    /// A term of the sort.
    fn any(&mut self, sort: Sort) -> Term {
        match self.pick(sort) {
            Some(term) if !self.chance(20) => term,
            _ => self.constant(sort),
        }
    }

    /// A condition, not too often one that holds everywhere.
    fn condition(&mut self) -> Term {
        let term = match self.pick(Sort::BOOL) {
            Some(term) if self.chance(50) => term,
            _ => {
                let of = self.rng.usize(..self.terms.len());
                self.is_constant(self.terms[of])
            }
        };
        if self.chance(25) { self.pool.mk(Op::Not, &[term]) } else { term }
    }

    fn is_constant(&mut self, term: Term) -> Term {
        let constant = self.constant(self.pool.sort(term));
        self.pool.mk(Op::Eq, &[term, constant])
    }

    /// A constant or repeated bits.
    fn mask(&mut self) -> Term {
        if self.rng.bool() {
            let value = self.rng.u64(..1 << WORD);
            return self.pool.bv_u64(value, WORD);
        }
        let condition = self.any(Sort::BOOL);
        let [zero, one] = [0, 1].map(|value| self.pool.bv_u64(value, 1));
        let bit = self.pool.mk(Op::Ite, &[condition, one, zero]);
        let extend = if self.rng.bool() { Op::SignExtend } else { Op::ZeroExtend };
        self.pool.mk_indexed(extend, &[WORD - 1], &[bit])
    }

    /// Adds a term of this sort that treats all bits alike.
    fn combine(&mut self, sort: Sort) {
        let [condition, a, b] = [Sort::BOOL, sort, sort].map(|sort| self.any(sort));
        let ops = if sort.is_bool() { [Op::And, Op::Or, Op::Xor] } else { [Op::BvAnd, Op::BvOr, Op::BvXor] };
        let term = match self.rng.usize(..6) {
            0 if sort.is_bool() => self.pool.mk(Op::Not, &[a]),
            0 => self.pool.mk(Op::BvNot, &[a]),
            1..4 => self.pool.mk(Op::Ite, &[condition, a, b]),
            _ => self.pool.mk(ops[self.rng.usize(..3)], &[a, b]),
        };
        self.terms.push(term);
    }

    /// Adds a word that is read or an array that is written.
    fn use_memory(&mut self, memory: Term) {
        let condition = self.any(Sort::BOOL);
        let [zero, one] = [0, 1].map(|value| self.pool.bv_u64(value, 1));
        let at = self.pool.mk(Op::Ite, &[condition, one, zero]);
        let sort = self.pool.sort(memory);
        let array = self.pick(sort).unwrap_or(memory);
        let term = match self.rng.u32(..3) {
            0 => self.pool.mk(Op::Select, &[array, at]),
            1 => {
                let word = self.any(width(WORD));
                self.pool.mk(Op::Store, &[array, at, word])
            }
            _ => self.pool.mk(Op::Ite, &[condition, array, memory]),
        };
        self.terms.push(term);
    }

    /// Two words are equal, or not.
    fn equation(&mut self) -> Term {
        let arrays = self.terms.iter().copied().filter(|&term| !self.pool.sort(term).is_bitvec());
        let arrays: Vec<Term> = arrays.filter(|&term| !self.pool.sort(term).is_bool()).collect();
        let sides = match arrays[..] {
            [first, .., last] if self.chance(20) => [first, last],
            _ => [self.any(width(WORD)), self.any(width(WORD))],
        };
        let equal = self.pool.mk(Op::Eq, &sides);
        if self.rng.bool() { self.pool.mk(Op::Not, &[equal]) } else { equal }
    }

    /// A value of a state that counting reaches late.
    fn is_high(&mut self, term: Term) -> Term {
        let Some(width) = self.pool.width(term).filter(|_| self.chance(80)) else {
            return self.is_constant(term);
        };
        let most = (1 << width) - 1;
        let high = self.pool.bv_u64(self.rng.u64(most / 2 + 1..=most), width);
        self.pool.mk(Op::Eq, &[term, high])
    }

    /// Adds one term, if what is drawn fits together.
    fn grow(&mut self) {
        let ops: Vec<Op> =
            Op::native().filter(|op| !matches!(op, Op::Const | Op::Symbol | Op::Apply)).collect();
        let op = ops[self.rng.usize(..ops.len())];
        let of = self.rng.usize(..self.terms.len());
        let first = self.terms[of];
        let sort = self.pool.sort(first);
        let term = match op {
            Op::Ite => {
                let (condition, other) = (self.condition(), self.any(sort));
                self.pool.app(op, &[condition, first, other])
            }
            Op::Select | Op::Store => {
                let Some((index, element)) = self.pool.sorts().array_parts(sort) else { return };
                let (index, element) = (self.any(index), self.any(element));
                if op == Op::Select {
                    self.pool.app(op, &[first, index])
                } else {
                    self.pool.app(op, &[first, index, element])
                }
            }
            Op::ConstArray => return,
            Op::Extract => {
                let Some(width) = self.pool.width(first) else { return };
                let low = self.rng.u32(..width);
                let high = self.rng.u32(low..width);
                self.pool.indexed(op, &[high, low], &[first])
            }
            _ if op.info().indices == 1 => {
                let by = self.rng.u32(1..3);
                self.pool.indexed(op, &[by], &[first])
            }
            _ if op.info().arity.admits(1) => self.pool.app(op, &[first]),
            _ => {
                let mut args = vec![first, self.any(sort)];
                if op.info().arity.admits(3) && self.chance(20) {
                    args.push(self.any(sort));
                }
                self.pool.app(op, &args)
            }
        };
        if let Ok(term) = term
            && self.pool.width(term).unwrap_or(1) <= MAX_WIDTH
        {
            self.terms.push(term);
        }
    }

    /// The next values of the states, and what is shown.
    fn transitions(&mut self, system: &mut System) {
        for number in 0..system.states.len() {
            let state = system.states[number].term;
            let sort = self.pool.sort(state);
            let next = match (self.rng.u32(..10), sort.width()) {
                (0, _) => continue,
                (1..5, Some(width)) => {
                    let one = self.pool.bv_u64(1, width);
                    let more = self.pool.mk(Op::BvAdd, &[state, one]);
                    let condition = self.condition();
                    if self.rng.bool() { self.pool.mk(Op::Ite, &[condition, more, state]) } else { more }
                }
                (..8, _) => {
                    let (condition, then) = (self.condition(), self.any(sort));
                    self.pool.mk(Op::Ite, &[condition, then, state])
                }
                _ => self.any(sort),
            };
            system.states[number].next = Some(next);
        }
        let outputs = self.rng.usize(..2);
        let scalars = self.terms.iter().copied().filter(|&t| self.pool.width(t).is_some());
        system.outputs = scalars.take(outputs).map(|term| Output { term, name: None }).collect();
    }

    fn properties(&mut self, system: &mut System) {
        for _ in 0..self.rng.usize(1..=3) {
            // Values of several states together are rare, and late if they are reached.
            let states = if self.chance(70) { system.states.len() } else { 0 };
            let mut term = self.pool.bool(true);
            for number in 0..self.rng.usize(1..=2).max(states) {
                let other = match system.states.get(number) {
                    Some(state) if states > 0 => self.is_high(state.term),
                    _ => self.condition(),
                };
                term = self.pool.mk(Op::And, &[term, other]);
            }
            system.bads.push(Property { term, name: None });
        }
        if self.chance(45) {
            for _ in 0..self.rng.usize(1..=2) {
                let conditions = [self.condition(), self.condition()];
                let term = self.pool.mk(Op::Or, &conditions);
                system.constraints.push(Property { term, name: None });
            }
        }
        if self.chance(50) {
            for _ in 0..self.rng.usize(1..=2) {
                let terms = (0..self.rng.usize(1..=2)).map(|_| self.condition()).collect();
                system.justices.push(Justice { terms, name: None });
            }
            if self.chance(40) {
                let term = self.condition();
                system.fairs.push(Property { term, name: None });
            }
        }
    }
}
