//! # bivalve-delta
//!
//! Delta debugging of SMT-LIB scripts: a script on which a solver fails becomes a small one on which it still
//! fails. The [`Oracle`] decides what "fails" means. The idea is that of the SMT delta debuggers of
//! Brummayer and Biere (*Fuzzing and Delta-Debugging SMT Solvers*, SMT 2009; Brummayer's thesis, section
//! 4.3): not text is reduced but the typed term DAG, so each candidate is well-sorted, a shared node is
//! edited once, and one edit may cut off most of a formula. A script that the reader refuses (another theory)
//! is reduced as a tree of parentheses.
//!
//! | file | what |
//! |---|---|
//! | `oracle` | the test: whether a candidate still fails |
//! | `ddmin` | which subset of a list of edits to try next |
//! | `verdicts` | outcomes of tests, none twice, some ahead of time |
//! | `script`, `render` | a script as it is reduced, and as text |
//! | `edit`, `nodes` | many typed edits of the DAG at once |
//! | `proposals`, `fold`, `widths`, `parts` | what may stand in the place of what |
//! | `typed` | the passes and their order |
//! | `tree`, `textual` | scripts as trees of parentheses |
//!
//! ```
//! use bivalve_delta::{Cancel, Options, reduce};
//!
//! let text = "(set-logic QF_BV)(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))
//!     (assert (and (bvult x y) (= (bvadd (bvmul x y) #x00000001) (bvnot y))))(check-sat)";
//! let multiplies = |script: &str| script.contains("bvmul");
//! let reduced = reduce(text, &Options::default(), &multiplies, &Cancel::new(), &mut |_| {})?;
//! assert_eq!(reduced.text, "(assert (= (bvmul #b0 #b0) #b0))\n");
//! # Ok::<(), bivalve_delta::Refusal>(())
//! ```

mod ddmin;
mod edit;
mod fold;
mod nodes;
mod oracle;
mod parts;
mod proposals;
mod render;
mod script;
mod textual;
mod tree;
mod typed;
mod verdicts;
mod widths;

pub use bivalve_limits::Cancel;
pub use oracle::Oracle;
pub use verdicts::{Pass, Progress, Tests};

use bivalve_terms::{Op, Pool, Term, cone};
use render::{Style, render};
use script::Script;
use thiserror::Error;
use verdicts::{Candidate, Verdicts, Weight};

/// How to reduce.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many candidates are tested at a time, at least one. The outcome does not depend on it.
    pub jobs: usize,
    /// How the script is seen.
    pub view: View,
}

impl Default for Options {
    fn default() -> Options {
        Options { jobs: 1, view: View::Best }
    }
}

/// How a script is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As terms if it can be read, else as text.
    Best,
    /// As text.
    Text,
}

/// How a script was reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As terms, with short names.
    Terms,
    /// As terms, with the names and declarations it had: with short ones it did not fail.
    NamedTerms,
    /// As a tree of parentheses.
    Text,
}

/// The outcome.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The reduced script. The oracle reported for exactly this text that it fails.
    pub text: String,
    /// How it was reduced.
    pub mode: Mode,
    /// What it cost.
    pub tests: Tests,
    /// What each pass did, in the order of first use.
    pub passes: Vec<Pass>,
    /// Was the reduction carried through? It is not if it was stopped.
    pub complete: bool,
}

/// Why there is nothing to reduce.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Refusal {
    /// The input itself does not fail.
    #[error("the input does not fail")]
    DoesNotFail,
    /// It was stopped before the input was tested.
    #[error("stopped before the input was tested")]
    Stopped,
    /// The result did not fail when it was tested once more.
    #[error("the result does not fail every time: the failure depends on more than the script")]
    Unstable,
}

/// Reduces a script as long as the oracle reports that it fails. `cancel` ends it early, with what was
/// reached; `watch` is called after each verdict.
///
/// # Errors
/// When the input does not fail, or the result does not when tested again.
pub fn reduce(
    text: &str,
    options: &Options,
    oracle: &dyn Oracle,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Reduction, Refusal> {
    if !oracle.fails(text, cancel) {
        return Err(if cancel.is_raised() { Refusal::Stopped } else { Refusal::DoesNotFail });
    }
    let reduction = std::thread::scope(|scope| {
        let mut verdicts = Verdicts::new(scope, oracle, cancel, options.jobs.max(1), watch);
        verdicts.know(text);
        let (reduced, mode) = match options.view {
            View::Best => best(&mut verdicts, text),
            View::Text => (textual::reduce(&mut verdicts, text), Mode::Text),
        };
        // A script that was small already may be longer in our notation.
        let text = if reduced.len() < text.len() { reduced } else { text.to_owned() };
        verdicts.dismiss();
        let complete = !verdicts.stopped();
        Reduction { text, mode, tests: verdicts.tests, passes: verdicts.passes(), complete }
    });
    // A stopped oracle has no verdict; what was accepted had one.
    if cancel.is_raised()
        || reduction.text == text
        || oracle.fails(&reduction.text, cancel)
        || cancel.is_raised()
    {
        return Ok(reduction);
    }
    Err(Refusal::Unstable)
}

/// Reduces as terms where that is possible, else as text, and as terms again if the result can be read.
fn best(verdicts: &mut Verdicts<'_>, text: &str) -> (String, Mode) {
    let styles = [(Style::Short, Mode::Terms), (Style::Faithful, Mode::NamedTerms)];
    let typed = |verdicts: &mut Verdicts<'_>, text: &str| {
        styles.into_iter().find_map(|(style, mode)| Some((typed::reduce(verdicts, text, style)?, mode)))
    };
    if let Some(reduced) = typed(verdicts, text) {
        return reduced;
    }
    let reduced = textual::reduce(verdicts, text);
    match typed(verdicts, &reduced) {
        Some((smaller, _)) if smaller.len() < reduced.len() => (smaller, Mode::Text),
        _ => (reduced, Mode::Text),
    }
}

/// The script as a candidate.
fn weigh(pool: &Pool, script: &Script, style: Style) -> Candidate {
    let text = render(pool, script, style);
    let bits = cone(pool, &script.roots()).into_iter().map(|term| leaf_bits(pool, term)).sum();
    Candidate { weight: Weight { bytes: text.len(), bits }, text }
}

/// The width of a symbol or constant; one for what has none.
fn leaf_bits(pool: &Pool, term: Term) -> u64 {
    match pool.op(term) {
        Op::Symbol | Op::Const => pool.width(term).map_or(1, u64::from),
        _ => 0,
    }
}
