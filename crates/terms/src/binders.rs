//! Formulas that hold for all values of variables: terms that bind symbols.
//!
//! A binder is a term like others: its children are the symbols that it binds and a formula, its body. An
//! existential formula is the negation of a universal one. Bound symbols are symbols of the pool, each made
//! for one binder and for no other, and a term in which one is free is only below that binder. So nothing is
//! renamed when terms are put for free symbols: no symbol of theirs can be caught. Copies of a binder, made
//! by putting different terms into its body, share its symbols, side by side and never one within the other:
//! where a binder would stand within a copy of itself, the outer one gets new symbols as it is made.
//!
//! No stage of the solver below the assertion stack knows binders, as with terms that are lowered: a formula
//! with binders is decided by formulas without ([`outermost_binders`] are what has to be replaced).
//!
//! The meaning is enumeration: the body is evaluated under every assignment to the bound symbols. That is for
//! tests, for judges and for small sorts; [`is_enumerable`] says where it is not too long, and has to be
//! asked before a term is evaluated whose binders have no values of their own.
//!
//! Cost: walks are linear in the terms; an evaluation takes as many as there are values.

use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::dag::{Rebuild, cone};
use crate::op::Op;
use crate::pool::Pool;
use crate::semantics::{Assignment, eval};
use crate::side_table::{TermMap, TermSet};
use crate::sort::{Sort, SortKind, Sorts};
use crate::sort_rule::SortError;
use crate::term::Term;
use crate::value::Value;

/// Evaluations of bodies that one evaluation may take.
const ENUMERATED: u64 = 1 << 20;

impl Pool {
    /// The formula that holds if `body` does for all values of the symbols, which nothing else binds; the
    /// body itself if there are no symbols.
    ///
    /// # Errors
    ///
    /// Unless the body is a Boolean, and the variables are different symbols of first-class sorts.
    pub fn forall(&mut self, variables: &[Term], body: Term) -> Result<Term, SortError> {
        if variables.is_empty() {
            return Ok(body);
        }
        self.app(Op::Forall, &[variables, &[body]].concat())
    }

    /// The formula that holds if `body` does for some values of the symbols: the negation of one for all.
    ///
    /// # Errors
    ///
    /// As [`Pool::forall`].
    pub fn exists(&mut self, variables: &[Term], body: Term) -> Result<Term, SortError> {
        if variables.is_empty() {
            return Ok(body);
        }
        let never = self.app(Op::Not, &[body])?;
        let never = self.forall(variables, never)?;
        self.app(Op::Not, &[never])
    }

    /// The variables and the body of a binder, renamed where a binder in the body has the same; `None` where
    /// none has.
    pub(crate) fn apart(&mut self, args: &[Term]) -> Option<Vec<Term>> {
        let (&body, variables) = args.split_last().expect("a binder has a body");
        if !variables.iter().any(|&variable| self.is_bound(variable)) {
            return None;
        }
        let within = bound_variables(self, &cone(self, &[body]));
        if !variables.iter().any(|&variable| within.contains(variable)) {
            return None;
        }
        let (mut renamed, mut body) = (variables.to_vec(), body);
        for variable in renamed.iter_mut().filter(|variable| within.contains(**variable)) {
            let name = self.name(*variable).unwrap_or_default().to_owned();
            let fresh = self.symbol(&name, self.sort(*variable));
            let mut images = Rebuild::new();
            images.set(*variable, fresh);
            // What stands below another binder of the symbol is about that one.
            for term in cone(self, &[body]) {
                if self.binder(term).is_some_and(|(others, _)| others.contains(variable)) {
                    images.set(term, term);
                }
            }
            body = images.apply(self, body, || true, |_, _, _| None).expect("nothing ends the walk");
            *variable = fresh;
        }
        renamed.push(body);
        Some(renamed)
    }

    /// The variables and the body of a binder; `None` for other terms.
    pub fn binder(&self, term: Term) -> Option<(&[Term], Term)> {
        let parts = if self.op(term) == Op::Forall { self.args(term).split_last() } else { None };
        parts.map(|(&body, variables)| (variables, body))
    }
}

/// The terms at and below `roots` without what is below binders, children before parents.
pub fn ground_cone(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    if !pool.has_binders() {
        return cone(pool, roots);
    }
    let mut seen = TermSet::new();
    let mut found: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        next += 1;
        if pool.op(term) != Op::Forall {
            found.extend(pool.args(term).iter().filter(|&&arg| seen.insert(arg)));
        }
    }
    found.sort_unstable();
    found
}

/// The binders at and below `roots` that are below no other one, by age.
pub fn outermost_binders(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    if !pool.has_binders() {
        return vec![];
    }
    let mut found = ground_cone(pool, roots);
    found.retain(|&term| pool.op(term) == Op::Forall);
    found
}

/// The symbols that are bound by a binder among these terms.
pub fn bound_variables(pool: &Pool, terms: &[Term]) -> TermSet {
    let mut bound = TermSet::new();
    if pool.has_binders() {
        for (variables, _) in terms.iter().filter_map(|&term| pool.binder(term)) {
            variables.iter().for_each(|&variable| _ = bound.insert(variable));
        }
    }
    bound
}

/// The symbols at and below `roots` that no binder there binds, by age.
pub fn free_symbols(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut terms = cone(pool, roots);
    let bound = bound_variables(pool, &terms);
    terms.retain(|&term| pool.op(term) == Op::Symbol && !bound.contains(term));
    terms
}

/// Can the term be evaluated with its binders, in a reasonable number of steps?
pub fn is_enumerable(pool: &Pool, root: Term) -> bool {
    !pool.has_binders() || evaluations(pool, root).is_some_and(|count| count <= ENUMERATED)
}

/// Evaluations of bodies below a term, counted as if it were a tree of binders alone; `None` if a variable
/// has very many values.
pub fn evaluations(pool: &Pool, root: Term) -> Option<u64> {
    let mut counts: TermMap<u64> = TermMap::new();
    for term in cone(pool, &[root]) {
        let below = pool.args(term).iter().map(|&arg| counts.get(arg).copied().unwrap_or(1)).max();
        let mut count = below.unwrap_or(1);
        if let Some((variables, _)) = pool.binder(term) {
            for &variable in variables {
                count = count.saturating_mul(pool.sorts().small_cardinality(pool.sort(variable))?);
            }
        }
        counts.insert(term, count);
    }
    counts.get(root).copied()
}

/// Does the body of a binder hold for all values of its variables?
///
/// # Panics
///
/// If a variable has a sort with very many values: see [`is_enumerable`].
pub(crate) fn holds(pool: &Pool, assignment: &Assignment, term: Term) -> bool {
    let (variables, body) = pool.binder(term).expect("a binder is evaluated");
    let sorts: Vec<Sort> = variables.iter().map(|&variable| pool.sort(variable)).collect();
    let counts: Vec<u64> = sorts
        .iter()
        .map(|&sort| pool.sorts().small_cardinality(sort).expect("internal: the values are not enumerated"))
        .collect();
    let mut numbers = vec![0; sorts.len()];
    let mut assignment = assignment.clone();
    loop {
        for ((&variable, &sort), &number) in variables.iter().zip(&sorts).zip(&numbers) {
            assignment.set(variable, nth_value(pool.sorts(), sort, number));
        }
        if !eval(pool, body, &assignment).expect_bool() {
            return false;
        }
        let Some(place) = (0..numbers.len()).find(|&place| numbers[place] + 1 < counts[place]) else {
            return true;
        };
        numbers[place] += 1;
        numbers[..place].fill(0);
    }
}

/// The value of this number, of a sort with few; each number gives another one. Sorts with few values are not
/// nested deeply.
fn nth_value(sorts: &Sorts, sort: Sort, number: u64) -> Value {
    match sorts.kind(sort) {
        SortKind::Bool => (number == 1).into(),
        SortKind::BitVec(width) => BitVec::from_u64(number, width).into(),
        SortKind::Theory(_) if let Some(record) = sorts.as_record(sort) => {
            let sort_of = |field| record.field(field).expect("a field of the record").1;
            let count =
                |field| sorts.small_cardinality(sort_of(field)).expect("a part of a small sort is small");
            record.nth(number, count, |field, i| nth_value(sorts, sort_of(field), i)).into()
        }
        SortKind::Theory(sort) => sort.nth(number).into(),
        SortKind::Array { index, element } => {
            let count = |sort| sorts.small_cardinality(sort).expect("a part of a small sort is small");
            let (places, values) = (count(index), count(element));
            let mut array = ArrayValue::constant(sorts, sort, nth_value(sorts, element, 0));
            let mut rest = number;
            for place in 0..places {
                let value = nth_value(sorts, element, rest % values);
                array = array.store(&nth_value(sorts, index, place), &value);
                rest /= values;
            }
            array.into()
        }
        SortKind::Uninterpreted(_) | SortKind::Function { .. } => {
            unreachable!("only small sorts are enumerated")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::Substitution;

    fn decided(pool: &Pool, term: Term) -> bool {
        assert!(is_enumerable(pool, term));
        eval(pool, term, &Assignment::new()).expect_bool()
    }

    #[test]
    fn formulas_are_evaluated_by_enumeration() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).unwrap();
        let memory = pool.sorts_mut().array(Sort::bitvec(1).unwrap(), Sort::bitvec(2).unwrap()).unwrap();
        let [x, y, free] = ["x", "y", "free"].map(|name| pool.symbol(name, sort));
        let a = pool.symbol("a", memory);
        // Each number has a successor; not each is the double of one.
        let one = pool.bv_u64(1, 3);
        let next = pool.mk(Op::BvAdd, &[x, one]);
        let is_next = pool.mk(Op::Eq, &[y, next]);
        let has_next = pool.exists(&[y], is_next).unwrap();
        let all_have = pool.forall(&[x], has_next).unwrap();
        assert!(decided(&pool, all_have));
        let double = pool.mk(Op::BvAdd, &[y, y]);
        let is_double = pool.mk(Op::Eq, &[x, double]);
        let is_even = pool.exists(&[y], is_double).unwrap();
        let all_even = pool.forall(&[x], is_even).unwrap();
        assert!(!decided(&pool, all_even));
        assert_eq!(free_symbols(&pool, &[all_even, free]), [free]);
        assert_eq!(outermost_binders(&pool, &[all_even]), [all_even]);
        // Some array has different elements.
        let cells = [0, 1].map(|place| {
            let place = pool.bv_u64(place, 1);
            pool.mk(Op::Select, &[a, place])
        });
        let same = pool.mk(Op::Eq, &cells);
        let constant = pool.forall(&[a], same).unwrap();
        assert!(!decided(&pool, constant));
        let differ = pool.mk(Op::Not, &[same]);
        let some = pool.exists(&[a], differ).unwrap();
        assert!(decided(&pool, some));
    }

    /// A definition by a quantified formula, applied to itself: the variable of the outer binder is not that
    /// of the inner one, and what is put for it stays out of there.
    #[test]
    fn a_binder_within_a_copy_of_itself_has_other_symbols() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(2).unwrap();
        let [x, y, c] = ["x", "y", "c"].map(|name| pool.symbol(name, sort));
        let [zero, one] = [0, 1].map(|value| pool.bv_u64(value, 2));
        let less = pool.mk(Op::BvUle, &[x, y]);
        let least = pool.forall(&[y], less).unwrap();
        let put = |pool: &mut Pool, formula, from, to| {
            let mut substitution = Substitution::new();
            substitution.insert(pool, from, to);
            substitution.apply(pool, formula)
        };
        let inner = put(&mut pool, least, x, c);
        let chosen = pool.mk(Op::Ite, &[inner, zero, one]);
        let nested = put(&mut pool, least, x, chosen);
        let (&[outer], body) = pool.binder(nested).unwrap() else { panic!("it has one variable") };
        assert!(outer != y && cone(&pool, &[body]).contains(&inner));
        assert_eq!(free_symbols(&pool, &[nested]), [c]);
        // An instance with a symbol that is free in the inner binder.
        let instance = put(&mut pool, body, outer, c);
        assert!(cone(&pool, &[instance]).contains(&inner));
        for value in 0..4 {
            let mut assignment = Assignment::new();
            assignment.set(c, BitVec::from_u64(value, 2));
            assert_eq!(eval(&pool, nested, &assignment).expect_bool(), value == 0);
            assert!(eval(&pool, instance, &assignment).expect_bool());
        }
        // One of two variables, which is free in a binder of the other.
        let again = pool.mk(Op::And, &[least, less]);
        let twice = pool.forall(&[x, y], again).unwrap();
        let (variables, body) = pool.binder(twice).unwrap();
        assert!(variables[0] == x && variables[1] != y && pool.args(body)[0] == least);
        let more = pool.forall(&[x], twice).unwrap();
        assert!(pool.binder(more).unwrap().0 != [x] && free_symbols(&pool, &[more]).is_empty());
    }

    #[test]
    fn binders_are_well_sorted_and_large_ones_are_not_enumerated() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::bitvec(64).unwrap());
        let p = pool.symbol("p", Sort::BOOL);
        let same = pool.mk(Op::Eq, &[x, x]);
        assert!(pool.forall(&[x, x], same).is_err());
        assert!(pool.forall(&[x], x).is_err());
        assert!(pool.forall(&[same], p).is_err());
        assert_eq!(pool.forall(&[], p), Ok(p));
        let all = pool.forall(&[x], same).unwrap();
        assert!(!is_enumerable(&pool, all));
        let (copy, renaming) = pool.copy(&[all]);
        assert!(copy.has_binders() && copy.binder(renaming.of(all)).is_some());
    }
}
