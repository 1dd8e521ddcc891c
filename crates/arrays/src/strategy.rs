//! Strategies: what is said of reads before a model is looked at, and what besides the lemma when a model is
//! wrong.
//!
//! The consistency check decides whether a model extends to arrays, and its lemmas suffice to make the search
//! end. A strategy may add *axioms* of its choice: clauses about single steps of a read that hold in the
//! theory.
//!
//! - A read of a write finds what was written or what is below; of a choice, what is in the chosen branch; of
//!   a constant array, its element ([`Known::steps`]).
//! - Two reads of one array at one index find the same ([`Known::congruences`]).
//!
//! Axioms are added, nothing is taken away: a strategy can be slow, but it cannot be wrong and cannot keep
//! the search from ending. So strategies are small, and experiments are cheap: implement [`Strategy`], and
//! hand it to [`ArrayRefiner::new`](crate::ArrayRefiner::new), or add a row to [`STRATEGIES`].
//!
//! | name | what | whose |
//! |---|---|---|
//! | `demand` | nothing besides lemmas | Brummayer and Biere, JSAT 2009 |
//! | `eager` | all axioms before the search, up to a limit | the classical reduction to functions, and those after Ackermann |
//! | `reads` | steps before the search; all congruences of an index that broke one | Ganesh and Dill, CAV 2007, section 4.2 |
//! | `writes` | the steps of a read that broke a rule | the same, section 4.3 |
//!
//! The third of STP's ideas, to replace `read(a, c)` by the term that it is asserted to be equal to, is a
//! simplification and no matter of lemmas: the rewriter's embedded constraints do it for all terms.
//!
//! Cost: `eager` is quadratic in the reads of an array, which is why it stops after [`MOST_AHEAD`] axioms;
//! the others grow with what they are asked for.

use crate::graph::{Graph, Node};
use crate::lemma::{Reason, equality};
use bivalve_refine::Lemma;
use bivalve_terms::{Op, Pool, Term};

/// After so many axioms ahead of a search, lemmas do the rest.
pub const MOST_AHEAD: usize = 50_000;

/// What to say of reads, besides the lemmas that a wrong model asks for.
pub trait Strategy: Send {
    /// Axioms about a read (a `select` or an application) that has just become known, before the search.
    fn ahead(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        let _ = (pool, known, read);
        vec![]
    }

    /// Axioms about a read that broke a rule, besides the lemma that says so.
    fn beside(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        let _ = (pool, known, read);
        vec![]
    }
}

/// A strategy by name: what it does in a few words, and how it is made.
pub struct StrategyRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Makes it.
    pub make: fn() -> Box<dyn Strategy>,
}

/// The strategies by name; the first one is the default.
pub static STRATEGIES: &[StrategyRow] = &[
    StrategyRow { name: "demand", help: "lemmas only", make: || Box::new(Demand) },
    StrategyRow { name: "eager", help: "all axioms before the search", make: || Box::new(Eager) },
    StrategyRow { name: "reads", help: "congruences index by index", make: || Box::new(ReadRefinement) },
    StrategyRow { name: "writes", help: "reads over writes one by one", make: || Box::new(WriteRefinement) },
];

/// The row of this name.
pub fn strategy(name: &str) -> Option<&'static StrategyRow> {
    STRATEGIES.iter().find(|row| row.name == name)
}

struct Demand;

impl Strategy for Demand {}

struct Eager;

impl Strategy for Eager {
    fn ahead(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        let mut axioms = known.steps(pool, read);
        axioms.extend(known.congruences(pool, read, Others::Earlier));
        axioms
    }
}

struct ReadRefinement;

impl Strategy for ReadRefinement {
    fn ahead(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        known.steps(pool, read)
    }

    fn beside(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        known.congruences(pool, read, Others::All)
    }
}

struct WriteRefinement;

impl Strategy for WriteRefinement {
    fn beside(&self, pool: &mut Pool, known: &Known<'_>, read: Term) -> Vec<Lemma> {
        known.steps(pool, read)
    }
}

/// Which reads a read is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// Those that became known before it; so each pair is there once if each read is asked for.
    Earlier,
    /// All.
    All,
}

/// What is known of the reads of a formula.
pub struct Known<'g> {
    graph: &'g Graph,
}

impl<'g> Known<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Known<'g> {
        Known { graph }
    }

    /// Where a read comes by its first step, and what it finds there. Nothing for a read of an array of which
    /// nothing is known.
    pub fn steps(&self, pool: &mut Pool, read: Term) -> Vec<Lemma> {
        if pool.op(read) != Op::Select {
            return vec![];
        }
        let &[array, index] = pool.args(read) else { unreachable!("a select has two arguments") };
        let reads = |pool: &mut Pool, below: Term| {
            let found = pool.mk(Op::Select, &[below, index]);
            equality(pool, read, found)
        };
        match self.graph.node(self.graph.of(array)) {
            Node::Base => vec![],
            Node::Constant { element } => vec![axiom(vec![(equality(pool, read, element), true)])],
            Node::Store { base, index: written, element } => {
                let same = equality(pool, index, written);
                let finds_it = equality(pool, read, element);
                let passes = reads(pool, self.graph.term(base));
                vec![axiom(vec![(same, false), (finds_it, true)]), axiom(vec![(same, true), (passes, true)])]
            }
            Node::Ite { condition, branches } => {
                let [yes, no] = branches.map(|branch| reads(pool, self.graph.term(branch)));
                vec![axiom(vec![(condition, false), (yes, true)]), axiom(vec![(condition, true), (no, true)])]
            }
        }
    }

    /// That a read finds what other reads of its array find, if the indices are equal.
    pub fn congruences(&self, pool: &mut Pool, read: Term, which: Others) -> Vec<Lemma> {
        let node = self.graph.of(pool.args(read)[0]);
        let others = self.graph.reads().iter();
        others
            .take_while(|other| which == Others::All || other.term != read)
            .filter(|other| other.node == node && other.term != read)
            .map(|other| {
                let mut literals = vec![];
                for place in 1..pool.args(read).len() {
                    let (i, k) = (pool.args(read)[place], pool.args(other.term)[place]);
                    if i != k {
                        literals.push((equality(pool, i, k), false));
                    }
                }
                literals.push((equality(pool, read, other.term), true));
                axiom(literals).from_terms([read, other.term])
            })
            .collect()
    }
}

fn axiom(literals: Vec<(Term, bool)>) -> Lemma {
    Lemma::new(Reason::Axiom.name(), literals)
}
