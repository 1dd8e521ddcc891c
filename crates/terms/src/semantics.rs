//! The reference semantics: what a term is worth under an assignment of values to symbols.
//!
//! It is slow, obvious and the judge of everything else: rewriting, circuits, arrays, approximations and
//! models are property-tested against it, and every model is evaluated here on the original assertions before
//! `sat` is said. Each operator's meaning stands in its row of the operator table; this file only walks. The
//! walk is iterative and visits each shared term once, so depth and sharing cost nothing but time linear in
//! the DAG.
//!
//! Symbols without a value get the default of their sort (false, zero, the array that is so everywhere): a
//! model may leave out what does not matter.
//!
//! Cost: one value (32 bytes, more for wide ones) per distinct term below the root.

use crate::array_value::ArrayValue;
use crate::dag::unseen;
use crate::op::{Args, Op};
use crate::pool::Pool;
use crate::side_table::{TermMap, TermSet};
use crate::term::Term;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Values of symbols.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    values: FxHashMap<Term, Value>,
}

impl Assignment {
    /// No symbol has a value yet.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives `symbol` a value, which must be of the symbol's sort.
    pub fn set(&mut self, symbol: Term, value: impl Into<Value>) {
        self.values.insert(symbol, value.into());
    }

    /// The value given to `symbol`.
    pub fn get(&self, symbol: Term) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// The symbols that have a value, in increasing order.
    pub fn symbols(&self) -> Vec<Term> {
        let mut symbols: Vec<Term> = self.values.keys().copied().collect();
        symbols.sort_unstable();
        symbols
    }
}

/// Evaluates many terms of one pool under one assignment, each shared sub-term once.
pub struct Evaluator<'a> {
    pool: &'a Pool,
    assignment: &'a Assignment,
    /// Asked for a value before a term that is no constant is opened.
    leaves: Option<Leaves<'a>>,
    values: TermMap<Value>,
    /// The terms that have a value.
    seen: TermSet,
}

/// Says what a term is worth that shall not be opened, symbol or not; `None` for all others.
pub type Leaves<'a> = &'a mut dyn FnMut(&Pool, Term) -> Option<Value>;

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen no term yet.
    pub fn new(pool: &'a Pool, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { pool, assignment, leaves: None, values: TermMap::new(), seen: TermSet::new() }
    }

    /// An evaluator for which some terms, symbols or not, have values from elsewhere: they are not opened.
    /// That is how a formula is evaluated in which a theory's terms stand for themselves.
    pub fn with_leaves(pool: &'a Pool, assignment: &'a Assignment, leaves: Leaves<'a>) -> Evaluator<'a> {
        Evaluator { leaves: Some(leaves), ..Evaluator::new(pool, assignment) }
    }

    /// The pool whose terms are evaluated.
    pub fn pool(&self) -> &'a Pool {
        self.pool
    }

    /// The value of `term`.
    pub fn eval(&mut self, term: Term) -> &Value {
        if !self.seen.contains(term) {
            let below = match self.leaves {
                None => unseen(self.pool, &[term], &mut self.seen),
                Some(_) => self.opened(term),
            };
            for next in below {
                self.values.insert(next, self.step(next));
            }
        }
        self.value(term)
    }

    /// The value of a leaf, or of a term that was evaluated or set; nothing is opened.
    pub fn known(&mut self, term: Term) -> Option<&Value> {
        if !self.seen.contains(term) {
            let value = self.leaves.as_mut()?(self.pool, term)?;
            self.set(term, value);
        }
        self.values.get(term)
    }

    /// Gives a term a value of its sort, in place of what its children say. What was evaluated before stays
    /// as it was.
    pub fn set(&mut self, term: Term, value: Value) {
        self.seen.insert(term);
        self.values.insert(term, value);
    }

    /// The terms to be evaluated for `root`, children first; leaves get their values at once.
    fn opened(&mut self, root: Term) -> Vec<Term> {
        let mut todo = vec![root];
        let mut found = vec![];
        while let Some(term) = todo.pop() {
            if self.seen.contains(term) || self.known(term).is_some() {
                continue;
            }
            self.seen.insert(term);
            found.push(term);
            todo.extend_from_slice(self.pool.args(term));
        }
        found.sort_unstable();
        found
    }

    /// The value of a term that was evaluated.
    fn value(&self, term: Term) -> &Value {
        self.values.get(term).expect("children come first")
    }

    /// The value of `term`, whose children have theirs.
    fn step(&self, term: Term) -> Value {
        match self.pool.op(term) {
            Op::Const => constant(self.pool, term),
            Op::Symbol => self
                .assignment
                .get(term)
                .cloned()
                .unwrap_or_else(|| Value::default_of(self.pool.sorts(), self.pool.sort(term))),
            Op::ConstArray => {
                let element = self.value(self.pool.args(term)[0]).clone();
                ArrayValue::constant(self.pool.sorts(), self.pool.sort(term), element).into()
            }
            op => {
                let value = |&arg: &Term| self.value(arg);
                let args = self.pool.args(term);
                let (index, width) = (self.pool.index(term), self.pool.width(term).unwrap_or(0));
                let few: [&Value; 3];
                let many: Vec<&Value>;
                let values = match args {
                    [a] => &[value(a)][..],
                    [a, b] => &[value(a), value(b)][..],
                    [a, b, c] => {
                        few = [value(a), value(b), value(c)];
                        &few
                    }
                    _ => {
                        many = args.iter().map(value).collect();
                        &many
                    }
                };
                (op.info().meaning)(&Args { values, index, width })
            }
        }
    }
}

/// The value of `term` under `assignment`.
pub fn eval(pool: &Pool, term: Term, assignment: &Assignment) -> Value {
    Evaluator::new(pool, assignment).eval(term).clone()
}

fn constant(pool: &Pool, term: Term) -> Value {
    match pool.as_bool(term) {
        Some(value) => Value::Bool(value),
        None => Value::BitVec(pool.as_bitvec(term).expect("constants are Booleans or bit-vectors")),
    }
}
