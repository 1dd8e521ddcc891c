//! `get-consequences`: which of some Boolean terms are determined by the assertions under assumptions.
//!
//! A command of Z3 (Bacchus, Bjørner, Katsirelos, Lynce and others call such literals backbones). A model of
//! the assertions and the assumptions gives each term a value; the term is determined if the opposite value
//! has no model, and the failed assumptions of that check imply it. A model of a later check removes every
//! term that has another value in it. Cost: one check, and at most one for each term.
//!
//! The answer has the form of Z3: the verdict, an empty line, and an implication a line.

use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::CheckResult;
use bivalve::terms::{Op, Term};

impl Session {
    /// The consequences of `assumptions` among `variables`.
    pub(crate) fn consequences(
        &mut self,
        assumptions: &[(String, Term)],
        variables: &[(String, Term)],
        monitor: &mut dyn Monitor,
    ) -> Result<Reply, Reply> {
        let mut assumed: Vec<Term> = assumptions.iter().map(|(_, term)| *term).collect();
        match self.check_assuming(&assumed, monitor)? {
            CheckResult::Sat => {}
            CheckResult::Unsat => return Ok(Reply::Info("unsat\n".into())),
            CheckResult::Unknown(_) => return Ok(Reply::Info("unknown\n".into())),
        }
        let values: Option<Vec<bool>> = variables.iter().map(|(_, variable)| self.holds(*variable)).collect();
        // Of a quantified formula that the check did not need.
        let Some(values) = values else { return Ok(Reply::Info("unknown\n".into())) };
        let mut open = vec![true; variables.len()];
        let mut text = String::from("sat\n");
        for (i, (name, variable)) in variables.iter().enumerate() {
            if !open[i] {
                continue;
            }
            let opposite = if values[i] { self.pool.mk(Op::Not, &[*variable]) } else { *variable };
            assumed.push(opposite);
            let answer = self.check_assuming(&assumed, monitor)?;
            assumed.pop();
            match answer {
                CheckResult::Unsat => {
                    let literal = if values[i] { name.clone() } else { format!("(not {name})") };
                    text.push_str(&format!("\n(=> {} {literal})", self.reason(assumptions)));
                }
                CheckResult::Sat => {
                    for (j, (_, other)) in variables.iter().enumerate() {
                        open[j] &= self.holds(*other).is_none_or(|value| value == values[j]);
                    }
                }
                // What is not decided is not reported as determined.
                CheckResult::Unknown(_) => return Ok(Reply::Info("unknown\n".into())),
            }
        }
        Ok(Reply::Info(text))
    }

    /// The value of a Boolean term in the model of the last check, if it is known.
    fn holds(&self, term: Term) -> Option<bool> {
        let model = self.solver.model().expect("the last check was sat");
        model.knows(&self.pool, term).then(|| model.value(&self.pool, term).expect_bool())
    }

    /// The conjunction of the assumptions that failed in the last check.
    fn reason(&self, assumptions: &[(String, Term)]) -> String {
        let failed = self.solver.unsat_assumptions().expect("the last check was unsat");
        let texts: Vec<&str> = failed.iter().filter_map(|&at| Some(&*assumptions.get(at)?.0)).collect();
        match &texts[..] {
            [] => "true".into(),
            [only] => (*only).to_owned(),
            _ => format!("(and {})", texts.join(" ")),
        }
    }
}
