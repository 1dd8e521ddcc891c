//! The course of a check: its phases, and the lemmas that were learned in them, in their order.
//!
//! A lemma is shown as the clause that it is, with the rule behind it in words, the reads or products whose
//! values gave rise to it, and the names that it is about. Printing is linear in the terms of a lemma; one
//! with very many of them is told by its size. Events beyond some thousands are counted only.

use bivalve::arrays::Reason;
use bivalve::refine::Lemma;
use bivalve::terms::{Pool, Term, cone};
use bivalve::{Clock, LemmaListener, Phase, Progress};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What happened in a check.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A phase began.
    Phase {
        /// Milliseconds since the command began.
        at: f64,
        /// In words: what is done, and to how much.
        text: String,
    },
    /// A lemma was learned.
    Lemma {
        /// Milliseconds since the command began.
        at: f64,
        /// The name of the rule that it is an instance of.
        rule: &'static str,
        /// The rule, in words.
        meaning: &'static str,
        /// The reads, writes, applications, equalities of arrays or products whose values gave rise to it.
        from: Vec<String>,
        /// The symbols that it is about.
        about: Vec<String>,
        /// The clause, in SMT-LIB.
        clause: String,
    },
}

/// Events of one command that are kept.
const KEPT: usize = 2000;

/// Terms of a lemma that is printed.
const PRINTED: usize = 400;

/// Writes down what happens. Clones write into the same list.
#[derive(Clone)]
pub struct Timeline {
    log: Arc<Mutex<Log>>,
    clock: Clock,
}

#[derive(Default)]
struct Log {
    began: Duration,
    phase: Option<Phase>,
    events: Vec<Event>,
    left_out: u64,
}

impl Timeline {
    /// An empty list; `clock` says when things happen.
    pub fn new(clock: Clock) -> Timeline {
        Timeline { log: Arc::default(), clock }
    }

    /// A command begins.
    pub fn begin(&self) {
        *self.log() = Log { began: (self.clock)(), ..Log::default() };
    }

    /// The events of the command, and the number of those that were not kept.
    pub fn take(&self) -> (Vec<Event>, u64) {
        let log = std::mem::take(&mut *self.log());
        (log.events, log.left_out)
    }

    /// Writes down the phases of a check.
    pub fn listen(&self, progress: &Progress) {
        let timeline = self.clone();
        progress.listen(move |progress| {
            let phase = progress.phase();
            let former = timeline.log().phase.replace(phase);
            if phase != Phase::Idle && former != Some(phase) {
                timeline.push(|at| Event::Phase { at, text: words(progress) });
            }
        });
    }

    /// Writes down lemmas.
    pub fn listener(&self) -> LemmaListener {
        let timeline = self.clone();
        Box::new(move |pool, lemma| timeline.push(|at| described(pool, lemma, at)))
    }

    fn push(&self, event: impl FnOnce(f64) -> Event) {
        let mut log = self.log();
        if log.events.len() >= KEPT {
            log.left_out += 1;
            return;
        }
        let at = (self.clock)().saturating_sub(log.began).as_secs_f64() * 1e3;
        log.events.push(event(at));
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the phase that begins is about to do. Its counts are not there yet, but for those of a search.
fn words(progress: &Progress) -> String {
    let words = match progress.phase() {
        Phase::Idle => "idle",
        Phase::Simplify => "simplifying",
        Phase::Synthesise => "building circuits",
        Phase::Search => return progress.to_string(),
        Phase::Refine => "checking arrays, functions and abstract terms in the assignment",
        Phase::Validate => "validating the model",
    };
    words.to_owned()
}

fn described(pool: &Pool, lemma: &Lemma, at: f64) -> Event {
    let atoms: Vec<Term> = lemma.literals.iter().map(|&(term, _)| term).collect();
    let terms = cone(pool, &atoms);
    let names: BTreeSet<&str> = terms.iter().filter_map(|&term| pool.name(term)).collect();
    let literal = |&(term, value): &(Term, bool)| match value {
        true => pool.display(term).to_string(),
        false => format!("(not {})", pool.display(term)),
    };
    let clause = match &lemma.literals[..] {
        _ if terms.len() > PRINTED => format!("; a clause over {} terms", terms.len()),
        [single] => literal(single),
        several => format!("(or {})", several.iter().map(literal).collect::<Vec<_>>().join(" ")),
    };
    Event::Lemma {
        at,
        rule: lemma.reason,
        meaning: meaning(lemma.reason),
        from: lemma.from.iter().map(|&term| shown(pool, term)).collect(),
        about: names.into_iter().map(String::from).collect(),
        clause,
    }
}

/// A term as text, if it is not too large.
fn shown(pool: &Pool, term: Term) -> String {
    match cone(pool, &[term]).len() {
        terms if terms > PRINTED => format!("; a term of {terms} terms"),
        _ => pool.display(term).to_string(),
    }
}

/// Rules about arithmetic, and about `distinct`, in words: the name of a rule begins with the name of a row.
const ARITHMETIC: &[(&str, &str)] = &[
    ("low_bits", "the low bits of a product depend on the low bits of its factors alone"),
    ("value", "the result for these very operands"),
    ("circuit", "the operation itself, as a circuit: hints were not enough"),
    ("product", "a fact about products"),
    ("overflow", "a fact about products that overflow"),
    ("quotient", "a fact about quotients"),
    ("remainder", "a fact about remainders"),
    ("pair", "two of many terms that are all different had the same value"),
    ("positions", "of many terms that are not all different, two are equal"),
];

fn meaning(rule: &str) -> &'static str {
    let of_arrays = Reason::ALL.iter().find(|reason| reason.name() == rule).map(|reason| reason.meaning());
    let of_arithmetic = || ARITHMETIC.iter().find(|row| rule.starts_with(row.0)).map(|row| row.1);
    of_arrays.or_else(of_arithmetic).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    use bivalve::{Settings, Solver};
    use bivalve_formats::smtlib::Formulas;

    fn events(settings: Settings, text: &str) -> Vec<Event> {
        let mut pool = Pool::new();
        let (assertions, _) = Formulas::terms(&mut pool, &[], text).unwrap();
        let mut solver = Solver::new(settings);
        let timeline = Timeline::new(|| Duration::ZERO);
        solver.listen_to_lemmas(Some(timeline.listener()));
        timeline.listen(&solver.progress());
        timeline.begin();
        assertions.iter().for_each(|&assertion| solver.assert(&pool, assertion).unwrap());
        solver.check(&mut pool).unwrap();
        timeline.take().0
    }

    #[test]
    fn phases_come_in_order_and_lemmas_name_what_they_are_about() {
        let events = events(
            Settings::builder().rewrite_level(0).probe(false).build(),
            "(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
            (declare-const i (_ BitVec 8))(declare-const j (_ BitVec 8))
            (assert (= (bvmul i #x03) (bvmul j #x03)))(assert (distinct (select m i) (select m j)))",
        );
        let words = |event: &Event| match event {
            Event::Phase { text, .. } => text.split_whitespace().next().unwrap().to_owned(),
            Event::Lemma { rule, .. } => (*rule).to_owned(),
        };
        let shown: Vec<String> = events.iter().map(words).collect();
        assert_eq!(shown[0], "simplifying", "{shown:?}");
        let [search, lemma] =
            ["searching:", "congruence"].map(|word| shown.iter().position(|w| w == word).unwrap());
        assert!(search < lemma, "{shown:?}");
        let Event::Lemma { about, clause, meaning, from, .. } = &events[lemma] else { unreachable!() };
        assert_eq!(from.len(), 2, "{from:?}");
        assert!(from.iter().all(|read| read.starts_with("(select m ")), "{from:?}");
        assert_eq!(about, &["i", "j", "m"]);
        assert!(clause.starts_with("(or ") && clause.contains("(select m i)"), "{clause}");
        assert!(!meaning.is_empty());
    }

    /// Products that are replaced are learned about by rules with words, too.
    #[test]
    fn rules_about_arithmetic_have_words() {
        let mut rules = BTreeSet::new();
        let (value, few, many) = ("#x0123456789abcdef", "#x0000000000000fff", "#x00000000ffffffff");
        let same = ["bvmul", "bvudiv", "bvurem"].map(|op| (op, value, few));
        for (op, result, least) in same.into_iter().chain([("bvumulo", "false", many)]) {
            let text = format!(
                "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(assert (= ({op} x y) {result}))
                (assert (bvult {least} x))(assert (bvult {least} y))"
            );
            let settings = Settings::builder().conflict_limit(200).abstract_from(32).rewrite_level(1).build();
            for event in events(settings, &text) {
                if let Event::Lemma { rule, meaning, from, .. } = event {
                    assert!(!meaning.is_empty(), "{rule}");
                    assert!(from[0].starts_with(&format!("({op} ")), "{from:?}");
                    rules.insert(rule);
                }
            }
        }
        assert!(rules.len() >= 4, "{rules:?}");
        assert!(rules.iter().any(|rule| rule.starts_with("overflow")), "{rules:?}");
    }

    #[test]
    fn events_beyond_the_limit_are_counted() {
        let timeline = Timeline::new(|| Duration::ZERO);
        timeline.begin();
        (0..KEPT + 5).for_each(|_| timeline.push(|at| Event::Phase { at, text: String::new() }));
        let (events, left_out) = timeline.take();
        assert_eq!((events.len(), left_out), (KEPT, 5));
    }
}
