//! Loose steps: what the freedom of a symbol that occurs once makes of a formula.
//!
//! A symbol that occurs once, below all that is asserted, can be given whatever value its surroundings want.
//! So `x + t` can have every value, whatever `t` is worth, and a fresh symbol can stand for it; `x <u t` can
//! be true or false, unless `t` is zero. What is replaced disappears with everything that occurred nowhere
//! else, and the fresh symbol occurs once again, so one walk from the leaves upwards takes whole formulas
//! away. This is the *unconstrained* elimination of Bruttomesso (PhD thesis, 2008) and of Brummayer (thesis,
//! section 3.4).
//!
//! What is replaced by what is said in the rows of [`rows`]; each comes with a *witness*, the value of `x`
//! that brings the replacement about, and that is the way back: `x` is defined by its witness, a term over
//! the fresh symbol and the other operands.
//!
//! Two kinds of steps are told apart. Where the witness takes every value of `x` (as the fresh symbol goes
//! through its own), the step is a change of variable: the definition is one like any other, and what comes
//! later may mention `x`. Where it does not, the definition is *loose*: right only as long as nobody else
//! speaks of `x`. See [`crate::Definitions`] for what becomes of that, and the solver for how such a step is
//! taken back.
//!
//! Symbols below slices only, none of which overlap, are cut into the slices first; that is a change of
//! variable, too.
//!
//! Cost: each round is linear in the terms below the conjuncts; rounds follow as long as they find something,
//! since what was taken away may leave another symbol with a single occurrence.

mod cut;
mod narrow;
mod product;
mod rows;
mod template;

use crate::make;
use bivalve_terms::{Op, Pool, Term, TermMap, TermSet, cone};

/// More rounds than this gain nothing worth a walk.
const ROUNDS: usize = 8;

/// Conjuncts after some steps.
pub(crate) struct Loosened {
    pub(crate) conjuncts: Vec<Term>,
    /// The symbols that are gone, in the order in which they went.
    pub(crate) defined: Vec<Defined>,
}

/// A symbol that is gone.
pub(crate) struct Defined {
    pub(crate) symbol: Term,
    /// What it is worth, over symbols that were there when it went and one that was made then.
    pub(crate) term: Term,
    /// Is it right only as long as nobody else mentions the symbol?
    pub(crate) loose: bool,
}

/// A pass over conjuncts, which it replaces by others, satisfiable if they are, and adds what gives the
/// symbols their values that occur in them no more. Symbols that are `taken` are mentioned elsewhere.
pub(crate) type Run = fn(&mut Pool, &mut Loosened, taken: &dyn Fn(Term) -> bool);

/// Cuts symbols of which only slices are used.
pub(crate) fn slices(pool: &mut Pool, left: &mut Loosened, taken: &dyn Fn(Term) -> bool) {
    cut::run(pool, left, taken);
}

/// Replaces terms that can be chosen freely through a symbol that occurs once.
///
/// Not beside applications of functions: measured on the 12 QF_UFBV files of program verifiers that we have,
/// 8 were solved without this and 6 with it. There are models near zero there, which the engine tries first,
/// and a fresh symbol that is zero is another value of what it replaced.
pub(crate) fn unconstrained(pool: &mut Pool, left: &mut Loosened, taken: &dyn Fn(Term) -> bool) {
    if cone(pool, &left.conjuncts).iter().any(|&term| pool.op(term) == Op::Apply) {
        return;
    }
    for _ in 0..ROUNDS {
        let before = left.defined.len();
        round(pool, left, taken);
        if left.defined.len() == before {
            break;
        }
    }
}

/// Narrows symbols that are only compared.
pub(crate) fn narrowing(pool: &mut Pool, left: &mut Loosened, taken: &dyn Fn(Term) -> bool) {
    narrow::run(pool, left, taken);
}

/// How often each term occurs: as an operand, and as a conjunct.
struct Occurrences {
    /// Children first.
    below: Vec<Term>,
    counts: TermMap<u32>,
}

impl Occurrences {
    fn new(pool: &Pool, conjuncts: &[Term]) -> Occurrences {
        let below = cone(pool, conjuncts);
        let mut counts = TermMap::new();
        let mut count = |term: Term| match counts.get(term).copied() {
            None => drop(counts.insert(term, 1)),
            Some(known) => drop(counts.insert(term, u32::saturating_add(known, 1))),
        };
        conjuncts.iter().for_each(|&conjunct| count(conjunct));
        below.iter().flat_map(|&term| pool.args(term)).for_each(|&arg| count(arg));
        Occurrences { below, counts }
    }

    fn is_single(&self, term: Term) -> bool {
        self.counts.get(term) == Some(&1)
    }
}

/// One walk from the leaves upwards.
fn round(pool: &mut Pool, left: &mut Loosened, taken: &dyn Fn(Term) -> bool) {
    let occurrences = Occurrences::new(pool, &left.conjuncts);
    let is_free = |pool: &Pool, term: Term| {
        pool.op(term) == Op::Symbol
            && occurrences.is_single(term)
            && !pool.sorts().is_function(pool.sort(term))
            && !taken(term)
    };
    let mut free = TermSet::new();
    for &symbol in occurrences.below.iter().filter(|&&term| is_free(pool, term)) {
        free.insert(symbol);
    }
    if free.is_empty() {
        return;
    }
    let mut images: TermMap<Term> = TermMap::new();
    let mut args = vec![];
    for &term in &occurrences.below {
        args.clear();
        args.extend(pool.args(term).iter().map(|&arg| images.get(arg).copied().unwrap_or(arg)));
        let step =
            args.iter().any(|&arg| free.contains(arg)).then(|| step(pool, term, &args, &free)).flatten();
        if let Some(Step { fresh, becomes, defined }) = step {
            if fresh == becomes && occurrences.is_single(term) {
                free.insert(fresh);
            }
            left.defined.extend(defined);
            images.insert(term, becomes);
        } else if args != pool.args(term) {
            let image = pool.rebuild(term, &args);
            images.insert(term, image);
        }
    }
    for conjunct in &mut left.conjuncts {
        *conjunct = images.get(*conjunct).copied().unwrap_or(*conjunct);
    }
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
                Defined { symbol, term, loose: false }
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
