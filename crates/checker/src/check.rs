//! A script and its certificate.

use crate::script::Script;
use crate::step::{Counts, Runner};
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
pub fn check<R: BufRead>(script: &str, certificate: R) -> Result<Verified, String> {
    let mut script = Script::new(script);
    let mut tokens = Tokens::new(certificate).map_err(|why| format!("certificate: {why}"))?;
    let mut runner = Runner::default();
    let mut verified = Verified::default();
    loop {
        let next = runner.next_check(&mut tokens).map_err(|why| located(&tokens, &why))?;
        while next.is_none_or(|next| verified.checks <= next) {
            if !script.next_check().map_err(|why| format!("script: {why}"))? {
                break;
            }
            verified.checks += 1;
        }
        let Some(next) = next else { break };
        if verified.checks != next + 1 {
            let why = format!("check {next} is not next in the script");
            return Err(located(&tokens, &why));
        }
        let terms = std::mem::take(&mut script.terms);
        let terms = runner.check(&mut tokens, &script, terms);
        script.terms = terms.map_err(|why| located(&tokens, &format!("check {next}: {why}")))?;
        verified.unsatisfiable.push(next);
    }
    verified.counts = runner.counts;
    Ok(verified)
}

fn located<R: BufRead>(tokens: &Tokens<R>, why: &str) -> String {
    format!("certificate, {}: {why}", tokens.place())
}
