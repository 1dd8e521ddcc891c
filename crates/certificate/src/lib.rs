//! # bivalve-certificate
//!
//! Writes certificates that formulas are unsatisfiable, for `bivalve-check`.
//!
//! A certificate is found by a solver of its own, which keeps a reason for everything: assertions are
//! rewritten and symbols with definitions replaced, with a journal (`simplify`); what is left becomes gates,
//! by the checker's own circuits, and clauses; a SAT solver refutes them and tells its reasons (`sat`), while
//! the refiner of arrays adds lemmas, and words are compared as sums (`words`). Then, from the refutation
//! back, what it used is shown: lemmas by congruence closure (`lemma`), conjuncts by theorems about the rules
//! that were applied (`derive`, `theorem`). Each step is carried out by the checker's kernel when it is
//! written, but for the last clauses, which are written as the SAT solver tells them (`recorder`).
//!
//! Of the solver that answered the rules and passes are used, each change of which is shown, and nothing of
//! its search. That costs a second search, and makes this an independent opinion on top of the certificate.
//!
//! ```
//! use bivalve_certificate::{Certifier, Form};
//! use bivalve_limits::Stop;
//! use bivalve_terms::{Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let p = pool.symbol("p", Sort::BOOL);
//! let not_p = pool.mk(Op::Not, &[p]);
//! let refutation = Certifier::new(Form::Text, &Stop::new()).certify(&mut pool, 0, &[p, not_p], None)?;
//! assert_eq!(refutation.used, [0, 1]);
//! # Ok::<(), bivalve_certificate::NoCertificate>(())
//! ```

mod agreement;
mod attempt;
mod boxes;
mod cases;
mod choices;
mod constant_bits;
mod cuts;
mod definitions;
mod derive;
mod division;
mod encode;
mod few;
mod fingerprint;
mod floats;
mod images;
mod instances;
mod kept;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod laws;
mod layers;
mod lemma;
mod linear;
mod multiply;
mod order;
mod pause;
mod prove;
mod quantified;
mod recorder;
mod refute;
mod remainder;
mod round;
mod sat;
mod search;
mod sides;
mod simplify;
mod solve;
mod sums;
mod theorem;
mod translate;
mod words;
mod writer;

use attempt::Attempt;
use bivalve_checker::step;
use bivalve_limits::{Stop, Why};
use bivalve_terms::{Assignment, Op, Pool, Term, cone, outermost_binders};
use derive::Derivation;
pub use encode::circuit_cells;
use few::Few;
use images::Images;
use kept::Keeper;
use quantified::Problem;
pub use quantified::{Instance, Instances};
use recorder::Recorder;
use search::{Found, Search, Source};
use simplify::{Allowed, Facts};
use theorem::Library;
use translate::Translation;
use writer::Writer;

/// Assertions that are not rewritten after all, before a certificate is given up.
const MOST_RAW: usize = 64;

/// So many times as many elements of declared sorts as there are terms of them have numbers at first; if a
/// certificate makes more, so many times as many again, up to a limit.
const ROOM: u64 = 8;
const MORE_ROOM: u64 = 16;
const MOST_ROOM: u64 = 1 << 16;

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoCertificate {
    /// The formula has a model.
    #[error("the formula is satisfiable")]
    Satisfiable,
    /// The search was stopped or gave up.
    #[error("the search for a refutation ended: {0}")]
    Unknown(Why),
    /// Something is not known to the checker, or a step could not be shown.
    #[error("{0}")]
    Unsupported(String),
}

/// A refutation of some assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The positions of those that have no model together, in order.
    pub used: Vec<usize>,
    /// The steps of the certificate that show it.
    pub steps: Vec<u8>,
}

/// The form of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Bytes, the shorter form.
    #[default]
    Binary,
    /// Words and numbers, for people.
    Text,
}

impl Form {
    /// Writes what a certificate of this form starts with.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    pub fn write_head(self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        let mut head = Writer::new(self);
        head.head();
        out.write_all(&head.into_bytes())
    }
}

/// Certificates for the checks of one script.
pub struct Certifier {
    form: Form,
    stop: Stop,
    library: Library,
    checks: u64,
    /// A search that ran out of its budget, if it was the last one.
    attempt: Option<Attempt>,
    /// A model that the last search has found.
    model: Option<Assignment>,
    few: Few,
    keeper: Keeper,
    images: Images,
}

/// Where a check stands among others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// So many of the first terms were asserted or assumed at the check before.
    pub old: usize,
    /// So many of the first terms are likely to be asserted at the check after.
    pub lasting: usize,
}

impl Certifier {
    /// Writes in this form. `stop` ends a search.
    pub fn new(form: Form, stop: &Stop) -> Certifier {
        let library = Library::new(Some(form), stop);
        Certifier {
            form,
            stop: stop.clone(),
            library,
            checks: 0,
            attempt: None,
            model: None,
            few: Few::default(),
            keeper: Keeper::default(),
            images: Images::default(),
        }
    }

    /// The model by which the last formula is satisfiable, if it was found to be: the values of symbols;
    /// those that are missing have the default of their sort. The formula was not evaluated in it.
    pub fn take_model(&mut self) -> Option<Assignment> {
        self.model.take()
    }

    /// Forgets the terms of earlier checks: the pool is another one, or has other numbers now.
    pub fn forget_terms(&mut self) {
        (self.attempt, self.few, self.keeper, self.images) = Default::default();
    }

    /// The number of checks that were certified.
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// The steps that show that the conjunction of these terms has no model, for the check of this number,
    /// counted from 0. The terms are what is asserted at the check, in order, and then what is assumed. The
    /// search ends after so many conflicts, fewer for large circuits, if there is a number; a second call for
    /// the check goes on.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn certify(
        &mut self,
        pool: &mut Pool,
        check: u64,
        assertions: &[Term],
        conflicts: Option<u64>,
    ) -> Result<Refutation, NoCertificate> {
        self.certify_after(pool, check, assertions, Course::default(), conflicts)
    }

    /// The same for a check that follows on others. What is new is tried first, with those of the old
    /// assertions that a model violates; then the search of the check before goes on, if it was kept.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn certify_after(
        &mut self,
        pool: &mut Pool,
        check: u64,
        assertions: &[Term],
        course: Course,
        conflicts: Option<u64>,
    ) -> Result<Refutation, NoCertificate> {
        let ended = self.certified_after(pool, check, assertions, course, conflicts);
        // What could not be made because of a limit is no fault of the formula.
        match (&ended, self.stop.reason()) {
            (Err(NoCertificate::Unsupported(_)), Some(why)) => Err(NoCertificate::Unknown(why)),
            _ => ended,
        }
    }

    fn certified_after(
        &mut self,
        pool: &mut Pool,
        check: u64,
        assertions: &[Term],
        course: Course,
        conflicts: Option<u64>,
    ) -> Result<Refutation, NoCertificate> {
        self.model = None;
        // The checker reads the script as it is written, so a certificate about images would show nothing of
        // it.
        if !outermost_binders(pool, assertions).is_empty() {
            let why = "quantified formulas have certificates by their instances alone";
            return Err(NoCertificate::Unsupported(why.into()));
        }
        // What the checker asserts is about bit-vectors, and so is the search.
        let images = self.asserted(pool, assertions)?;
        if images == assertions {
            return self.certified_images(pool, check, assertions, course, conflicts);
        }
        let refuted = self.refute_by_sums(pool, check, assertions);
        if let Some(refutation) = refuted.or_else(|| self.refute_by_boxes(pool, check, assertions)) {
            self.certified(&refutation, &images.into_iter().enumerate().collect::<Vec<_>>());
            return Ok(refutation);
        }
        let ended = self.certified_images(pool, check, &images, course, conflicts);
        self.model =
            self.model.take().and_then(|mut model| self.images.lift(pool, &mut model).map(|()| model));
        ended
    }

    /// What the checker asserts for formulas: themselves, or formulas over words. It is these that have to be
    /// refuted.
    ///
    /// # Errors
    ///
    /// What the checker does not know.
    pub fn asserted(&mut self, pool: &mut Pool, assertions: &[Term]) -> Result<Vec<Term>, NoCertificate> {
        let is_lowered = |&term: &Term| {
            pool.op(term) != Op::Forall && pool.op(term).is_lowered()
                || pool.sorts().is_theory(pool.sort(term))
        };
        if !pool.has_lowered() || !cone(pool, assertions).iter().any(is_lowered) {
            return Ok(assertions.to_vec());
        }
        let is_integer = |&term: &Term| {
            pool.sort(term).is_int() || pool.args(term).iter().any(|&arg| pool.sort(arg).is_int())
        };
        if cone(pool, assertions).iter().any(is_integer) {
            return Err(NoCertificate::Unsupported(floats::NO_INTEGERS.into()));
        }
        self.images.all(pool, assertions, &self.stop).map_err(NoCertificate::Unsupported)
    }

    /// The same as [`Certifier::certify`] for quantified formulas as they are
    /// [asserted](Certifier::asserted), which were refuted by these instances.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn certify_quantified(
        &mut self,
        pool: &mut Pool,
        check: u64,
        assertions: &[Term],
        instances: Instances,
    ) -> Result<Refutation, NoCertificate> {
        let problem = std::sync::Arc::new(Problem { formulas: assertions.to_vec(), instances });
        let allowed = (Allowed::default(), ROOM, true);
        let (all, formulas) = (problem.all(), assertions.len());
        let begun = Attempt::new(pool, check, all, allowed, Some(problem), (self.form, &self.stop));
        let ended = begun.and_then(|attempt| self.refute(pool, attempt, None));
        // Checks without quantifiers have other terms.
        (self.attempt, self.few, self.model) = Default::default();
        match (ended, self.stop.reason()) {
            (Err(NoCertificate::Unsupported(_)), Some(why)) => Err(NoCertificate::Unknown(why)),
            (ended, _) => ended.map(|mut refutation| {
                refutation.used.retain(|&number| number < formulas);
                refutation
            }),
        }
    }

    fn certified_images(
        &mut self,
        pool: &mut Pool,
        check: u64,
        assertions: &[Term],
        course: Course,
        conflicts: Option<u64>,
    ) -> Result<Refutation, NoCertificate> {
        let all: Vec<(usize, Term)> = assertions.iter().copied().enumerate().collect();
        let same = |attempt: &Attempt| attempt.check == check && attempt.assertions == all;
        let attempt = match self.attempt.take().filter(same) {
            Some(attempt) => attempt,
            None => {
                if let Some(ended) = self.refute_few(pool, check, &all, course.old) {
                    return ended;
                }
                if let Some(ended) = self.go_on(pool, check, &all, course) {
                    return ended;
                }
                self.begin(pool, check, all)?
            }
        };
        self.refute(pool, attempt, conflicts)
    }

    fn begin(
        &self,
        pool: &mut Pool,
        check: u64,
        assertions: Vec<(usize, Term)>,
    ) -> Result<Attempt, NoCertificate> {
        let allowed = (Allowed::default(), ROOM, true);
        Attempt::new(pool, check, assertions, allowed, None, (self.form, &self.stop))
    }

    /// Searches and writes what was found; begins anew without what could not be written.
    fn refute(
        &mut self,
        pool: &mut Pool,
        mut attempt: Attempt,
        conflicts: Option<u64>,
    ) -> Result<Refutation, NoCertificate> {
        loop {
            let ended = attempt.run(pool, conflicts, &self.stop);
            if ended == Err(NoCertificate::Unknown(Why::Budget)) {
                self.attempt = Some(attempt);
                return Err(NoCertificate::Unknown(Why::Budget));
            }
            if ended == Err(NoCertificate::Satisfiable) {
                self.model = attempt.model(pool);
            }
            ended?;
            let Attempt {
                check, assertions, mut allowed, mut facts, search, mut room, mut is_ordered, ..
            } = attempt;
            let problem = facts.problem.clone();
            self.keeper.began_anew(search.as_ref().map_or(0, Search::spent));
            let found = search.map(|mut search| search.found(false)).transpose()?;
            match self.write(pool, check, &mut facts, found) {
                Ok(refutation) => {
                    self.certified(&refutation, &assertions);
                    return Ok(refutation);
                }
                Err(failure) if failure.wants_room && room < MOST_ROOM => room *= MORE_ROOM,
                Err(failure) if failure.is_of_order && is_ordered => is_ordered = false,
                Err(Failure { pass: Some(pass), .. }) if allowed.without.insert(pass) => {}
                Err(failure) => {
                    let is_new = failure.assertion.is_some_and(|assertion| allowed.raw.insert(assertion));
                    if !is_new || allowed.raw.len() > MOST_RAW {
                        return Err(NoCertificate::Unsupported(failure.why));
                    }
                }
            }
            let allowed = (allowed, room, is_ordered);
            attempt = Attempt::new(pool, check, assertions, allowed, problem, (self.form, &self.stop))?;
        }
    }

    /// A check is certified.
    fn certified(&mut self, refutation: &Refutation, assertions: &[(usize, Term)]) {
        self.checks += 1;
        let used = |(number, _): &&(usize, Term)| refutation.used.binary_search(number).is_ok();
        self.few.used = assertions.iter().filter(used).copied().collect();
    }

    fn write(
        &mut self,
        pool: &mut Pool,
        check: u64,
        facts: &mut Facts,
        found: Option<Found>,
    ) -> Result<Refutation, Failure> {
        let library_before = self.library.len();
        let written = self.steps(pool, check, facts, found);
        if written.is_err() {
            // Theorems are written where they are first used; these are not in the certificate.
            self.library.forget_from(library_before);
        }
        written
    }

    fn steps(
        &mut self,
        pool: &mut Pool,
        check: u64,
        facts: &mut Facts,
        mut found: Option<Found>,
    ) -> Result<Refutation, Failure> {
        // The circuits come first, in the order of the search, so that variables have the same numbers.
        let (mut out, mut translation) = match found.as_mut() {
            Some(found) => (std::mem::take(&mut found.out), std::mem::take(&mut found.translation)),
            None => {
                let out = Recorder::new(Some(self.form)).stopped_by(&self.stop);
                let (mut out, mut translation) = (out, Translation::default());
                facts.define_parts(pool, &mut translation, &mut out)?;
                (out, translation)
            }
        };
        let translation = &mut translation;
        let divided = found.iter().flat_map(|found| found.divided.iter().enumerate());
        let mut stored: rustc_hash::FxHashMap<Source, u64> =
            divided.map(|(place, &number)| (Source::Divided(place), number)).collect();
        for (source, literals) in found.iter().flat_map(|found| &found.lemmas) {
            let literals = literals
                .iter()
                .map(|&(atom, value)| Ok((translation.term(pool, atom, &mut out)?, value)))
                .collect::<Result<Vec<_>, String>>()?;
            stored.insert(*source, lemma::show(&mut out, &literals, instances::FOR_LEMMA)?);
        }
        for &(source, axiom) in found.iter().flat_map(|found| &found.order) {
            let truth = out.kernel.terms.truth(true);
            let shown = self.library.show(&mut out, axiom, truth);
            shown.map_err(|why| Failure { is_of_order: true, ..Failure::from(why) })?;
            stored.insert(source, out.unit(axiom)?);
        }
        for (source, comparison) in found.iter().flat_map(Found::used_comparisons) {
            let mut word = |at: usize| translation.term(pool, comparison.words[at], &mut out);
            let words = [word(0)?, word(1)?];
            let first = comparison.show(words, &mut out, &self.stop)?;
            let width = 0..2 * pool.width(comparison.words[0]).unwrap_or_default();
            stored.extend(width.map(|at| (Source::Words(source, at), first + u64::from(at))));
        }
        let needed: Vec<(usize, Term)> = match &found {
            Some(found) => found.facts.clone(),
            None => facts.contradiction.map(|fact| (fact, facts.facts[fact].term)).into_iter().collect(),
        };
        let library = &mut self.library;
        let mut derivation = Derivation::new(pool, facts, translation, library, &mut out);
        for &(fact, form) in &needed {
            derivation.fact_as(fact, form)?;
        }
        let mut conclusion = None;
        if let Some(found) = found.filter(|_| !out.kernel.contradictory()) {
            for &(fact, form) in &needed {
                let term = translation.term(pool, form, &mut out)?;
                stored.insert(Source::Fact(fact), out.unit(term)?);
            }
            out.begin_conclusion();
            conclusion = Some(found.proof.write(&mut out, |source| stored.get(&source).copied())?);
        }
        if !out.kernel.terms.has_room_for_elements() {
            let why = "there are more elements of declared sorts than numbers".to_string();
            return Err(Failure { wants_room: true, ..Failure::from(why) });
        }
        out.end(conclusion)?;
        let mut refutation = out.into_refutation();
        refutation.steps.splice(0..0, head(self.form, check));
        Ok(refutation)
    }
}

/// The step that a check of this number begins with.
fn head(form: Form, check: u64) -> Vec<u8> {
    let mut out = Writer::new(form);
    out.step(step::CHECK);
    out.number(check);
    out.into_bytes()
}

/// Why steps could not be written, and which assertion they came from.
struct Failure {
    assertion: Option<usize>,
    /// There are more elements of declared sorts than their bits have numbers for.
    wants_room: bool,
    /// It is true of the order of words, but no theorem says so.
    is_of_order: bool,
    /// The pass of the solver whose change was not shown.
    pass: Option<usize>,
    why: String,
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure { assertion: None, wants_room: false, is_of_order: false, pass: None, why }
    }
}

impl From<derive::Failure> for Failure {
    fn from(failure: derive::Failure) -> Failure {
        Failure {
            assertion: Some(failure.assertion),
            wants_room: false,
            is_of_order: false,
            pass: failure.pass,
            why: failure.why,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_limits::Deadline;
    use bivalve_terms::Sort;

    /// Whether `s * s <= s / t` and `t <= s / (s * s)` differ.
    fn question(width: u32) -> (Pool, Term) {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(width).unwrap();
        let [s, t] = ["s", "t"].map(|name| pool.symbol(name, sort));
        let square = pool.bvmul(s, s).unwrap();
        let [one, other] = [t, square].map(|divisor| pool.bvudiv(s, divisor).unwrap());
        let (left, right) = (pool.bvule(square, one).unwrap(), pool.bvule(t, other).unwrap());
        let differ = pool.distinct(left, right).unwrap();
        (pool, differ)
    }

    #[test]
    fn large_circuits_are_refused_before_they_are_built() {
        let (mut pool, differ) = question(4096);
        let refusal = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], None);
        assert!(
            matches!(&refusal, Err(NoCertificate::Unsupported(why)) if why.contains("cells")),
            "{refusal:?}"
        );
    }

    #[test]
    fn the_stop_flag_ends_the_building_of_circuits() {
        let (mut pool, differ) = question(512);
        let stop = Stop::new();
        stop.stop(Why::TimeLimit);
        let ended = Certifier::new(Form::Binary, &stop).certify(&mut pool, 0, &[differ], None);
        assert_eq!(ended, Err(NoCertificate::Unknown(Why::TimeLimit)));
    }

    #[test]
    fn no_round_of_simplification_begins_when_time_is_over() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let (sum, product) = (pool.bvadd(y, y).unwrap(), pool.bvmul(x, y).unwrap());
        let assertions = [pool.mk(Op::Eq, &[x, sum]), pool.mk(Op::BvUlt, &[product, x])];
        let assertions: Vec<(usize, Term)> = assertions.into_iter().enumerate().collect();
        let stop = Stop::new();
        let mut rounds = || {
            let deadline = Deadline::stopped_by(&stop);
            let facts = Facts::new(&mut pool, &assertions, &Allowed::default(), &deadline);
            (facts.rounds.len(), stop.stop(Why::TimeLimit)).0
        };
        assert_eq!([rounds(), rounds()], [1, 0]);
    }
}
