//! Values that a literal forces.
//!
//! A literal that is false for one value of a variable alone, given the others, tells all other literals that
//! value: where it is another one, the clause is true. What is forced is found along the operators of an
//! equation that have at most one argument for a result, and through writes: what was written to an array is
//! what is read from the result.
//!
//! A base that was written to is forced but for the places that were written. If it occurs nowhere else, what
//! is left of the literal is about these places; else it is made of the other side and of new elements.

use super::clause::Next;
use super::{Clause, Occurrences, Task};
use bivalve_terms::{BitVec, Op, Sort, Term};

/// Operators that are looked through, one below the other.
const DEPTH: usize = 64;

/// An array that was written to, as far as a literal says what it is.
struct Base {
    variable: Term,
    /// What it is after the writes.
    result: Term,
    /// Places and elements, the last write first.
    writes: Vec<(Term, Term)>,
    literal: usize,
}

impl Task<'_> {
    /// The equation that holds where a literal is false.
    fn equation(&mut self, literal: Term) -> Option<(Term, Term)> {
        let is_negated = self.pool.op(literal) == Op::Not;
        let atom = if is_negated { self.pool.args(literal)[0] } else { literal };
        match (self.pool.op(atom), self.pool.args(atom)) {
            (Op::Eq, &[left, right]) if is_negated => Some((left, right)),
            (Op::Eq, &[left, right]) if self.pool.sort(left) == Sort::BOOL => {
                let right = self.not(right);
                Some((left, right))
            }
            (Op::Symbol | Op::Select | Op::Apply, _) => Some((atom, self.pool.bool(is_negated))),
            _ => None,
        }
    }

    /// A variable with one value: it is put into all literals.
    pub(super) fn force(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for &literal in &clause.literals {
            let Some((left, right)) = self.equation(literal) else { continue };
            for (side, other) in [(left, right), (right, left)] {
                if occurrences.is_ground(side) {
                    continue;
                }
                let Some((variable, value)) = self.forced(clause, occurrences, side, other)? else {
                    continue;
                };
                return self.with_value(clause, variable, value).map(Next::Clause);
            }
        }
        Some(Next::Same)
    }

    /// The clause with a term in the place of a variable.
    pub(super) fn with_value(&mut self, clause: &Clause, variable: Term, value: Term) -> Option<Clause> {
        let mut other = clause.clone();
        other.variables.retain(|&it| it != variable);
        other.literals = self.put(&clause.literals, &[(variable, value)])?;
        self.note(&mut other, variable, value);
        Some(other)
    }

    /// A variable and the only value that it can have where `left` is `right`.
    fn forced(
        &mut self,
        clause: &Clause,
        occurrences: &Occurrences,
        left: Term,
        right: Term,
    ) -> Option<Option<(Term, Term)>> {
        let mut todo = vec![(left, right, 0)];
        while let Some((left, right, depth)) = todo.pop() {
            if !self.deadline.step(1) {
                return None;
            }
            if let Some(place) = clause.variables.iter().position(|&variable| variable == left) {
                if self.masks_of(occurrences, right)? >> place & 1 == 0 {
                    return Some(Some((left, right)));
                }
                continue;
            }
            if depth > DEPTH || occurrences.is_ground(left) {
                continue;
            }
            for place in 0..self.pool.args(left).len() {
                let arg = self.pool.args(left)[place];
                if !occurrences.is_ground(arg)
                    && let Some((value, _)) = self.inverse(left, place, right)
                {
                    todo.push((arg, value, depth + 1));
                }
            }
            if self.pool.op(left) == Op::Store {
                todo.extend(
                    self.written(left, right).into_iter().map(|(arg, value)| (arg, value, depth + 1)),
                );
            }
        }
        Some(None)
    }

    /// The variables in a term that was perhaps made just now.
    fn masks_of(&self, occurrences: &Occurrences, root: Term) -> Option<u128> {
        if let Some(&mask) = occurrences.masks.get(root) {
            return Some(mask);
        }
        let (mut todo, mut mask, mut seen) = (vec![root], 0, bivalve_terms::TermSet::new());
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            if !self.deadline.step(1) {
                return None;
            }
            match occurrences.masks.get(term) {
                Some(&known) => mask |= known,
                None => todo.extend_from_slice(self.pool.args(term)),
            }
        }
        Some(mask)
    }

    /// What the elements that are written are, where the array is `result` after the writes.
    fn written(&mut self, array: Term, result: Term) -> Vec<(Term, Term)> {
        let (mut current, mut later, mut found): (Term, Vec<Term>, Vec<(Term, Term)>) =
            (array, vec![], vec![]);
        while let (Op::Store, &[base, index, element]) = (self.pool.op(current), self.pool.args(current)) {
            if later.iter().all(|&other| self.are_different(other, index)) {
                let read = self.pool.mk(Op::Select, &[result, index]);
                found.push((element, read));
            }
            later.push(index);
            current = base;
            if later.len() > DEPTH {
                break;
            }
        }
        found
    }

    /// Are these different constants?
    pub(super) fn are_different(&self, left: Term, right: Term) -> bool {
        left != right && self.pool.is_const(left) && self.pool.is_const(right)
    }

    /// The value of an argument where the operator has the result `value`, if there is at most one, and
    /// whether there always is one.
    pub(super) fn inverse(&mut self, term: Term, place: usize, value: Term) -> Option<(Term, bool)> {
        let args = self.pool.args(term).to_vec();
        let others: Vec<Term> =
            (0..args.len()).filter(|&other| other != place).map(|other| args[other]).collect();
        let folded = |task: &mut Self, op: Op, first: Term| {
            others.iter().fold(first, |sum, &other| task.pool.mk(op, &[sum, other]))
        };
        Some(match self.pool.op(term) {
            Op::BvAdd => (folded(self, Op::BvSub, value), true),
            Op::BvXor => (folded(self, Op::BvXor, value), true),
            Op::Xor => (folded(self, Op::Xor, value), true),
            Op::BvSub if args.len() == 2 && place == 0 => (self.pool.mk(Op::BvAdd, &[value, args[1]]), true),
            Op::BvSub if args.len() == 2 => (self.pool.mk(Op::BvSub, &[args[0], value]), true),
            Op::BvNeg => (self.pool.mk(Op::BvNeg, &[value]), true),
            Op::BvNot => (self.pool.mk(Op::BvNot, &[value]), true),
            Op::Not => (self.not(value), true),
            Op::Eq if args.len() == 2 && self.pool.sort(args[0]) == Sort::BOOL => {
                (self.eq(value, others[0]), true)
            }
            Op::BvMul if args.len() == 2 => {
                let factor = self.pool.as_bitvec(others[0]).filter(|factor| factor.bit(0))?;
                let inverse = self.pool.bitvec(&odd_inverse(&factor));
                (self.pool.mk(Op::BvMul, &[value, inverse]), true)
            }
            Op::Concat => {
                let low: u32 = args[place + 1..].iter().map(|&arg| self.pool.width(arg).unwrap_or(0)).sum();
                let width = self.pool.width(args[place])?;
                (self.pool.mk_indexed(Op::Extract, &[low + width - 1, low], &[value]), false)
            }
            Op::ZeroExtend | Op::SignExtend => {
                let width = self.pool.width(args[0])?;
                (self.pool.mk_indexed(Op::Extract, &[width - 1, 0], &[value]), false)
            }
            _ => return None,
        })
    }

    /// An array that is known but for places that were written.
    pub(super) fn replace_base(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &literal) in clause.literals.iter().enumerate() {
            let Some((left, right)) = self.equation(literal) else { continue };
            for (side, other) in [(left, right), (right, left)] {
                let Some(base) = self.base(clause, occurrences, place, side, other) else { continue };
                return self.without_base(clause, occurrences, &base).map(Next::Clause);
            }
        }
        Some(Next::Same)
    }

    /// The base of writes, a variable that occurs neither in their places nor in what they make.
    fn base(
        &self,
        clause: &Clause,
        occurrences: &Occurrences,
        literal: usize,
        array: Term,
        result: Term,
    ) -> Option<Base> {
        let (mut variable, mut writes) = (array, vec![]);
        while let (Op::Store, &[base, index, element]) = (self.pool.op(variable), self.pool.args(variable)) {
            writes.push((index, element));
            variable = base;
        }
        let place =
            clause.variables.iter().position(|&other| other == variable).filter(|_| !writes.is_empty())?;
        let is_free = |term: Term| occurrences.mask(term) >> place & 1 == 0;
        let is_known = is_free(result) && writes.iter().all(|&(index, _)| is_free(index));
        is_known.then_some(Base { variable, result, writes, literal })
    }

    fn without_base(&mut self, clause: &Clause, occurrences: &Occurrences, base: &Base) -> Option<Clause> {
        let place = clause.variables.iter().position(|&variable| variable == base.variable)?;
        let bit = 1u128 << place;
        let is_there = |literal: &&Term| occurrences.mask(**literal) & bit != 0;
        let only_here = clause.literals.iter().filter(is_there).count() == 1
            && base.writes.iter().all(|&(_, element)| occurrences.mask(element) & bit == 0);
        if only_here {
            let mut other = clause.clone();
            other.variables.remove(place);
            // Some place was written otherwise, and not written again.
            other.literals.remove(base.literal);
            self.note(&mut other, base.variable, base.result);
            for (number, &(index, element)) in base.writes.iter().enumerate() {
                let read = self.pool.mk(Op::Select, &[base.result, index]);
                let equal = self.eq(read, element);
                let mut parts = vec![self.not(equal)];
                for &(later, _) in &base.writes[..number] {
                    let same = self.eq(later, index);
                    parts.push(self.not(same));
                }
                other.literals.push(self.pool.and_all(&parts));
            }
            return Some(other);
        }
        let (mut array, mut fresh_elements) = (base.result, vec![]);
        for &(index, element) in base.writes.iter().rev() {
            let fresh = self.like(element);
            fresh_elements.push(fresh);
            array = self.pool.mk(Op::Store, &[array, index, fresh]);
        }
        let mut other = self.with_value(clause, base.variable, array)?;
        other.variables.extend(fresh_elements);
        Some(other)
    }
}

/// The number whose product with an odd one is 1.
fn odd_inverse(number: &BitVec) -> BitVec {
    // Each round doubles the number of low bits that are right; an odd number is its own inverse modulo 8.
    let two = BitVec::from_u64(2, number.width());
    let (mut inverse, mut right) = (number.clone(), 3);
    while right < number.width() {
        inverse = inverse.mul(&two.sub(&number.mul(&inverse)));
        right *= 2;
    }
    inverse
}
