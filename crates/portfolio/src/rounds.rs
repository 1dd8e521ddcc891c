//! Rounds: budgets of steps, the same in every run.
//!
//! A step is a look at the stop flag, after some hundred terms or gates, or some thousand accesses of the SAT
//! solver to memory ([`bivalve_limits::Meter`]); solvers do the same steps in every run of the same input.
//! The first engine begins alone, with [`HEAD_START`] steps. Each round after that makes its budget larger
//! by an eighth; the other engines have their share of what it has after its head start.
//!
//! Geometric growth keeps the number of rounds logarithmic, so a rendezvous costs nothing, and the time
//! between an answer and the end of its round at most an eighth of the whole.

/// Steps that the first engine has for itself: 25 ms of simplification, 50 to 100 ms of search.
pub(crate) const HEAD_START: u64 = 1_000;

/// Steps that each of the other engines has when it begins, beside its share: what decides many a check that
/// takes the first engine long, if it is done in another way.
pub(crate) const GRANT: u64 = 300;

/// Shares are counted in these parts.
pub(crate) const PARTS: u64 = 100;

/// The steps that an engine may have taken when this round ends. Round 0 is the head start of the first
/// engine, which has the share [`PARTS`]; others have no steps in it.
pub(crate) fn end_of(round: u64, head_start: u64, share: u64, is_first: bool) -> u64 {
    let all = (0..round).fold(head_start, |steps, _| steps.saturating_add((steps / 8).max(1)));
    match (is_first, round) {
        (true, _) => all,
        (false, 0) => 0,
        (false, _) => ((all - head_start).saturating_mul(share) / PARTS).saturating_add(GRANT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_grow_by_an_eighth_and_shares_stay() {
        assert_eq!(end_of(0, 800, PARTS, true), 800);
        assert_eq!(end_of(0, 800, PARTS, false), 0);
        assert_eq!(end_of(2, 800, PARTS, true), 1012);
        assert_eq!(end_of(2, 800, 50, false), GRANT + 106);
        let ends: Vec<u64> = (0..400).map(|round| end_of(round, 1, PARTS, true)).collect();
        assert!(ends.is_sorted_by(|a, b| a < b || *b == u64::MAX), "every round has steps: {ends:?}");
        assert_eq!(ends.last(), Some(&u64::MAX));
    }
}
