//! Residues: remainders by one divisor that are the same, because what they are taken of is congruent.
//!
//! `(a mod n + b mod n) mod n` is `(a + b) mod n`, and a product may be reduced on the way or at its end; a
//! number and the sum of its decimal digits have one remainder by nine. A word is a polynomial over the
//! integers here (`residues/forms.rs`), where sums and products do not overflow, and congruent modulo the
//! divisor: a remainder by it is what it is taken of, the divisor is zero, and coefficients are reduced where
//! it is a constant. Remainders whose polynomials are the same become one term.
//!
//! Why it is correct: congruences may be added and multiplied. Congruent modulo zero are numbers that are
//! equal, and a remainder by zero is the dividend, so zero is no exception. Cost: a budget of steps; nothing
//! where there are not two remainders by one divisor.

mod forms;

use super::identities::Bounds;
use super::parts::Cuts;
use crate::change::Change;
use crate::problem::Problem;
use bivalve_domains::{Analysis, Facts};
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use forms::{Form, Forms, Modulus};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// More remainders are not looked at.
const MOST_REMAINDERS: usize = 1 << 10;

/// Steps for all remainders of a problem.
const BUDGET: usize = 1 << 17;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let mut divisors: IndexMap<Modulus, Vec<Term>, FxBuildHasher> = IndexMap::default();
    let remainders = problem.cone(pool).iter().filter(|&&term| pool.op(term) == Op::BvUrem);
    for &remainder in remainders.take(MOST_REMAINDERS) {
        divisors.entry(Modulus::of(pool, pool.args(remainder)[1])).or_default().push(remainder);
    }
    divisors.retain(|_, remainders| remainders.len() > 1);
    if divisors.is_empty() {
        return None;
    }
    let bounds = Bounds::new(pool, problem);
    let cuts = Cuts::new(pool, problem.cone(pool));
    let unbounded = Analysis::forward(pool, problem.cone(pool), &Facts::default(), problem.deadline);
    let known = bounds.known().or(unbounded.as_ref());
    let mut budget = BUDGET;
    let mut changes = vec![];
    for (modulus, remainders) in divisors {
        let mut forms = Forms::new(&cuts, known, modulus, &mut budget);
        let mut earliest: FxHashMap<Form, Term> = FxHashMap::default();
        for remainder in remainders {
            let Some(form) = forms.of(pool, remainder, problem.deadline) else { continue };
            let first = *earliest.entry(form).or_insert(remainder);
            if first != remainder && !bounds.are_from(remainder) {
                let width = pool.width(remainder)?;
                changes.push(Change::unshown(remainder, resized(pool, first, width)));
            }
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// A word with other leading zeros.
fn resized(pool: &mut Pool, word: Term, width: u32) -> Term {
    match pool.width(word) {
        Some(has) if has < width => {
            let zeros = make::zeros_or_none(pool, width - has);
            make::concat(pool, &[zeros, Some(word)])
        }
        _ => make::extract(pool, word, width - 1, 0),
    }
}

#[cfg(test)]
mod tests;
