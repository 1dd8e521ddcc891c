//! `cargo xtask differential`: random formulas, many judges.
//!
//! Formulas are made by number, decided in this process in all the ways that the library `campaign` knows,
//! and sent in batches to the peers, each in words that the peer knows. Formulas that Bivalve did not decide
//! within its budget are not sent: what is hard for us would cost a peer minutes, and proves nothing.
//!
//! Two definite answers that differ, a panic, a failed self-check and a model that is none are findings:
//! printed at once, and the script is saved with the opinions in its head. Bivalve is a party to each,
//! because only what it has an opinion on is asked further. The summary in the end says what was covered:
//! kinds, answers, operators.

use crate::args::DifferentialArgs;
use crate::bench::setup::commit;
use crate::error::{Error, Result};
use crate::peers::{self, Peer, Reply};
use crate::place::Place;
use crate::ticker::Ticker;
use bivalve::rewrite::RuleTable;
use bivalve_oracle::Watch;
use bivalve_terms::Op;
use campaign::formula::{Formula, Recipe};
use campaign::judge::{Case, judge};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Formulas that go to a peer together.
const BATCH: u64 = 100;

/// After this long a solver of ours is stopped.
const LONG: Duration = Duration::from_secs(10);

/// A formula, and what was said of it.
struct Item {
    number: u64,
    formula: Formula,
    case: Case,
    /// Peers that had an opinion.
    asked: usize,
}

/// So many peers are asked about a formula.
const JUDGES: usize = 2;

/// Counts of a campaign.
#[derive(Default)]
struct Tally {
    done: u64,
    /// By kind of formula and answer.
    answers: BTreeMap<(String, &'static str), u64>,
    /// By who had an opinion: definite ones, all.
    opinions: BTreeMap<String, (u64, u64)>,
    /// Formulas in which an operator occurs.
    operators: BTreeMap<Op, u64>,
    /// Formulas in which a rewrite rule was applied.
    rules: BTreeMap<String, u64>,
    /// The first words of what a peer refused, with a count.
    refusals: BTreeMap<String, u64>,
    findings: u64,
}

/// Runs the campaign.
///
/// # Errors
/// When the peers are not there, or a file cannot be written; findings are no error but the exit code.
pub(crate) fn run(place: &Place, args: &DifferentialArgs) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| place.findings());
    fs::create_dir_all(&out).map_err(Error::io(&out))?;
    let campaign = Campaign { peers: peers::find(place, &args.peers)?, out };
    let recipe =
        Recipe { seed: args.seed, max_width: args.max_width, size: args.size, theory: args.theory.into() };
    let names: Vec<&str> = campaign.peers.iter().map(|peer| peer.name.as_str()).collect();
    eprintln!(
        "{} formulas, {recipe:?}, commit {}, peers: {}",
        args.count,
        commit(place.root()),
        names.join(" ")
    );
    let (mut tally, mut ticker) = (Tally::default(), Ticker::start(args.count));
    let watch = Watch::new(LONG);
    let end = args.from + args.count;
    for start in (args.from..end).step_by(BATCH as usize) {
        let mut items = vec![];
        for number in start..(start + BATCH).min(end) {
            let mut formula = recipe.formula(number);
            let case = judge(&mut formula, number, &watch);
            items.push(Item { number, formula, case, asked: 0 });
            ticker.reached(number + 1 - args.from, &tally.line());
        }
        campaign.ask_peers(&mut items, &mut tally);
        for item in &items {
            tally.add(item);
            campaign.report(item, &mut tally, &ticker)?;
        }
    }
    ticker.finish();
    print!("{}", tally.summary());
    Ok(ExitCode::from(u8::from(tally.findings > 0)))
}

struct Campaign {
    peers: Vec<Peer>,
    out: PathBuf,
}

impl Campaign {
    /// Adds the peers' opinions on whatever was decided.
    fn ask_peers(&self, items: &mut [Item], tally: &mut Tally) {
        for peer in &self.peers {
            let is_asked = |item: &&mut Item| {
                item.case.answer().is_some() && item.asked < JUDGES && peer.takes(&item.formula)
            };
            let mut asked: Vec<&mut Item> = items.iter_mut().filter(is_asked).collect();
            let scripts: Vec<String> =
                asked.iter_mut().map(|item| item.formula.plain_script(&peer.knows)).collect();
            let replies = peer.replies(&scripts);
            for (item, reply) in asked.iter_mut().zip(replies) {
                match reply {
                    Reply::Answer(answer) => {
                        item.asked += usize::from(answer.is_some());
                        item.case.says(peer.name.clone(), answer);
                    }
                    Reply::Refused(words) => {
                        let words = words.chars().take(80).collect::<String>();
                        *tally.refusals.entry(format!("{}: {words}", peer.name)).or_default() += 1;
                        item.case.says(peer.name.clone(), None);
                    }
                }
            }
        }
    }

    /// Prints and saves what is wrong with an item, if anything is.
    fn report(&self, item: &Item, tally: &mut Tally, ticker: &Ticker) -> Result<()> {
        let findings = item.case.findings();
        if findings.is_empty() {
            return Ok(());
        }
        tally.findings += 1;
        let path = self.out.join(format!("formula-{}.smt2", item.number));
        let mut text = format!("; formula {} ({:?})\n", item.number, item.formula.kind);
        for finding in &findings {
            text += &format!("; {}\n", finding.replace('\n', "\n; "));
        }
        for opinion in &item.case.opinions {
            text += &format!("; {}: {}\n", opinion.who, word(opinion.satisfiable));
        }
        ticker.shout(&format!("FINDING in formula {}: {}\n{text}", item.number, path.display()));
        text += &item.formula.script();
        fs::write(&path, text).map_err(Error::io(&path))
    }
}

fn word(satisfiable: Option<bool>) -> &'static str {
    match satisfiable {
        Some(true) => "sat",
        Some(false) => "unsat",
        None => "unknown",
    }
}

impl Tally {
    fn add(&mut self, item: &Item) {
        self.done += 1;
        let kind = format!("{:?}", item.formula.kind);
        *self.answers.entry((kind, word(item.case.answer()))).or_default() += 1;
        for opinion in &item.case.opinions {
            let (definite, all) = self.opinions.entry(opinion.who.clone()).or_default();
            *definite += u64::from(opinion.satisfiable.is_some());
            *all += 1;
        }
        let mut operators: Vec<Op> = item.formula.operators().collect();
        operators.sort_unstable();
        operators.dedup();
        for op in operators {
            *self.operators.entry(op).or_default() += 1;
        }
        let mut rules: Vec<&String> = item.case.rules.iter().chain(&item.formula.rules).collect();
        rules.sort_unstable();
        rules.dedup();
        for rule in rules {
            *self.rules.entry(rule.clone()).or_default() += 1;
        }
    }

    fn of(&self, answer: &str) -> u64 {
        self.answers.iter().filter(|((_, said), _)| *said == answer).map(|(_, count)| count).sum()
    }

    fn line(&self) -> String {
        let [sat, unsat, unknown] = ["sat", "unsat", "unknown"].map(|answer| self.of(answer));
        format!("{sat} sat, {unsat} unsat, {unknown} unknown, {} findings", self.findings)
    }

    fn summary(&self) -> String {
        let mut text = format!("{} formulas: {}\n", self.done, self.line());
        for ((kind, answer), count) in &self.answers {
            text += &format!("  {kind:12} {answer:8} {count:7}\n");
        }
        text += "definite opinions of all:\n";
        for (who, (definite, all)) in &self.opinions {
            text += &format!("  {who:42} {definite:7} of {all:7}\n");
        }
        text += "formulas with operator:\n";
        for op in Op::all().filter(|op| !op.name().is_empty()) {
            if let Some(count) = self.operators.get(&op) {
                text += &format!("  {:16} {count:7}\n", op.name());
            }
        }
        let table = RuleTable::new();
        let (all, unused) = (table.names(), table.names().filter(|name| !self.rules.contains_key(&**name)));
        text += &format!("rewrite rules applied: {} of {}; never:\n", self.rules.len(), all.len());
        text += &in_lines(unused);
        for (words, count) in &self.refusals {
            text += &format!("refused {count} times by {words}\n");
        }
        text + &format!("findings: {}\n", self.findings)
    }
}

/// Words in indented lines.
fn in_lines<S: AsRef<str>>(words: impl Iterator<Item = S>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let word = word.as_ref();
        if column == 0 || column + word.len() > 100 {
            text += if column == 0 { "  " } else { "\n  " };
            column = 2;
        }
        text += &format!("{word} ");
        column += word.len() + 1;
    }
    if column > 0 { text + "\n" } else { text }
}
