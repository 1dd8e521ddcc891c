//! `(get-info :instances)`: by which instances quantified formulas are contradictory.
//!
//! After `unsat` the formulas are refuted once more by instances alone, and the instances that are not needed
//! are left out. What remains is printed in the order in which it was found: `(instance F (t ...))` says that
//! the formula holds for these terms in the places of its variables, `(witness F (c ...))` that it is false
//! for these new symbols, if it is false. Beside the assertions that is a contradiction without quantifiers.
//! A formula within an instance is printed with the terms of that instance in it.
//!
//! Cost: a check by instances, and one for each of them to leave it out.

use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::terms::Term;
use bivalve_formats::smtlib::print;

impl Session {
    /// The instances that refute what was asserted and assumed at the last check.
    pub(crate) fn instances(&mut self, monitor: &mut dyn Monitor) -> Result<Reply, Reply> {
        let refused = |why: &str| Err(Reply::Error(format!("instances are not available: {why}")));
        if !self.is_unsat() {
            return refused("the last answer was not unsat");
        }
        let assumed = self.solver.assumptions();
        if !self.solver.is_quantified(&self.pool, assumed) {
            return refused("nothing is quantified");
        }
        let formulas = [self.solver.assertions(), assumed].concat();
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, None, self.options.check_time);
        let found = self.solver.least_refutation(&mut self.pool, &formulas);
        monitor.ended();
        let grounded = match found {
            Ok(Ok(grounded)) => grounded,
            Ok(Err(why)) => return refused(&why.to_string()),
            Err(fault) => return Err(Reply::Fault(fault.to_string())),
        };
        let text = |&term: &Term| print::term(&self.pool, term);
        let lines = grounded.lemmas.iter().map(|lemma| {
            let word = if lemma.is_witness { "witness" } else { "instance" };
            let terms = lemma.terms.iter().map(text).collect::<Vec<_>>().join(" ");
            format!("({word} {} ({terms}))", text(&lemma.formula))
        });
        Ok(Reply::Info(format!("(:instances\n ({}))", lines.collect::<Vec<_>>().join("\n  "))))
    }
}
