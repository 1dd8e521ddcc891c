//! Changes: what passes make of conjuncts, with the reason of each.
//!
//! A pass that changes conjuncts returns a list of [`Change`]s, and the scheduler applies them. A change
//! replaces a term by another one wherever it stands, a conjunct likewise, or adds a conjunct.
//!
//! The [`Reason`] says why that is correct. Where both terms are equal in every assignment the replacement
//! is made in terms that other changes have made, too, so a pass may list it as it meets it, over the images
//! of what is below. Whatever relies on conjuncts is only replaced in what was there before, and never in
//! those conjuncts, or nothing would be left that states it:
//!
//! - [`Reason::Stated`]: a conjunct that is an equation or a truth value states it at its top, and keeps it
//!   there. What it states has a lower rank than what it is stated of, and so have all terms below, so all
//!   such facts together follow from what is left, by induction over ranks.
//! - [`Reason::Implied`]: it follows from several conjuncts, which stay as they are.
//!
//! Reasons are few, and a writer of certificates shows each in one way ([`Reason::is_shown`]); what a pass
//! knows beyond them has the reason [`Reason::Unshown`], and its row says why.

use bivalve_limits::Deadline;
use bivalve_terms::{Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One replacement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// What is replaced; nothing if a conjunct is added.
    pub from: Option<Term>,
    /// What stands in its place, or the conjunct.
    pub to: Term,
    /// Why that is correct.
    pub because: Reason,
}

/// Why a replacement is correct.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Both are equal in every assignment, by the meaning of their operators, down to terms that both have
    /// in common: by an axiom of arrays, or as circuits.
    Law,
    /// Both are one polynomial modulo a power of two, in which choices are multiples of their conditions, or
    /// the sides of an equation differ by a constant.
    Polynomials,
    /// Polynomials say so that the checker does not have: what bitwise words and conditions are made of is
    /// multiplied out, too, or all coefficients are even but the constant.
    OtherPolynomials,
    /// It is an equation that is always true, as is shown one layer at a time
    /// ([`bivalve_algebra::layers`]).
    Layers,
    /// This conjunct states it.
    Stated(Term),
    /// It follows from these conjuncts.
    Implied(Rc<[Term]>),
    /// It says what symbols are that occur nowhere else.
    Fresh,
    /// It is correct, but for a reason that is not recorded.
    Unshown,
}

impl Reason {
    /// Whether both terms are equal whatever is asserted, and the replacement is made in terms that other
    /// changes have made, too.
    pub(crate) fn is_law(&self) -> bool {
        matches!(self, Reason::Law | Reason::Polynomials | Reason::OtherPolynomials | Reason::Layers)
    }

    /// Whether a writer of certificates can show it.
    pub fn is_shown(&self) -> bool {
        self.is_law() || matches!(self, Reason::Stated(_))
    }
}

impl Change {
    /// A term that is replaced.
    pub(crate) fn new(from: Term, to: Term, because: Reason) -> Change {
        Change { from: Some(from), to, because }
    }

    /// Terms that are equal in every assignment.
    pub(crate) fn law(from: Term, to: Term) -> Change {
        Change::new(from, to, Reason::Law)
    }

    /// A replacement for a reason that is not recorded.
    pub(crate) fn unshown(from: Term, to: Term) -> Change {
        Change::new(from, to, Reason::Unshown)
    }

    /// A conjunct that is added.
    pub(crate) fn added(conjunct: Term, because: Reason) -> Change {
        Change { from: None, to: conjunct, because }
    }

    /// The conjuncts have no model.
    pub(crate) fn refutation(pool: &mut Pool, because: Reason) -> Vec<Change> {
        vec![Change::added(pool.bool(false), because)]
    }
}

/// Changes while they are made: images of terms, children first.
pub(crate) struct Applied<'a> {
    /// What is stated of terms. What stands in their place has an image as well.
    values: FxHashMap<Term, Term>,
    /// Conjuncts with the term that they state something of.
    pub(crate) stated: FxHashMap<Term, Term>,
    /// The laws.
    laws: FxHashMap<Term, Term>,
    /// The conjuncts that stay as they are.
    kept: TermSet,
    images: TermMap<Term>,
    deadline: &'a Deadline,
}

impl<'a> Applied<'a> {
    /// Where nothing was changed yet; some terms have images already.
    pub(crate) fn new(changes: &[Change], images: TermMap<Term>, deadline: &'a Deadline) -> Applied<'a> {
        let (values, stated, laws) = Default::default();
        let mut applied = Applied { values, stated, laws, kept: TermSet::new(), images, deadline };
        let mut seen = TermSet::new();
        let mut sources: Option<&Rc<[Term]>> = None;
        for Change { from, to, because } in changes {
            // Changes of one pass mostly have one list, which may be long.
            if let Reason::Implied(by) = because
                && !sources.is_some_and(|known| Rc::ptr_eq(known, by))
            {
                by.iter().for_each(|&conjunct| _ = applied.kept.insert(conjunct));
                sources = Some(by);
            }
            let Some(from) = from.filter(|&from| seen.insert(from)) else { continue };
            if let Reason::Stated(by) = *because {
                applied.values.insert(from, *to);
                applied.stated.insert(by, from);
                applied.images.remove(from);
            } else {
                applied.images.insert(from, *to);
            }
            if because.is_law() {
                applied.laws.insert(from, *to);
            }
        }
        applied
    }

    /// One more law. Terms whose images were asked for keep these.
    pub(crate) fn add_law(&mut self, from: Term, to: Term) {
        self.images.insert(from, to);
        self.laws.insert(from, to);
    }

    /// What becomes of a conjunct; `None` when the deadline is over.
    pub(crate) fn conjunct(&mut self, pool: &mut Pool, conjunct: Term) -> Option<Term> {
        if self.kept.contains(conjunct) {
            return Some(conjunct);
        }
        let Some(&of) = self.stated.get(&conjunct) else { return self.image(pool, conjunct) };
        let image = self.over_images(pool, of, None)?;
        // It is the term itself, or a complement or an equation around it.
        if of == conjunct { Some(image) } else { self.over_images(pool, conjunct, Some((of, image))) }
    }

    /// A term over the images of its arguments, one of which may be given.
    fn over_images(&mut self, pool: &mut Pool, term: Term, given: Option<(Term, Term)>) -> Option<Term> {
        let mut images = vec![];
        for arg in pool.args(term).to_vec() {
            images.push(match given {
                Some((of, image)) if of == arg => image,
                _ => self.image(pool, arg)?,
            });
        }
        Some(if images == pool.args(term) { term } else { pool.rebuild(term, &images) })
    }

    /// The image of a term; `None` when the deadline is over.
    pub(crate) fn image(&mut self, pool: &mut Pool, root: Term) -> Option<Term> {
        let (mut todo, mut args) = (vec![root], vec![]);
        while let Some(&term) = todo.last() {
            if self.images.contains(term) {
                todo.pop();
                continue;
            }
            if !self.deadline.step(1) {
                return None;
            }
            let value = self.values.get(&term);
            let known = todo.len();
            let below = value.map_or(pool.args(term), std::slice::from_ref);
            todo.extend(below.iter().filter(|&&term| !self.images.contains(term)));
            if todo.len() > known {
                continue;
            }
            todo.pop();
            args.clear();
            args.extend(below.iter().map(|&term| self.images.get(term).copied().unwrap_or(term)));
            let image = match value {
                Some(_) => args[0],
                None if args == pool.args(term) => term,
                None => {
                    let rebuilt = pool.rebuild(term, &args);
                    self.laws.get(&rebuilt).copied().unwrap_or(rebuilt)
                }
            };
            self.images.insert(term, image);
        }
        self.images.get(root).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Problem, Tables};
    use bivalve_terms::{Op, Sort};

    fn changed(pool: &mut Pool, conjuncts: &[Term], changes: &[Change]) -> Vec<Term> {
        let (frozen, tables, deadline) = (TermSet::new(), Tables::default(), Deadline::unlimited());
        let problem = Problem::new(conjuncts, &frozen, &tables, &deadline);
        problem.changed(pool, changes).unwrap_or_else(|| conjuncts.to_vec())
    }

    /// `g(v) = f(u)`, `f(v) = g(u)` and `u = v`. Inside of the first `f(u)` becomes `f(v)`; were that `g(u)`
    /// at once, and `g(u)` in the second likewise `f(u)`, nothing would be left of both.
    #[test]
    fn what_conjuncts_state_is_not_replaced_in_what_changes_made() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).expect("a legal width");
        let [v, u] = ["v", "u"].map(|name| pool.symbol(name, byte));
        let [f_u, f_v] = [u, v].map(|term| pool.mk(Op::BvNot, &[term]));
        let [g_u, g_v] = [u, v].map(|term| pool.mk(Op::BvNeg, &[term]));
        let sides = [(g_v, f_u), (f_v, g_u), (u, v)];
        let conjuncts = sides.map(|(from, to)| pool.mk(Op::Eq, &[from, to]));
        let stated = |((from, to), by)| Change::new(from, to, Reason::Stated(by));
        let changes: Vec<Change> = sides.into_iter().zip(conjuncts).map(stated).collect();
        let after = changed(&mut pool, &conjuncts, &changes);
        assert_eq!(after[..2], [(g_v, f_v), (f_v, g_v)].map(|(a, b)| pool.mk(Op::Eq, &[a, b])));
        assert_eq!(after[2], conjuncts[2]);
    }

    /// A law applies to what another one has made; what follows from conjuncts does not touch these.
    #[test]
    fn laws_apply_everywhere_and_sources_stay() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::BOOL));
        let both = pool.mk(Op::And, &[a, b]);
        let (not_a, not_b) = (pool.mk(Op::Not, &[a]), pool.mk(Op::Not, &[b]));
        let source = pool.mk(Op::Or, &[both, c]);
        let law = [Change::law(a, b), Change::law(not_b, c)];
        assert_eq!(changed(&mut pool, &[not_a], &law), [c]);
        let implied = Change::new(both, a, Reason::Implied([source].into()));
        assert_eq!(changed(&mut pool, &[source, both], &[implied]), [source, a]);
    }
}
