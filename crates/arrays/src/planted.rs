//! Deliberate faults of lemmas: premises that are forgotten, a witness that is none.
//!
//! What is wrong with each is said in the list of faults (`bivalve-faults`). None of this is compiled without
//! the feature `faults`.

use crate::lemma::{Condition, Draft};
use bivalve_faults::planted;
use bivalve_terms::{Pool, Sort, Term};

/// Forgets a premise of a lemma.
pub(crate) fn forget_premise(draft: &mut Draft) {
    let position = |wanted: fn(&Condition) -> bool| draft.conditions.iter().rposition(wanted);
    let forgotten = match () {
        () if planted!(PremiseWrite) => position(|c| matches!(c, Condition::Different(..))),
        () if planted!(PremiseArgument) => position(|c| matches!(c, Condition::Same(..)))
            .filter(|_| draft.conditions.iter().filter(|c| matches!(c, Condition::Same(..))).count() > 1),
        () if planted!(PremiseBranch) => position(|c| matches!(c, Condition::Is(_, false))),
        () => None,
    };
    if let Some(position) = forgotten {
        draft.conditions.remove(position);
    }
}

/// The index at which two arrays are made to differ.
pub(crate) fn witness(pool: &mut Pool, index: Sort, right: Term) -> Term {
    match index.width() {
        Some(width) if planted!(WitnessFixed) => pool.bv_u64(0, width),
        _ => right,
    }
}
