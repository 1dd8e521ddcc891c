//! The reference semantics: the value of a term under an assignment of values to symbols.
//!
//! It is slow, obvious and the reference for everything else: rewriting, circuits, arrays, approximations and
//! models are property-tested against it, and every model is evaluated here on the original assertions before
//! `sat` is said. Each operator's meaning stands in its row of the operator table; this file only walks. The
//! walk is iterative and visits each shared term once, so depth and sharing cost nothing but time linear in
//! the DAG.
//!
//! A formula for all values of variables is evaluated by trying them all, which is for small sorts: see
//! `binders`. A model has values of its own for such formulas ([`Valuation::set`]).
//!
//! Symbols without a value get the default of their sort (false, zero, the array that is so everywhere): a
//! model may leave out what does not matter.
//!
//! Cost: one value (32 bytes, more for wide ones) per distinct term below the root.

use crate::array_value::ArrayValue;
use crate::binders;
use crate::dag::unseen;
use crate::op::{Args, Op};
use crate::pool::Pool;
use crate::side_table::{TermMap, TermSet};
use crate::term::Term;
use crate::value::Value;
use bivalve_limits::Deadline;
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

/// The values of terms under one assignment, kept between questions: each shared sub-term is evaluated once.
///
/// Pool and assignment are handed to every call and must be the same ones, until [`Valuation::revise`] goes
/// over to another assignment.
#[derive(Clone, Default, Debug)]
pub struct Valuation {
    values: TermMap<Value>,
    /// The terms that have a value.
    seen: TermSet,
}

impl Valuation {
    /// No term has a value yet.
    pub fn new() -> Valuation {
        Valuation::default()
    }

    /// The value of `term`.
    pub fn eval(&mut self, pool: &Pool, assignment: &Assignment, term: Term) -> &Value {
        if !self.seen.contains(term) {
            for next in unseen(pool, &[term], &mut self.seen) {
                self.values.insert(next, self.step(pool, assignment, next));
            }
        }
        self.value(term)
    }

    /// The value of `term`; `None` if the deadline is over before it is known. What was evaluated until then
    /// is kept. A step is the evaluation of a term.
    pub fn eval_within(
        &mut self,
        pool: &Pool,
        assignment: &Assignment,
        term: Term,
        deadline: &Deadline,
    ) -> Option<&Value> {
        if !self.seen.contains(term) {
            let below = unseen(pool, &[term], &mut self.seen);
            for (place, &next) in below.iter().enumerate() {
                if !deadline.step(1) {
                    for &rest in &below[place..] {
                        self.seen.remove(rest);
                    }
                    return None;
                }
                self.values.insert(next, self.step(pool, assignment, next));
            }
        }
        self.values.get(term)
    }

    /// Goes over from the assignment `before` to `after`: what depends on a symbol whose value differs is
    /// evaluated again, in increasing order of terms; everything else keeps its value. Cost: a look at each
    /// term that has a value, and the evaluation of those that are affected.
    pub fn revise(&mut self, pool: &Pool, before: &Assignment, after: &Assignment) {
        let mut changed = TermSet::new();
        for term in self.seen.iter() {
            let is_affected = match pool.op(term) {
                Op::Const => false,
                Op::Symbol => before.get(term) != after.get(term),
                _ => !changed.is_empty() && pool.args(term).iter().any(|&arg| changed.contains(arg)),
            };
            if is_affected {
                let value = self.step(pool, after, term);
                if self.values.get(term) != Some(&value) {
                    self.values.insert(term, value);
                    changed.insert(term);
                }
            }
        }
    }

    /// The value of a term that has one.
    pub fn get(&self, term: Term) -> Option<&Value> {
        self.values.get(term)
    }

    /// Gives a term a value of its sort, in place of what its children say. What was evaluated before stays
    /// as it was.
    pub fn set(&mut self, term: Term, value: Value) {
        self.seen.insert(term);
        self.values.insert(term, value);
    }

    /// The number of terms that have a value.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Has no term a value?
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Forgets the values of all terms but these. Cost: linear in them and in what is forgotten.
    pub fn retain(&mut self, terms: &[Term]) {
        let mut former = std::mem::take(self);
        for &term in terms {
            if let Some(value) = former.values.remove(term) {
                self.values.insert(term, value);
                self.seen.insert(term);
            }
        }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        *self = Valuation::default();
    }

    /// The value of a term that was evaluated.
    fn value(&self, term: Term) -> &Value {
        self.values.get(term).expect("children come first")
    }

    /// The value of `term`, whose children have theirs.
    fn step(&self, pool: &Pool, assignment: &Assignment, term: Term) -> Value {
        match pool.op(term) {
            Op::Const => pool.as_value(term).expect("a constant has a value"),
            Op::Symbol => assignment
                .get(term)
                .cloned()
                .unwrap_or_else(|| Value::default_of(pool.sorts(), pool.sort(term))),
            Op::Forall => binders::holds(pool, assignment, term).into(),
            _ => {
                let args = pool.args(term);
                meaning(pool, term, args.len(), |i| self.value(args[i]))
            }
        }
    }
}

/// The value of `term`, an operator, where its `count` arguments have the values `value(0)`, `value(1)`, ...
pub fn meaning<'v>(pool: &Pool, term: Term, count: usize, value: impl Fn(usize) -> &'v Value) -> Value {
    let op = pool.op(term);
    if op == Op::ConstArray {
        return ArrayValue::constant(pool.sorts(), pool.sort(term), value(0).clone()).into();
    }
    let (index, width) = (pool.index(term), pool.width(term).unwrap_or(0));
    let format = if op.is_float() { pool.float_format(term) } else { None };
    let few: [&Value; 3];
    let many: Vec<&Value>;
    let values = match count {
        1 => &[value(0)][..],
        2 => &[value(0), value(1)][..],
        3 => {
            few = [value(0), value(1), value(2)];
            &few
        }
        _ => {
            many = (0..count).map(value).collect();
            &many
        }
    };
    let record = if op == Op::RecordNew { pool.sorts().as_record(pool.sort(term)) } else { None };
    (op.info().meaning)(&Args { values, index, width, format, record })
}

/// Evaluates many terms of one pool under one assignment, each shared sub-term once.
pub struct Evaluator<'a> {
    pool: &'a Pool,
    assignment: &'a Assignment,
    /// Asked for a value before a term that is no constant is opened.
    leaves: Option<Leaves<'a>>,
    valuation: Valuation,
}

/// The value of a term that is not to be opened, symbol or not; `None` for all others.
pub type Leaves<'a> = &'a mut dyn FnMut(&Pool, Term) -> Option<Value>;

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen no term yet.
    pub fn new(pool: &'a Pool, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { pool, assignment, leaves: None, valuation: Valuation::new() }
    }

    /// An evaluator for which some terms, symbols or not, have values from elsewhere: they are not opened.
    /// That is how a formula is evaluated in which a theory's terms stand for themselves.
    pub fn with_leaves(pool: &'a Pool, assignment: &'a Assignment, leaves: Leaves<'a>) -> Evaluator<'a> {
        Evaluator { leaves: Some(leaves), ..Evaluator::new(pool, assignment) }
    }

    /// An evaluator with leaves that goes on from values that another one found. The pool may have grown; the
    /// assignment and the values of leaves must be the same.
    pub fn resume(
        pool: &'a Pool,
        assignment: &'a Assignment,
        leaves: Leaves<'a>,
        valuation: Valuation,
    ) -> Evaluator<'a> {
        Evaluator { pool, assignment, leaves: Some(leaves), valuation }
    }

    /// The values found so far.
    pub fn suspend(self) -> Valuation {
        self.valuation
    }

    /// The pool whose terms are evaluated.
    pub fn pool(&self) -> &'a Pool {
        self.pool
    }

    /// The value of `term`.
    pub fn eval(&mut self, term: Term) -> &Value {
        if self.leaves.is_some() && !self.valuation.seen.contains(term) {
            for next in self.opened(term) {
                self.valuation.values.insert(next, self.valuation.step(self.pool, self.assignment, next));
            }
        }
        self.valuation.eval(self.pool, self.assignment, term)
    }

    /// The value of a leaf, or of a term that was evaluated or set; nothing is opened.
    pub fn known(&mut self, term: Term) -> Option<&Value> {
        if !self.valuation.seen.contains(term) {
            let value = self.leaves.as_mut()?(self.pool, term)?;
            self.set(term, value);
        }
        self.valuation.values.get(term)
    }

    /// Gives a term a value of its sort, in place of what its children say. What was evaluated before stays
    /// as it was.
    pub fn set(&mut self, term: Term, value: Value) {
        self.valuation.set(term, value);
    }

    /// The terms to be evaluated for `root`, children first; leaves get their values at once.
    fn opened(&mut self, root: Term) -> Vec<Term> {
        let mut todo = vec![root];
        let mut found = vec![];
        while let Some(term) = todo.pop() {
            if self.valuation.seen.contains(term) || self.known(term).is_some() {
                continue;
            }
            self.valuation.seen.insert(term);
            found.push(term);
            todo.extend_from_slice(self.pool.args(term));
        }
        found.sort_unstable();
        found
    }
}

/// The value of `term` under `assignment`.
pub fn eval(pool: &Pool, term: Term, assignment: &Assignment) -> Value {
    Evaluator::new(pool, assignment).eval(term).clone()
}
