//! `get-interpolant`: interpolants between assertions (`bivalve-interpolate`), in the forms of other solvers.
//!
//! It needs no check before it: that the two sides contradict each other comes out on the way. What is
//! printed was checked, and if the session certifies, the checks have certificates.

use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::CheckError;
use bivalve::terms::{Op, Term};
use bivalve_formats::smtlib::{Interpolants, print};
use bivalve_interpolate::{Interpolator, Tree};

impl Session {
    /// The reply to a command about interpolants.
    pub(crate) fn interpolants(
        &mut self,
        asked: &Interpolants,
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        self.last = None;
        let tree = match asked {
            Interpolants::Goal { goal, .. } => {
                let negation = self.pool.mk(Op::Not, &[*goal]);
                Tree::sequence(vec![self.solver.assertions().to_vec(), vec![negation]])
            }
            Interpolants::Between(set) => Tree::sequence(self.divided(std::slice::from_ref(set), false)?),
            Interpolants::Along(sets) => Tree::sequence(self.divided(sets, false)?),
            Interpolants::Tree { sets, starts } => Tree::new(self.divided(sets, true)?, starts.clone())
                .ok_or_else(|| Reply::Fault("internal: no tree of sets was read".into()))?,
        };
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, Some(&self.solver.progress()), self.options.check_time);
        let interpolator = Interpolator::new(self.options.settings.clone(), stop);
        let found = interpolator.over(&mut self.pool, &tree);
        let is_certified = match &found {
            Ok(Ok(found)) => {
                let claims = tree.claims(&mut self.pool, found);
                self.certify(claims)
            }
            _ => false,
        };
        monitor.ended();
        let found = match found {
            Ok(Ok(found)) if is_certified => found,
            Ok(Ok(_)) => return Err(Reply::Error("no interpolant: its checks have no certificate".into())),
            Ok(Err(outcome)) => return Err(Reply::Error(outcome.why_none())),
            Err(CheckError::Internal(fault)) => return Err(Reply::Fault(fault.to_string())),
            Err(error) => return Err(Reply::Error(error.to_string())),
        };
        let texts: Vec<String> = found.iter().map(|&term| print::term(&self.pool, term)).collect();
        Ok(Reply::Info(match asked {
            Interpolants::Goal { name, .. } => {
                format!("(define-fun {} () Bool {})", print::symbol(name), texts.join(" "))
            }
            Interpolants::Between(_) => texts.join(" "),
            Interpolants::Along(_) | Interpolants::Tree { .. } => format!("({})", texts.join("\n ")),
        }))
    }

    /// The sets of assertions, and that of the others behind them unless the sets are the whole.
    fn divided(&self, sets: &[Vec<(String, Term)>], is_whole: bool) -> Result<Vec<Vec<Term>>, Reply> {
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
}
