//! Circuits of terms, one for all terms that are equal for simple reasons.
//!
//! Before a circuit is built, terms below it that are the same polynomial, or one operator on equal
//! arguments, are shown to be equal, and the later one shares the bits of the earlier. So a product that is
//! written in another order has no circuit of its own, and an equation of two forms of one polynomial is true
//! without a search. What is done depends on nothing but the terms and their order, so a second encoder makes
//! the same circuits with the same numbers.
//!
//! Cost: a polynomial for each sum and product, of at most [`MOST_MONOMIALS`] monomials.

use crate::division::{Division, Free};
use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::gate::Lit;
use bivalve_checker::polynomial::Polynomial;
use bivalve_checker::term::{Op, Term};
use bivalve_terms::{self as from, Pool};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer polynomials are not compared.
const MOST_MONOMIALS: usize = 64;

/// What was encoded.
#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) translation: Translation,
    seen: FxHashSet<Term>,
    polynomials: FxHashMap<(u32, Polynomial), Term>,
    applications: FxHashMap<(Op, Vec<u32>), Term>,
    /// Quotients and remainders with free bits, if they are not circuits.
    free: Option<Free>,
    /// The clauses about them, and their numbers.
    pub(crate) divided: Vec<(Vec<Lit>, u64)>,
}

impl Encoder {
    pub(crate) fn new(division: Division) -> Encoder {
        Encoder { free: (division == Division::Facts).then(Free::default), ..Encoder::default() }
    }

    /// The bits of a term of the solver.
    pub(crate) fn bits(
        &mut self,
        pool: &Pool,
        term: from::Term,
        out: &mut Recorder,
    ) -> Result<Vec<Lit>, String> {
        let term = self.translation.term(pool, term, out)?;
        if let Some(free) = &mut self.free {
            self.divided.extend(free.free(out, &[term])?);
        }
        self.merge_below(out, term)?;
        out.bits(term)
    }

    /// Merges terms, arguments before the terms above them.
    fn merge_below(&mut self, out: &mut Recorder, root: Term) -> Result<(), String> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_visited)) = stack.pop() {
            if is_visited {
                self.merge(out, term)?;
            } else if self.seen.insert(term) {
                stack.push((term, true));
                stack.extend(out.kernel.terms.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        Ok(())
    }

    /// Shows that a term is equal to an earlier one, if it is for a simple reason.
    fn merge(&mut self, out: &mut Recorder, term: Term) -> Result<(), String> {
        let op = out.kernel.terms.op(term);
        if out.kernel.terms.args(term).is_empty() {
            return Ok(());
        }
        let mut classes: Vec<u32> =
            out.kernel.terms.args(term).iter().map(|&arg| out.kernel.class(arg)).collect();
        if op.is_commutative() {
            classes.sort_unstable();
        }
        let mut earlier = *self.applications.entry((op, classes)).or_insert(term);
        if earlier != term {
            out.congruence(term, earlier)?;
        } else if is_arithmetic(op)
            && let Some(polynomial) = short_polynomial(out, term)
        {
            let width = out.kernel.terms.width(term).unwrap_or_default();
            earlier = match polynomial_value(&polynomial) {
                Some(value) => out.kernel.terms.value(width, value)?,
                None => *self.polynomials.entry((width, polynomial)).or_insert(term),
            };
            if earlier != term && !out.kernel.equal(earlier, term) {
                out.polynomial(earlier, term)?;
            }
        }
        if op == Op::Eq {
            let args = out.kernel.terms.args(term);
            if out.kernel.equal(args[0], args[1]) && !out.kernel.is(term, true) {
                out.equation(term)?;
            }
        }
        if let Some(value) = out.kernel.value(term).filter(|&value| value != term) {
            earlier = value;
        }
        if earlier != term && out.kernel.terms.bits(term).is_some() && out.kernel.bits(term).is_none() {
            out.bits(earlier)?;
            out.share_bits(term, earlier)?;
        }
        Ok(())
    }
}

/// Can polynomials tell more of the operator than its name?
pub(crate) fn is_arithmetic(op: Op) -> bool {
    let is_ring = matches!(op, Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl);
    is_ring || matches!(op, Op::Concat | Op::Extract(_, 0))
}

/// The value of a polynomial without variables.
fn polynomial_value(polynomial: &Polynomial) -> Option<BigUint> {
    match polynomial.iter().next() {
        None => Some(BigUint::default()),
        Some((monomial, value)) if monomial.is_empty() && polynomial.len() == 1 => Some(value.clone()),
        Some(_) => None,
    }
}

fn short_polynomial(out: &Recorder, term: Term) -> Option<Polynomial> {
    // The arguments are merged, so one level of each is enough to see what a term is made of; deeper sums are
    // read again, which the bound on their length keeps cheap.
    out.kernel.polynomial_of(term).ok().filter(|polynomial| polynomial.len() <= MOST_MONOMIALS)
}
