//! Certificates of a check by cases, each of which was refuted by itself.
//!
//! A case assumes some terms beside what is asserted and assumed at the check. Its steps are those of a
//! check with these assumptions, so a case is certified wherever it is refuted, without the others. The
//! certificate of the check has the cases one after the other, from left to right in the tree of the terms
//! that were assumed; the checker sees that none is missing.

use crate::writer::Writer;
use crate::{Form, head};
use bivalve_checker::step;
use std::io::{self, Write};

impl Form {
    /// Writes a case of a check. `steps` refute its assertions, its assumptions and then the terms of the
    /// case, as the first check of a script. `terms` are those terms of the case, in the script's language,
    /// that come after what the cases before it have left open.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written, or the steps are those of another check or in another form.
    pub fn write_case<T: AsRef<str>>(
        self,
        out: &mut dyn Write,
        check: u64,
        terms: &[T],
        steps: &[u8],
    ) -> io::Result<()> {
        let steps = steps.strip_prefix(&head(self, 0)[..]);
        let steps = steps.ok_or_else(|| io::Error::other("these are no steps of a first check"))?;
        let mut case = Writer::new(self);
        case.step(step::CASE);
        case.number(check);
        case.number(terms.len() as u64);
        terms.iter().for_each(|term| case.name(term.as_ref()));
        out.write_all(&case.into_bytes())?;
        out.write_all(steps)
    }
}
