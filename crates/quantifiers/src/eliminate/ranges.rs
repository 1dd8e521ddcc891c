//! Few values, tried one after the other.
//!
//! The values of a variable for which comparisons with constants do not make the clause true anyway are a
//! range; if there are few, the clause is the conjunction of its instances.

use super::clause::Next;
use super::{Clause, Occurrences, Task};
use bivalve_terms::{BigInt, BitVec, Op, Sort, Term};

/// Values of a range that are tried.
const VALUES: u64 = 64;

/// Values of a variable without bounds that are tried.
const SMALL: u64 = 16;

impl Task<'_> {
    /// Instances for all values, if these are few.
    pub(super) fn expand(&mut self, clause: &Clause, _: &Occurrences) -> Option<Next> {
        if !self.tries_values {
            return Some(Next::Same);
        }
        let mut best: Option<(Term, Vec<Term>)> = None;
        for &variable in &clause.variables {
            let Some(values) = self.values(clause, variable) else { continue };
            if best.as_ref().is_none_or(|(_, others)| values.len() < others.len()) {
                best = Some((variable, values));
            }
        }
        let Some((variable, values)) = best else { return Some(Next::Same) };
        let mut cases = vec![];
        for value in values {
            cases.push(self.with_value(clause, variable, value)?);
        }
        Some(Next::Cases(cases))
    }

    /// The values of a variable that matter, if these are few.
    fn values(&mut self, clause: &Clause, variable: Term) -> Option<Vec<Term>> {
        if self.pool.sort(variable) == Sort::BOOL {
            return Some([false, true].map(|value| self.pool.bool(value)).to_vec());
        }
        let width = self.pool.width(variable)?;
        let all = BigInt::from(1) << width;
        for is_signed in [false, true] {
            let half = if is_signed { &all >> 1u32 } else { BigInt::ZERO };
            let (mut least, mut most) = (-half.clone(), &all - &half - 1);
            for &literal in &clause.literals {
                self.bound(literal, variable, is_signed, &mut least, &mut most);
            }
            let count = &most - &least + 1;
            let limit = if count < all { VALUES } else { SMALL };
            if count <= BigInt::from(limit) {
                let mut values = vec![];
                let mut value = least;
                while value <= most {
                    values.push(self.pool.bitvec(&BitVec::from_int(&value, width)));
                    value += 1;
                }
                return Some(values);
            }
        }
        None
    }

    /// Values for which the literal is false.
    fn bound(&self, literal: Term, variable: Term, is_signed: bool, least: &mut BigInt, most: &mut BigInt) {
        let is_negated = self.pool.op(literal) == Op::Not;
        let atom = if is_negated { self.pool.args(literal)[0] } else { literal };
        if self.pool.op(atom) != if is_signed { Op::BvSlt } else { Op::BvUlt } {
            return;
        }
        let &[left, right] = self.pool.args(atom) else { return };
        let number = |term: Term| -> Option<BigInt> {
            let value = self.pool.as_bitvec(term)?;
            Some(if is_signed { value.to_signed_int() } else { value.to_int() })
        };
        match (left == variable, right == variable) {
            // Not less than the constant, or less.
            (true, false) => match number(right) {
                Some(bound) if is_negated => *most = most.clone().min(bound - BigInt::from(1)),
                Some(bound) => *least = bound.max(least.clone()),
                None => {}
            },
            (false, true) => match number(left) {
                Some(bound) if is_negated => *least = least.clone().max(bound + BigInt::from(1)),
                Some(bound) => *most = bound.min(most.clone()),
                None => {}
            },
            _ => {}
        }
    }
}
