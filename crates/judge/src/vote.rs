//! What the majority of several solvers answers.
//!
//! Random formulas have no status. Brummayer's thesis (2009, section 4.4) takes the majority for the truth:
//! of the solvers that report a result, at least a given share (66 percent there) have to agree, else the
//! case is unresolved. A majority can be wrong, because solvers share ideas, code and authors; so a model
//! that holds counts more than any number of votes ([`Judge`](crate::Judge)).

use bivalve_harness::Verdict;

/// The percentage that the thesis asks for.
pub const USUAL_PERCENT: u32 = 66;

/// The verdict that at least `percent` of the definite ones are, and at least two of them; `None` if there is
/// no such majority.
pub fn vote(verdicts: impl IntoIterator<Item = Verdict>, percent: u32) -> Option<Verdict> {
    let (mut sat, mut unsat) = (0u32, 0u32);
    for verdict in verdicts {
        match verdict {
            Verdict::Sat => sat += 1,
            Verdict::Unsat => unsat += 1,
            Verdict::Unknown => {}
        }
    }
    let wins = |votes: u32| votes >= 2 && 2 * votes > sat + unsat && 100 * votes >= percent * (sat + unsat);
    match (wins(sat), wins(unsat)) {
        (true, _) => Some(Verdict::Sat),
        (_, true) => Some(Verdict::Unsat),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_votes_win_and_unknown_is_no_vote() {
        use Verdict::{Sat, Unknown, Unsat};
        let result = |verdicts: &[Verdict]| vote(verdicts.iter().copied(), USUAL_PERCENT);
        assert_eq!(result(&[Sat, Sat, Unsat]), Some(Sat));
        assert_eq!(result(&[Sat, Unsat, Unsat, Unknown, Unknown]), Some(Unsat));
        assert_eq!(result(&[Sat, Sat, Sat, Unsat, Unsat]), None);
        assert_eq!(result(&[Sat, Unsat]), None);
        assert_eq!(result(&[Sat, Unknown]), None);
        assert_eq!(result(&[Unknown]), None);
    }
}
