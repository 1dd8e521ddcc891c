//! Other solvers as judges of many small scripts.
//!
//! Starting a solver costs more than a small formula, so scripts go together into one file, separated by `(reset)`. A
//! script that takes a peer too long gets `unknown` by an option of the peer, and the next one its turn. When a file does not come back with one answer for each script (the peer refused a command, ran into the time
//! limit, or died), it is halved and both halves are asked again, down to the single script that is to blame. So
//! one script never costs the others their answers, and it does not matter what a dying process had in its buffers.

use crate::error::{Error, Result};
use crate::place::Place;
use bivalve_terms::{Op, Pool, Sort, Term};
use campaign::formula::Formula;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A solver beside ours.
pub(crate) struct Peer {
    /// Its name in the roster.
    pub(crate) name: String,
    /// What it knows beyond SMT-LIB 2.0.
    pub(crate) knows: &'static [Op],
    /// The terms that it refuses, those in plain words included.
    refuses: Refuses,
    /// Its option that limits the time of a check to [`SECONDS`].
    limit: &'static [&'static str],
    roster: PathBuf,
}

/// Seconds that a peer may think about one script.
const SECONDS: usize = 5;

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

/// Peers with their operators beyond SMT-LIB 2.0 and their time limits. Who has no row gets plain words alone, and
/// all the time of a file.
const KNOWN: &[(&str, &[Op], Refuses, &[&str])] = &[
    (
        "bitwuzla",
        &[
            Op::RedAnd,
            Op::RedOr,
            Op::RedXor,
            Op::BvNego,
            Op::BvUaddo,
            Op::BvSaddo,
            Op::BvUmulo,
            Op::BvSmulo,
            Op::BvUsubo,
            Op::BvSsubo,
            Op::BvSdivo,
        ],
        |pool, term| is_nested(pool, pool.sort(term)),
        &["time-limit-per=5000"],
    ),
    ("yices", &[], |pool, term| pool.op(term) == Op::ConstArray, &["--timeout=5"]),
    ("cvc5", &[], is_beyond_cvc5, &["tlimit-per=5000"]),
    (
        "z3",
        &[
            Op::ExtRotateLeft,
            Op::ExtRotateRight,
            Op::RedAnd,
            Op::RedOr,
            Op::BvNego,
            Op::BvUaddo,
            Op::BvSaddo,
            Op::BvUmulo,
            Op::BvSmulo,
            Op::BvUsubo,
            Op::BvSsubo,
            Op::BvSdivo,
        ],
        |_, _| false,
        &["-t:5000"],
    ),
];

/// The peers of these names; `none` is no peer.
///
/// # Errors
/// When the roster is missing, the peers are not installed, or one is unknown.
pub(crate) fn find(place: &Place, names: &[String]) -> Result<Vec<Peer>> {
    let names = crate::bench::setup::versions(place, names)?;
    let peer = |(name, _): (String, String)| {
        let row = KNOWN.iter().find(|(known, ..)| *known == name);
        let refuses_nothing: Refuses = |_, _| false;
        let (knows, refuses, limit) = row
            .map_or((&[][..], refuses_nothing, &[][..]), |&(_, knows, refuses, limit)| {
                (knows, refuses, limit)
            });
        Ok(Peer { name, knows, refuses, limit, roster: place.roster()? })
    };
    names.into_iter().map(peer).collect()
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

    /// One reply for each script; files are written to `folder`.
    ///
    /// # Errors
    /// When no process can be started or no file be written.
    pub(crate) fn replies(&self, scripts: &[String], folder: &Path) -> Result<Vec<Reply>> {
        if scripts.is_empty() {
            return Ok(vec![]);
        }
        let file = folder.join(format!("batch-{}-{}.smt2", self.name, std::process::id()));
        fs::write(&file, scripts.join("(reset)\n")).map_err(Error::io(&file))?;
        let seconds = 30 + SECONDS * scripts.len();
        let output = Command::new("python3")
            .arg(&self.roster)
            .args(["--solver", &self.name, "--timeout", &seconds.to_string(), "--mem", "4000"])
            .arg(&file)
            .arg("--")
            .args(self.limit)
            .stdin(Stdio::null())
            .output()
            .map_err(Error::io(Path::new("python3")))?;
        fs::remove_file(&file).map_err(Error::io(&file))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if let Some(answers) = answers(&text, scripts.len()) {
            return Ok(answers.into_iter().map(Reply::Answer).collect());
        }
        if let [_] = scripts {
            let words = text.lines().find(|line| answer(line).is_none()).map(str::to_owned);
            return Ok(vec![words.map_or(Reply::Answer(None), Reply::Refused)]);
        }
        let (first, second) = scripts.split_at(scripts.len() / 2);
        Ok([self.replies(first, folder)?, self.replies(second, folder)?].concat())
    }
}

/// The answers, if every line is one and there are as many as scripts.
fn answers(text: &str, count: usize) -> Option<Vec<Option<bool>>> {
    let answers: Option<Vec<_>> = text.lines().map(answer).collect();
    answers.filter(|answers| answers.len() == count)
}

fn answer(line: &str) -> Option<Option<bool>> {
    match line.trim() {
        "sat" => Some(Some(true)),
        "unsat" => Some(Some(false)),
        "unknown" => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(roster: PathBuf) -> Peer {
        Peer { name: "mock".into(), knows: &[], refuses: |_, _| false, limit: &["last"], roster }
    }

    #[test]
    fn only_one_answer_for_each_script_counts() {
        assert_eq!(answers("sat\nunsat\nunknown\n", 3), Some(vec![Some(true), Some(false), None]));
        assert_eq!(answers("sat\n", 2), None);
        assert_eq!(answers("sat\n(error \"no\")\n", 2), None);
    }

    /// A peer that stops at the first `bad` and is silent at `dead`.
    #[test]
    fn one_bad_script_costs_the_others_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let roster = folder.path().join("solve.py");
        let program = "import sys
for script in open(sys.argv[-3]).read().split('(reset)'):
    word = script.strip()
    if word == 'dead': sys.exit(1)
    print('(error \"no\")' if word == 'bad' else word)
    if word == 'bad': break
";
        fs::write(&roster, program).unwrap();
        let scripts = ["sat", "bad", "unsat", "dead", "sat"].map(|word| format!("{word}\n"));
        let replies = peer(roster).replies(&scripts, folder.path()).unwrap();
        let [sat, unsat] = [true, false].map(|sat| Reply::Answer(Some(sat)));
        let refused = Reply::Refused("(error \"no\")".into());
        assert_eq!(replies, [sat.clone(), refused, unsat, Reply::Answer(None), sat]);
    }
}
