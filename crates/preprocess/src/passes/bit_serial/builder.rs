//! The automaton of some conjuncts.

use super::automaton::{Automaton, Cell, Comparison, Formula, Gate, Kind, Wire};
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashMap;

/// Wider words are left as they are.
const MOST_WIDTH: u32 = 1 << 17;

/// Bits of a state, at most.
const MOST_MEMORY: u32 = 24;

/// Bits of a state that are guessed, at most.
const MOST_GUESSES: u32 = 8;

/// Places that a shift may move bits by.
const MOST_SHIFT: u32 = 4;

/// Factors of products, at most.
const MOST_FACTOR: u32 = 64;

/// Words that are read, at most.
pub(super) const MOST_INPUTS: u32 = 8;

/// Gates and formulas, at most.
const MOST_PARTS: usize = 400;

impl Automaton {
    /// The automaton of some conjuncts, if it is small.
    pub(super) fn of(pool: &Pool, conjuncts: &[Term]) -> Option<Automaton> {
        let mut builder = Builder {
            pool,
            automaton: Automaton {
                width: 0,
                gates: vec![],
                comparisons: vec![],
                formulas: vec![],
                roots: vec![],
                guessed: vec![],
                constants: vec![],
                ends: vec![],
                inputs: 0,
                cells: 0,
                set: 0,
                free: 0,
            },
            wires: FxHashMap::default(),
            truths: FxHashMap::default(),
        };
        for &conjunct in conjuncts {
            builder.build(conjunct)?;
            let root = builder.truths[&conjunct];
            builder.automaton.roots.push(root);
            if let (Op::Eq, Formula::Cell(cell)) = (pool.op(conjunct), &builder.automaton.formulas[root]) {
                let cell = *cell;
                let own = builder.automaton.comparisons.iter_mut().find(|own| own.cell == cell);
                own.into_iter().for_each(|own| own.is_asserted = true);
            }
        }
        let automaton = builder.automaton;
        let fits = automaton.free.count_ones() <= MOST_GUESSES && automaton.width <= MOST_WIDTH;
        let has_room = automaton.constants.len() <= 64 && automaton.ends.len() <= 64;
        (fits && has_room).then_some(automaton)
    }
}

/// An automaton in the making.
struct Builder<'a> {
    pool: &'a Pool,
    automaton: Automaton,
    wires: FxHashMap<Term, Wire>,
    truths: FxHashMap<Term, usize>,
}

impl Builder<'_> {
    /// Builds a term and what is below it, as far as it is understood.
    fn build(&mut self, root: Term) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.wires.contains_key(&term) || self.truths.contains_key(&term) {
                continue;
            }
            if is_ready || !self.is_understood(term) {
                self.add(term)?;
            } else {
                stack.push((term, true));
                stack.extend(self.pool.args(term).iter().map(|&arg| (arg, false)));
            }
            if self.automaton.gates.len() + self.automaton.formulas.len() > MOST_PARTS {
                return None;
            }
        }
        Some(())
    }

    /// Is the term more than a symbol of which nothing is known?
    fn is_understood(&self, term: Term) -> bool {
        let pool = self.pool;
        let args = pool.args(term);
        let is_word = |term: &Term| pool.width(*term).is_some();
        let is_bool = |term: &Term| pool.sort(*term).is_bool();
        match pool.op(term) {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => true,
            Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvSub | Op::BvNeg => true,
            Op::Eq => args.len() == 2 && (args.iter().all(is_word) || args.iter().all(is_bool)),
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => true,
            Op::BvMul => args.len() == 2 && args.iter().any(|&arg| self.factor(arg).is_some()),
            Op::Ite => is_word(&term) || is_bool(&term),
            Op::Concat => {
                let is_low = |&low: &Term| pool.width(low).is_some_and(|width| width <= MOST_SHIFT);
                let is_zero = |high: Term| pool.as_bitvec(high).is_some_and(|high| high.is_zero());
                args.len() == 2 && (is_low(&args[1]) || is_zero(args[0]))
            }
            Op::Extract => pool.index(term) <= MOST_SHIFT,
            Op::ZeroExtend | Op::SignExtend => true,
            _ => false,
        }
    }

    /// A constant as a small number, and whether it is to be negated.
    fn factor(&self, term: Term) -> Option<(u32, bool)> {
        let constant = self.pool.as_bitvec(term)?;
        let small = |constant: &BitVec| {
            let value = constant.to_u64().and_then(|value| u32::try_from(value).ok())?;
            (value <= MOST_FACTOR).then_some(value)
        };
        small(&constant).map(|value| (value, false)).or_else(|| Some((small(&constant.neg())?, true)))
    }

    fn add(&mut self, term: Term) -> Option<()> {
        let pool = self.pool;
        match pool.width(term) {
            Some(width) => {
                self.automaton.width = self.automaton.width.max(width);
                let is_prefix = pool.op(term) == Op::Extract && pool.index(term) == 0;
                let wire = if is_prefix {
                    self.wires[&pool.args(term)[0]]
                } else {
                    let gate = self.gate(term, width)?;
                    self.wire(gate)
                };
                self.wires.insert(term, wire);
            }
            None => {
                // A term of another sort below one that is not understood is never asked for.
                if pool.sort(term).is_bool() {
                    let formula = self.formula(term)?;
                    let number = self.number(formula);
                    self.truths.insert(term, number);
                }
            }
        }
        Some(())
    }

    fn wire(&mut self, gate: Gate) -> Wire {
        self.automaton.gates.push(gate);
        self.automaton.gates.len() as Wire - 1
    }

    fn number(&mut self, formula: Formula) -> usize {
        self.automaton.formulas.push(formula);
        self.automaton.formulas.len() - 1
    }

    fn input(&mut self) -> Option<u32> {
        self.automaton.inputs += 1;
        (self.automaton.inputs <= MOST_INPUTS).then(|| self.automaton.inputs - 1)
    }

    /// So many new cells, which are clear at the start.
    fn cells(&mut self, count: u32) -> Option<Cell> {
        let first = self.automaton.cells;
        self.automaton.cells += count;
        (self.automaton.cells <= MOST_MEMORY).then_some(first)
    }

    fn ends(&mut self, ends: &[u32]) {
        for &end in ends {
            if !self.automaton.ends.contains(&end) {
                self.automaton.ends.push(end);
            }
        }
    }

    /// How a word is made whose arguments are there.
    fn gate(&mut self, term: Term, width: u32) -> Option<Gate> {
        let pool = self.pool;
        if let Some(constant) = pool.as_bitvec(term) {
            self.automaton.constants.push(constant);
            return Some(Gate::Constant(self.automaton.constants.len() as u32 - 1));
        }
        if !self.is_understood(term) {
            return Some(Gate::Input(self.input()?));
        }
        let args = pool.args(term);
        let wires: Vec<Wire> = args.iter().filter_map(|arg| self.wires.get(arg).copied()).collect();
        Some(match pool.op(term) {
            Op::BvNot => Gate::Not(wires[0]),
            Op::BvNeg => {
                let cell = self.cells(1)?;
                self.automaton.set |= 1 << cell;
                Gate::Minus(wires[0], cell)
            }
            Op::BvAnd => self.folded(&wires, |_, a, b| Some(Gate::And(a, b)))?,
            Op::BvOr => self.folded(&wires, |_, a, b| Some(Gate::Or(a, b)))?,
            Op::BvXor => self.folded(&wires, |_, a, b| Some(Gate::Xor(a, b)))?,
            Op::BvAdd => self.folded(&wires, |builder, a, b| Some(Gate::Sum(a, b, builder.cells(1)?)))?,
            Op::BvSub => self.folded(&wires, |builder, a, b| {
                let (opposite, cell) = (builder.wire(Gate::Not(b)), builder.cells(1)?);
                builder.automaton.set |= 1 << cell;
                Some(Gate::Sum(a, opposite, cell))
            })?,
            Op::BvMul => {
                let (place, (factor, is_negative)) =
                    (0..2).find_map(|place| Some((place, self.factor(args[place])?)))?;
                // The carry is less than the factor.
                let count = factor.next_power_of_two().ilog2();
                let multiple =
                    Gate::Times { of: wires[1 - place], factor, cells: (self.cells(count)?, count) };
                if is_negative {
                    let cell = self.cells(1)?;
                    self.automaton.set |= 1 << cell;
                    Gate::Minus(self.wire(multiple), cell)
                } else {
                    multiple
                }
            }
            Op::Ite => {
                let cell = self.cells(1)?;
                self.automaton.free |= 1 << cell;
                self.automaton.guessed.push((cell, self.truths[&args[0]]));
                Gate::Choice(cell, wires[0], wires[1])
            }
            Op::Concat => {
                let low = pool.width(args[1])?;
                self.ends(&[low]);
                if pool.as_bitvec(args[0]).is_some_and(|high| high.is_zero()) {
                    Gate::Extended { of: wires[1], width: low, sign: None }
                } else {
                    let cells = (self.cells(low)?, low);
                    Gate::Behind { low: wires[1], until: low, high: wires[0], cells }
                }
            }
            Op::Extract => {
                let ahead = pool.index(term);
                self.ends(&[width + ahead, ahead]);
                let cells = (self.cells(ahead)?, ahead);
                Gate::Ahead { guess: self.input()?, of: wires[0], width, cells }
            }
            Op::ZeroExtend => {
                let width = pool.width(args[0])?;
                self.ends(&[width]);
                Gate::Extended { of: wires[0], width, sign: None }
            }
            Op::SignExtend => {
                let width = pool.width(args[0])?;
                self.ends(&[width, width - 1]);
                Gate::Extended { of: wires[0], width, sign: Some(self.cells(1)?) }
            }
            _ => return None,
        })
    }

    fn folded(
        &mut self,
        wires: &[Wire],
        make: impl Fn(&mut Self, Wire, Wire) -> Option<Gate>,
    ) -> Option<Gate> {
        let (&last, others) = wires.split_last()?;
        let mut folded = *others.first()?;
        for &wire in &others[1..] {
            let gate = make(self, folded, wire)?;
            folded = self.wire(gate);
        }
        make(self, folded, last)
    }

    /// What a truth value is whose arguments are there.
    fn formula(&mut self, term: Term) -> Option<Formula> {
        let pool = self.pool;
        if let Some(value) = pool.as_bool(term) {
            return Some(Formula::Constant(value));
        }
        if !self.is_understood(term) {
            let cell = self.cells(1)?;
            self.automaton.free |= 1 << cell;
            return Some(Formula::Cell(cell));
        }
        let args = pool.args(term);
        let truths: Vec<usize> = args.iter().filter_map(|arg| self.truths.get(arg).copied()).collect();
        Some(match pool.op(term) {
            Op::Not => Formula::Not(truths[0]),
            Op::And => Formula::And(truths),
            Op::Or => Formula::Or(truths),
            Op::Xor => Formula::Xor(truths),
            Op::Implies => {
                let (&last, premises) = truths.split_last()?;
                let mut any = vec![last];
                for &premise in premises {
                    any.push(self.number(Formula::Not(premise)));
                }
                Formula::Or(any)
            }
            Op::Ite => Formula::Choice(truths[0], truths[1], truths[2]),
            Op::Eq if !truths.is_empty() => Formula::Equal(truths[0], truths[1]),
            Op::Eq => Formula::Cell(self.comparison(Kind::Equal, [args[0], args[1]])?),
            Op::BvUlt => Formula::Cell(self.comparison(Kind::Less, [args[0], args[1]])?),
            Op::BvSlt => Formula::Cell(self.comparison(Kind::SignedLess, [args[0], args[1]])?),
            op @ (Op::BvUle | Op::BvSle) => {
                let kind = if op == Op::BvUle { Kind::Less } else { Kind::SignedLess };
                let greater = Formula::Cell(self.comparison(kind, [args[1], args[0]])?);
                Formula::Not(self.number(greater))
            }
            _ => return None,
        })
    }

    fn comparison(&mut self, kind: Kind, words: [Term; 2]) -> Option<Cell> {
        let width = self.pool.width(words[0])?;
        let cell = self.cells(1)?;
        if kind == Kind::Equal {
            self.automaton.set |= 1 << cell;
        }
        self.ends(&[width, width - 1]);
        let wires = words.map(|word| self.wires[&word]);
        self.automaton.comparisons.push(Comparison { kind, wires, width, cell, is_asserted: false });
        Some(cell)
    }
}
