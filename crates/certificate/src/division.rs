//! Quotients and remainders without circuits.
//!
//! Most of what is said of them follows from facts about their size and from congruence, and then the search
//! is one without dividers. So a proof is first tried with free bits for them and these clauses; only if that
//! does not succeed, and its failure says nothing, with circuits.
//!
//! Cost: a small circuit for each, and a clause for each pair; they are few.

use crate::instances;
use crate::lemma;
use crate::recorder::Recorder;
use bivalve_checker::gate::Lit;
use bivalve_checker::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// With more quotients and remainders than these, the facts about them are not tried.
pub(crate) const MOST_DIVISIONS: usize = 8;

/// What quotients and remainders are in a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Division {
    /// Free bits, with facts about their size, and equal where their operands are.
    Facts,
    /// Nothing but congruence and polynomials, in each case of the conditions of choices.
    Cases,
    /// Circuits.
    Circuits,
}

/// The quotients and remainders below these terms and not below variables, operands first.
pub(crate) fn divisions(terms: &Terms, roots: &[Term], variables: &[Term]) -> Vec<Term> {
    let (mut found, mut seen) = (vec![], FxHashSet::default());
    let mut stack: Vec<(Term, bool)> = roots.iter().map(|&root| (root, false)).collect();
    while let Some((term, is_visited)) = stack.pop() {
        if is_visited {
            found.push(term);
        } else if seen.insert(term) && !variables.contains(&term) {
            if matches!(terms.op(term), Op::BvUdiv | Op::BvUrem) {
                stack.push((term, true));
            }
            stack.extend(terms.args(term).iter().map(|&arg| (arg, false)));
        }
    }
    found
}

/// Are there some, but so few that facts about them are tried?
pub(crate) fn are_few(divisions: &[Term]) -> bool {
    (1..=MOST_DIVISIONS).contains(&divisions.len())
}

/// Gives quotients and remainders below these terms free bits; the clauses that they satisfy, and the numbers
/// of these.
pub(crate) fn free(out: &mut Recorder, roots: &[Term]) -> Result<Vec<(Vec<Lit>, u64)>, String> {
    Free::default().free(out, roots)
}

/// Quotients and remainders that have free bits.
#[derive(Default)]
pub(crate) struct Free {
    terms: Vec<Term>,
}

impl Free {
    /// The same, with those of earlier calls.
    pub(crate) fn free(
        &mut self,
        out: &mut Recorder,
        roots: &[Term],
    ) -> Result<Vec<(Vec<Lit>, u64)>, String> {
        let mut new = divisions(&out.kernel.terms, roots, &[]);
        new.retain(|&term| out.kernel.bits(term).is_none());
        new.iter().try_for_each(|&term| out.free_bits(term))?;
        let mut clauses = vec![];
        for term in new {
            let facts = out.division(term)?;
            let number = out.unit(facts)?;
            clauses.push((out.bits(facts)?, number));
            for &other in &self.terms {
                clauses.extend(congruence(out, term, other)?);
            }
            self.terms.push(term);
        }
        Ok(clauses)
    }
}

/// One operator on equal operands has equal results.
fn congruence(out: &mut Recorder, a: Term, b: Term) -> Result<Option<(Vec<Lit>, u64)>, String> {
    let terms = &mut out.kernel.terms;
    if terms.op(a) != terms.op(b) || terms.sort_of(a) != terms.sort_of(b) {
        return Ok(None);
    }
    let (x, y) = (terms.args(a).to_vec(), terms.args(b).to_vec());
    let mut equal = |a: Term, b: Term| terms.mk(Op::Eq, &[a, b]);
    let lemma = [(equal(x[0], y[0])?, false), (equal(x[1], y[1])?, false), (equal(a, b)?, true)];
    let number = lemma::show_by_closure(out, &lemma)?;
    Ok(Some((instances::bits(out, &lemma)?, number)))
}
