//! What conditions are in the case that is looked at.

use bivalve_checker::term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// Conditions with their truth values, in the order of the conditions.
pub(super) type Case = Vec<(Term, bool)>;

/// Is it made of truth values, so that it is known where these are?
pub(super) fn connective(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term);
    matches!(terms.op(term), Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq)
        && terms.sort_of(args[0]) == terms.bool_sort()
}

/// The case in which a condition is known, too.
pub(super) fn with(case: &Case, condition: Term, value: bool) -> Case {
    let mut case = case.clone();
    if let Err(place) = case.binary_search_by_key(&condition, |known| known.0) {
        case.insert(place, (condition, value));
    }
    case
}

/// The value that an equation of the case says that a term is.
pub(super) fn constant(terms: &Terms, case: &Case, term: Term) -> Option<Term> {
    case.iter().filter(|known| known.1).find_map(|&(condition, _)| {
        match (terms.op(condition), terms.args(condition)) {
            (Op::Eq, &[a, b]) if a == term && terms.is_value(b) => Some(b),
            (Op::Eq, &[a, b]) if b == term && terms.is_value(a) => Some(a),
            _ => None,
        }
    })
}

/// Whether a condition is true, and the connectives that show it, in the order in which they are known; or
/// the part that it takes to know it.
pub(super) fn decide(terms: &Terms, case: &Case, condition: Term) -> Result<(bool, Vec<Term>), Term> {
    let mut known: FxHashMap<Term, Option<bool>> = FxHashMap::default();
    let (mut stack, mut connectives, mut open) = (vec![condition], vec![], None);
    while let Some(&term) = stack.last() {
        if known.contains_key(&term) {
            stack.pop();
            continue;
        }
        if !connective(terms, term) {
            let value = match terms.op(term) {
                Op::True => Some(true),
                Op::False => Some(false),
                _ => case.binary_search_by_key(&term, |known| known.0).ok().map(|place| case[place].1),
            };
            if value.is_none() {
                open = open.or(Some(term));
            }
            known.insert(term, value);
            continue;
        }
        let args = terms.args(term);
        let before = stack.len();
        stack.extend(args.iter().rev().filter(|arg| !known.contains_key(arg)));
        if stack.len() > before {
            continue;
        }
        let values: Vec<Option<bool>> = args.iter().map(|arg| known[arg]).collect();
        let value = of_parts(terms.op(term), &values);
        if value.is_some() {
            connectives.push(term);
        }
        known.insert(term, value);
    }
    match known[&condition] {
        Some(value) => Ok((value, connectives)),
        None => Err(open.unwrap_or(condition)),
    }
}

fn of_parts(op: Op, values: &[Option<bool>]) -> Option<bool> {
    let all = values.iter().copied().collect::<Option<Vec<bool>>>();
    match op {
        Op::And if values.contains(&Some(false)) => Some(false),
        Op::Or if values.contains(&Some(true)) => Some(true),
        Op::And => all.map(|_| true),
        Op::Or => all.map(|_| false),
        Op::Not => all.map(|all| !all[0]),
        Op::Xor => all.map(|all| all.iter().fold(false, |odd, &value| odd != value)),
        _ => all.map(|all| all[0] == all[1]),
    }
}
