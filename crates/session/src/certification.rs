//! Certificates of `unsat` answers.
//!
//! A session that certifies has each check that answers `unsat` refuted once more, by a solver that keeps
//! reasons (`bivalve-certificate`), and writes the steps. Where that does not succeed, the reason is kept for
//! the caller; and if certificates are required, the answer is `unknown`.

use bivalve::Stop;
use bivalve::terms::{Pool, Term};
use bivalve_certificate::{Certifier, Form, NoCertificate};
use std::io::{self, Write};

/// Certifies the checks of one session.
pub struct Certification {
    form: Form,
    is_required: bool,
    out: Box<dyn Write>,
    certifier: Option<Certifier>,
    /// The number of checks so far.
    checks: u64,
    /// Why the last check has no certificate.
    missing: Option<String>,
}

impl Certification {
    /// Writes certificates in this form to `out`. With `is_required`, what has none is not unsat.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn new(mut out: Box<dyn Write>, form: Form, is_required: bool) -> io::Result<Certification> {
        form.write_head(&mut out)?;
        Ok(Certification { form, is_required, out, certifier: None, checks: 0, missing: None })
    }

    /// Why the last check, which answered `unsat`, has no certificate.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// A check begins.
    pub(crate) fn begin_check(&mut self) {
        self.checks += 1;
        self.missing = None;
    }

    /// Certifies that the terms, which are asserted and assumed at this check, have no model; may `unsat` be
    /// said?
    pub(crate) fn certify(&mut self, pool: &mut Pool, terms: &[Term], stop: &Stop) -> bool {
        let certifier = self.certifier.get_or_insert_with(|| Certifier::new(self.form, stop));
        let written = certifier.certify(pool, self.checks - 1, terms);
        let written = written.map_err(|why: NoCertificate| why.to_string());
        let written = written.and_then(|steps| {
            self.out.write_all(&steps).and_then(|()| self.out.flush()).map_err(|error| error.to_string())
        });
        self.missing = written.err();
        self.missing.is_none() || !self.is_required
    }
}
