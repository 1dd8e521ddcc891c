//! # bivalve-local-search
//!
//! A model found without gates: all symbols have values, and one that makes something false is changed, again
//! and again.
//!
//! A move takes a conjunct that is false and wants it true. It goes down from there: at each operator one
//! argument is chosen, and a value for it under which the result is what is wanted, until it comes to a
//! symbol, which takes that value. This is the propagation-based local search of Niemetz, Preiner and Biere
//! (*Precise and complete propagation based local search for satisfiability modulo theories*, CAV 2016), with
//! known bits as Niemetz and Preiner have them (*Ternary propagation-based local search for more bit-precise
//! reasoning*, FMCAD 2020) and bounds. Their invertibility conditions are not written down here: what an
//! argument can be is what [`bivalve_domains`] propagates from the result backwards, a value is drawn from
//! that, and the executable meaning says whether it does.
//!
//! ```
//! use bivalve_limits::Deadline;
//! use bivalve_local_search::search;
//! use bivalve_terms::{BitVec, Op, Pool, Sort, eval};
//!
//! let mut pool = Pool::new();
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(256).expect("a legal width")));
//! let product = pool.app(Op::BvMul, &[x, y])?;
//! let number = pool.bitvec(&BitVec::from_u64(0xb1fa_17e5, 256));
//! let wanted = pool.app(Op::Eq, &[product, number])?;
//! let found = search(&pool, &[wanted], 0, &Deadline::unlimited());
//! assert!(eval(&pool, wanted, &found.assignment).expect_bool());
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```
//!
//! Right whatever it does: an assignment is a proposal, which the caller evaluates. It never says that there
//! is no model; `floats::sums` and `floats::boxes` alone do, by exact arithmetic. Cost: a move evaluates what
//! depends on the symbol; a step is a term evaluated or a choice.
//!
//! | file | what |
//! |---|---|
//! | `network` | the terms with their values, and what is false |
//! | `target` | what is wanted of a term; the way from an operator to an argument |
//! | `draw` | a value out of a domain |
//! | `lists` | the users of each term |
//! | `floats` | floating point, by the machine's own arithmetic |

mod draw;
pub mod floats;
mod lists;
mod network;
mod target;
#[cfg(test)]
mod tests;

use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, Pool, Term, Value};
use fastrand::Rng;
use network::Network;
use target::{Target, descend};

/// Bits that start the sequence of random numbers; the digits of e.
const SEED: u64 = 0xb7e1_5162_8aed_2a6a;

/// Evaluations that the choice of an argument and its value costs.
const CHOICE: u64 = 10;

/// A run ends after the steps of so many evaluations of all terms, or [`SHORTEST`]; the next begins at the
/// first assignment again, and is twice as long.
const EVALUATIONS: u64 = 64;
const SHORTEST: u64 = 100_000;

/// Of so many moves after which more is false, one is kept; the others are taken back.
const KEPT: u8 = 5;

/// What a search has come to.
#[derive(Debug)]
pub struct Found {
    /// The values of the symbols below the conjuncts.
    pub assignment: Assignment,
    /// Conjuncts that are false under it; a model has none.
    pub violated: usize,
    /// Symbols that were given another value.
    pub moves: u64,
}

/// Searches for a model of the conjuncts until there is one or the deadline is over. `seed` starts the random
/// choices.
pub fn search(pool: &Pool, conjuncts: &[Term], seed: u64, deadline: &Deadline) -> Found {
    let mut random = Rng::with_seed(SEED ^ seed);
    let mut moves = 0;
    let Some(mut network) = Network::new(pool, conjuncts, deadline) else {
        return Found { assignment: Assignment::new(), violated: conjuncts.len(), moves };
    };
    let mut run = network.weight_of_all().saturating_mul(EVALUATIONS).max(SHORTEST);
    loop {
        moves += deadline.within(run, |deadline| walk(&mut network, &mut random, deadline));
        if network.violations() == 0 || deadline.is_over() {
            break;
        }
        network.restart(deadline);
        run = run.saturating_mul(2);
    }
    Found { assignment: network.assignment(), violated: network.violations(), moves }
}

/// Moves from one assignment to the next until nothing is violated or the deadline is over; returns how many.
fn walk(network: &mut Network<'_>, random: &mut Rng, deadline: &Deadline) -> u64 {
    let mut moves = 0;
    while let Some(root) = network.violated(random) {
        if !deadline.step(1) {
            break;
        }
        let Some((symbol, value)) = choose(network, root, random, deadline) else { continue };
        let (before, old) = (network.violations(), network.value(symbol).clone());
        network.set(symbol, value, deadline);
        moves += 1;
        if network.violations() > before && random.u8(..KEPT) != 0 {
            network.set(symbol, old, deadline);
        }
    }
    moves
}

/// A symbol below a conjunct that is violated, and a value for it; `None` if the way ends elsewhere.
fn choose(
    network: &Network<'_>,
    root: usize,
    random: &mut Rng,
    deadline: &Deadline,
) -> Option<(usize, Value)> {
    let (mut node, mut target) = (root, Target::truth());
    while !network.is_symbol(node) {
        if !deadline.step(CHOICE * network.weight(node)) {
            return None;
        }
        (node, target) = descend(network, node, &target, random)?;
    }
    Some((node, target.value_of(network.value(node))?))
}
