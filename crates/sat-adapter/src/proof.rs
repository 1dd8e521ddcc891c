//! Proofs: why an unsat answer is right, step by step.
//!
//! A solver that can tell its reasoning reports every clause it derives, in order, to a [`ProofSink`]. Each
//! derived clause follows from the clauses added so far and those derived before it by reverse unit
//! propagation (Goldberg and Novikov, DATE 2003): assume it false, propagate units, and a conflict appears.
//! So a checker needs nothing but unit propagation. An unsat answer without assumptions ends in the empty
//! clause; with assumptions it ends in the clause that says "not all of the core".
//!
//! Deletions are reported where the solver names them, so that a checker may forget; forgetting less than the
//! solver did is always sound, because reverse unit propagation is monotone in the clauses. A clause that a
//! solver only sets aside (an eliminated variable may come back in incremental use) is not reported as
//! deleted.
//!
//! The sink sees derived clauses only, not the added ones: the caller, who adds those, knows them already. On
//! a run with one `solve` and no assumptions, [`Drat`] writes the steps as a DRAT file (Wetzler, Heule and
//! Hunt, SAT 2014).

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crate::Lit;

/// Receives the steps of a solver's reasoning.
pub trait ProofSink {
    /// The clause follows from everything before.
    fn derived(&mut self, clause: &[Lit]);

    /// The clause will not be used again.
    fn deleted(&mut self, clause: &[Lit]);

    /// Whether [`ProofSink::antecedents`] is to be told. That costs the solver time.
    fn wants_antecedents(&self) -> bool {
        false
    }

    /// Said before the clause is derived, or before an added one is used: its number. Added clauses have
    /// none of their own; the n-th one that was added, counted from 0, is `Source::Added(n)`.
    fn antecedents(&mut self, number: u64, source: Source<'_>) {
        let _ = (number, source);
    }
}

/// Where a numbered clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// It is the n-th clause that was added, counted from 0.
    Added(u64),
    /// Unit propagation along the clauses of these numbers, in this order, shows that it follows.
    Derived(&'a [u64]),
}

/// Why a solver takes no [`ProofSink`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// The backend cannot tell its reasoning.
    #[error("this SAT backend writes no proofs")]
    Unsupported,
    /// Clauses or variables exist already, so that steps could be missing.
    #[error("a proof must be asked for before the first variable and the first clause")]
    TooLate,
}

/// A sink that the solver owns and the caller still reads.
impl<T: ProofSink> ProofSink for Rc<RefCell<T>> {
    fn derived(&mut self, clause: &[Lit]) {
        self.borrow_mut().derived(clause);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.borrow_mut().deleted(clause);
    }

    fn wants_antecedents(&self) -> bool {
        self.borrow().wants_antecedents()
    }

    fn antecedents(&mut self, number: u64, source: Source<'_>) {
        self.borrow_mut().antecedents(number, source);
    }
}

/// Writes the steps as DRAT text.
#[derive(Debug)]
pub struct Drat<W: Write> {
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> Drat<W> {
    /// Writes to `out`; a buffered writer is a good idea.
    pub fn new(out: W) -> Drat<W> {
        Drat { out, failure: None }
    }

    /// Flushes and hands the writer back.
    ///
    /// # Errors
    ///
    /// The first failure of the writer; what was written until then is no proof.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn line(&mut self, prefix: &str, clause: &[Lit]) {
        if self.failure.is_none() {
            self.failure = self.write(prefix, clause).err();
        }
    }

    fn write(&mut self, prefix: &str, clause: &[Lit]) -> io::Result<()> {
        self.out.write_all(prefix.as_bytes())?;
        for lit in clause {
            write!(self.out, "{lit} ")?;
        }
        self.out.write_all(b"0\n")
    }
}

impl<W: Write> ProofSink for Drat<W> {
    fn derived(&mut self, clause: &[Lit]) {
        self.line("", clause);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.line("d ", clause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drat_text() {
        let mut drat = Drat::new(Vec::new());
        drat.derived(&[Lit::positive(1), Lit::negative(2)]);
        drat.deleted(&[Lit::negative(3)]);
        drat.derived(&[]);
        assert_eq!(String::from_utf8(drat.finish().unwrap()).unwrap(), "1 -2 0\nd -3 0\n0\n");
    }

    #[test]
    fn a_failing_writer_is_reported_at_the_end() {
        let mut room = [0u8; 6];
        let mut drat = Drat::new(&mut room[..]);
        drat.derived(&[Lit::positive(1)]);
        drat.derived(&[Lit::positive(2)]);
        drat.derived(&[]);
        assert!(drat.finish().is_err());
    }
}
