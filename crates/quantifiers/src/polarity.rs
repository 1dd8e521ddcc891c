//! Which values of an atom matter to a formula.
//!
//! A formula in which an atom stands under an even number of negations only stays true when the atom becomes
//! true. So where it is false in a model of the formula, nothing has to be known of it: whatever it is, the
//! formula is true. The same the other way round. What stands in an equation, in a condition, or below an
//! operator that is no connective, matters either way.
//!
//! Cost: linear in the formula.

use bivalve_terms::{Op, Pool, Sort, Term, TermMap};

/// The values of an atom that have to be right.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Need {
    /// If the atom is true, so is its formula.
    pub if_true: bool,
    /// If the atom is false, so is its formula.
    pub if_false: bool,
}

impl Need {
    /// The value `true` has to be right.
    pub const TRUE: Need = Need { if_true: true, if_false: false };
    /// The value `false` has to be right.
    pub const FALSE: Need = Need { if_true: false, if_false: true };
    /// Both have to be.
    pub const BOTH: Need = Need { if_true: true, if_false: true };

    /// Both needs together.
    #[must_use]
    pub fn and(self, other: Need) -> Need {
        Need { if_true: self.if_true || other.if_true, if_false: self.if_false || other.if_false }
    }

    /// The need of what is negated.
    fn negated(self) -> Need {
        Need { if_true: self.if_false, if_false: self.if_true }
    }
}

/// The terms for which `is_atom` holds at and below `root`, which has to be true, with what is needed of
/// each, by age. What is below such a term is not looked at.
pub(crate) fn needs(pool: &Pool, root: Term, is_atom: impl Fn(Term) -> bool) -> Vec<(Term, Need)> {
    let mut below = vec![];
    let mut needed: TermMap<Need> = TermMap::new();
    needed.insert(root, Need::TRUE);
    // Parents have greater ids than their children, so the greatest term that is left has all its parents
    // behind it.
    let mut todo = std::collections::BTreeSet::from([root]);
    while let Some(term) = todo.pop_last() {
        let need = *needed.get(term).expect("what is to be looked at is needed");
        if is_atom(term) {
            below.push((term, need));
            continue;
        }
        let args = pool.args(term);
        for (place, &arg) in args.iter().enumerate() {
            let own = match pool.op(term) {
                Op::And | Op::Or => need,
                Op::Not => need.negated(),
                Op::Implies if place + 1 < args.len() => need.negated(),
                Op::Implies => need,
                Op::Ite if place > 0 && pool.sort(term) == Sort::BOOL => need,
                _ => Need::BOTH,
            };
            let known = needed.get(arg).copied().unwrap_or_default();
            needed.insert(arg, known.and(own));
            todo.insert(arg);
        }
    }
    below.reverse();
    below
}
