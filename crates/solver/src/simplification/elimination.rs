//! Symbols of any sort that assertions define, as they stand: `x = t`, and Booleans that are asserted.
//!
//! A conjunct `x = t` holds exactly where the symbol `x` has the value of `t`, so `t` can stand for `x`
//! everywhere, and the conjunct goes. Floats are equal if they are identical, so this is right for them, too.
//! The definitions of a round replace their symbols at once. They may go in circles: a walk from each symbol
//! through the terms that define finds those, and the last symbol before a circle closes is left alone.
//!
//! Cost: a walk over all terms for each round; a round eliminates a symbol at least.

use bivalve_limits::{Deadline, Why};
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a conjunct defines.
fn definition(pool: &mut Pool, conjunct: Term) -> Option<(Term, Term)> {
    let is_symbol = |pool: &Pool, term| pool.op(term) == Op::Symbol && !pool.is_open_symbol(term);
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Eq, &[x, term]) if is_symbol(pool, x) => Some((x, term)),
        (Op::Eq, &[term, x]) if is_symbol(pool, x) => Some((x, term)),
        (Op::Not, &[x]) if is_symbol(pool, x) => Some((x, pool.bool(false))),
        (Op::Symbol, _) if is_symbol(pool, conjunct) => Some((conjunct, pool.bool(true))),
        _ => None,
    }
}

/// Takes away definitions that go in circles; `None` when the deadline is over.
fn break_circles(
    pool: &Pool,
    defined: &mut FxHashMap<Term, Term>,
    order: &[Term],
    deadline: &Deadline,
) -> Option<()> {
    let (mut open, mut done) = (FxHashSet::default(), FxHashSet::default());
    // The symbols that lead from the first one to where the walk is.
    let mut path: Vec<Term> = vec![];
    for &symbol in order {
        let mut stack = vec![(symbol, false)];
        while let Some((term, is_left)) = stack.pop() {
            if !deadline.step(1) {
                return None;
            }
            if is_left {
                open.remove(&term);
                done.insert(term);
                path.pop_if(|last| *last == term);
                continue;
            }
            if done.contains(&term) {
                continue;
            }
            if !open.insert(term) {
                // Terms have no circles, so there is a symbol in this one, if it was not left alone already.
                path.pop().map(|last| defined.remove(&last));
                continue;
            }
            stack.push((term, true));
            match defined.get(&term) {
                Some(&of) => {
                    path.push(term);
                    stack.push((of, false));
                }
                None => stack.extend(pool.args(term).iter().map(|&arg| (arg, false))),
            }
        }
    }
    Some(())
}

/// A term with what is defined in the place of symbols; `known` are such terms already.
fn replaced(
    pool: &mut Pool,
    defined: &FxHashMap<Term, Term>,
    known: &mut FxHashMap<Term, Term>,
    root: Term,
    deadline: &Deadline,
) -> Option<Term> {
    let mut todo = vec![root];
    while let Some(&term) = todo.last() {
        if !deadline.step(1) {
            return None;
        }
        if known.contains_key(&term) {
            todo.pop();
            continue;
        }
        let below: Vec<Term> = match defined.get(&term) {
            Some(&of) => vec![of],
            None => pool.args(term).to_vec(),
        };
        let before = todo.len();
        todo.extend(below.iter().filter(|arg| !known.contains_key(arg)));
        if todo.len() > before {
            continue;
        }
        let made: Vec<Term> = below.iter().map(|arg| known[arg]).collect();
        let image = match made[..] {
            [of] if defined.contains_key(&term) => of,
            _ if made == below => term,
            _ => pool.rebuild(term, &made),
        };
        known.insert(term, image);
    }
    known.get(&root).copied()
}

/// What a round leaves.
pub(super) struct Round {
    pub(super) conjuncts: Vec<Term>,
    /// The symbols that are gone, and their terms, in which none of them is.
    pub(super) definitions: Vec<(Term, Term)>,
}

/// Replaces the symbols that conjuncts define; `before` are definitions of former rounds, which follow.
pub(super) fn round(
    pool: &mut Pool,
    conjuncts: &[Term],
    before: &[(Term, Term)],
    deadline: &Deadline,
) -> Result<Round, Why> {
    let over = || deadline.reason().unwrap_or(Why::Interrupted);
    let (mut defined, mut order, mut serves) = (FxHashMap::default(), vec![], FxHashMap::default());
    for &conjunct in conjuncts {
        if let Some((symbol, term)) = definition(pool, conjunct)
            && !defined.contains_key(&symbol)
        {
            defined.insert(symbol, term);
            order.push(symbol);
            serves.insert(conjunct, symbol);
        }
    }
    break_circles(pool, &mut defined, &order, deadline).ok_or_else(over)?;
    let mut known = FxHashMap::default();
    let mut image =
        |pool: &mut Pool, term| replaced(pool, &defined, &mut known, term, deadline).ok_or_else(over);
    let mut left = vec![];
    for &conjunct in conjuncts {
        if serves.get(&conjunct).is_none_or(|symbol| !defined.contains_key(symbol)) {
            left.push(image(pool, conjunct)?);
        }
    }
    let new = order.iter().filter(|symbol| defined.contains_key(symbol)).map(|&symbol| (symbol, symbol));
    let mut definitions = vec![];
    for (symbol, term) in before.iter().copied().chain(new) {
        definitions.push((symbol, image(pool, term)?));
    }
    Ok(Round { conjuncts: left, definitions })
}
