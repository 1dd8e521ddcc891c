//! A script and its certificate.

use crate::budget::GoesOn;
use crate::lrat::Refutation;
use crate::script::Script;
use crate::step::{Counts, Part, Runner};
use crate::token::Tokens;
use std::io::BufRead;

/// What a certificate shows.
#[derive(Debug, Default)]
pub struct Verified {
    /// The number of checks of the script.
    pub checks: u64,
    /// The checks, counted from 0, that are shown to be unsatisfiable.
    pub unsatisfiable: Vec<u64>,
    /// The steps that were carried out.
    pub counts: Counts,
}

/// Carries a certificate out, beside its script.
pub struct Checker<'a, R> {
    script: Script<'a>,
    bytes: u64,
    tokens: Tokens<R>,
    runner: Runner,
    verified: Verified,
}

impl<'a, R: BufRead> Checker<'a, R> {
    /// Begins with the first check.
    pub fn new(script: &'a str, certificate: R) -> Result<Checker<'a, R>, String> {
        let tokens = Tokens::new(certificate).map_err(|why| format!("certificate: {why}"))?;
        let (runner, verified) = Default::default();
        let mut checker =
            Checker { script: Script::new(script), bytes: script.len() as u64, tokens, runner, verified };
        checker.allow(1);
        Ok(checker)
    }

    /// The budget is so many times the usual one.
    pub fn allow(&mut self, factor: u64) {
        self.runner.limit(self.bytes, factor);
        self.script.terms.budget.limit(self.bytes, factor);
    }

    /// Whether to go on is asked every few milliseconds.
    pub fn ask(&mut self, goes_on: GoesOn) {
        self.script.terms.budget.goes_on = Some(goes_on);
    }

    /// The steps and bytes that were spent so far.
    pub fn spent(&self) -> [u64; 2] {
        self.script.terms.budget.used()
    }

    /// The next check that is shown to be unsatisfiable, by number; nothing at the end of the certificate.
    pub fn next_verified(&mut self) -> Result<Option<u64>, String> {
        let part = self.runner.next_part(&mut self.tokens).map_err(|why| self.located(&why))?;
        let next = part.as_ref().map(|&(Part::Check(number) | Part::Case(number, _))| number);
        while next.is_none_or(|next| self.verified.checks <= next) {
            if !self.script.next_check().map_err(|why| format!("script: {why}"))? {
                break;
            }
            self.verified.checks += 1;
        }
        let (Some(part), Some(number)) = (part, next) else { return Ok(None) };
        let comes_twice = self.verified.unsatisfiable.last() == next.as_ref();
        if number.checked_add(1) != Some(self.verified.checks) || comes_twice {
            return Err(self.located(&format!("check {number} is not next in the script")));
        }
        let carried_out = match part {
            Part::Check(_) => {
                let (name, terms) = (format!("check-{number}"), std::mem::take(&mut self.script.terms));
                let terms = self.runner.check(&mut self.tokens, &name, &self.script, terms);
                terms.map(|terms| self.script.terms = terms)
            }
            Part::Case(_, terms) => self.cases(number, terms),
        };
        carried_out.map_err(|why| self.located(&format!("check {number}: {why}")))?;
        self.verified.unsatisfiable.push(number);
        Ok(next)
    }

    /// Carries out the cases of a check, from the first one on, which assumes these terms. They are the
    /// leaves of a tree from left to right: a path leads to each, of terms that are assumed true or false.
    /// When the case at its end is refuted, the last term that was true is false for the cases to come, what
    /// stands behind it is dropped, and the next case says what it assumes beyond that. Where no term is left
    /// that was true, the cases are all there are.
    fn cases(&mut self, number: u64, mut terms: Vec<String>) -> Result<(), String> {
        let mut path: Vec<(String, bool)> = vec![];
        for case in 0.. {
            self.runner.afford(&self.tokens, &self.script.terms.budget);
            for text in terms {
                self.script.assume(&text, true)?;
                path.push((text, true));
            }
            let name = format!("check-{number}-case-{case}");
            let done = self.runner.case(&mut self.tokens, &name, &self.script, &self.script.terms);
            done.map_err(|why| format!("case {case}: {why}"))?;
            while path.pop_if(|(_, truth)| !*truth).is_some() {
                self.script.take_back();
            }
            let Some((text, truth)) = path.last_mut() else { break };
            *truth = false;
            self.runner.afford(&self.tokens, &self.script.terms.budget);
            self.script.take_back();
            self.script.assume(text, false)?;
            terms = match self.runner.next_part(&mut self.tokens)? {
                Some(Part::Case(same, terms)) if same == number => terms,
                _ => return Err(format!("case {} is missing", case + 1)),
            };
        }
        Ok(())
    }

    /// The clausal parts of proofs are kept from now on.
    pub fn keep_refutations(&mut self) {
        self.runner.refutations = Some(vec![]);
    }

    /// The clausal parts of the proofs since the last call.
    pub fn take_refutations(&mut self) -> Vec<Refutation> {
        self.runner.refutations.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What was verified so far.
    pub fn verified(self) -> Verified {
        Verified { counts: self.runner.counts, ..self.verified }
    }

    fn located(&self, why: &str) -> String {
        format!("certificate, {}: {why}", self.tokens.place())
    }
}

/// What a certificate shows of a script.
pub fn check<R: BufRead>(script: &str, certificate: R) -> Result<Verified, String> {
    let mut checker = Checker::new(script, certificate)?;
    while checker.next_verified()?.is_some() {}
    Ok(checker.verified())
}
