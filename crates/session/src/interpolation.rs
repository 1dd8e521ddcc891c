//! `get-interpolant`: interpolants between assertions (`bivalve-interpolate`), in the forms of other solvers.
//!
//! It needs no check before it: that the two sides contradict each other comes out on the way. What is
//! printed was checked, and if the session certifies, both checks have certificates.

use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::CheckError;
use bivalve::terms::{Op, Term};
use bivalve_formats::smtlib::{Interpolants, print};
use bivalve_interpolate::{Interpolator, Outcome};

impl Session {
    /// The reply to a command about interpolants.
    pub(crate) fn interpolants(
        &mut self,
        asked: &Interpolants,
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        self.last = None;
        let sets = match asked {
            Interpolants::Goal { goal, .. } => {
                let negation = self.pool.mk(Op::Not, &[*goal]);
                vec![self.solver.assertions().to_vec(), vec![negation]]
            }
            Interpolants::Between(set) => self.divided(&[set], false)?,
            Interpolants::Along { sets, whole } => self.divided(&sets.iter().collect::<Vec<_>>(), *whole)?,
        };
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, Some(&self.solver.progress()), self.options.check_time);
        let interpolator = Interpolator::new(self.options.settings.clone(), stop);
        let found = interpolator.along(&mut self.pool, &sets);
        let is_certified = matches!(&found, Ok(Ok(found)) if self.certifies(&sets, found));
        monitor.ended();
        let found = match found {
            Ok(Ok(found)) if is_certified => found,
            Ok(Ok(_)) => return Err(Reply::Error("no interpolant: its checks have no certificate".into())),
            Ok(Err(outcome)) => return Err(Reply::Error(why_none(outcome))),
            Err(CheckError::Internal(fault)) => return Err(Reply::Fault(fault.to_string())),
            Err(error) => return Err(Reply::Error(error.to_string())),
        };
        let texts: Vec<String> = found.iter().map(|&term| print::term(&self.pool, term)).collect();
        Ok(Reply::Info(match asked {
            Interpolants::Goal { name, .. } => {
                format!("(define-fun {} () Bool {})", print::symbol(name), texts.join(" "))
            }
            Interpolants::Between(_) => texts.join(" "),
            Interpolants::Along { .. } => format!("({})", texts.join("\n ")),
        }))
    }

    /// The sets of assertions, and that of the others behind them unless the sets are the whole.
    fn divided(&self, sets: &[&Vec<(String, Term)>], is_whole: bool) -> Result<Vec<Vec<Term>>, Reply> {
        let assertions = self.solver.assertions();
        let mut divided: Vec<Vec<Term>> = vec![];
        for set in sets {
            if let Some((name, _)) = set.iter().find(|(_, term)| !assertions.contains(term)) {
                let problem = format!("expected the name of an assertion, found '{}'", print::symbol(name));
                return Err(Reply::Error(problem));
            }
            divided.push(set.iter().map(|&(_, term)| term).collect());
        }
        let is_listed = |term: &Term| divided.iter().any(|set| set.contains(term));
        let others: Vec<Term> = assertions.iter().copied().filter(|term| !is_listed(term)).collect();
        match (is_whole, others.is_empty()) {
            (true, false) => {
                let problem = format!("expected all assertions in the list, found all but {}", others.len());
                return Err(Reply::Error(problem));
            }
            (true, true) => {}
            (false, _) => divided.push(others),
        }
        Ok(divided)
    }

    /// Whether the interpolants have certificates, if such are required.
    fn certifies(&mut self, sets: &[Vec<Term>], found: &[Term]) -> bool {
        let mut questions = vec![];
        for (at, &interpolant) in found.iter().enumerate() {
            let negation = self.pool.mk(Op::Not, &[interpolant]);
            questions.push([&sets[..=at].concat()[..], &[negation]].concat());
            questions.push([&sets[at + 1..].concat()[..], &[interpolant]].concat());
        }
        self.certify(questions)
    }
}

/// Why there is no interpolant.
fn why_none(outcome: Outcome) -> String {
    match outcome {
        Outcome::Consistent => "no interpolant: the two sides have a model together".into(),
        Outcome::NotOverBits => {
            "no interpolant over formulas that are there and bits of shared symbols: others are shared".into()
        }
        Outcome::Unknown(why) => format!("no interpolant: a check was not decided ({})", why.word()),
        Outcome::Interpolant(_) => "no interpolant: internal".into(),
    }
}
