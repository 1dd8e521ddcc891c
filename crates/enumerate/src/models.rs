//! The search for all models, cube by cube.

use crate::cube::{Cube, Word};
use crate::quick::{Quick, Turn};
use bivalve::terms::{BitVec, Op, Pool, Sort, SortKind, Term, Value};
use bivalve::{CheckError, CheckResult, InternalError, Solver, Why};
use bivalve_systems::{Demand, needed};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use thiserror::Error;

/// Cubes that are found by checks before clauses are made: where there are few, these would not pay.
const CUBES_BY_CHECKS: u32 = 16;

/// After so many turns in a row that were too hard for clauses the pause does not grow any more.
const MOST_HARD: u32 = 10;

/// The values of a term are not listed: it is neither a bit-vector nor Boolean.
#[derive(Error, Clone, Copy, Debug, PartialEq, Eq)]
#[error("term {} is neither a bit-vector nor of sort Bool", position + 1)]
pub struct NotFinite {
    /// The position of the term among those given.
    pub position: usize,
}

/// A step of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Values that were in no cube before.
    Cube(Cube),
    /// There are no others.
    Complete,
    /// There may be others: a check was not decided. The next step tries it again.
    Unknown(Why),
}

/// A bit of the terms: its word, its place in it, and what says that it is zero, or one.
struct Bit {
    word: usize,
    place: u32,
    literals: [Term; 2],
}

/// A bit that is decided.
struct Decision {
    bit: usize,
    value: bool,
    /// All with the other value were searched.
    is_turned: bool,
}

/// All values of some terms in models of the assertions of a solver, which must not change meanwhile.
pub struct Models {
    /// Symbols, those that stand for other terms among them, with their widths; 0 for a Boolean.
    symbols: Vec<(Term, u32)>,
    places: Arc<[usize]>,
    /// What is assumed: what the caller assumes, and what new symbols stand for.
    base: Vec<Term>,
    bits: Vec<Bit>,
    /// The first bit of each word.
    starts: Vec<usize>,
    trail: Vec<Decision>,
    is_decided: Vec<bool>,
    state: State,
    /// What the models satisfy.
    formulas: Vec<Term>,
    /// Cubes that are to be found before clauses are made.
    awaited: u32,
    quick: Option<Box<Quick>>,
    /// Turns that are left to checks: after each in a row that was too hard for clauses twice as many.
    pause: u32,
    hard: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was asked.
    Fresh,
    /// What the trail says is a cube that was found.
    Found,
    Complete,
}

impl Models {
    /// Lists the values of terms among the models of the assertions and of these assumptions.
    ///
    /// # Errors
    ///
    /// When a term is neither a bit-vector nor Boolean.
    pub fn new(pool: &mut Pool, terms: &[Term], assumptions: &[Term]) -> Result<Models, NotFinite> {
        let mut base = assumptions.to_vec();
        let (mut symbols, mut places, mut known) = (vec![], vec![], FxHashMap::default());
        for (position, &term) in terms.iter().enumerate() {
            let sort = pool.sort(term);
            let width = match pool.sorts().kind(sort) {
                SortKind::Bool => 0,
                SortKind::BitVec(width) => width,
                _ => return Err(NotFinite { position }),
            };
            let place = *known.entry(term).or_insert_with(|| {
                let mut symbol = term;
                if pool.op(term) != Op::Symbol {
                    symbol = pool.symbol("value", sort);
                    base.push(pool.mk(Op::Eq, &[symbol, term]));
                }
                symbols.push((symbol, width));
                symbols.len() - 1
            });
            places.push(place);
        }
        let (mut bits, mut starts) = (vec![], vec![]);
        for (word, &(symbol, width)) in symbols.iter().enumerate() {
            starts.push(bits.len());
            for place in (0..width.max(1)).rev() {
                let literals = literals(pool, symbol, width, place);
                bits.push(Bit { word, place, literals });
            }
        }
        let is_decided = vec![false; bits.len()];
        let (places, trail, state) = (places.into(), vec![], State::Fresh);
        let (formulas, awaited, quick) = (vec![], CUBES_BY_CHECKS, None);
        Ok(Models {
            symbols,
            places,
            base,
            bits,
            starts,
            trail,
            is_decided,
            state,
            formulas,
            awaited,
            quick,
            pause: 0,
            hard: 0,
        })
    }

    /// The next values.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn next(&mut self, solver: &mut Solver, pool: &mut Pool) -> Result<Next, CheckError> {
        match self.state {
            State::Complete => return Ok(Next::Complete),
            State::Fresh => {
                self.formulas = [solver.assertions(), &self.base].concat();
                match solver.check_assuming(pool, &self.base)? {
                    CheckResult::Sat => return self.found(solver, pool),
                    CheckResult::Unsat => {}
                    CheckResult::Unknown(why) => return Ok(Next::Unknown(why)),
                }
            }
            State::Found => {
                self.make_clauses(solver, pool);
                while !self.trail.is_empty() {
                    match self.turn(solver, pool)? {
                        Some(next) => return Ok(next),
                        None => {
                            while self.trail.last().is_some_and(|last| last.is_turned) {
                                self.drop_to(self.trail.len() - 1);
                            }
                        }
                    }
                }
            }
        }
        self.state = State::Complete;
        Ok(Next::Complete)
    }

    /// Makes clauses once there are cubes enough.
    fn make_clauses(&mut self, solver: &Solver, pool: &Pool) {
        if self.awaited > 0 {
            self.awaited -= 1;
            if self.awaited == 0 {
                let listed = self.symbols.iter().map(|&(symbol, _)| symbol);
                let quick = Quick::new(pool, &self.formulas, listed, &solver.stop_handle());
                self.quick = quick.map(Box::new);
            }
        }
    }

    /// Looks for values next to what the trail says: those that differ from its last decisions, as many as
    /// are not turned. If there are none, these are dropped.
    ///
    /// The deepest decision is turned behind which there are values: a model says of one that there are, and
    /// then what is deeper is asked for.
    fn turn(&mut self, solver: &mut Solver, pool: &mut Pool) -> Result<Option<Next>, CheckError> {
        let start = self.trail.iter().rposition(|decision| decision.is_turned).map_or(0, |last| last + 1);
        match self.turn_quickly(solver, pool, start)? {
            Turn::Model(at) => {
                self.turn_decision(at);
                let quick = self.quick.take().expect("it has found a model");
                self.extend(pool, &|term| quick.value(term).clone());
                self.quick = Some(quick);
                return Ok(Some(Next::Cube(self.cube())));
            }
            Turn::Nothing => {
                self.drop_to(start);
                return Ok(None);
            }
            Turn::GivenUp => {}
        }
        let (mut from, mut turned) = (start, None);
        while from < self.trail.len() {
            let kept = self.trail[..from].iter().map(|decision| self.literal(decision, true));
            let mut assumptions: Vec<Term> = self.base.iter().copied().chain(kept).collect();
            let others: Vec<Term> =
                self.trail[from..].iter().map(|decision| self.literal(decision, false)).collect();
            assumptions.push(if let [only] = others[..] { only } else { pool.mk(Op::Or, &others) });
            match solver.check_assuming(pool, &assumptions)? {
                CheckResult::Unknown(why) => return Ok(Some(Next::Unknown(why))),
                CheckResult::Unsat => break,
                CheckResult::Sat => {
                    let model = solver.model().ok_or_else(no_model)?;
                    let differs =
                        |decision: &Decision| model.value(pool, self.literal(decision, false)).expect_bool();
                    let first = self.trail[from..].iter().position(differs).ok_or_else(no_model)?;
                    turned = Some((from + first, model.clone()));
                    from += first + 1;
                }
            }
        }
        let Some((at, model)) = turned else {
            self.drop_to(start);
            return Ok(None);
        };
        self.turn_decision(at);
        self.quick.iter_mut().for_each(|quick| quick.keep(at));
        self.extend(pool, &|term| model.value(pool, term));
        Ok(Some(Next::Cube(self.cube())))
    }

    /// The same on clauses, if there are any and it is easy.
    fn turn_quickly(&mut self, solver: &Solver, pool: &Pool, start: usize) -> Result<Turn, CheckError> {
        let Some(quick) = self.quick.as_mut().filter(|_| solver.stop_handle().reason().is_none()) else {
            return Ok(Turn::GivenUp);
        };
        if self.pause > 0 {
            self.pause -= 1;
            return Ok(Turn::GivenUp);
        }
        let decisions: Vec<(usize, bool)> =
            self.trail.iter().map(|decision| (decision.bit, decision.value)).collect();
        let turn = quick.turn(pool, &decisions, start)?;
        self.hard = if matches!(turn, Turn::GivenUp) { (self.hard + 1).min(MOST_HARD) } else { 0 };
        self.pause = (1 << self.hard) - 1;
        Ok(turn)
    }

    /// Turns a decision and forgets the later ones.
    fn turn_decision(&mut self, at: usize) {
        self.drop_to(at + 1);
        let last = &mut self.trail[at];
        (last.value, last.is_turned) = (!last.value, true);
    }

    /// The cube of the model of the last check.
    fn found(&mut self, solver: &Solver, pool: &Pool) -> Result<Next, CheckError> {
        let model = solver.model().ok_or_else(no_model)?;
        self.extend(pool, &|term| model.value(pool, term));
        self.state = State::Found;
        Ok(Next::Cube(self.cube()))
    }

    /// Forgets all decisions but so many.
    fn drop_to(&mut self, count: usize) {
        for decision in self.trail.drain(count..) {
            self.is_decided[decision.bit] = false;
        }
        self.quick.iter_mut().for_each(|quick| quick.keep(count));
    }

    /// What says that a bit is as it is decided, or the opposite.
    fn literal(&self, decision: &Decision, is_kept: bool) -> Term {
        self.bits[decision.bit].literals[usize::from(decision.value == is_kept)]
    }

    /// Decides the bits that a model, which has these values, needs.
    fn extend(&mut self, pool: &Pool, value: &dyn Fn(Term) -> Value) {
        let demands = needed(pool, &self.formulas, value);
        for (word, &(symbol, width)) in self.symbols.iter().enumerate() {
            let Some(demand) = demands.get(symbol) else { continue };
            let value = value(symbol);
            for (offset, place) in (0..width.max(1)).rev().enumerate() {
                let bit = self.starts[word] + offset;
                let is_needed = match demand {
                    Demand::Bits(mask) => mask.bit(place),
                    _ => true,
                };
                if is_needed && !self.is_decided[bit] {
                    let value =
                        if width == 0 { value.expect_bool() } else { value.expect_bitvec().bit(place) };
                    self.trail.push(Decision { bit, value, is_turned: false });
                    self.is_decided[bit] = true;
                }
            }
        }
    }

    /// What the trail says.
    fn cube(&self) -> Cube {
        let zero = |&(_, width): &(Term, u32)| {
            let zero = BitVec::zero(width.max(1));
            Word { value: zero.clone(), known: zero, is_bool: width == 0 }
        };
        let mut words: Vec<Word> = self.symbols.iter().map(zero).collect();
        for decision in &self.trail {
            let Bit { word, place, .. } = self.bits[decision.bit];
            let word = &mut words[word];
            let mask = BitVec::one(word.known.width()).shl_by(place);
            word.known = word.known.or(&mask);
            if decision.value {
                word.value = word.value.or(&mask);
            }
        }
        Cube { words, places: self.places.clone() }
    }

    /// That no bit of a cube that this has found is another: what is outside of it.
    pub fn outside(&self, pool: &mut Pool, cube: &Cube) -> Term {
        let mut differs = vec![];
        for bit in &self.bits {
            let word = &cube.words[bit.word];
            if word.known.bit(bit.place) {
                differs.push(bit.literals[usize::from(!word.value.bit(bit.place))]);
            }
        }
        match differs[..] {
            [] => pool.bool(false),
            [only] => only,
            _ => pool.mk(Op::Or, &differs),
        }
    }

    /// What is assumed in all checks: the assumptions that were given, and what new symbols stand for.
    pub fn assumptions(&self) -> &[Term] {
        &self.base
    }

    /// The symbols whose bits are listed.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Term> + '_ {
        self.symbols.iter().map(|&(symbol, _)| symbol)
    }
}

fn no_model() -> CheckError {
    CheckError::Internal(InternalError("a check was sat without a model".into()))
}

/// What says that a bit is zero, and that it is one.
fn literals(pool: &mut Pool, symbol: Term, width: u32, place: u32) -> [Term; 2] {
    if width == 0 {
        return [pool.mk(Op::Not, &[symbol]), symbol];
    }
    let bit = pool.mk_indexed(Op::Extract, &[place, place], &[symbol]);
    debug_assert_eq!(pool.sort(bit), Sort::bitvec(1).expect("a width"));
    [0, 1].map(|value| {
        let value = pool.bv_u64(value, 1);
        pool.mk(Op::Eq, &[bit, value])
    })
}
