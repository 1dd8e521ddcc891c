//! Objectives: what is to be minimised or maximised, and how a check finds it (`bivalve-optimise`).
//!
//! While there are objectives, every check looks for their optimum. `(get-objectives)` answers in the form of
//! Z3: the text of a term or its `:id`, and the optimum as a number; where a check was not decided, the
//! interval in which it lies.
//!
//! A session that certifies does so for optima, too: that nothing is better is a question of its own, which
//! is written as a script, refuted, and checked by the checker from that text.

use crate::certification::Certificate;
use crate::reply::{Evidence, Reply};
use crate::session::Session;
use bivalve::terms::Term;
use bivalve::{CheckError, CheckResult, Why};
use bivalve_certificate::Form;
use bivalve_formats::smtlib::print;
use bivalve_optimise::{Named, Objectives};

/// What is said where an optimum should have a certificate.
const UNCERTIFIED: Why = Why::Incomplete("the optimum has no certificate");

/// The reply to `(get-objectives)` after a check with this answer.
pub(crate) fn reply(objectives: &Objectives, last: Option<CheckResult>) -> Option<Reply> {
    let ranges = objectives.ranges();
    if !objectives.is_empty() && (last.is_none() || ranges.is_empty()) {
        return None;
    }
    let mut text = String::from("(objectives\n");
    for (name, range) in objectives.names().zip(ranges) {
        let name = match name {
            Named::Term(name) => name.to_owned(),
            Named::Price("") => String::new(),
            Named::Price(name) => print::symbol(name).into_owned(),
        };
        text.push_str(&format!(" ({name} {range})\n"));
    }
    Some(Reply::Evidence(Evidence::Objectives, text + ")"))
}

impl Session {
    /// The answer of a check while there are objectives.
    pub(crate) fn check_optimising(&mut self, assumptions: &[Term]) -> Result<CheckResult, CheckError> {
        self.objectives.forget_ranges();
        let is_first = self.objectives.begins_anew(assumptions);
        let is_certified = self.certification().is_some();
        if is_certified && is_first {
            let answer = self.check_certifying(assumptions)?;
            if answer != CheckResult::Sat {
                return Ok(answer);
            }
        }
        let Session { solver, pool, objectives, options, .. } = self;
        let found = objectives.search(solver, pool, (options.priority, assumptions), is_certified)?;
        let is_missing = self.missing().is_some();
        if is_missing {
            self.objectives.forget_ranges();
        }
        if is_certified
            && !matches!(found.answer, CheckResult::Unknown(_))
            && !self.certify(found.claims.iter().map(|claim| [self.solver.assertions(), claim].concat()))
        {
            self.objectives.forget_ranges();
            return Ok(CheckResult::Unknown(UNCERTIFIED));
        }
        if found.answer == CheckResult::Unsat && !is_first && is_missing {
            return Ok(CheckResult::Unknown(Why::Incomplete("an assertion was refused")));
        }
        Ok(found.answer)
    }

    /// Whether each of these sets of formulas has a certificate that it has no model, if such are required.
    pub(crate) fn certify(&self, questions: impl IntoIterator<Item = Vec<Term>>) -> bool {
        let is_required = self.certification().is_some_and(|certification| certification.is_required());
        let stop = self.solver.stop_handle();
        !is_required
            || questions.into_iter().all(|question| {
                let certificate = Certificate::of(&self.pool, &question, Form::Binary, &stop);
                certificate.is_ok_and(|Certificate { script, steps }| {
                    let verified = bivalve_checker::check::check(&script, &steps[..]);
                    verified.is_ok_and(|verified| verified.unsatisfiable == [0])
                })
            })
    }
}
