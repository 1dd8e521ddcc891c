//! Symbols that a formula defines.
//!
//! Programs are written as equations, one for each assignment. A search that moves symbols one by one would
//! have to find what each equation says; so a symbol that is equal to a term in every model is that term, if
//! it is not below it.

use bivalve_terms::{Op, Pool, Term, TermMap, TermSet, cone};

/// The conjuncts of the formulas.
fn conjuncts(pool: &Pool, formulas: &[Term]) -> Vec<Term> {
    let (mut todo, mut seen, mut found) = (formulas.to_vec(), TermSet::new(), vec![]);
    while let Some(term) = todo.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.op(term) == Op::And { todo.extend(pool.args(term)) } else { found.push(term) }
    }
    found
}

/// What symbols may be, as conjuncts say: rather what is computed than another symbol.
fn candidates(pool: &Pool, formulas: &[Term]) -> TermMap<Term> {
    let (mut definitions, all) = (TermMap::new(), conjuncts(pool, formulas));
    let is_searched = |term: Term| pool.float_format(term).is_some() || pool.sort(term).is_bool();
    let is_symbol = |term: Term| pool.op(term) == Op::Symbol && is_searched(term);
    for of_symbols in [false, true] {
        for &conjunct in &all {
            let &[x, y] = pool.args(conjunct) else { continue };
            // A symbol that is equal to NaN as a number does not exist, whatever it is defined as.
            let is_equation = matches!(pool.op(conjunct), Op::Eq | Op::FpEq);
            if !is_equation || (is_symbol(x) && is_symbol(y)) != of_symbols {
                continue;
            }
            if is_symbol(x) && definitions.get(x).is_none() {
                definitions.insert(x, y);
            } else if is_symbol(y) && definitions.get(y).is_none() {
                definitions.insert(y, x);
            }
        }
    }
    definitions
}

/// Definitions that are found to go in circles, at most; with more, nothing is defined.
const MOST_CIRCLES: usize = 64;

/// The terms of the formulas, each after its arguments, a symbol after what it is; and what symbols are.
pub(super) fn ordered(pool: &Pool, formulas: &[Term]) -> (Vec<Term>, TermMap<Term>) {
    let walk = Walk {
        pool,
        definitions: candidates(pool, formulas),
        todo: formulas.iter().rev().copied().collect(),
        open: TermSet::new(),
        done: TermSet::new(),
        order: vec![],
        defining: vec![],
    };
    walk.finished().unwrap_or_else(|| (cone(pool, formulas), TermMap::new()))
}

struct Walk<'a> {
    pool: &'a Pool,
    definitions: TermMap<Term>,
    /// The terms that are waited for, the last one first.
    todo: Vec<Term>,
    /// Those of which what is below them is waited for.
    open: TermSet,
    done: TermSet,
    order: Vec<Term>,
    /// Where the symbols stand among the terms that are waited for whose definitions are.
    defining: Vec<usize>,
}

impl Walk<'_> {
    /// The order and the definitions, unless there are many circles.
    fn finished(mut self) -> Option<(Vec<Term>, TermMap<Term>)> {
        let mut circles = 0;
        while let Some(&term) = self.todo.last() {
            if self.done.contains(term) {
                self.todo.pop();
                continue;
            }
            let definition = self.definitions.get(term).copied();
            if self.open.insert(term) {
                let below = definition.as_ref().map_or(self.pool.args(term), std::slice::from_ref);
                if below.iter().any(|&other| self.open.contains(other) && !self.done.contains(other)) {
                    circles += 1;
                    self.cut(definition.is_some());
                    if circles > MOST_CIRCLES {
                        return None;
                    }
                    continue;
                }
                if definition.is_some() {
                    self.defining.push(self.todo.len() - 1);
                }
                self.todo.extend(below.iter().rev().filter(|&&other| !self.done.contains(other)));
                continue;
            }
            self.close(term);
        }
        Some((self.order, self.definitions))
    }

    /// The term on top has all below it.
    fn close(&mut self, term: Term) {
        self.todo.pop();
        if self.defining.last() == Some(&self.todo.len()) {
            self.defining.pop();
        }
        self.done.insert(term);
        self.order.push(term);
    }

    /// What is below the term on top waits for it: the symbol that was met last is not defined. If that is
    /// not the one on top, what was waited for because of it is not any more.
    fn cut(&mut self, is_on_top: bool) {
        let at = if is_on_top {
            self.todo.len() - 1
        } else {
            self.defining.pop().expect("circles are of definitions")
        };
        for term in self.todo.drain(at + 1..) {
            self.open.remove(term);
        }
        let symbol = self.todo[at];
        self.definitions.remove(symbol);
        self.close(symbol);
    }
}
