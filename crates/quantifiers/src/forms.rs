//! Formulas up to the names of their variables.
//!
//! Formulas that differ in variables alone mean the same, but are different terms, as each binder that is
//! read has symbols of its own. The *form* of a formula is the same formula over variables that follow from
//! its shape: by sort, by place in the list, and by how many binders are below. So two formulas have one form
//! if they differ in variables alone, and no variable of a form is bound twice, one within the other.
//!
//! Cost: linear in a formula, for each binder within binders once more.

use bivalve_terms::{Pool, Rebuild, Sort, Substitution, Term, TermMap, cone};
use rustc_hash::FxHashMap;

/// The variables of forms, by sort, binders below, and place.
#[derive(Default)]
pub(crate) struct Forms {
    variables: FxHashMap<(Sort, usize, usize), Term>,
}

impl Forms {
    /// The form of a formula.
    pub(crate) fn of(&mut self, pool: &mut Pool, formula: Term) -> Term {
        let (mut images, mut binders) = (Rebuild::new(), TermMap::new());
        let below = cone(pool, &[formula]);
        images.extend(
            pool,
            &below,
            || true,
            |pool, term, rebuilt| {
                let within = pool.args(term).iter().filter_map(|&arg| binders.get(arg).copied()).max();
                let Some((variables, body)) = pool.binder(rebuilt) else {
                    within.into_iter().for_each(|within| _ = binders.insert(term, within));
                    return None;
                };
                let variables = variables.to_vec();
                let level = within.unwrap_or(0) + 1;
                binders.insert(term, level);
                let (mut substitution, mut others) = (Substitution::new(), vec![]);
                for (place, &variable) in variables.iter().enumerate() {
                    let sort = pool.sort(variable);
                    let entry = self.variables.entry((sort, level, place));
                    let other = *entry.or_insert_with(|| pool.symbol("variable", sort));
                    substitution.insert(pool, variable, other);
                    others.push(other);
                }
                let body = substitution.apply(pool, body);
                Some(pool.forall(&others, body).expect("a binder over other variables of the same sorts"))
            },
        );
        images.image(formula).expect("it is at the end of its cone")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Op;

    /// For all `x` there is a `y` that is related to it, and to `free`, over symbols of their own.
    fn formula(pool: &mut Pool, free: Term, swaps: bool) -> Term {
        let sort = Sort::bitvec(4).expect("a legal width");
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let [left, right] = if swaps { [y, x] } else { [x, y] };
        let less = pool.mk(Op::BvUlt, &[left, right]);
        let same = pool.mk(Op::Eq, &[y, free]);
        let both = pool.mk(Op::And, &[less, same]);
        let some = pool.exists(&[y], both).expect("a formula");
        let other = pool.mk(Op::Distinct, &[x, free]);
        let either = pool.mk(Op::Or, &[some, other]);
        pool.forall(&[x], either).expect("a formula")
    }

    #[test]
    fn formulas_have_one_form_if_they_differ_in_variables_alone() {
        let (mut pool, mut forms) = (Pool::new(), Forms::default());
        let sort = Sort::bitvec(4).expect("a legal width");
        let [free, other] = ["free", "other"].map(|name| pool.symbol(name, sort));
        let [one, two] = [0; 2].map(|_| formula(&mut pool, free, false));
        assert_ne!(one, two);
        let form = forms.of(&mut pool, one);
        assert_eq!(forms.of(&mut pool, two), form);
        assert_eq!(forms.of(&mut pool, form), form);
        let (swapped, about) = (formula(&mut pool, free, true), formula(&mut pool, other, false));
        assert_ne!(forms.of(&mut pool, swapped), form);
        assert_ne!(forms.of(&mut pool, about), form);
    }
}
