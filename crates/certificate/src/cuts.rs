//! Which terms become variables where an equation is generalised.
//!
//! What rules say holds of all terms in the places of their variables, most often near the top. So the left
//! side is cut at some depth, and what both sides have in common is a variable; each cut is tried after the
//! ones before it.
//!
//! Cost: so many terms below each side, for each cut.

use bivalve_checker::term::{Op, SortKind, Term, Terms};
use rustc_hash::FxHashSet;

/// Left sides are cut at most this deep.
const MOST_DEPTH: usize = 3;

/// The order of generalisations, after cuts of the left side that cover the right one; and how many are tried
/// before a rule is given up.
const COMMON_NEAR: usize = MOST_DEPTH;
const ATOMS: usize = COMMON_NEAR + 1;
const COMMON: usize = ATOMS + 1;
const MOST_CUTS: usize = COMMON + MOST_DEPTH + 5;

/// Subterms that are looked at for common ones. Most rules look no deeper than a few.
const FEW_NODES: usize = 24;
const MOST_NODES: usize = 400;

/// The terms that become variables after these were tried: what is below the left side at some depth, if the
/// right side is made of that; what both sides have in common near the top, their atoms, what they have in
/// common, what is below the left side at some depth, and then less and less of what is in common.
pub(crate) fn next_cut(
    terms: &Terms,
    [left, right]: [Term; 2],
    tried: &mut Vec<FxHashSet<Term>>,
) -> Option<FxHashSet<Term>> {
    loop {
        let next = match tried.len() {
            at if at < MOST_DEPTH => covering(terms, [left, right], at + 1),
            COMMON_NEAR => {
                Some(common(terms, left, right, FEW_NODES)).filter(|found| found.1).map(|found| found.0)
            }
            ATOMS => Some(atoms(terms, &[left, right])),
            COMMON => Some(common(terms, left, right, MOST_NODES).0),
            at if at <= COMMON + MOST_DEPTH => Some(cut(terms, left, at - COMMON)),
            at if at >= MOST_CUTS => return None,
            at if at == COMMON + MOST_DEPTH + 1 => return deeper(terms, &tried[COMMON], left),
            at => return deeper(terms, &tried[at - 1], left),
        };
        match next {
            Some(next) => return Some(next),
            // Nothing is shown of the left side as a variable.
            None => tried.push([left].into_iter().collect()),
        }
    }
}

/// The largest terms that both sides have in common, values aside, among so many below each; and whether
/// there are no more below the right side than were looked at.
fn common(terms: &Terms, left: Term, right: Term, most: usize) -> (FxHashSet<Term>, bool) {
    let mut below = FxHashSet::default();
    let mut waiting = std::collections::VecDeque::from(terms.args(left).to_vec());
    while let Some(term) = waiting.pop_front() {
        if below.len() < most && below.insert(term) {
            waiting.extend(terms.args(term));
        }
    }
    let mut found = FxHashSet::default();
    let mut stack = vec![right];
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || terms.is_value(term) {
            continue;
        }
        if below.contains(&term) || is_leaf(terms, term) || seen.len() > most {
            found.insert(term);
        } else {
            stack.extend_from_slice(terms.args(term));
        }
    }
    (found, seen.len() <= most)
}

/// The terms at this depth below the left side, and those above it without arguments, if they are all that
/// the right side is made of, near its top.
fn covering(terms: &Terms, [left, right]: [Term; 2], depth: usize) -> Option<FxHashSet<Term>> {
    let found = cut(terms, left, depth);
    let (mut stack, mut looks) = (vec![right], 0);
    while let Some(term) = stack.pop() {
        looks += 1;
        if terms.is_value(term) || found.contains(&term) {
            continue;
        }
        if looks > FEW_NODES || terms.args(term).is_empty() {
            return None;
        }
        stack.extend_from_slice(terms.args(term));
    }
    Some(found)
}

/// What connectives of truth values are applied to.
fn atoms(terms: &Terms, roots: &[Term]) -> FxHashSet<Term> {
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if terms.is_value(term) || !seen.insert(term) {
            continue;
        }
        let is_truth = |term: Term| terms.kind_of(term) == SortKind::Bool;
        let args = terms.args(term);
        let is_connective = is_truth(term) && !args.is_empty() && args.iter().all(|&arg| is_truth(arg));
        if is_connective && seen.len() <= MOST_NODES {
            stack.extend_from_slice(args);
        } else {
            found.insert(term);
        }
    }
    found
}

pub(crate) fn is_leaf(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_) | Op::Apply(_) | Op::ConstArray(_) | Op::Forall)
}

/// The terms at this depth below a term, and those above it that have no arguments; values aside.
fn cut(terms: &Terms, root: Term, depth: usize) -> FxHashSet<Term> {
    let mut level: Vec<Term> = vec![root];
    let mut result = FxHashSet::default();
    for _ in 0..depth {
        let next: Vec<Term> = level.iter().flat_map(|&term| terms.args(term).iter().copied()).collect();
        result.extend(next.iter().copied().filter(|&term| is_leaf(terms, term)));
        level = next.into_iter().filter(|&term| !terms.is_value(term) && !is_leaf(terms, term)).collect();
        level.sort_unstable();
        level.dedup();
        level.truncate(MOST_NODES);
    }
    result.extend(level);
    result
}

/// The same terms, with their arguments in place of those that have some; nothing if none has.
fn deeper(terms: &Terms, variables: &FxHashSet<Term>, left: Term) -> Option<FxHashSet<Term>> {
    let mut result = FxHashSet::default();
    let mut changed = false;
    let mut sorted: Vec<Term> = variables.iter().copied().collect();
    sorted.sort_unstable();
    for term in sorted {
        if is_leaf(terms, term) || terms.is_value(term) || term == left {
            result.insert(term);
            continue;
        }
        changed = true;
        result.extend(terms.args(term).iter().copied().filter(|&arg| !terms.is_value(arg)));
    }
    (changed && result.len() < MOST_NODES).then_some(result)
}
