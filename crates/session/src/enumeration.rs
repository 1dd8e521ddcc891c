//! `(get-all-models (t ...))` and `(count-models (t ...))`: all values of terms in models of the assertions.
//!
//! Neither needs a check before it. The reply to the first is a list of what `get-value` would say of each
//! model, and how it ended: `:status complete`, `limit` where the number that was asked for is reached, or
//! the reason why a check was not decided. With `:cubes true` bits that may have any value are shown as `-`.
//! The reply to the second is a number, or `(at-least n reason)`.
//!
//! A session that certifies says that a list is complete, and what a count is, only with a certificate that
//! nothing is outside of it.

use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::terms::{Sort, Term, Value};
use bivalve::{CheckError, Why};
use bivalve_enumerate::{Cube, EnumerateError, Models, Next, Word, count, count_stating_claims};

/// What is said where there should be a certificate that nothing is left out.
const UNCERTIFIED: Why = Why::Incomplete("that nothing else is a model has no certificate");

impl Session {
    /// The values of terms in all models, or in so many.
    pub(crate) fn all_models(
        &mut self,
        terms: &[(String, Term)],
        limit: Option<u64>,
        cubes: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        self.refuse_missing()?;
        let limit = limit.unwrap_or(u64::MAX);
        let list: Vec<Term> = terms.iter().map(|(_, term)| *term).collect();
        let models = Models::new(&mut self.pool, &list, &[]);
        let mut models = models.map_err(|refusal| Reply::Error(refusal.to_string()))?;
        let (mut text, mut shown, mut outside) = (String::from("(models\n"), 0, vec![]);
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, Some(&self.solver.progress()), self.options.check_time);
        let status = loop {
            let next = models.next(&mut self.solver, &mut self.pool);
            let cube = match next {
                Ok(Next::Cube(_)) if shown >= limit => break "limit",
                Ok(Next::Cube(cube)) => cube,
                Ok(Next::Unknown(why)) => break why.word(),
                Ok(Next::Complete) => {
                    let question = [self.solver.assertions(), models.assumptions(), &outside].concat();
                    break if self.certify([question]) { "complete" } else { UNCERTIFIED.word() };
                }
                Err(error) => {
                    monitor.ended();
                    return Err(refusal(EnumerateError::Check(error)));
                }
            };
            if self.certification().is_some() {
                outside.push(models.outside(&mut self.pool, &cube));
            }
            if cubes {
                text.push_str(&self.shown(terms, cube.terms().map(shown_cube)));
                shown += 1;
            } else if let Some(ended) = self.show_points(terms, &cube, limit, &mut shown, &mut text) {
                break ended;
            }
        };
        monitor.ended();
        text.push_str(&format!(" :status {status})"));
        Ok(Reply::Info(text))
    }

    /// Shows the values in a cube; why that ended early.
    fn show_points(
        &self,
        terms: &[(String, Term)],
        cube: &Cube,
        limit: u64,
        shown: &mut u64,
        text: &mut String,
    ) -> Option<&'static str> {
        let stop = self.solver.stop_handle();
        for point in cube.points() {
            if let Some(why) = stop.reason() {
                return Some(why.word());
            }
            if *shown >= limit {
                return Some("limit");
            }
            let printed = terms.iter().zip(&point).map(|((_, term), value)| self.printed(*term, value));
            text.push_str(&self.shown(terms, printed));
            *shown += 1;
        }
        None
    }

    fn printed(&self, term: Term, value: &Value) -> String {
        let sort: Sort = self.pool.sort(term);
        self.options.printer(&self.pool).value(sort, value)
    }

    /// A line of terms with their values.
    fn shown(&self, terms: &[(String, Term)], values: impl Iterator<Item = String>) -> String {
        let pairs = terms.iter().zip(values).map(|((text, _), value)| format!("({text} {value})"));
        format!(" ({})\n", pairs.collect::<Vec<_>>().join(" "))
    }

    /// How many values terms have in models.
    pub(crate) fn model_count(
        &mut self,
        terms: &[(String, Term)],
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        self.refuse_missing()?;
        let list: Vec<Term> = terms.iter().map(|(_, term)| *term).collect();
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, Some(&self.solver.progress()), self.options.check_time);
        let counts = if self.certification().is_some() { count_stating_claims } else { count };
        let found = counts(&mut self.solver, &mut self.pool, &list, &[]);
        let is_certified = found.as_ref().is_ok_and(|found| self.certify(found.claims.iter().cloned()));
        monitor.ended();
        let mut found = found.map_err(refusal)?;
        if !is_certified {
            found.unknown = found.unknown.or(Some(UNCERTIFIED));
        }
        Ok(Reply::Info(match found.unknown {
            None => found.at_least.to_string(),
            Some(why) => format!("(at-least {} {})", found.at_least, why.word()),
        }))
    }

    /// Models are those of the question, which an assertion that was refused belongs to.
    fn refuse_missing(&mut self) -> Result<(), Reply> {
        self.last = None;
        match self.missing() {
            Some(place) => Err(Reply::Error(format!(
                "there are no models without the assertion at {place}, which was refused"
            ))),
            None => Ok(()),
        }
    }
}

fn refusal(error: EnumerateError) -> Reply {
    match error {
        EnumerateError::Check(CheckError::Internal(fault)) => Reply::Fault(fault.to_string()),
        other => Reply::Error(other.to_string()),
    }
}

/// A word, with `-` for a bit that may have any value.
fn shown_cube(word: &Word) -> String {
    let bit = |bit: u32| match (word.known.bit(bit), word.value.bit(bit)) {
        (false, _) => '-',
        (true, true) => '1',
        (true, false) => '0',
    };
    match (word.is_bool, word.known.bit(0)) {
        (true, true) => word.value.bit(0).to_string(),
        (true, false) => "-".into(),
        _ => format!("#b{}", (0..word.known.width()).rev().map(bit).collect::<String>()),
    }
}
