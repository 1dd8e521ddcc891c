//! Atoms in the place of binders.
//!
//! Each outermost binder of a formula is replaced by an easier formula, if there is one, and by a Boolean
//! symbol of its own otherwise, always the same one. What
//! is below the binder stays untouched until an instance is made; binders in an instance are outermost then
//! and get atoms in turn. A lemma is about one atom and holds by the meaning of its formula alone, so it
//! stays right on every level of an assertion stack.
//!
//! Cost: linear in what is new of a formula.

use crate::eliminate::{Eliminator, Guide};
use crate::forms::Forms;
use crate::polarity::{Need, needs};
use bivalve_limits::Stop;
use bivalve_terms::{Op, Pool, Rebuild, Substitution, Term, outermost_binders};
use rustc_hash::{FxHashMap, FxHashSet};

/// A binder and the symbol in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The formula for all values of variables.
    pub formula: Term,
    /// What stands for it.
    pub symbol: Term,
}

/// The atoms of formulas in one pool, which is handed to every call.
pub struct Grounding {
    atoms: Vec<Atom>,
    by_symbol: FxHashMap<Term, usize>,
    /// The atoms of formulas that differ in variables alone are one.
    by_form: FxHashMap<Term, usize>,
    forms: Forms,
    images: Rebuild,
    eliminator: Eliminator,
    eliminates: bool,
    /// Binders that were replaced by formulas that are equivalent, or by the atom of one that differs in
    /// variables alone.
    replaced: FxHashSet<Term>,
}

impl Default for Grounding {
    fn default() -> Grounding {
        Grounding::new()
    }
}

impl Grounding {
    /// No binder has an atom yet.
    pub fn new() -> Grounding {
        Grounding { eliminates: true, ..Grounding::by_instances() }
    }

    /// The same without elimination: all that is known of an atom are instances, to which elimination is a
    /// guide.
    pub fn by_instances() -> Grounding {
        Grounding {
            atoms: vec![],
            by_symbol: FxHashMap::default(),
            by_form: FxHashMap::default(),
            forms: Forms::default(),
            images: Rebuild::new(),
            eliminator: Eliminator::new(),
            eliminates: false,
            replaced: FxHashSet::default(),
        }
    }

    /// The formula with atoms in the place of its outermost binders.
    pub fn ground(&mut self, pool: &mut Pool, formula: Term, stop: &Stop) -> Term {
        let binders = outermost_binders(pool, &[formula]);
        if binders.is_empty() {
            return formula;
        }
        for binder in binders {
            if self.images.image(binder).is_some() {
                continue;
            }
            let easier = if self.eliminates { self.eliminator.eliminate(pool, binder, stop) } else { binder };
            outermost_binders(pool, &[easier]).into_iter().for_each(|rest| self.make_atom(pool, rest));
            if easier != binder {
                let image = self.image(pool, easier);
                self.images.set(binder, image);
                self.replaced.insert(binder);
            }
        }
        self.image(pool, formula)
    }

    fn image(&mut self, pool: &mut Pool, formula: Term) -> Term {
        self.images.apply(pool, formula, || true, |_, _, _| None).expect("nothing ends the walk")
    }

    /// Where to look for counterexamples to the formula of an atom, and the terms of the instances that these
    /// show. The formulas of eliminations were replaced already, so that what is left has no guide but
    /// itself.
    pub fn guides(&mut self, pool: &mut Pool, atom: usize, stop: &Stop) -> Vec<Guide> {
        let formula = self.atoms[atom].formula;
        if !self.eliminates {
            return self.eliminator.guides(pool, formula, stop);
        }
        let (variables, rest) = pool.binder(formula).expect("an atom stands for a binder");
        let variables = variables.to_vec();
        vec![Guide { terms: variables.clone(), variables, rest }]
    }

    /// Was the binder replaced by another formula, rather than by an atom of its own?
    pub fn is_replaced(&self, binder: Term) -> bool {
        self.replaced.contains(&binder)
    }

    /// The atom of this number.
    pub fn atom(&self, number: usize) -> Atom {
        self.atoms[number]
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The atoms of a formula that was made by [`Grounding::ground`] and that has to be true, by number, with
    /// what is needed of each.
    pub fn needs(&self, pool: &Pool, ground: Term) -> Vec<(usize, Need)> {
        if self.atoms.is_empty() {
            return vec![];
        }
        let found = needs(pool, ground, |term| self.by_symbol.contains_key(&term));
        found.into_iter().map(|(symbol, need)| (self.by_symbol[&symbol], need)).collect()
    }

    /// The outermost binders of a formula that has to be true, with what is needed of each.
    pub fn needs_of_binders(pool: &Pool, formula: Term) -> Vec<(Term, Need)> {
        if outermost_binders(pool, &[formula]).is_empty() {
            return vec![];
        }
        needs(pool, formula, |term| pool.op(term) == Op::Forall)
    }

    /// The body of an atom's formula over these terms, which stand for its variables.
    ///
    /// # Panics
    ///
    /// If these are not as many and of the same sorts as its variables.
    pub fn instance(&mut self, pool: &mut Pool, atom: usize, terms: &[Term]) -> Term {
        let (variables, body) = pool.binder(self.atoms[atom].formula).expect("an atom stands for a binder");
        assert_eq!(variables.len(), terms.len(), "internal: an instance has a term for each variable");
        let pairs: Vec<(Term, Term)> = variables.iter().copied().zip(terms.iter().copied()).collect();
        let mut substitution = Substitution::new();
        pairs.iter().for_each(|&(variable, term)| substitution.insert(pool, variable, term));
        substitution.apply(pool, body)
    }

    /// New symbols for the variables of an atom's formula, under their names.
    pub fn witnesses(&self, pool: &mut Pool, atom: usize) -> Vec<Term> {
        let (variables, _) = pool.binder(self.atoms[atom].formula).expect("an atom stands for a binder");
        let variables = variables.to_vec();
        let named = |pool: &mut Pool, variable| {
            let name = pool.name(variable).unwrap_or_default().to_owned();
            pool.symbol(&name, pool.sort(variable))
        };
        variables.into_iter().map(|variable| named(pool, variable)).collect()
    }

    fn make_atom(&mut self, pool: &mut Pool, formula: Term) {
        if self.images.image(formula).is_some() {
            return;
        }
        let number = self.atoms.len();
        // Lemmas that a certificate is made of are each about one formula as it was written.
        if self.eliminates {
            let form = self.forms.of(pool, formula);
            let same = *self.by_form.entry(form).or_insert(number);
            if same < number {
                self.images.set(formula, self.atoms[same].symbol);
                self.replaced.insert(formula);
                return;
            }
        }
        let symbol = pool.symbol(&format!("forall {number}"), bivalve_terms::Sort::BOOL);
        self.atoms.push(Atom { formula, symbol });
        self.by_symbol.insert(symbol, number);
        self.images.set(formula, symbol);
    }
}
