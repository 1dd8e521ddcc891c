//! Certificates by sums of comparisons of floating-point numbers.
//!
//! What is asserted is looked at as it was written, not as words: the solver's search for a contradictory sum
//! (`bivalve_local_search::floats::sums`) says which assertions are enough. What these say is made linear by
//! the checker's own function, factors are found for its inequalities, and the certificate is one step, in
//! which the checker computes the sum.

use crate::recorder::Recorder;
use crate::{Certifier, Refutation, head};
use bivalve_checker::floats::sums::Number;
use bivalve_checker::term as to;
use bivalve_limits::Deadline;
use bivalve_local_search::floats::sums::{Inequality, refuted, refuting};
use bivalve_terms::float::Rational;
use bivalve_terms::{Pool, Term};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the search, as many as the solver has.
const STEPS: u64 = 200_000_000;

impl Certifier {
    /// A refutation of these assertions for a check, if a sum of comparisons shows it.
    pub(crate) fn refute_by_sums(
        &mut self,
        pool: &Pool,
        check: u64,
        assertions: &[Term],
    ) -> Option<Refutation> {
        let deadline = Deadline::new(&self.stop, STEPS);
        let used = refuted(pool, assertions, &deadline)?;
        let formulas: Vec<Term> = used.iter().map(|&at| assertions[at]).collect();
        let sums = self.images.sums(pool, &formulas).ok()?;
        let products: BTreeSet<&Vec<to::Term>> = sums.rows.iter().flat_map(|row| row.terms.keys()).collect();
        let inputs: BTreeMap<&Vec<to::Term>, usize> = products.into_iter().zip(0..).collect();
        let of = |Number(integer, power): &Number| Rational::scaled(integer.clone(), *power);
        let rows = sums.rows.iter().map(|row| {
            let terms = row.terms.iter();
            let most = |product| of(&sums.most(product).unwrap_or_default());
            let terms = terms.map(|(product, by)| (inputs[product], &of(by) * &most(product)));
            Inequality { terms: terms.collect(), constant: &of(&row.constant) - &of(&row.error) }
        });
        let factors = refuting(inputs.len(), &rows.collect::<Vec<_>>(), &deadline)?;
        let factors: Vec<(u64, BigUint)> =
            (0..).zip(factors).filter(|(_, factor)| factor.bits() > 0).collect();
        let mut out = Recorder::new(Some(self.form)).stopped_by(&self.stop);
        out.sums(&used, &sums, &factors).ok()?;
        out.end(None).ok()?;
        let mut refutation = out.into_refutation();
        refutation.steps.splice(0..0, head(self.form, check));
        Some(refutation)
    }
}
