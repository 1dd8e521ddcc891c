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
    let mut known = case.iter().filter(|known| known.1 && !terms.is_value(term));
    known.find_map(|&(condition, _)| match (terms.op(condition), terms.args(condition)) {
        (Op::Eq, &[a, b]) if a == term && terms.is_value(b) => Some(b),
        (Op::Eq, &[a, b]) if b == term && terms.is_value(a) => Some(a),
        _ => None,
    })
}

/// What is known of conditions in one case.
#[derive(Default)]
pub(super) struct Conditions {
    known: FxHashMap<Term, Option<bool>>,
    /// The connectives that are known, in the order in which they are.
    pub(super) connectives: Vec<Term>,
}

impl Conditions {
    /// Whether a condition is true; or the part that it takes to know it.
    pub(super) fn decide(&mut self, terms: &Terms, case: &Case, condition: Term) -> Result<bool, Term> {
        let mut stack = vec![condition];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let args = terms.args(term);
            let value = if connective(terms, term) {
                let before = stack.len();
                stack.extend(args.iter().filter(|arg| !self.known.contains_key(arg)));
                if stack.len() > before {
                    continue;
                }
                let value = of_parts(terms.op(term), args.iter().map(|arg| self.known[arg]));
                self.connectives.extend(value.map(|_| term));
                value
            } else {
                match terms.op(term) {
                    Op::True => Some(true),
                    Op::False => Some(false),
                    _ => case.binary_search_by_key(&term, |known| known.0).ok().map(|place| case[place].1),
                }
            };
            self.known.insert(term, value);
        }
        self.known[&condition].ok_or_else(|| self.open(terms, condition))
    }

    /// The value that a word has, as far as the case decides its choices and what they come down to.
    pub(super) fn value(&mut self, terms: &Terms, case: &Case, mut word: Term) -> Option<Term> {
        while !terms.is_value(word) {
            word = match (constant(terms, case, word), terms.op(word)) {
                (Some(value), _) => value,
                (None, Op::Ite) => self.branch(terms, case, word).ok()?[0],
                _ => return None,
            };
        }
        Some(word)
    }

    /// The branch that a choice is, and the other one; or the part of its condition that it takes to know.
    pub(super) fn branch(&mut self, terms: &Terms, case: &Case, choice: Term) -> Result<[Term; 2], Term> {
        let args = terms.args(choice);
        let is_first = self.decide(terms, case, args[0])?;
        Ok(if is_first { [args[1], args[2]] } else { [args[2], args[1]] })
    }

    /// The first part of a condition that it takes to know it.
    fn open(&self, terms: &Terms, mut condition: Term) -> Term {
        while connective(terms, condition)
            && let Some(&part) = terms.args(condition).iter().find(|arg| self.known[arg].is_none())
        {
            condition = part;
        }
        condition
    }
}

/// The value of a connective.
fn of_parts(op: Op, values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let (mut all, mut any, mut odd, mut is_open) = (true, false, false, false);
    for value in values {
        all &= value != Some(false);
        any |= value == Some(true);
        odd ^= value == Some(true);
        is_open |= value.is_none();
    }
    match op {
        Op::And if !all => Some(false),
        Op::Or if any => Some(true),
        _ if is_open => None,
        Op::And => Some(true),
        Op::Or => Some(false),
        Op::Xor => Some(odd),
        // A negation has one part, an equation two.
        Op::Not => Some(!any),
        _ => Some(!odd),
    }
}
