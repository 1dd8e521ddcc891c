//! Binders replaced by equivalent formulas that are easier, most often without any.
//!
//! A formula for all values of variables is brought to clauses: it is distributed over conjunctions, literals
//! without variables are taken out, and parts of a clause that share no variable are clauses of their own.
//! In a clause (`clause`) variables are eliminated one at a time:
//!
//! - a literal that is false only if a variable has one value gives it that value in all others (`forced`);
//!   writes to arrays tell their elements, and what they are made of;
//! - a variable that occurs once below operators that can give any result is as good as a variable in their
//!   place, and one that occurs in one comparison is there or not by a condition on the rest (`single`);
//! - exceptions that are fewer than the values of a variable are of no use (`single`);
//! - reads of arrays that were written to are cases, and reads of an array that has only these are variables
//!   (`arrays`); elements that are equal everywhere are equal arrays;
//! - few values are tried one after the other (`ranges`).
//!
//! Each step is an equivalence, whatever else is asserted, and is compared with enumeration. Formulas of
//! theories that are lowered are left alone. Binders within binders come first.
//!
//! Each step also says which values of the variables it has in mind. Where an equivalent formula is not
//! enough, because instances are asked for, these are the instances (`guides`).
//!
//! Cost: a look at the clause for each step; a binder that takes more than its budget stays what it was.

mod arrays;
mod clause;
mod forced;
mod guides;
mod ranges;
mod single;

use bivalve_limits::{Deadline, Stop};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Rebuild, Substitution, Term, TermMap, TermSet, bound_variables, cone};

pub use guides::Guide;

/// Looks at terms that one binder may take: a few hundredths of a second.
const STEPS: u64 = 3_000_000;

/// Cases that one binder may be split into.
const SPLITS: u32 = 600;

/// Cases within cases.
const DEPTH: u32 = 150;

/// Eliminates binders of one pool, which is handed to every call.
pub struct Eliminator {
    rewriter: Rewriter,
    images: Rebuild,
    tries_values: bool,
}

impl Default for Eliminator {
    fn default() -> Eliminator {
        Eliminator::new()
    }
}

impl Eliminator {
    /// Nothing was eliminated yet.
    pub fn new() -> Eliminator {
        Eliminator { rewriter: Rewriter::new(Level::Local), images: Rebuild::new(), tries_values: true }
    }

    /// The same without trying values one after the other, which would hide from tests of few values what
    /// becomes of binders within binders.
    pub fn without_values() -> Eliminator {
        Eliminator { tries_values: false, ..Eliminator::new() }
    }

    /// A formula that is equivalent to this one, with fewer binders, or with smaller ones. Where `stop` is
    /// raised, what is left stays as it is.
    pub fn eliminate(&mut self, pool: &mut Pool, formula: Term, stop: &Stop) -> Term {
        if !pool.has_binders() || has_lowered(pool, formula) {
            return formula;
        }
        let Eliminator { rewriter, images, tries_values } = self;
        let image = images.apply(
            pool,
            formula,
            || true,
            |pool, _, rebuilt| {
                let is_binder = pool.op(rebuilt) == Op::Forall;
                is_binder.then(|| without(pool, rewriter, *tries_values, rebuilt, stop))
            },
        );
        image.expect("nothing ends the walk")
    }
}

/// Is there a term of a theory that is lowered?
fn has_lowered(pool: &Pool, formula: Term) -> bool {
    let is_lowered = |&term: &Term| {
        pool.op(term) != Op::Forall && pool.op(term).is_lowered() || pool.sorts().is_theory(pool.sort(term))
    };
    pool.has_lowered() && cone(pool, &[formula]).iter().any(is_lowered)
}

/// The binder without its variables, as far as that goes.
fn without(pool: &mut Pool, rewriter: &mut Rewriter, tries_values: bool, binder: Term, stop: &Stop) -> Term {
    let deadline = Deadline::new(stop, STEPS);
    let mut task = Task { pool, rewriter, deadline: &deadline, splits: SPLITS, tries_values, guides: false };
    let (variables, body) = task.renamed(binder);
    task.all(variables, body, 0).unwrap_or(binder)
}

/// The elimination of one binder. Its steps return `None` when the budget is used up.
struct Task<'a> {
    pool: &'a mut Pool,
    rewriter: &'a mut Rewriter,
    deadline: &'a Deadline,
    splits: u32,
    tries_values: bool,
    /// Are the values of variables wanted, so that steps that do not tell them are not taken?
    guides: bool,
}

/// A clause: it is true if one of the literals is, for all values of the variables.
#[derive(Clone, Default)]
struct Clause {
    variables: Vec<Term>,
    literals: Vec<Term>,
    /// Literals without variables, which were taken out.
    ground: Vec<Term>,
    /// What variables are for which the clause is false, over those that were eliminated later or are there
    /// still; if these values are wanted.
    values: Vec<(Term, Term)>,
}

/// Where variables occur in a clause: one bit for each, in the order of the clause.
struct Occurrences {
    masks: TermMap<u128>,
    /// The terms with a symbol that is bound within the clause. Their values are not those of one assignment
    /// to the variables, so they stay where they are.
    inner: TermSet,
    /// The terms that have a variable as a child, or something with only one parent below; by child.
    parents: TermMap<Vec<Term>>,
}

impl Task<'_> {
    /// The variables and the body of a binder, under names that no other one has.
    fn renamed(&mut self, binder: Term) -> (Vec<Term>, Term) {
        let (variables, body) = self.pool.binder(binder).expect("it is a binder");
        let (variables, mut fresh) = (variables.to_vec(), vec![]);
        let mut substitution = Substitution::new();
        for variable in variables {
            let other = self.like(variable);
            substitution.insert(self.pool, variable, other);
            fresh.push(other);
        }
        (fresh, substitution.apply(self.pool, body))
    }

    /// A new variable of the sort of this term.
    fn like(&mut self, term: Term) -> Term {
        let name = self.pool.name(term).unwrap_or("v").to_owned();
        let sort = self.pool.sort(term);
        self.pool.symbol(&name, sort)
    }

    fn not(&mut self, term: Term) -> Term {
        match self.pool.op(term) {
            Op::Not => self.pool.args(term)[0],
            _ => self.pool.mk(Op::Not, &[term]),
        }
    }

    fn eq(&mut self, left: Term, right: Term) -> Term {
        self.pool.mk(Op::Eq, &[left, right])
    }

    /// The disjunction of literals.
    fn or(&mut self, literals: &[Term]) -> Term {
        match *literals {
            [] => self.pool.bool(false),
            [one] => one,
            _ => self.pool.mk(Op::Or, literals),
        }
    }

    /// In normal form. `None` when the budget is used up.
    fn simplified(&mut self, term: Term) -> Option<Term> {
        let simple = self.rewriter.rewrite_within(self.pool, term, self.deadline);
        self.deadline.step(1).then_some(simple)
    }

    /// The literals with terms in the place of others.
    fn put(&mut self, literals: &[Term], pairs: &[(Term, Term)]) -> Option<Vec<Term>> {
        let mut images = Rebuild::new();
        pairs.iter().for_each(|&(from, to)| images.set(from, to));
        let deadline = self.deadline;
        let mut put = vec![];
        for &literal in literals {
            put.push(images.apply(self.pool, literal, || deadline.step(1), |_, _, _| None)?);
        }
        Some(put)
    }

    /// Where the variables occur. `None` if there are too many of them, or when the budget is used up.
    fn occurrences(&self, clause: &Clause) -> Option<Occurrences> {
        if clause.variables.len() > 128 {
            return None;
        }
        let mut masks: TermMap<u128> = TermMap::new();
        let mut parents: TermMap<Vec<Term>> = TermMap::new();
        for (place, &variable) in clause.variables.iter().enumerate() {
            masks.insert(variable, 1 << place);
        }
        let below = cone(self.pool, &clause.literals);
        if !self.deadline.step(below.len() as u64) {
            return None;
        }
        let mut inner = bound_variables(self.pool, &below);
        for term in below {
            if self.pool.args(term).iter().any(|&arg| inner.contains(arg)) {
                inner.insert(term);
            }
            let mut mask = masks.get(term).copied().unwrap_or(0);
            let mut last = None;
            for &arg in self.pool.args(term) {
                let of_arg = masks.get(arg).copied().unwrap_or(0);
                mask |= of_arg;
                // An argument that stands there twice has the parent once.
                if of_arg != 0 && last != Some(arg) {
                    last = Some(arg);
                    let mut known = parents.remove(arg).unwrap_or_default();
                    if known.last() != Some(&term) {
                        known.push(term);
                    }
                    parents.insert(arg, known);
                }
            }
            if mask != 0 {
                masks.insert(term, mask);
            }
        }
        Some(Occurrences { masks, inner, parents })
    }
}

impl Occurrences {
    /// The variables at and below a term.
    fn mask(&self, term: Term) -> u128 {
        self.masks.get(term).copied().unwrap_or(0)
    }

    /// Is it a term without variables?
    fn is_ground(&self, term: Term) -> bool {
        self.mask(term) == 0
    }

    /// Does it mean the same wherever it stands in the clause?
    fn is_outer(&self, term: Term) -> bool {
        !self.inner.contains(term)
    }

    fn parents(&self, term: Term) -> &[Term] {
        self.parents.get(term).map_or(&[], |parents| &parents[..])
    }
}
