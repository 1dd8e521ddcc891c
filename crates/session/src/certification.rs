//! Certificates of `unsat` answers.
//!
//! A session that certifies has its checks refuted by a search of its own, which keeps reasons
//! (`bivalve-certificate`), and writes the steps. As long as most answers are `unsat`, that search goes
//! first, within a budget and after a short check by the solver, which finds most models: then little is
//! searched twice. A model that it finds is the answer once the solver has evaluated it. Where it finds
//! neither, the solver is asked, as if nothing had been before, and if that says `unsat`, the search goes on
//! without a budget. Where there is no certificate after all, the reason is kept for the caller; and if
//! certificates are required, the answer is `unknown`.
//!
//! A `sat` of quantified formulas rests on refutations. Those can be certified as well, and checked at once:
//! [`Certification::certify_models`].
//!
//! `(get-proof)` has the certificate of the last check alone, as text between parentheses. [`Certificate`] is
//! for terms that no script has: it writes one.

use crate::monitor::Monitor;
use crate::reply::{Evidence, Reply};
use crate::session::Session;
use bivalve::terms::{Assignment, Pool, Term};
use bivalve::{CheckError, CheckLimits, CheckResult, GroundLemma, Grounded, Settings, Solver, Stop, Why};
use bivalve_certificate::{Certifier, Course, Form, Instance, Instances, NoCertificate, Refutation};
use bivalve_checker::check::Checker;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use std::io::{self, Write};
use std::sync::Arc;

/// Conflicts of a short check by the solver, before anything else: most models that it finds soon are found
/// by then. (Of 49 files of which 400 conflicts give a model, 44 need none, and 4 less than 80.)
const SHORT: u64 = 100;

/// Conflicts of the search that goes first: some seconds. An `unsat` needs that search in any case, and a
/// model may be found by it. (Two rounds, in which the solver has 3,000 conflicts after 10,000 or 30,000 of
/// the search, gain nothing where there is a model, and cost a tenth where there is none.)
const CONFLICTS: u64 = 200_000;

/// The circuits of the certificate are built before its search begins; that takes as long as a conflict of
/// the solver for so many cells of products and quotients.
const CELLS: u64 = 1 << 9;

/// Says whether the checker finds the certificate of a check right, which was written.
pub type Confirm = Box<dyn FnMut(u64) -> Result<(), String>>;

/// Certifies the checks of one session.
pub struct Certification {
    form: Form,
    is_required: bool,
    /// Are refutations below models certified?
    of_models: bool,
    out: Box<dyn Write>,
    confirm: Option<Confirm>,
    certifier: Option<Certifier>,
    /// The number of checks so far, and how many of them had an answer that was not `unsat`.
    checks: u64,
    others: u64,
    /// Why the search that went first ended, unless for its budget.
    failed: Option<NoCertificate>,
    /// What was asserted and assumed at the check before this one, and where this one stands.
    before: Vec<Term>,
    course: Course,
    /// Why the last check has no certificate.
    missing: Option<NoCertificate>,
}

impl Certification {
    /// Writes certificates in this form to `out`. With `is_required`, what has none is not unsat.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn new(mut out: Box<dyn Write>, form: Form, is_required: bool) -> io::Result<Certification> {
        form.write_head(&mut out)?;
        let (confirm, certifier, failed, missing, before) = Default::default();
        let (checks, others, course) = (0, 0, Course::default());
        let of_checks = Certification {
            form,
            is_required,
            of_models: false,
            out,
            confirm,
            certifier,
            checks,
            others,
            failed,
            before,
            course,
            missing,
        };
        Ok(of_checks)
    }

    /// Asks this about each certificate; a check has one only if the answer is yes.
    pub fn confirm_by(&mut self, confirm: Confirm) {
        self.confirm = Some(confirm);
    }

    /// Certifies the refutations on which models of quantified formulas rest, too. They are in no script, so
    /// the checker looks at them at once, and they are written nowhere.
    pub fn certify_models(&mut self) {
        self.of_models = true;
    }

    /// Whether what has no certificate is not said.
    pub(crate) fn is_required(&self) -> bool {
        self.is_required
    }

    /// Why the last check, which answered `unsat`, has no certificate, or the refutations below its model.
    pub fn missing(&self) -> Option<&NoCertificate> {
        self.missing.as_ref()
    }

    /// A check begins.
    pub(crate) fn begin_check(&mut self) {
        self.checks += 1;
        self.failed = None;
        self.missing = None;
    }

    /// Forgets the terms of earlier checks: the pool is another one, or has other numbers now.
    pub(crate) fn forget_terms(&mut self) {
        self.before.clear();
        self.certifier.iter_mut().for_each(Certifier::forget_terms);
    }

    /// These terms are asserted and assumed at this check. What is asserted on levels of which something was
    /// there before will be there later, too, most often.
    pub(crate) fn note(&mut self, solver: &Solver, terms: &[Term]) {
        let old = self.before.iter().zip(terms).take_while(|(before, now)| before == now).count();
        let lasting = old.checked_sub(1).map_or(0, |last| solver.end_of_level(last));
        (self.course, self.before) = (Course { old, lasting }, terms.to_vec());
    }

    /// Is it worth trying to refute something before the solver is asked?
    pub(crate) fn goes_first(&self) -> bool {
        2 * self.others < self.checks
    }

    /// Tries to refute the terms, which are asserted and assumed at this check, before the solver is asked.
    pub(crate) fn go_first(&mut self, pool: &mut Pool, terms: &[Term], stop: &Stop) -> Option<Early> {
        let failed = match self.write(pool, terms, Some(CONFLICTS), stop) {
            Ok(used) => return Some(Early::Refuted(used)),
            Err(failed) => failed,
        };
        if failed != NoCertificate::Unknown(Why::Budget) {
            self.failed = Some(failed);
        }
        self.certifier.as_mut()?.take_model().map(Early::Model)
    }

    /// The answer was not `unsat`.
    pub(crate) fn was_other(&mut self) {
        self.others += 1;
    }

    /// Certifies that the terms, which are asserted and assumed at this check, have no model; may `unsat` be
    /// said?
    pub(crate) fn certify(&mut self, pool: &mut Pool, terms: &[Term], stop: &Stop) -> bool {
        let failed = self.failed.take();
        let failed = failed.or_else(|| self.write(pool, terms, None, stop).err());
        self.missing = failed;
        self.missing.is_none() || !self.is_required
    }

    /// The same for quantified formulas, by the instances that refute them.
    pub(crate) fn certify_quantified(&mut self, solver: &Solver, pool: &mut Pool, terms: &[Term]) -> bool {
        let stop = solver.stop_handle();
        let certifier = self.certifier.get_or_insert_with(|| Certifier::new(self.form, &stop));
        let ended = quantified(solver, certifier, pool, self.checks - 1, terms);
        let ended = ended.and_then(|refutation| self.put(&refutation.steps));
        self.missing = ended.err();
        self.missing.is_none() || !self.is_required
    }

    /// Certifies the refutations below the model that the solver has just found, if that is to be done; may
    /// `sat` be said?
    pub(crate) fn certify_model(&mut self, solver: &Solver, pool: &mut Pool) -> bool {
        if self.of_models {
            self.missing = sentences_hold(solver, pool).err();
        }
        self.missing.is_none() || !self.is_required
    }

    fn put(&mut self, steps: &[u8]) -> Result<(), NoCertificate> {
        // The last number of a text may go on until something else comes.
        let end: &[u8] = if self.form == Form::Text { b"\n" } else { b"" };
        let written = [steps, end].iter().try_for_each(|bytes| self.out.write_all(bytes));
        let written = written.and_then(|()| self.out.flush());
        // A reader that finds a step wrong reads no further; what it found tells more than that.
        let confirmed = self.confirm.as_mut().map_or(Ok(()), |confirm| confirm(self.checks - 1));
        confirmed.and(written.map_err(|error| error.to_string())).map_err(NoCertificate::Unsupported)
    }

    /// Writes a certificate; gives the positions of the terms that it uses.
    fn write(
        &mut self,
        pool: &mut Pool,
        terms: &[Term],
        conflicts: Option<u64>,
        stop: &Stop,
    ) -> Result<Vec<usize>, NoCertificate> {
        let certifier = self.certifier.get_or_insert_with(|| Certifier::new(self.form, stop));
        let refutation = certifier.certify_after(pool, self.checks - 1, terms, self.course, conflicts)?;
        self.put(&refutation.steps)?;
        Ok(refutation.used)
    }
}

/// Certifies that quantified formulas are contradictory, which the solver has found.
fn quantified(
    solver: &Solver,
    certifier: &mut Certifier,
    pool: &mut Pool,
    check: u64,
    terms: &[Term],
) -> Result<Refutation, NoCertificate> {
    let asserted = certifier.asserted(pool, terms)?;
    let found = solver.ground_refutation(pool, &asserted);
    let found = found.map_err(|fault| NoCertificate::Unsupported(fault.to_string()))?;
    let Grounded { assertions, atoms, lemmas } = found.map_err(NoCertificate::Unknown)?;
    let instance = |lemma: GroundLemma| Instance {
        formula: lemma.formula,
        terms: lemma.terms,
        is_witness: lemma.is_witness,
        ground: lemma.ground,
        atoms: lemma.atoms,
    };
    let instances = Instances { assertions, atoms, lemmas: lemmas.into_iter().map(instance).collect() };
    certifier.certify_quantified(pool, check, &asserted, instances).map_err(|why| match why {
        // What refutes the formula for the solver may be more than instances.
        NoCertificate::Satisfiable => NoCertificate::Unsupported("its instances have a model".into()),
        why => why,
    })
}

/// Certifies what the model of a check says of quantified formulas.
fn sentences_hold(solver: &Solver, pool: &mut Pool) -> Result<(), NoCertificate> {
    let unsupported = |why: String| NoCertificate::Unsupported(why);
    let sentences = solver.refuted_by_model(pool);
    let sentences = sentences.ok_or_else(|| unsupported("a value of the model has no term".into()))?;
    let stop = solver.stop_handle();
    for sentence in sentences {
        let certificate = Certificate::of(pool, &[sentence], Form::Binary, &stop)?;
        certificate.confirmed(&stop).map_err(|why| match stop.reason() {
            Some(why) => NoCertificate::Unknown(why),
            None => unsupported(format!("the checker disagrees: {why}")),
        })?;
    }
    Ok(())
}

/// What is found before the solver is asked.
pub(crate) enum Early {
    /// Those of the terms, by position, that have no model together.
    Refuted(Vec<usize>),
    /// A model, in which nothing was evaluated yet.
    Model(Assignment),
}

/// The solver's answer to a check, if it has one soon.
pub(crate) fn short_check(
    solver: &mut Solver,
    pool: &mut Pool,
    assumptions: &[Term],
) -> Result<Option<CheckResult>, CheckError> {
    if solver.settings().limits_conflicts() {
        return Ok(None);
    }
    let cells = bivalve_certificate::circuit_cells(pool, &[solver.assertions(), assumptions].concat());
    let limits = CheckLimits::new().conflicts(SHORT + cells / CELLS);
    let answer = solver.check_within(pool, limits, assumptions);
    let answer = Some(answer?).filter(|&answer| answer != CheckResult::Unknown(Why::Budget));
    if answer.is_none() {
        solver.take_back_first_check();
    }
    Ok(answer)
}

/// A script of one check, and a certificate that it is unsatisfiable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Declarations and assertions in SMT-LIB 2, and `(check-sat)`.
    pub script: String,
    /// The certificate of that check, in the form that was asked for.
    pub steps: Vec<u8>,
}

impl Certificate {
    /// Writes Boolean terms as a script, and a certificate that there is no model of all of them. It is made
    /// from the script as it is read again, so it is about the text, whatever symbols are called in the pool.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn of(
        pool: &Pool,
        assertions: &[Term],
        form: Form,
        stop: &Stop,
    ) -> Result<Certificate, NoCertificate> {
        let script = print::script(pool, &print::Script { assertions, ..print::Script::default() });
        let steps = Certificate::of_script(&script, form, stop)?;
        Ok(Certificate { script, steps })
    }

    /// Whether the checker agrees.
    fn confirmed(&self, stop: &Stop) -> Result<(), String> {
        let stop = stop.clone();
        let mut checker = Checker::new(&self.script, &self.steps[..])?;
        checker.ask(Arc::new(move || stop.reason().is_none()));
        match checker.next_verified()? {
            Some(0) => Ok(()),
            _ => Err("the check was not verified".into()),
        }
    }

    /// The certificate of the first check of a script without levels.
    fn of_script(script: &str, form: Form, stop: &Stop) -> Result<Vec<u8>, NoCertificate> {
        let mut pool = Pool::new();
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let mut assertions = vec![];
        let unsupported = |why: String| NoCertificate::Unsupported(why);
        loop {
            match parser
                .next_written_command(&mut pool, &mut |_| None)
                .map_err(|refusal| unsupported(refusal.to_string()))?
            {
                None | Some(Command::CheckSat) => break,
                Some(Command::Assert { term, .. }) => assertions.push(term),
                Some(_) => {}
            }
        }
        let mut certifier = Certifier::new(form, stop);
        let solver = Solver::stopped_by(Settings::default(), stop.clone());
        let refutation = match pool.has_binders() {
            true => quantified(&solver, &mut certifier, &mut pool, 0, &assertions)?,
            false => certifier.certify(&mut pool, 0, &assertions, None)?,
        };
        let mut steps = vec![];
        form.write_head(&mut steps).map_err(|error| unsupported(error.to_string()))?;
        steps.extend(refutation.steps);
        Ok(steps)
    }
}

impl Session {
    /// The certificate of the last check, of which its checker finds the other checks open.
    pub(crate) fn proof(&mut self, monitor: &mut dyn Monitor) -> Result<Reply, Reply> {
        if !self.options.proofs() || !self.is_unsat() {
            return Err(self.not_available(Evidence::Proof));
        }
        let terms = [self.solver.assertions(), self.solver.assumptions()].concat();
        let stop = self.solver.stop_handle();
        monitor.begins(&stop, None, self.options.check_time);
        let mut certifier = Certifier::new(Form::Text, &stop);
        let (number, assumed) = (self.checks - 1, self.solver.assumptions());
        let refutation = match self.solver.is_quantified(&self.pool, assumed) {
            true => quantified(&self.solver, &mut certifier, &mut self.pool, number, &terms),
            false => certifier.certify(&mut self.pool, number, &terms, None),
        };
        monitor.ended();
        let refutation = refutation.map_err(|why| Reply::Error(format!("proof is not available: {why}")))?;
        let mut text = vec![];
        Form::Text.write_head(&mut text).map_err(|error| Reply::Error(error.to_string()))?;
        text.extend(refutation.steps);
        let text = String::from_utf8_lossy(&text);
        Ok(Reply::Evidence(Evidence::Proof, format!("(\n{text})")))
    }
}
