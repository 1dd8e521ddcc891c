//! Other solvers as judges of many small scripts.
//!
//! Who they are, what they know and refuse, and how they are told to give up on a script; how they are asked
//! is the business of `bivalve-oracle`. Starting a solver costs more than a small formula, so scripts go to
//! it together, and what is amiss is asked again alone. The roster of peers stands outside the workspace, a
//! script that runs one by its name.

use crate::error::Result;
use crate::place::Place;
use bivalve_oracle::{Cancel, Command, Limits, Oracle, Reply as Answered, Verdict};
use bivalve_terms::{Op, Pool, Sort, Term};
use campaign::formula::Formula;
use campaign::plain::LATER;
use std::path::PathBuf;
use std::time::Duration;

/// A solver beside ours.
pub(crate) struct Peer {
    /// Its name in the roster.
    pub(crate) name: String,
    /// What it knows beyond SMT-LIB 2.0.
    pub(crate) knows: Vec<Op>,
    /// The terms that it refuses, those in plain words included.
    refuses: Refuses,
    solver: Command,
}

/// The time that a peer may take for one script alone, its start included. Its own limit, where it has one,
/// is shorter, so that a script that is hard for it costs the others nothing.
const TIME: Duration = Duration::from_secs(30);

/// Its memory.
const MEMORY: u64 = 4 << 30;

/// So many scripts go to a peer together.
const TOGETHER: usize = 100;

/// What a peer said to a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Satisfiable or not; `None` is `unknown`, or no answer within the time limit.
    Answer(Option<bool>),
    /// It did not take the script.
    Refused(String),
}

/// Is this a term that a peer does not take?
type Refuses = fn(&Pool, Term) -> bool;

/// A row of the list of peers: its name, the operators beyond SMT-LIB 2.0 that it does not know, the terms
/// that it refuses, and its limit of time.
type Known = (&'static str, &'static [Op], Refuses, &'static [&'static str]);

/// Peers. Who has no row gets plain words alone, and all the time of a file.
const KNOWN: &[Known] = &[
    (
        "bitwuzla",
        &[Op::ExtRotateLeft, Op::ExtRotateRight, Op::BvUdivo],
        |pool, term| is_nested(pool, pool.sort(term)),
        &["time-limit-per=5000"],
    ),
    ("yices", LATER, |pool, term| pool.op(term) == Op::ConstArray, &["--timeout=5"]),
    ("cvc5", LATER, is_beyond_cvc5, &["tlimit-per=5000"]),
    ("z3", &[Op::RedXor, Op::BvUdivo], |_, _| false, &["-t:5000"]),
];

/// The peers of these names; `none` is no peer.
///
/// # Errors
/// When the roster is missing, the peers are not installed, or one is unknown.
pub(crate) fn find(place: &Place, names: &[String]) -> Result<Vec<Peer>> {
    let names = crate::bench::setup::versions(place, names)?;
    let peer = |(name, _): (String, String)| {
        let nothing: Known = ("", LATER, |_, _| false, &[]);
        let &(_, lacks, refuses, limit) = KNOWN.iter().find(|row| row.0 == name).unwrap_or(&nothing);
        let knows = LATER.iter().copied().filter(|op| !lacks.contains(op)).collect();
        Ok(Peer { solver: solver(&name, place.roster()?, limit), name, knows, refuses })
    };
    names.into_iter().map(peer).collect()
}

/// The command that runs a peer.
fn solver(name: &str, roster: PathBuf, limit: &[&str]) -> Command {
    let roster = roster.to_string_lossy().into_owned();
    let words = ["python3", &roster, "--solver", name, "{}", "--"].into_iter().chain(limit.iter().copied());
    let limits = Limits { time: TIME, cpu: None, memory: Some(MEMORY) };
    let command = Command::of_words(name, words.map(str::to_owned).collect(), limits);
    command.expect("there are words").with_batches(TOGETHER)
}

/// Is there an array within an array, or in the parameters or the result of a function?
fn is_nested(pool: &Pool, sort: Sort) -> bool {
    let is_array = |sort: Sort| pool.sorts().array_parts(sort).is_some();
    match (pool.sorts().array_parts(sort), pool.sorts().function_parts(sort)) {
        (Some((index, element)), _) => is_array(index) || is_array(element),
        (_, Some((params, result))) => is_array(result) || params.iter().any(|&param| is_array(param)),
        (None, None) => false,
    }
}

/// Constant arrays of anything but a constant, and arrays as indices.
fn is_beyond_cvc5(pool: &Pool, term: Term) -> bool {
    let sorts = pool.sorts();
    let index = sorts.array_parts(pool.sort(term)).map(|(index, _)| index);
    let is_open = pool.op(term) == Op::ConstArray && !pool.is_const(pool.args(term)[0]);
    is_open || index.is_some_and(|index| sorts.array_parts(index).is_some())
}

impl Peer {
    /// Does it know the theories of the formula?
    pub(crate) fn takes(&self, formula: &Formula) -> bool {
        !formula.has(self.refuses)
    }

    /// One reply for each script.
    pub(crate) fn replies(&self, scripts: &[String]) -> Vec<Reply> {
        let texts: Vec<&str> = scripts.iter().map(String::as_str).collect();
        self.solver.ask_all(&texts, &Cancel::new()).iter().map(reply).collect()
    }
}

fn reply(answered: &Answered) -> Reply {
    if let Some(words) = answered.errors.first() {
        return Reply::Refused(words.clone());
    }
    match answered.verdict() {
        Some(Verdict::Sat) => Reply::Answer(Some(true)),
        Some(Verdict::Unsat) => Reply::Answer(Some(false)),
        Some(Verdict::Unknown) => Reply::Answer(None),
        None => {
            answered.output.lines().next().map_or(Reply::Answer(None), |line| Reply::Refused(line.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A peer that stops at the first `bad` and is silent at `dead`.
    #[test]
    fn one_bad_script_costs_the_others_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let roster = folder.path().join("solve.py");
        let program = "import sys
for line in open(sys.argv[-2]):
    if line.startswith('(echo'): print(line.split('\"')[1])
    if not line.startswith('(check-sat)'): continue
    word = line.split()[-1]
    if word == 'dead': sys.exit(1)
    print('(error \"no\")' if word == 'bad' else word, flush=True)
    if word == 'bad': break
";
        std::fs::write(&roster, program).unwrap();
        let peer = Peer {
            solver: solver("mock", roster, &[]),
            name: "mock".into(),
            knows: vec![],
            refuses: |_, _| false,
        };
        let scripts = ["sat", "bad", "unsat", "dead", "sat"].map(|word| format!("(check-sat) ; {word}\n"));
        let replies = peer.replies(&scripts);
        let [sat, unsat] = [true, false].map(|sat| Reply::Answer(Some(sat)));
        let refused = Reply::Refused("no".into());
        assert_eq!(replies, [sat.clone(), refused, unsat, Reply::Answer(None), sat]);
    }
}
