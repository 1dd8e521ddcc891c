//! Altered certificates of one script, and what the checker makes of them.
//!
//! *How an accepted alteration is right.* If the step that was altered can be left out, or stands for a term
//! or clause that can be any other one, then it is not needed; likewise a hint of a derivation. A step that
//! is there twice, or put in, is not needed by the certificate as it was. Where two steps changed places,
//! their order does not matter. What is left was carried out as altered, with every step after it, and is
//! another way to the same conclusion: counted by itself, and shown with `--verbose`.

use bivalve::CheckResult;
use bivalve_formats::sexpr::{head, items};
use bivalve_fuzz::certificate::{Altered, Certificate, Kind};
use bivalve_fuzz::mixture::Mixture;
use bivalve_fuzz::seed_of;
use bivalve_harness::Cancel;
use bivalve_judge::{Certified, Inside, Shown};
use bivalve_session::Form;
use fastrand::Rng;
use std::collections::BTreeMap;

/// Longer certificates are left alone: each is checked a hundred times.
const MOST_STEPS: usize = 4_000;

/// Assertions that are weakened, one after the other, until there is a twin.
const MOST_TWINS: usize = 6;

/// What became of an altered certificate; the columns of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Outcome {
    /// The checker refused it.
    Rejected,
    /// The step, or the word, is not needed.
    NotNeeded,
    /// Two steps may stand in any order.
    AnyOrder,
    /// The certificate is another one that is right.
    Right,
    /// Fewer checks are shown.
    Less,
    /// Something wrong is accepted, or the checker panicked.
    Wrong,
}

/// Something that is wrong.
pub(super) struct Finding {
    /// The number of the script and of the alteration.
    pub(super) name: String,
    pub(super) what: String,
    pub(super) script: String,
    pub(super) certificate: Vec<u8>,
}

/// What became of altered certificates.
#[derive(Default)]
pub(super) struct Examination {
    /// By what was altered.
    pub(super) counts: BTreeMap<(&'static str, Outcome), u64>,
    /// Scripts, and those that have a twin.
    pub(super) scripts: u64,
    pub(super) twins: u64,
    /// A line for each altered certificate that is accepted.
    pub(super) accepted: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

impl Examination {
    /// The number of altered certificates.
    pub(super) fn altered(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Adds another one; of accepted ones the counts alone.
    pub(super) fn add(&mut self, other: Examination) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.scripts += other.scripts;
        self.twins += other.twins;
        self.findings.extend(other.findings);
    }

    fn count(&mut self, kind: &'static str, outcome: Outcome) {
        *self.counts.entry((kind, outcome)).or_default() += 1;
    }
}

/// A script, its checks that are unsatisfiable, and its certificate.
struct Subject {
    script: String,
    unsatisfiable: Vec<u64>,
    certificate: Certificate,
    bytes: Vec<u8>,
    /// A weaker script, and its checks that have a model.
    twin: Option<(String, Vec<u64>)>,
}

/// Alters the certificate of the script of this number, if it has one.
pub(super) fn examine(
    mixture: &Mixture,
    seed: u64,
    number: u64,
    count: u64,
    inside: &Inside,
    cancel: &Cancel,
) -> Examination {
    let mut rng = Rng::with_seed(seed_of(seed ^ 0x5eed, number));
    let mut examination = Examination::default();
    let Some(subject) = subject(mixture, number, inside, cancel, &mut rng) else { return examination };
    let other = (1..8).find_map(|more| certified(mixture, number + more, inside, cancel));
    let other = other.map_or_else(|| Certificate::of("bvc 1"), |(_, other)| text(&other));
    (examination.scripts, examination.twins) = (1, u64::from(subject.twin.is_some()));
    for at in 0..count {
        let name = format!("{number}-{at}");
        if rng.u8(..8) == 0 {
            let bytes = damaged(&subject.bytes, &mut rng);
            subject.see(&name, "bytes", &bytes, &mut examination, |shown| (Outcome::Right, shown));
            continue;
        }
        let drawn = (0..8).map(|_| subject.certificate.altered(&other, &mut rng));
        let Some(altered) = { drawn }.find(|altered| altered.certificate != subject.certificate) else {
            continue;
        };
        let bytes = altered.certificate.to_string().into_bytes();
        subject.see(&name, altered.kind.word(), &bytes, &mut examination, |line| {
            let (outcome, why) = subject.excuse(&altered);
            (
                outcome,
                format!("{line}step {}: '{}' for '{}': {why}", altered.step, altered.after, altered.before),
            )
        });
    }
    examination
}

/// A script that has a certificate of a size that can be checked often, and its answers.
fn certified(
    mixture: &Mixture,
    number: u64,
    inside: &Inside,
    cancel: &Cancel,
) -> Option<(String, Certified)> {
    let (_, script) = mixture.case(number)?;
    let certified = inside.certified(&script, Form::Text, cancel);
    let is_short = certified.certificate.iter().filter(|&&byte| byte == b'\n').count() <= MOST_STEPS;
    (is_whole(&certified) && is_short).then_some((script, certified))
}

/// Whether there is an answer to be shown, and nothing is missing: making it was not stopped either.
fn is_whole(certified: &Certified) -> bool {
    let is_there = certified.answers.contains(&CheckResult::Unsat);
    is_there && certified.errors.is_empty() && certified.missing.is_empty()
}

fn text(certified: &Certified) -> Certificate {
    Certificate::of(&String::from_utf8_lossy(&certified.certificate))
}

fn subject(
    mixture: &Mixture,
    number: u64,
    inside: &Inside,
    cancel: &Cancel,
    rng: &mut Rng,
) -> Option<Subject> {
    let (script, certified) = certified(mixture, number, inside, cancel)?;
    let unsatisfiable = certified.checks(CheckResult::Unsat);
    let binary = inside.certified(&script, Form::Binary, cancel);
    if !is_whole(&binary) {
        return None;
    }
    let certificate = text(&certified);
    let mut places: Vec<usize> = (0..).zip(items(&script)).filter(is_assertion).map(|(at, _)| at).collect();
    rng.shuffle(&mut places);
    let each = places.iter().take(MOST_TWINS).map(|&at| weaker(&script, |other| other == at));
    let twin = each.chain([weaker(&script, |_| true)]).find_map(|twin| {
        let answers = inside.certified(&twin, Form::Binary, cancel);
        let mut models = answers.checks(CheckResult::Sat);
        models.retain(|check| unsatisfiable.contains(check));
        (answers.errors.is_empty() && !models.is_empty()).then_some((twin, models))
    });
    Some(Subject { script, unsatisfiable, certificate, bytes: binary.certificate, twin })
}

fn is_assertion((_, item): &(usize, &str)) -> bool {
    head(item) == "assert"
}

/// The script with `true` in place of some assertions.
fn weaker(script: &str, is_meant: impl Fn(usize) -> bool) -> String {
    let item = |(at, item): (usize, &str)| match is_assertion(&(at, item)) && is_meant(at) {
        true => "(assert true)\n".to_owned(),
        false => format!("{item}\n"),
    };
    (0..).zip(items(script)).map(item).collect()
}

impl Subject {
    /// Counts what the checker says of an altered certificate; `excuse` says how one that is accepted is
    /// right, and completes the line about it.
    fn see(
        &self,
        name: &str,
        kind: &'static str,
        certificate: &[u8],
        examination: &mut Examination,
        excuse: impl FnOnce(String) -> (Outcome, String),
    ) {
        let own = Shown::of(&self.script, certificate);
        if let Some(what) = self.wrong(&own, certificate) {
            examination.count(kind, Outcome::Wrong);
            let (name, script) = (name.to_owned(), self.script.clone());
            let certificate = certificate.to_vec();
            examination.findings.push(Finding { name, what, script, certificate });
            return;
        }
        let outcome = match own.is_accepted() {
            false => Outcome::Rejected,
            true if own.verified.len() < self.unsatisfiable.len() => Outcome::Less,
            true => {
                let (outcome, line) = excuse(format!("{name}: {kind}: "));
                examination.accepted.push(line);
                outcome
            }
        };
        examination.count(kind, outcome);
    }

    /// What is wrong with what a certificate shows of the script and of its twin.
    fn wrong(&self, own: &Shown, certificate: &[u8]) -> Option<String> {
        let panicked =
            |shown: &Shown| shown.panicked.as_ref().map(|why| format!("the checker panicked: {why}"));
        let wrong = own.verified.iter().find(|check| !self.unsatisfiable.contains(check));
        if let Some(check) = wrong {
            return Some(format!("check {check} is satisfiable and verified"));
        }
        let Some((twin, models)) = &self.twin else { return panicked(own) };
        let shown = Shown::of(twin, certificate);
        let wrong = shown.verified.iter().find(|check| models.contains(check));
        let wrong =
            wrong.map(|check| format!("check {check} of the twin is satisfiable and verified:\n{twin}"));
        wrong.or_else(|| panicked(own)).or_else(|| panicked(&shown))
    }

    /// How an altered certificate that is accepted is right.
    fn excuse(&self, altered: &Altered) -> (Outcome, &'static str) {
        let accepts = |other: &Certificate| {
            let shown = Shown::of(&self.script, other.to_string().as_bytes());
            shown.is_accepted() && shown.verified.len() >= self.unsatisfiable.len()
        };
        let step = altered.certificate.step(altered.step);
        match altered.kind {
            Kind::Dropped => return (Outcome::NotNeeded, "the step is not needed"),
            Kind::Swapped => return (Outcome::AnyOrder, "the order of the two does not matter"),
            _ if altered.before.is_empty() => return (Outcome::NotNeeded, "it is accepted without the step"),
            _ => {}
        }
        let without = neutral(step).into_iter().map(|steps| altered.certificate.with(altered.step, steps));
        if { without }.any(|other| accepts(&other)) {
            return (Outcome::NotNeeded, "nothing that is needed comes of the step");
        }
        if shorter(&altered.certificate, altered).is_some_and(|other| accepts(&other)) {
            return (Outcome::NotNeeded, "the hint is not needed");
        }
        (Outcome::Right, "as altered it is right, too")
    }
}

/// Steps in place of one from which nothing follows, with as many new terms and clauses: a value, and a
/// clause that is true.
fn neutral(step: &[String]) -> Vec<&'static [&'static str]> {
    let own: &[&str] = match step.first().map_or("", String::as_str) {
        "assertion" | "symbol" | "value" | "term" | "apply" | "witness" | "division" | "exact"
        | "product" | "products" => &["value 1 #0"],
        "instance" => &["value 1 #0", "value 1 #0"],
        "sort" => &["sort 0"],
        "derive" | "unit" => &["derive 1 0 0"],
        "discharge" => &["retract", "derive 1 0 0"],
        _ => &[],
    };
    vec![&[], own]
}

/// A derivation without the hint that was altered.
fn shorter(certificate: &Certificate, altered: &Altered) -> Option<Certificate> {
    let step = certificate.step(altered.step);
    let before = Certificate::of(&altered.before);
    let at = step.iter().zip(before.step(0)).position(|(now, then)| now != then)?;
    let literals: usize = step.get(1).filter(|_| step[0] == "derive")?.parse().ok()?;
    let hints: u64 = step.get(literals.checked_add(2)?)?.parse().ok()?;
    if at < literals + 3 {
        return None;
    }
    let mut words: Vec<String> = step.to_vec();
    words[literals + 2] = hints.checked_sub(1)?.to_string();
    words.remove(at);
    Some(certificate.with(altered.step, &[&words.join(" ")]))
}

/// Bytes of a certificate with one of them altered, left out or moved, or all that follow cut off; or bytes
/// at random.
fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    // What a certificate begins with is five bytes.
    let at = rng.usize(5..damaged.len());
    match rng.u8(..7) {
        0 => damaged[at] ^= 1 << rng.u8(..8),
        1 => damaged[at] = damaged[at].wrapping_add(1),
        2 => drop(damaged.remove(at)),
        3 => damaged.truncate(at),
        4 => damaged.insert(at, rng.u8(..)),
        5 => {
            let other = rng.usize(5..damaged.len());
            damaged.swap(at, other);
        }
        _ => damaged.iter_mut().skip(at).for_each(|byte| *byte = rng.u8(..) & rng.u8(..)),
    }
    damaged
}
