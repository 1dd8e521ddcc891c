//! Terms for which a binder is false, if it is.
//!
//! Each step of an elimination has values of variables in mind: the one that is forced, one that is not among
//! the exceptions, one that the condition is about. Put into each other they are terms for all variables of
//! the binder, over the symbols that are free in it and over variables that are left; and what is left is
//! false exactly if the body is false for these terms. So each instance that an elimination stands for can be
//! made; steps that have no term for what they have in mind are not taken.
//!
//! Cost: that of the elimination, and the instances: the parts of a clause are combined.

use super::clause::Next;
use super::{Clause, DEPTH, Eliminator, SPLITS, STEPS, Task, has_lowered};
use bivalve_limits::{Deadline, Stop};
use bivalve_terms::{BitVec, Op, Pool, Sort, SortKind, Term};

/// Clauses that one binder may become.
const LEAVES: usize = 256;

/// Exceptions of which a term keeps clear.
const EXCEPTIONS: usize = 16;

/// What makes a binder false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guide {
    /// A term for each variable.
    pub terms: Vec<Term>,
    /// Symbols in these terms, for which values are to be found.
    pub variables: Vec<Term>,
    /// A formula over them. Where it is false, so is the body for these terms.
    pub rest: Term,
}

impl Eliminator {
    /// Guides for a binder: it is false in a model exactly if what one of them leaves is false for some
    /// values of its variables.
    ///
    /// # Panics
    ///
    /// If it is no binder.
    pub fn guides(&mut self, pool: &mut Pool, binder: Term, stop: &Stop) -> Vec<Guide> {
        let (variables, body) = pool.binder(binder).expect("a binder has guides");
        let none = Guide { terms: variables.to_vec(), variables: variables.to_vec(), rest: body };
        if has_lowered(pool, binder) {
            return vec![none];
        }
        let body = self.eliminate(pool, body, stop);
        let deadline = Deadline::new(stop, STEPS);
        let Eliminator { rewriter, tries_values, .. } = self;
        let (deadline, tries_values) = (&deadline, *tries_values);
        let mut task = Task { pool, rewriter, deadline, splits: SPLITS, tries_values, guides: true };
        task.guides(&none.variables, body).unwrap_or(vec![none])
    }
}

impl Task<'_> {
    fn guides(&mut self, variables: &[Term], body: Term) -> Option<Vec<Guide>> {
        let fresh: Vec<Term> = variables.iter().map(|&variable| self.like(variable)).collect();
        let pairs: Vec<(Term, Term)> = variables.iter().copied().zip(fresh.iter().copied()).collect();
        let body = self.put(&[body], &pairs)?[0];
        let body = self.simplified(body)?;
        let clause = self.opened(fresh.clone(), body);
        let leaves = self.leaves(clause, 0)?;
        leaves.iter().map(|leaf| self.guide(&fresh, leaf)).collect()
    }

    /// The clauses that a clause becomes: it is false where one of them is.
    fn leaves(&mut self, mut clause: Clause, depth: u32) -> Option<Vec<Clause>> {
        loop {
            if let Some(truth) = self.settle(&mut clause)? {
                debug_assert_eq!(self.pool.as_bool(truth), Some(true));
                return Some(vec![]);
            }
            if clause.literals.is_empty() {
                return Some(vec![clause]);
            }
            if let Some(parts) = self.parts(&clause)? {
                return self.combined(clause, parts, depth);
            }
            match self.next(&clause)? {
                Next::Clause(other) => clause = other,
                Next::Cases(cases) if depth < DEPTH && self.splits as usize >= cases.len() => {
                    self.splits -= cases.len() as u32;
                    let mut leaves = vec![];
                    for case in cases {
                        leaves.extend(self.leaves(case, depth + 1)?);
                    }
                    return Some(leaves);
                }
                Next::Same | Next::Cases(_) | Next::Formula(_) => return Some(vec![clause]),
            }
        }
    }

    /// The same where a clause has parts, all of which have to be false.
    fn combined(&mut self, clause: Clause, parts: Vec<Clause>, depth: u32) -> Option<Vec<Clause>> {
        let mut all = vec![Clause { variables: vec![], literals: vec![], ..clause.clone() }];
        for part in parts {
            let leaves = self.leaves(part, depth)?;
            if all.len() * leaves.len() > LEAVES {
                return Some(vec![clause]);
            }
            let pairs = all.iter().flat_map(|left| leaves.iter().map(move |right| (left, right)));
            all = pairs.map(|(left, right)| left.beside(right, &clause)).collect();
        }
        Some(all)
    }

    /// What a clause says about the binder of these variables.
    fn guide(&mut self, variables: &[Term], leaf: &Clause) -> Option<Guide> {
        let mut known: Vec<(Term, Term)> = vec![];
        for &(variable, value) in leaf.values.iter().rev() {
            let value = self.put(&[value], &known)?[0];
            let value = self.simplified(value)?;
            known.push((variable, value));
        }
        let terms = self.put(variables, &known)?;
        let rest = self.or(&[&leaf.ground[..], &leaf.literals].concat());
        Some(Guide { terms, variables: leaf.variables.clone(), rest })
    }

    /// Notes what a variable is, if that is asked for.
    pub(super) fn note(&self, clause: &mut Clause, variable: Term, value: Term) {
        if self.guides {
            clause.values.push((variable, value));
        }
    }

    /// A value of an argument that occurs once, for which the term has this value, whatever its other
    /// arguments are.
    pub(super) fn preimage(&mut self, term: Term, arg: Term, value: Term) -> Option<Term> {
        let args = self.pool.args(term).to_vec();
        let place = args.iter().position(|&other| other == arg)?;
        match self.pool.op(term) {
            Op::Extract => {
                let (high, low) = (self.pool.indices(term)[0], self.pool.indices(term)[1]);
                let (above, below) = (self.pool.width(arg)? - 1 - high, low);
                let mut value = value;
                if below > 0 {
                    let zeros = self.pool.bitvec(&BitVec::zero(below));
                    value = self.pool.mk(Op::Concat, &[value, zeros]);
                }
                Some(match above {
                    0 => value,
                    _ => self.pool.mk_indexed(Op::ZeroExtend, &[above], &[value]),
                })
            }
            Op::Select => self.pool.const_array(self.pool.sort(arg), value).ok(),
            Op::Eq if self.pool.sort(arg) != Sort::BOOL => {
                let other = args[1 - place];
                let different = self.different(other)?;
                Some(self.pool.mk(Op::Ite, &[value, other, different]))
            }
            _ => self.inverse(term, place, value).filter(|&(_, always)| always).map(|(value, _)| value),
        }
    }

    /// A term that has another value than this one, whatever that is.
    pub(super) fn different(&mut self, term: Term) -> Option<Term> {
        // The places of the first elements, outermost first.
        let (mut term, mut within) = (term, vec![]);
        while let Some((index, _)) = self.pool.sorts().array_parts(self.pool.sort(term)) {
            let index = self.numbered(index, 0)?;
            within.push((term, index));
            term = self.pool.mk(Op::Select, &[term, index]);
        }
        let op = if self.pool.sort(term) == Sort::BOOL { Op::Not } else { Op::BvNot };
        let is_word = op == Op::Not || self.pool.width(term).is_some();
        let other = is_word.then(|| self.pool.mk(op, &[term]))?;
        let mut store = |element, (array, index)| self.pool.mk(Op::Store, &[array, index, element]);
        Some(within.into_iter().rev().fold(other, &mut store))
    }

    /// The value of this number of a sort of words, or arrays of words; different numbers give different
    /// values.
    pub(super) fn numbered(&mut self, sort: Sort, number: u64) -> Option<Term> {
        let (mut innermost, mut arrays) = (sort, vec![]);
        while let Some((_, element)) = self.pool.sorts().array_parts(innermost) {
            arrays.push(innermost);
            innermost = element;
        }
        let fits = self.pool.sorts().small_cardinality(innermost).is_none_or(|count| number < count);
        let mut term = match self.pool.sorts().kind(innermost) {
            SortKind::Bool if fits => self.pool.bool(number == 1),
            SortKind::BitVec(width) if fits => self.pool.bv_u64(number, width),
            _ => return None,
        };
        for array in arrays.into_iter().rev() {
            term = self.pool.const_array(array, term).ok()?;
        }
        Some(term)
    }

    /// A term that has none of the values of these.
    pub(super) fn avoiding(&mut self, sort: Sort, terms: &[Term]) -> Option<Term> {
        if let &[term] = terms {
            return self.different(term);
        }
        if terms.len() > EXCEPTIONS {
            return None;
        }
        let mut value = self.numbered(sort, terms.len() as u64)?;
        for number in (0..terms.len()).rev() {
            let candidate = self.numbered(sort, number as u64)?;
            let equal: Vec<Term> = terms.iter().map(|&term| self.eq(candidate, term)).collect();
            let is_taken = self.or(&equal);
            value = self.pool.mk(Op::Ite, &[is_taken, value, candidate]);
        }
        Some(value)
    }
}

impl Clause {
    /// The disjunction of what two parts of a clause became.
    fn beside(&self, other: &Clause, whole: &Clause) -> Clause {
        Clause {
            variables: [&self.variables[..], &other.variables].concat(),
            literals: [&self.literals[..], &other.literals].concat(),
            ground: [&self.ground[..], &other.ground[whole.ground.len()..]].concat(),
            values: [&self.values[..], &other.values[whole.values.len()..]].concat(),
        }
    }
}
