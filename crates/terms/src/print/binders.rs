//! Text of formulas for all or for some values of variables.
//!
//! What stands below a binder may mention its variables, so nothing of it can be bound by a `let` outside.
//! Each binder below a printed term is therefore a text of its own, made before those of the binders around
//! it; a term that is shared across a binder is printed on both sides. A negated binder of a negation is
//! printed as `exists`. Variables keep their names, unless another symbol of the printed term is called so.
//!
//! Cost: linear in the text. Binders that are shared by several others are in the text of each of them.

use super::{Naming, symbol, write_sort};
use crate::{Op, Pool, Term, bound_variables, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// The binders below one term, and the texts of those that were written.
pub(super) struct Binders<'a> {
    pool: &'a Pool,
    naming: &'a Naming,
    /// The terms that have texts of their own, children first: binders, and negations of them.
    terms: Vec<Term>,
    /// How many of them were asked for.
    asked: usize,
    texts: FxHashMap<Term, String>,
    /// Variables with other names than their own.
    names: FxHashMap<Term, String>,
}

impl<'a> Binders<'a> {
    /// The binders at and below `root`.
    pub(super) fn new(pool: &'a Pool, naming: &'a Naming, root: Term) -> Binders<'a> {
        let mut binders = Binders {
            pool,
            naming,
            terms: vec![],
            asked: 0,
            texts: FxHashMap::default(),
            names: FxHashMap::default(),
        };
        if pool.has_binders() {
            let below = cone(pool, &[root]);
            binders.name_variables(&below);
            // Binders that are mentioned by no existential formula alone.
            let bodies = below.iter().filter_map(|&term| binders.own(term)).map(|(_, body)| body);
            let args = below.iter().flat_map(|&term| binders.args(term)).copied();
            let mentioned: FxHashSet<Term> = args.chain(bodies).chain([root]).collect();
            let is_text = |&term: &Term| match pool.op(term) {
                Op::Forall => mentioned.contains(&term),
                _ => binders.existential(term).is_some(),
            };
            binders.terms = below.into_iter().filter(is_text).collect();
        }
        binders
    }

    /// The next binder, and the term that its text is about.
    pub(super) fn pending(&mut self) -> Option<(Term, Term)> {
        let &term = self.terms.get(self.asked)?;
        self.asked += 1;
        Some((term, self.parts(term).1))
    }

    /// The text of what a binder is about.
    pub(super) fn set(&mut self, binder: Term, body: &str) {
        let (variables, _) = self.parts(binder);
        let word = if self.pool.op(binder) == Op::Forall { "forall" } else { "exists" };
        let mut text = format!("({word} (");
        for (i, &variable) in variables.iter().enumerate() {
            text.push_str(if i > 0 { " (" } else { "(" });
            text.push_str(&self.symbol(variable));
            text.push(' ');
            write_sort(&mut text, self.pool.sorts(), self.naming, self.pool.sort(variable));
            text.push(')');
        }
        text.push_str(") ");
        text.push_str(body);
        text.push(')');
        self.texts.insert(binder, text);
    }

    /// The text of a binder that has one.
    pub(super) fn text(&self, term: Term) -> Option<&str> {
        self.texts.get(&term).map(String::as_str)
    }

    /// The arguments that are printed as such.
    pub(super) fn args(&self, term: Term) -> &'a [Term] {
        if self.own(term).is_some() { &[] } else { self.pool.written_args(term) }
    }

    /// The printed name of a symbol.
    pub(super) fn symbol(&self, term: Term) -> Cow<'_, str> {
        match self.names.get(&term) {
            Some(name) => Cow::Borrowed(name),
            None => self.naming.symbol(self.pool, term),
        }
    }

    /// The variables and the body of a formula for some values.
    fn existential(&self, term: Term) -> Option<(&'a [Term], Term)> {
        if !self.pool.has_binders() || self.pool.op(term) != Op::Not {
            return None;
        }
        let (variables, never) = self.pool.binder(self.pool.args(term)[0])?;
        (self.pool.op(never) == Op::Not).then(|| (variables, self.pool.args(never)[0]))
    }

    fn parts(&self, term: Term) -> (&'a [Term], Term) {
        self.own(term).expect("it is a binder")
    }

    /// The variables and the body of a formula for some or for all values.
    fn own(&self, term: Term) -> Option<(&'a [Term], Term)> {
        self.existential(term).or_else(|| self.pool.binder(term))
    }

    fn name_variables(&mut self, below: &[Term]) {
        let bound = bound_variables(self.pool, below);
        let symbols = || below.iter().copied().filter(|&term| self.pool.op(term) == Op::Symbol);
        let printed = |term| self.naming.symbol(self.pool, term).into_owned();
        let mut taken: FxHashSet<String> =
            symbols().filter(|&term| !bound.contains(term)).map(printed).collect();
        let mut names = FxHashMap::default();
        for variable in symbols().filter(|&term| bound.contains(term)) {
            let name = printed(variable);
            if taken.insert(name) {
                continue;
            }
            let plain = self.pool.name(variable).unwrap_or_default().replace(['|', '\\'], "_");
            let others = (0u64..).map(|number| symbol(&format!("{plain}!{number}")).into_owned());
            let other = others.into_iter().find(|other| taken.insert(other.clone()));
            names.insert(variable, other.expect("there are names without end"));
        }
        self.names = names;
    }
}
