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
use bivalve_interpolate::{Interpolator, NoDivision, Tree};

impl Session {
    /// The reply to a command about interpolants.
    pub(crate) fn interpolants(
        &mut self,
        asked: &Interpolants,
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        self.last = None;
        let assertions = self.solver.assertions();
        let terms = |sets: &[Vec<(String, Term)>]| -> Vec<Vec<Term>> {
            sets.iter().map(|set| set.iter().map(|&(_, term)| term).collect()).collect()
        };
        let tree = match asked {
            Interpolants::Goal { goal, .. } => {
                let negation = self.pool.mk(Op::Not, &[*goal]);
                Ok(Tree::sequence(vec![assertions.to_vec(), vec![negation]]))
            }
            Interpolants::Between(set) => Tree::of_prefixes(assertions, terms(std::slice::from_ref(set)))
                .map_err(|refusal| no_division(refusal, set.iter())),
            Interpolants::Along(sets) => Tree::of_prefixes(assertions, terms(sets))
                .map_err(|refusal| no_division(refusal, sets.iter().flatten())),
            Interpolants::Tree { sets, starts } => {
                Tree::of_all(assertions, terms(sets), Some(starts.clone()))
                    .map_err(|refusal| no_division(refusal, sets.iter().flatten()))
            }
        };
        let tree = tree?;
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
}

/// Why names of assertions are no tree of assertions.
fn no_division<'n>(refusal: NoDivision, mut names: impl Iterator<Item = &'n (String, Term)>) -> Reply {
    Reply::Error(match refusal {
        NoDivision::NotAsserted { position } => {
            let name =
                names.nth(position).map_or_else(String::new, |(name, _)| print::symbol(name).to_string());
            format!("expected the name of an assertion, found '{name}'")
        }
        NoDivision::Missing(count) => format!("expected all assertions in the list, found all but {count}"),
        NoDivision::NoTree => refusal.to_string(),
    })
}
