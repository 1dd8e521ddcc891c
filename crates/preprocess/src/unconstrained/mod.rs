//! Unconstrained-term elimination: what the freedom of a symbol that occurs once makes of a formula.
//!
//! A symbol that occurs once, below all that is asserted, can be given any value that its surroundings need.
//! So `x + t` can have every value, whatever that of `t` is, and a fresh symbol can stand for it; `x <u t`
//! can be true or false, unless `t` is zero. What is replaced disappears with everything that occurred
//! nowhere else, and the fresh symbol occurs once again, so one walk from the leaves upwards takes whole
//! formulas away (Bruttomesso, PhD thesis, 2008; Brummayer's thesis, section 3.4).
//!
//! What is replaced by what is stated in the rows of [`rows`]; each comes with a *witness*, the value of `x`
//! that brings the replacement about, and that is the way back: `x` is defined by its witness, a term over
//! the fresh symbol and the other operands.
//!
//! Two kinds of steps are told apart. Where the witness takes every value of `x` (as the fresh symbol goes
//! through its own), the step is a change of variable: the definition is one like any other, and what comes
//! later may mention `x`. Where it does not, the definition *restricts* `x`, and the step preserves
//! satisfiability only as long as nothing else mentions `x`. See [`crate::Preprocessor`] for what becomes of
//! that when something does.
//!
//! Symbols below slices only, none of which overlap, are cut into the slices ([`slices`]); symbols that are
//! only compared are narrowed ([`small_domains`]).
//!
//! Cost: each round is linear in the cone of the conjuncts; rounds follow as long as they find something,
//! since what was taken away may leave another symbol with a single occurrence.

mod product;
mod rows;
mod slices;
mod small_domains;
mod template;

use crate::problem::{Problem, Tables};
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term, TermSet};

pub(crate) use slices::run as slices;
pub(crate) use small_domains::indices::run as small_indices;
pub(crate) use small_domains::run as small_domains;

/// More rounds than this gain nothing that is worth them.
const ROUNDS: usize = 8;

/// Conjuncts after some steps.
pub(crate) struct Elimination {
    pub(crate) conjuncts: Vec<Term>,
    /// The symbols that are gone, in the order in which they went.
    pub(crate) defined: Vec<Defined>,
}

/// A symbol that is gone.
pub(crate) struct Defined {
    pub(crate) symbol: Term,
    /// Its value, over symbols that were there when it went and one that was made then.
    pub(crate) term: Term,
    /// Whether the term does not take all values of the symbol, so that nothing else may mention it.
    pub(crate) restricts: bool,
}

/// A pass over conjuncts, which it replaces by others, satisfiable if they are, and adds what gives the
/// symbols their values that occur in them no more. Symbols that are `used` are mentioned elsewhere. Nothing
/// is defined when the deadline is over.
pub(crate) type Run = fn(&mut Pool, &Problem<'_>, used: &dyn Fn(Term) -> bool, &mut Elimination);

/// Replaces terms that can be chosen freely through a symbol that occurs once.
///
/// Not beside applications of functions: measured on the 12 QF_UFBV files of program verifiers that we have,
/// 8 were solved without this and 6 with it. There are models near zero there, which the engine tries first,
/// and a fresh symbol that is zero is another value of what it replaced. To spare only the symbols below
/// arguments was measured, too: two files less in 8 seconds, like no exception at all.
pub(crate) fn terms(
    pool: &mut Pool,
    problem: &Problem<'_>,
    used: &dyn Fn(Term) -> bool,
    left: &mut Elimination,
) {
    if problem.cone(pool).iter().any(|&term| pool.op(term) == Op::Apply) {
        return;
    }
    let mut found = round(pool, problem, used, left);
    for _ in 1..ROUNDS {
        if !found {
            return;
        }
        let (conjuncts, tables) = (left.conjuncts.clone(), Tables::default());
        found = round(pool, &problem.over(&conjuncts, &tables), used, left);
    }
}

/// One walk from the leaves upwards; whether it found something.
fn round(
    pool: &mut Pool,
    problem: &Problem<'_>,
    used: &dyn Fn(Term) -> bool,
    left: &mut Elimination,
) -> bool {
    let uses = problem.uses(pool);
    let is_free = |pool: &Pool, term: Term| {
        pool.op(term) == Op::Symbol
            && uses.is_single(term)
            && !pool.sorts().is_function(pool.sort(term))
            && !used(term)
    };
    let mut free = TermSet::new();
    for &symbol in problem.cone(pool).iter().filter(|&&term| is_free(pool, term)) {
        free.insert(symbol);
    }
    if free.is_empty() {
        return false;
    }
    let mut images = problem.no_images(pool);
    let mut defined = vec![];
    let mut args = vec![];
    for &term in problem.cone(pool) {
        if images.image(term).is_some() {
            continue;
        }
        args.clear();
        args.extend(pool.args(term).iter().map(|&arg| images.image(arg).expect("arguments come first")));
        let step =
            args.iter().any(|&arg| free.contains(arg)).then(|| step(pool, term, &args, &free)).flatten();
        if let Some(Step { fresh, becomes, defined: more }) = step {
            if fresh == becomes && uses.is_single(term) {
                free.insert(fresh);
            }
            defined.extend(more);
            images.set(term, becomes);
        } else if !images.extend(pool, &[term], || problem.deadline.step(1), |_, _, _| None) {
            return false;
        }
    }
    left.conjuncts = problem.images(&images);
    let found = !defined.is_empty();
    left.defined.extend(defined);
    found
}

/// What a term that can be chosen freely, or nearly so, is replaced by.
struct Step {
    /// The new symbol.
    fresh: Term,
    /// What the term becomes: the new symbol, or a term with the new symbol.
    becomes: Term,
    defined: Vec<Defined>,
}

/// The step at `term`, whose operands became `args`; those that are `free` occur nowhere else.
fn step(pool: &mut Pool, term: Term, args: &[Term], free: &TermSet) -> Option<Step> {
    match *args {
        [high, low] if pool.op(term) == Op::Concat && free.contains(high) && free.contains(low) => {
            let fresh = symbol(pool, term);
            let width = |term| pool.width(term).expect("bit-vectors are concatenated");
            let (whole, cut) = (width(fresh), width(low));
            let parts = [(high, whole - 1, cut), (low, cut - 1, 0)];
            let defined = parts.map(|(symbol, high, low)| {
                let term = make::extract(pool, fresh, high, low);
                Defined { symbol, term, restricts: false }
            });
            Some(Step { fresh, becomes: fresh, defined: defined.into() })
        }
        _ => rows::step(pool, term, args, free).or_else(|| match pool.op(term) {
            Op::BvMul => product::step(pool, term, args, free),
            _ => None,
        }),
    }
}

/// A new symbol of the sort of a term.
fn symbol(pool: &mut Pool, term: Term) -> Term {
    let sort = pool.sort(term);
    pool.symbol("any", sort)
}

#[cfg(test)]
mod tests;
