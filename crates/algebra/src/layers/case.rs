//! What conditions are in the case that is looked at.

use super::language::{Kind, Language};
use rustc_hash::FxHashMap;

/// Conditions with their truth values, in the order of the conditions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case<T>(Vec<(T, bool)>);

impl<T> Default for Case<T> {
    fn default() -> Self {
        Case(vec![])
    }
}

impl<T: Copy + Ord> Case<T> {
    /// The conditions and what they are.
    pub fn conditions(&self) -> &[(T, bool)] {
        &self.0
    }

    /// The case in which a condition is known, too.
    pub(super) fn with(&self, condition: T, value: bool) -> Case<T> {
        let mut case = self.clone();
        if let Err(place) = case.0.binary_search_by_key(&condition, |known| known.0) {
            case.0.insert(place, (condition, value));
        }
        case
    }

    /// Forgets the other conditions.
    pub(super) fn retain(&mut self, mut keeps: impl FnMut(T) -> bool) {
        self.0.retain(|&(condition, _)| keeps(condition));
    }

    /// The value that an equation of the case says that a term is.
    pub(super) fn constant<L: Language<Term = T>>(&self, terms: &L, term: T) -> Option<T> {
        let is_value = |term: T| terms.kind(term) == Kind::Value;
        let equations = self.0.iter().filter(|known| known.1 && terms.kind(known.0) == Kind::Equation);
        equations.filter(|_| !is_value(term)).find_map(|&(equation, _)| match *terms.args(equation) {
            [a, b] if a == term && is_value(b) => Some(b),
            [a, b] if b == term && is_value(a) => Some(a),
            _ => None,
        })
    }
}

/// What is known of conditions in one case.
pub struct Conditions<T> {
    known: FxHashMap<T, Option<bool>>,
    /// The connectives that are known, in the order in which they are.
    connectives: Vec<T>,
}

impl<T> Default for Conditions<T> {
    fn default() -> Self {
        Conditions { known: FxHashMap::default(), connectives: vec![] }
    }
}

impl<T: Copy + Ord + std::hash::Hash> Conditions<T> {
    /// The connectives that are known, in the order in which they are.
    pub(super) fn into_connectives(self) -> Vec<T> {
        self.connectives
    }

    /// Whether a condition is true; or the part that it takes to know it.
    fn decide<L: Language<Term = T>>(&mut self, terms: &L, case: &Case<T>, condition: T) -> Result<bool, T> {
        let mut stack = vec![condition];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (kind, args) = (terms.kind(term), terms.args(term));
            let value = if kind.is_connective() {
                let before = stack.len();
                stack.extend(args.iter().filter(|arg| !self.known.contains_key(arg)));
                if stack.len() > before {
                    continue;
                }
                let value = of_parts(kind, args.iter().map(|arg| self.known[arg]));
                self.connectives.extend(value.map(|_| term));
                value
            } else if let Kind::Truth(value) = kind {
                Some(value)
            } else {
                case.0.binary_search_by_key(&term, |known| known.0).ok().map(|place| case.0[place].1)
            };
            self.known.insert(term, value);
        }
        self.known[&condition].ok_or_else(|| self.open(terms, condition))
    }

    /// The value that a word has, as far as the case decides its choices and what they come down to.
    pub(super) fn value<L: Language<Term = T>>(
        &mut self,
        terms: &L,
        case: &Case<T>,
        mut word: T,
    ) -> Option<T> {
        while terms.kind(word) != Kind::Value {
            word = match (case.constant(terms, word), terms.kind(word)) {
                (Some(value), _) => value,
                (None, Kind::Choice) => self.branch(terms, case, word).ok()?[0],
                _ => return None,
            };
        }
        Some(word)
    }

    /// The branch that a choice is, and the other one; or the part of its condition that it takes to know.
    pub(super) fn branch<L: Language<Term = T>>(
        &mut self,
        terms: &L,
        case: &Case<T>,
        choice: T,
    ) -> Result<[T; 2], T> {
        let args = terms.args(choice);
        let is_first = self.decide(terms, case, args[0])?;
        Ok(if is_first { [args[1], args[2]] } else { [args[2], args[1]] })
    }

    /// The first part of a condition that it takes to know it.
    fn open<L: Language<Term = T>>(&self, terms: &L, mut condition: T) -> T {
        while terms.kind(condition).is_connective()
            && let Some(&part) = terms.args(condition).iter().find(|arg| self.known[arg].is_none())
        {
            condition = part;
        }
        condition
    }
}

/// The value of a connective.
fn of_parts(kind: Kind, values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let (mut all, mut any, mut odd, mut is_open) = (true, false, false, false);
    for value in values {
        all &= value != Some(false);
        any |= value == Some(true);
        odd ^= value == Some(true);
        is_open |= value.is_none();
    }
    match kind {
        Kind::And if !all => Some(false),
        Kind::Or if any => Some(true),
        _ if is_open => None,
        Kind::And => Some(true),
        Kind::Or => Some(false),
        Kind::Xor => Some(odd),
        // A negation has one part, an equation two.
        Kind::Not => Some(!any),
        _ => Some(!odd),
    }
}
