//! An oracle that shares as little as possible with the solver: the reference semantics under all assignments
//! where symbols have few values, else the same formula without arrays, functions and declared sorts, decided
//! as bits. Formulas that are too large for both are `unknown`.
//!
//! It follows the stack of a script (push, pop, resets, assumptions), and answers checks only: it has no
//! models and no cores.

use crate::exhaustion::satisfiable;
use crate::expansion::expand;
use crate::inside::Inside;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_harness::{Cancel, Check, Ending, Key, Oracle, Reply, Verdict};
use bivalve_terms::{Pool, Term};

/// All assignments are tried if there are at most 2 to this power.
const FEW_BITS: u32 = 12;

/// The oracle.
pub struct Reference {
    name: String,
    /// Decides what is left of arrays and functions.
    bits: Inside,
}

impl Reference {
    /// The oracle of this name; `bits` decides formulas over bit-vectors.
    pub fn new(name: &str, bits: Inside) -> Reference {
        Reference { name: name.to_owned(), bits }
    }

    fn decide(&self, pool: &mut Pool, assertions: &[Term], cancel: &Cancel) -> Verdict {
        let answer = satisfiable(pool, assertions, FEW_BITS);
        if let Some(sat) = answer {
            return if sat { Verdict::Sat } else { Verdict::Unsat };
        }
        match expand(pool, assertions) {
            Some(formulas) => self.bits.decide(pool, &formulas, cancel).verdict().unwrap_or(Verdict::Unknown),
            None => Verdict::Unknown,
        }
    }
}

impl Oracle for Reference {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Key {
        Key::of(["reference", self.bits.identity().as_str()])
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let mut reply = Reply::ended(Ending::Exited(0));
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let (mut pool, mut assertions, mut marks) = (Pool::new(), Vec::<Term>::new(), vec![]);
        loop {
            let command = match parser.next_command(&mut pool) {
                Ok(None | Some(Command::Exit)) => return reply,
                Ok(Some(command)) => command,
                Err(refusal) => {
                    reply.errors.push(refusal.to_string());
                    continue;
                }
            };
            let mut check = |assumed: &[Term]| {
                let all = [&assertions[..], assumed].concat();
                reply.checks.push(Check::of(self.decide(&mut pool, &all, cancel)));
            };
            parser.symbols_mut().follow(&command);
            match command {
                Command::CheckSat => check(&[]),
                Command::CheckSatAssuming(assumed) => {
                    check(&assumed.into_iter().map(|(_, term)| term).collect::<Vec<Term>>());
                }
                Command::Assert { term, .. } => assertions.push(term),
                Command::Push(levels) => (0..levels).for_each(|_| marks.push(assertions.len())),
                Command::Pop(levels) if levels as usize <= marks.len() => {
                    let left = marks.len() - levels as usize;
                    assertions.truncate(marks.get(left).copied().unwrap_or(assertions.len()));
                    marks.truncate(left);
                }
                Command::Reset => (pool, assertions, marks) = (Pool::new(), vec![], vec![]),
                Command::ResetAssertions => (assertions, marks) = (vec![], vec![]),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn checks_are_answered_level_by_level() {
        let bits = Inside::new("bits", bivalve::Settings::default(), Duration::from_secs(10));
        let script = "(declare-const x (_ BitVec 3))(declare-fun f ((_ BitVec 40)) (_ BitVec 40))
            (declare-const y (_ BitVec 40))(assert (= (bvmul x x) #b001))(check-sat)
            (push 2)(assert (= x #b010))(check-sat)(pop 2)(check-sat-assuming ((distinct (f y) (f y))))
            (assert (= (f y) y))(check-sat)
            (declare-const a (Array (_ BitVec 40) Bool))(assert (select a y))(check-sat)";
        let reply = Reference::new("reference", bits).ask(script, &Cancel::new());
        use Verdict::{Sat, Unknown, Unsat};
        assert_eq!(reply.verdicts(), [Sat, Unsat, Unsat, Sat, Unknown], "{reply:?}");
    }
}
