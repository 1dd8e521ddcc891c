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
            let mut top = variable;
            while let &[parent] = occurrences.parents(top) {
                if clause.literals.contains(&top) || !self.gives_all(occurrences, parent, top, 1 << place) {
                    break;
                }
                top = parent;
            }
            if top == variable {
                continue;
            }
            let fresh = self.like(top);
            let mut variables = clause.variables.clone();
            variables[place] = fresh;
            let literals = self.put(&clause.literals, &[(top, fresh)])?;
            return Some(Next::Clause(Clause { variables, literals }));
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
            let Some(condition) = self.projected(occurrences, clause.literals[at], variable, bit) else {
                continue;
            };
            let mut other = clause.clone();
            other.literals[at] = condition;
            other.variables.remove(place);
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// The condition under which a literal is true for all values of a variable.
    fn projected(
        &mut self,
        occurrences: &Occurrences,
        literal: Term,
        variable: Term,
        bit: u128,
    ) -> Option<Term> {
        let is_negated = self.pool.op(literal) == Op::Not;
        let atom = if is_negated { self.pool.args(literal)[0] } else { literal };
        let &[left, right] = self.pool.args(atom) else { return None };
        let (with_left, with_right) = (occurrences.mask(left) & bit != 0, occurrences.mask(right) & bit != 0);
        if with_left == with_right {
            return None;
        }
        let (side, other) = if with_left { (left, right) } else { (right, left) };
        // The condition under which the atom can be what makes the literal false.
        let possible = match self.pool.op(atom) {
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
                if is_negated { self.not(is_extreme) } else { self.pool.bool(true) }
            }
            _ => return None,
        };
        Some(self.not(possible))
    }

    /// The condition under which a term with a variable is equal to another one for some value of it, or is
    /// not, if `differs`.
    fn can_be_equal(
        &mut self,
        occurrences: &Occurrences,
        mut side: Term,
        mut other: Term,
        variable: Term,
        bit: u128,
        differs: bool,
    ) -> Option<Term> {
        loop {
            if side == variable {
                return self.has_values(self.pool.sort(variable), 2).then(|| self.pool.bool(true));
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
    fn condition(&mut self, side: Term, place: usize, t: Term, differs: bool) -> Option<Term> {
        let args = self.pool.args(side).to_vec();
        let width = self.pool.width(side)?;
        let zero = self.pool.bitvec(&BitVec::zero(width));
        let ones = self.pool.bitvec(&BitVec::ones(width));
        let op = self.pool.op(side);
        if let (Op::Concat | Op::ZeroExtend | Op::SignExtend, false) = (op, differs) {
            // The parts beside the variable are right.
            let (value, _) = self.inverse(side, place, t)?;
            let rebuilt: Vec<Term> =
                (0..args.len()).map(|other| if other == place { value } else { args[other] }).collect();
            let rebuilt = self.pool.rebuild(side, &rebuilt);
            return Some(self.eq(rebuilt, t));
        }
        if matches!(op, Op::Concat | Op::ZeroExtend | Op::SignExtend) {
            return Some(self.pool.bool(true));
        }
        let &[first, second] = &args[..] else { return None };
        let s = if place == 0 { second } else { first };
        let is_amount = place == 1;
        let mut mk = |op, args: &[Term]| self.pool.mk(op, args);
        let condition = match (op, differs) {
            (Op::BvMul, false) => {
                // Multiples of s are those of its lowest bit.
                let minus = mk(Op::BvNeg, &[s]);
                let low = mk(Op::BvOr, &[minus, s]);
                let masked = mk(Op::BvAnd, &[low, t]);
                mk(Op::Eq, &[masked, t])
            }
            (Op::BvAnd, false) => {
                let masked = mk(Op::BvAnd, &[t, s]);
                mk(Op::Eq, &[masked, t])
            }
            (Op::BvOr, false) => {
                let joined = mk(Op::BvOr, &[t, s]);
                mk(Op::Eq, &[joined, t])
            }
            (Op::BvMul, true) => not_both(&mut mk, (s, zero), (t, zero)),
            (Op::BvAnd, true) => not_both(&mut mk, (s, zero), (t, zero)),
            (Op::BvOr, true) => not_both(&mut mk, (s, ones), (t, ones)),
            (Op::BvShl, false) if !is_amount => {
                let back = mk(Op::BvLshr, &[t, s]);
                let again = mk(Op::BvShl, &[back, s]);
                mk(Op::Eq, &[again, t])
            }
            (Op::BvLshr, false) if !is_amount => {
                let back = mk(Op::BvShl, &[t, s]);
                let again = mk(Op::BvLshr, &[back, s]);
                mk(Op::Eq, &[again, t])
            }
            (Op::BvUdiv, false) if !is_amount => {
                let product = mk(Op::BvMul, &[s, t]);
                let again = mk(Op::BvUdiv, &[product, s]);
                mk(Op::Eq, &[again, t])
            }
            (Op::BvUdiv, true) if !is_amount => not_both(&mut mk, (s, zero), (t, ones)),
            (Op::BvUrem, false) if !is_amount => {
                // The remainder is less than s, or anything if that is zero.
                let minus = mk(Op::BvNeg, &[s]);
                let most = mk(Op::BvNot, &[minus]);
                mk(Op::BvUle, &[t, most])
            }
            (Op::BvUrem, false) => {
                let doubled = mk(Op::BvAdd, &[t, t]);
                let rest = mk(Op::BvSub, &[doubled, s]);
                let masked = mk(Op::BvAnd, &[rest, s]);
                mk(Op::BvUge, &[masked, t])
            }
            _ => return None,
        };
        Some(condition)
    }

    /// Equations that cannot all be excluded are left out.
    pub(super) fn drop_exceptions(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &variable) in clause.variables.iter().enumerate() {
            let bit = 1u128 << place;
            let with = |&literal: &Term| occurrences.mask(literal) & bit != 0;
            let exceptions: Vec<Term> = clause.literals.iter().copied().filter(with).collect();
            if !self.has_values(self.pool.sort(variable), exceptions.len() as u64 + 1)
                || !exceptions
                    .iter()
                    .all(|&literal| self.has_one_solution(occurrences, literal, variable, bit))
            {
                continue;
            }
            let mut other = clause.clone();
            other.literals.retain(|literal| !with(literal));
            other.variables.remove(place);
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// Is the literal an equation that has at most one solution for the variable?
    fn has_one_solution(
        &mut self,
        occurrences: &Occurrences,
        literal: Term,
        variable: Term,
        bit: u128,
    ) -> bool {
        let (Op::Eq, &[left, right]) = (self.pool.op(literal), self.pool.args(literal)) else { return false };
        let (mut side, other) = if occurrences.mask(left) & bit != 0 { (left, right) } else { (right, left) };
        if occurrences.mask(other) & bit != 0 {
            return false;
        }
        while side != variable {
            let args = self.pool.args(side).to_vec();
            let with: Vec<usize> =
                (0..args.len()).filter(|&place| occurrences.mask(args[place]) & bit != 0).collect();
            let &[place] = &with[..] else { return false };
            // Which value it is does not matter, only that there is no other one.
            let is_element = self.pool.op(side) == Op::Store && place == 2;
            if !is_element && self.inverse(side, place, side).is_none() {
                return false;
            }
            side = args[place];
        }
        true
    }
}

/// One of two equations does not hold.
fn not_both(mk: &mut impl FnMut(Op, &[Term]) -> Term, left: (Term, Term), right: (Term, Term)) -> Term {
    let left = mk(Op::Eq, &[left.0, left.1]);
    let right = mk(Op::Eq, &[right.0, right.1]);
    let both = mk(Op::And, &[left, right]);
    mk(Op::Not, &[both])
}
