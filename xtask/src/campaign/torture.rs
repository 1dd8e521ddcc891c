//! Torture: Bivalve under everything that tests it, at once.
//!
//! Case after case is made by number, in turn by all generators there are: layered formulas (free, planted,
//! refuted), sessions, constructed formulas (chains, fusions, rewrite rules), formulas from the root down.
//! Each is decided by Bivalve three times in this process: twice under options drawn at random, SAT backends
//! included, and once as plainly as it can. Verdicts are judged by the status where one is known and by each
//! other, models by the evaluator, cores by refutation. What is found is made small by `bivalve-delta` under
//! the options that showed it, and becomes a script that says what happened and what to expect.
//!
//! Everything follows from the seed and the number; how long it goes on is for the caller to say.

use crate::formula::{self, Formula, Recipe};
use crate::{seed_of, settings, theory};
use bivalve_delta::Refusal;
use bivalve_fuzz::construct::{Construction, Kind as Made, Operators, Options, Theory};
use bivalve_fuzz::layered::{Division, Goal, Shape, Timeline, session};
use bivalve_harness::{Cancel, Oracle};
use bivalve_judge::{
    Case, Choice, Failure, Inside, Kind, Outcome, Pending, Solver, Suspect, Target, USUAL_PERCENT, Wanted,
    quick_backends, random_settings,
};
use fastrand::Rng;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Cases that get the same options, which follow from the number of their chunk: that of the first, divided
/// by this.
pub const CHUNK: u64 = 4;

/// A solver is stopped after this long; it has budgets of steps that are shorter.
const LONG: Duration = Duration::from_secs(10);

/// Budgets that keep every case short.
const BUDGET: [(&str, &str); 2] = [("conflict-limit", "2000"), ("gate-limit", "2000000")];

/// The options of the plain one: as few parts as possible.
const PLAIN: [(&str, &str); 4] =
    [("rewrite-level", "0"), ("probe", "off"), ("abstract-from", "0"), ("array-lemmas", "each")];

/// Options under which a failure may be shown by a smaller script: nothing is left undone because a script is
/// small.
const SHARP: [(&str, &str); 2] = [("rewrite-from", "0"), ("probe", "off")];

/// The names of those who are asked: two under random options, one plain.
const NAMES: [&str; 3] = ["first", "second", "plain"];

/// What all are asked for: a model that holds outvotes everybody.
const WANTED: Wanted = Wanted { models: true, cores: true };

/// Cases and solvers of a seed.
pub struct Torture {
    seed: u64,
    /// Options that all who are asked have, the plain one too.
    always: Vec<Choice>,
    constructions: Arc<Constructions>,
}

/// Constructions of small widths, made when they are needed.
struct Constructions(Vec<OnceLock<Construction>>);

/// Widths of constructed cases.
const WIDTHS: usize = 6;

impl Constructions {
    fn get(&self, theory: usize, width: usize) -> &Construction {
        self.0[theory * WIDTHS + width].get_or_init(|| {
            let options = Options {
                theory: Theory::ALL[theory],
                width: width as u32 + 1,
                operators: if width.is_multiple_of(2) { Operators::All } else { Operators::Thesis },
                depth: 8,
                samples: u64::MAX >> 8,
                ..Options::default()
            };
            Construction::new(options).expect("a small width and a breadth")
        })
    }
}

/// A finding, small and ready to be kept.
pub struct Finding {
    /// A folder by option.
    pub folder: String,
    /// The name of the file.
    pub name: String,
    /// The script, with its story and what it expects in its head.
    pub text: String,
    /// Who is to blame, and for what; `None` if nobody knows who is right.
    pub kind: Option<Kind>,
    /// The length of the script that was found, in bytes.
    pub before: usize,
    /// The length of the small one without its head.
    pub after: usize,
    /// Why it was not made small.
    pub refusal: Option<Refusal>,
}

impl Torture {
    /// The torture of a seed.
    pub fn new(seed: u64) -> Torture {
        Torture::with(seed, vec![])
    }

    /// The same, where all who are asked have these options besides; who judges what was found does not.
    pub fn with(seed: u64, always: Vec<Choice>) -> Torture {
        let constructions = (0..Theory::ALL.len() * WIDTHS).map(|_| OnceLock::new()).collect();
        Torture { seed, always, constructions: Arc::new(Constructions(constructions)) }
    }

    /// The case of a number.
    pub fn case(&self, number: u64) -> Pending {
        let (seed, constructions) = (self.seed, self.constructions.clone());
        let name = format!("torture {seed} {number}");
        let case = name.clone();
        let make = move || {
            let text = made(seed, number, &constructions);
            Ok(text.map(|(group, text)| Case { group: group.to_owned(), ..Case::new(case, group, text) }))
        };
        Pending { name, make: Box::new(make) }
    }

    /// The options under which one of the contestants gets the chunk of this number.
    fn choices(&self, who: usize, chunk: u64) -> Vec<Choice> {
        let mut choices = self.always.clone();
        if who == 2 {
            choices.extend(PLAIN.map(|(name, value)| (name, value.to_owned())));
        } else {
            let mut rng = Rng::with_seed(seed_of(self.seed ^ 0x0070_7a75, chunk * 2 + who as u64));
            choices.extend(random_settings(&settings(&BUDGET), &quick_backends(), &mut rng).1);
        }
        choices
    }

    /// Who takes part in a campaign whose first chunk has this number.
    pub fn solvers(self: &Arc<Torture>, first: u64) -> Vec<Solver> {
        let solver = |(who, name): (usize, &'static str)| {
            let torture = self.clone();
            Solver {
                name: name.to_owned(),
                make: Box::new(move |chunk| {
                    let choices = torture.choices(who, first + chunk);
                    (Box::new(inside(name, &choices)) as Box<dyn Oracle>, words(&choices))
                }),
                wanted: WANTED,
                integers: false,
            }
        };
        NAMES.into_iter().enumerate().map(solver).collect()
    }

    /// Makes what was found at the case of a number small; one finding for each contestant that is to blame.
    pub fn reduce(&self, outcome: &Outcome, number: u64, cancel: &Cancel) -> Vec<Finding> {
        let (Some(case), Some(record)) = (&outcome.finding, &outcome.record) else { return vec![] };
        let guilty = |(who, entry): (usize, &bivalve_judge::Result)| {
            let judgement = &entry.judgement;
            // Where nobody knows who is right, it is held against those who have options that the referee has
            // not.
            let unresolved = record.remark.is_some() && (who < 2 || !self.always.is_empty());
            if !judgement.is_finding() && !unresolved {
                return None;
            }
            let failure = match judgement.kind {
                Kind::WrongModel => Failure::WrongModel,
                Kind::WrongCore => Failure::WrongCore,
                _ if judgement.crash => Failure::Crash(Some(judgement.detail.clone())),
                _ => Failure::WrongVerdict,
            };
            let choices = self.choices(who, number / CHUNK);
            let kind = judgement.is_finding().then_some(judgement.kind);
            Some(Finding { kind, ..reduced(case, choices, &failure, &judgement.detail, cancel) })
        };
        record.results.iter().enumerate().filter_map(guilty).collect()
    }
}

/// Bivalve as plain as it can be, who judges others.
pub fn plain() -> Inside {
    plain_with(&[])
}

/// The same with these options besides.
pub fn plain_with(always: &[Choice]) -> Inside {
    let choices = PLAIN.map(|(name, value)| (name, value.to_owned()));
    inside("plain", &[always, &choices].concat())
}

/// Bivalve with these options, within the budget.
fn inside(name: &str, choices: &[Choice]) -> Inside {
    let mut settings = settings(&BUDGET);
    for (name, value) in choices {
        settings.set(name, value).expect("an option of the table, with a value it takes");
    }
    Inside::new(name, settings, LONG)
}

/// Options as on a command line.
fn words(choices: &[Choice]) -> String {
    let words: Vec<String> = choices.iter().map(|(name, value)| format!("--{name} {value}")).collect();
    words.join(" ")
}

/// The group and the text of a number; `None` if it has no case.
fn made(seed: u64, number: u64, constructions: &Constructions) -> Option<(&'static str, String)> {
    let mut rng = Rng::with_seed(seed_of(seed, number));
    let (own, index) = (seed_of(seed, number ^ 1 << 63), number / 16);
    let wide = Shape { widths: 1..=rng.u32(4..70), ..Shape::default() };
    let layered = |shape: Shape| shape.case(own, index).script();
    let over_time = |shape: Shape| {
        let (made, answers) = session(&shape, &Timeline::default(), own, index);
        made.script(&answers)
    };
    let recipe = |theory| Recipe { seed: own, max_width: 40, size: 24, theory };
    let stated = |formula: Formula| {
        let status = formula.expected.map(|sat| if sat { "sat" } else { "unsat" });
        status.map_or(String::new(), |status| format!("(set-info :status {status})\n")) + &formula.script()
    };
    let root = |theory| stated(recipe(theory).formula(index));
    let near = |theory| stated(recipe(theory).of_kind(formula::Kind::Near, index));
    let (theory, width) = (rng.usize(..Theory::ALL.len()), rng.usize(..WIDTHS));
    let constructed =
        |kind: Made| constructions.get(theory, width).sample(kind, own).map(|(_, case)| case.script());
    Some(match number % 16 {
        0 => ("bits", layered(wide)),
        1 => ("bits planted", layered(Shape { goal: Goal::Planted, ..wide })),
        2 => ("bits refuted", layered(Shape { goal: Goal::Refuted, ..wide })),
        3 => ("arrays", layered(Shape::arrays())),
        4 => ("arrays planted", layered(Shape { goal: Goal::Planted, ..Shape::arrays() })),
        5 => ("everything", layered(Shape::everything())),
        6 => ("everything refuted", layered(Shape { goal: Goal::Refuted, ..Shape::everything() })),
        7 => ("divisions", layered(Shape { division: Division::Guarded, ..Shape::no_division() })),
        8 => ("session bits", over_time(Shape::default())),
        9 => ("session everything", over_time(Shape::everything())),
        10 => ("chain", constructed(Made::Chain)?),
        11 => ("fusion", constructed(Made::Fusion)?),
        12 => ("rule", constructed(Made::Rule)?),
        13 => ("root bits", root(theory::Theory::Bits)),
        14 => ("near", near([theory::Theory::Bits, theory::Theory::Arrays][rng.usize(..2)])),
        _ => (
            "root",
            root([theory::Theory::Arrays, theory::Theory::Functions, theory::Theory::All][rng.usize(..3)]),
        ),
    })
}

/// Does Bivalve with these options fail on a script?
fn pursuit(choices: &[Choice], failure: &Failure) -> Target {
    let suspect = Suspect::Inside(Box::new(inside("bivalve", choices)));
    Target::new(suspect, vec![failure.clone()], vec![Box::new(plain())], USUAL_PERCENT, LONG, None)
        .with_referee(plain())
}

/// The small script of a failure, with its story and the options that it takes.
fn reduced(
    case: &Case,
    mut choices: Vec<Choice>,
    failure: &Failure,
    detail: &str,
    cancel: &Cancel,
) -> Finding {
    let what = match failure {
        Failure::WrongModel => "wrong-model",
        Failure::WrongCore => "wrong-core",
        Failure::Crash(_) => "crash",
        _ => "wrong-verdict",
    };
    // Status and questions go with the assertions that they were about.
    let script = case.script(WANTED, false);
    for (name, value) in SHARP {
        let mut sharper = choices.clone();
        sharper.retain(|choice| choice.0 != name);
        sharper.push((name, value.to_owned()));
        if pursuit(&sharper, failure).shows(&script, &Cancel::new()) {
            choices = sharper;
        }
    }
    let suspect = pursuit(&choices, failure);
    let options = bivalve_delta::Options::default();
    let (text, refusal) = match bivalve_delta::reduce(&script, &options, &suspect, cancel, &mut |_| {}) {
        Ok(reduction) => (reduction.text, None),
        Err(refusal) => (case.text.clone(), Some(refusal)),
    };
    let how = refusal.as_ref().map_or(String::new(), |refusal| format!(" (not reduced: {refusal})"));
    // Options that do not matter go, the last ones first.
    for at in (0..choices.len()).rev() {
        let left_out = choices.remove(at);
        if !pursuit(&choices, failure).shows(&text, &Cancel::new()) {
            choices.insert(at, left_out);
        }
    }
    let (said, words) = (plain().ask(&text, &Cancel::new()).verdicts(), words(&choices));
    let detail: String = detail.chars().take(200).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let mut head = format!("; {}: {detail}{how}.\n; Found by torture.\n; options: {words}\n", case.name);
    said.iter().for_each(|verdict| head += &format!("; expect: {verdict}\n"));
    let folder = words.trim_start_matches("--").replace(" --", "-").replace(' ', "-");
    Finding {
        folder: if folder.is_empty() { "default".to_owned() } else { folder },
        name: format!("{what}-{:08x}.smt2", fingerprint(&text)),
        kind: None,
        before: script.len(),
        after: text.len(),
        refusal,
        text: head + &text,
    }
}

/// A number that follows from a text (FNV-1a), the same everywhere.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
