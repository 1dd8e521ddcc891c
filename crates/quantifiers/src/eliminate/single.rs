//! Variables that occur once.
//!
//! A variable whose only occurrence is below an operator that can give any result, whatever its other
//! arguments are, can be replaced with it by a new variable. One that occurs in one comparison alone leaves
//! the condition under which the comparison is true for all its values. (The conditions are those of Niemetz,
//! Preiner, Reynolds, Barrett and Tinelli, 2018, for one operator; others are reached through inverses.)
//!
//! Equations with a variable that have at most one solution each cannot make a clause true for all values, if
//! there are more values than equations.

use super::clause::Next;
use super::{Clause, Occurrences, Task};
use bivalve_terms::{BitVec, Op, Sort, Term};

impl Task<'_> {
    /// A new variable in the place of one and the operators above it.
    pub(super) fn lift_variable(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &variable) in clause.variables.iter().enumerate() {
            let (mut top, mut above) = (variable, vec![]);
            while let &[parent] = occurrences.parents(top) {
                if clause.literals.contains(&top) || !self.gives_all(occurrences, parent, top, 1 << place) {
                    break;
                }
                above.push((parent, top));
                top = parent;
            }
            if top == variable {
                continue;
            }
            let fresh = self.like(top);
            let mut other = clause.clone();
            other.variables[place] = fresh;
            if self.guides {
                let value =
                    above.iter().rev().try_fold(fresh, |value, &(term, arg)| self.preimage(term, arg, value));
                let Some(value) = value else { continue };
                other.values.push((variable, value));
            }
            other.literals = self.put(&clause.literals, &[(top, fresh)])?;
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// Can the term have any value of its sort, whatever its other arguments are, if this one can?
    fn gives_all(&self, occurrences: &Occurrences, term: Term, arg: Term, bit: u128) -> bool {
        let args = self.pool.args(term);
        let with: Vec<usize> =
            (0..args.len()).filter(|&place| occurrences.mask(args[place]) & bit != 0).collect();
        let &[place] = &with[..] else { return false };
        debug_assert_eq!(args[place], arg);
        if !occurrences.is_outer(term) {
            return false;
        }
        match self.pool.op(term) {
            Op::BvAdd | Op::BvXor | Op::BvNeg | Op::BvNot | Op::Not | Op::Xor | Op::Extract => true,
            Op::BvSub => args.len() == 2,
            Op::Select => place == 0,
            Op::BvMul => args.len() == 2 && self.pool.as_bitvec(args[1 - place]).is_some_and(|f| f.bit(0)),
            // Equal to the other argument, or not.
            Op::Eq => args.len() == 2 && self.has_values(self.pool.sort(arg), 2),
            _ => false,
        }
    }

    /// Are there at least so many values of the sort?
    fn has_values(&self, sort: Sort, count: u64) -> bool {
        let sorts = self.pool.sorts();
        // What is declared may have one element.
        let mut innermost = sort;
        while let Some((_, element)) = sorts.array_parts(innermost) {
            innermost = element;
        }
        !sorts.is_uninterpreted(innermost)
            && sorts.small_cardinality(sort).is_none_or(|values| values >= count)
    }

    /// A comparison with a variable that occurs nowhere else.
    pub(super) fn project(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &variable) in clause.variables.iter().enumerate() {
            let bit = 1u128 << place;
            let mut with =
                (0..clause.literals.len()).filter(|&at| occurrences.mask(clause.literals[at]) & bit != 0);
            let (Some(at), None) = (with.next(), with.next()) else { continue };
            let Some((condition, value)) = self.projected(occurrences, clause.literals[at], variable, bit)
            else {
                continue;
            };
            let mut other = clause.clone();
            other.literals[at] = condition;
            other.variables.remove(place);
            if self.guides {
                let Some(value) = value else { continue };
                other.values.push((variable, value));
            }
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// The condition under which a literal is true for all values of a variable, and a value for which it is
    /// false otherwise, if there is a term for that.
    fn projected(
        &mut self,
        occurrences: &Occurrences,
        literal: Term,
        variable: Term,
        bit: u128,
    ) -> Option<(Term, Option<Term>)> {
        let is_negated = self.pool.op(literal) == Op::Not;
        let atom = if is_negated { self.pool.args(literal)[0] } else { literal };
        let &[left, right] = self.pool.args(atom) else { return None };
        let (with_left, with_right) = (occurrences.mask(left) & bit != 0, occurrences.mask(right) & bit != 0);
        if with_left == with_right {
            return None;
        }
        let (side, other) = if with_left { (left, right) } else { (right, left) };
        // The condition under which the atom can be what makes the literal false, and where it is.
        let (possible, value) = match self.pool.op(atom) {
            Op::Eq => self.can_be_equal(occurrences, side, other, variable, bit, !is_negated)?,
            op @ (Op::BvUlt | Op::BvSlt) if side == variable => {
                let width = self.pool.width(variable)?;
                // Less than the other is possible, unless that is the least; not less always is.
                let extreme = match (op, with_left) {
                    (Op::BvUlt, true) => BitVec::zero(width),
                    (Op::BvUlt, false) => BitVec::ones(width),
                    (_, true) => BitVec::one(width).shl_by(width - 1),
                    (_, false) => BitVec::one(width).shl_by(width - 1).not(),
                };
                let extreme = self.pool.bitvec(&extreme);
                let is_extreme = self.eq(other, extreme);
                match is_negated {
                    true => (self.not(is_extreme), Some(extreme)),
                    false => (self.pool.bool(true), Some(other)),
                }
            }
            _ => return None,
        };
        Some((self.not(possible), value))
    }

    /// The condition under which a term with a variable is equal to another one for some value of it, or is
    /// not, if `differs`; and that value.
    fn can_be_equal(
        &mut self,
        occurrences: &Occurrences,
        mut side: Term,
        mut other: Term,
        variable: Term,
        bit: u128,
        differs: bool,
    ) -> Option<(Term, Option<Term>)> {
        loop {
            if side == variable {
                let value = if differs { self.different(other) } else { Some(other) };
                let is_possible = self.has_values(self.pool.sort(variable), 2);
                return is_possible.then(|| (self.pool.bool(true), value));
            }
            let args = self.pool.args(side).to_vec();
            let with: Vec<usize> =
                (0..args.len()).filter(|&place| occurrences.mask(args[place]) & bit != 0).collect();
            let &[place] = &with[..] else { return None };
            match self.inverse(side, place, other) {
                Some((value, true)) => (side, other) = (args[place], value),
                _ if args[place] == variable => return self.condition(side, place, other, differs),
                _ => return None,
            }
        }
    }

    /// The same where the variable is an argument of the term.
    fn condition(
        &mut self,
        side: Term,
        place: usize,
        t: Term,
        differs: bool,
    ) -> Option<(Term, Option<Term>)> {
        let args = self.pool.args(side).to_vec();
        let width = self.pool.width(side)?;
        let zero = self.pool.bitvec(&BitVec::zero(width));
        let one = self.pool.bitvec(&BitVec::one(width));
        let ones = self.pool.bitvec(&BitVec::ones(width));
        let op = self.pool.op(side);
        if let (Op::Concat | Op::ZeroExtend | Op::SignExtend, false) = (op, differs) {
            // The parts beside the variable are right.
            let (value, _) = self.inverse(side, place, t)?;
            let rebuilt: Vec<Term> =
                (0..args.len()).map(|other| if other == place { value } else { args[other] }).collect();
            let rebuilt = self.pool.rebuild(side, &rebuilt);
            return Some((self.eq(rebuilt, t), Some(value)));
        }
        if matches!(op, Op::Concat | Op::ZeroExtend | Op::SignExtend) {
            let (value, _) = self.inverse(side, place, t)?;
            return Some((self.pool.bool(true), self.different(value)));
        }
        let &[first, second] = &args[..] else { return None };
        let s = if place == 0 { second } else { first };
        let is_amount = place == 1;
        let mut mk = |op, args: &[Term]| self.pool.mk(op, args);
        let (condition, value) = match (op, differs) {
            (Op::BvMul, false) => {
                // Multiples of s are those of its lowest bit.
                let minus = mk(Op::BvNeg, &[s]);
                let low = mk(Op::BvOr, &[minus, s]);
                let masked = mk(Op::BvAnd, &[low, t]);
                (mk(Op::Eq, &[masked, t]), None)
            }
            (Op::BvAnd, false) => {
                let masked = mk(Op::BvAnd, &[t, s]);
                (mk(Op::Eq, &[masked, t]), Some(t))
            }
            (Op::BvOr, false) => {
                let joined = mk(Op::BvOr, &[t, s]);
                (mk(Op::Eq, &[joined, t]), Some(t))
            }
            (Op::BvMul, true) => {
                let is_zero = mk(Op::Eq, &[t, zero]);
                (not_both(&mut mk, (s, zero), (t, zero)), Some(mk(Op::Ite, &[is_zero, one, zero])))
            }
            (Op::BvAnd, true) => (not_both(&mut mk, (s, zero), (t, zero)), Some(mk(Op::BvNot, &[t]))),
            (Op::BvOr, true) => (not_both(&mut mk, (s, ones), (t, ones)), Some(mk(Op::BvNot, &[t]))),
            (Op::BvShl, false) if !is_amount => {
                let back = mk(Op::BvLshr, &[t, s]);
                let again = mk(Op::BvShl, &[back, s]);
                (mk(Op::Eq, &[again, t]), Some(back))
            }
            (Op::BvLshr, false) if !is_amount => {
                let back = mk(Op::BvShl, &[t, s]);
                let again = mk(Op::BvLshr, &[back, s]);
                (mk(Op::Eq, &[again, t]), Some(back))
            }
            (Op::BvUdiv, false) if !is_amount => {
                let product = mk(Op::BvMul, &[s, t]);
                let again = mk(Op::BvUdiv, &[product, s]);
                (mk(Op::Eq, &[again, t]), Some(product))
            }
            (Op::BvUdiv, true) if !is_amount => {
                let is_zero = mk(Op::Eq, &[t, zero]);
                (not_both(&mut mk, (s, zero), (t, ones)), Some(mk(Op::Ite, &[is_zero, ones, zero])))
            }
            (Op::BvUrem, false) if !is_amount => {
                // The remainder is less than s, or anything if that is zero.
                let minus = mk(Op::BvNeg, &[s]);
                let most = mk(Op::BvNot, &[minus]);
                (mk(Op::BvUle, &[t, most]), Some(t))
            }
            (Op::BvUrem, false) => {
                let doubled = mk(Op::BvAdd, &[t, t]);
                let rest = mk(Op::BvSub, &[doubled, s]);
                let masked = mk(Op::BvAnd, &[rest, s]);
                (mk(Op::BvUge, &[masked, t]), Some(mk(Op::BvSub, &[s, t])))
            }
            _ => return None,
        };
        Some((condition, value))
    }

    /// Equations that cannot all be excluded are left out.
    pub(super) fn drop_exceptions(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &variable) in clause.variables.iter().enumerate() {
            let bit = 1u128 << place;
            let with = |&literal: &Term| occurrences.mask(literal) & bit != 0;
            let exceptions: Vec<Term> = clause.literals.iter().copied().filter(with).collect();
            let sort = self.pool.sort(variable);
            if !self.has_values(sort, exceptions.len() as u64 + 1) {
                continue;
            }
            let solution = |&literal: &Term| self.only_solution(occurrences, literal, variable, bit);
            let Some(solutions) = exceptions.iter().map(solution).collect::<Option<Vec<Term>>>() else {
                continue;
            };
            let mut other = clause.clone();
            other.literals.retain(|literal| !with(literal));
            other.variables.remove(place);
            if self.guides {
                let Some(value) = self.avoiding(sort, &solutions) else { continue };
                other.values.push((variable, value));
            }
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// The only value for which the literal can be true, if it is an equation that has at most one solution
    /// for the variable.
    fn only_solution(
        &mut self,
        occurrences: &Occurrences,
        literal: Term,
        variable: Term,
        bit: u128,
    ) -> Option<Term> {
        let (Op::Eq, &[left, right]) = (self.pool.op(literal), self.pool.args(literal)) else { return None };
        let is_left = occurrences.mask(left) & bit != 0;
        let (mut side, mut value) = if is_left { (left, right) } else { (right, left) };
        if occurrences.mask(value) & bit != 0 {
            return None;
        }
        while side != variable {
            let args = self.pool.args(side).to_vec();
            let with: Vec<usize> =
                (0..args.len()).filter(|&place| occurrences.mask(args[place]) & bit != 0).collect();
            let &[place] = &with[..] else { return None };
            value = match (self.pool.op(side), place) {
                (Op::Store, 2) => self.pool.mk(Op::Select, &[value, args[1]]),
                _ => self.inverse(side, place, value)?.0,
            };
            side = args[place];
        }
        Some(value)
    }
}

/// One of two equations does not hold.
fn not_both(mk: &mut impl FnMut(Op, &[Term]) -> Term, left: (Term, Term), right: (Term, Term)) -> Term {
    let left = mk(Op::Eq, &[left.0, left.1]);
    let right = mk(Op::Eq, &[right.0, right.1]);
    let both = mk(Op::And, &[left, right]);
    mk(Op::Not, &[both])
}
