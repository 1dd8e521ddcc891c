//! What the checks of a session are answered, and the SAT solver that suits it.
//!
//! Searches along the paths of a program are satisfiable, each close to the one before; those of bounded
//! model checking are not. A SAT solver that stays near its last assignment needs a quarter of the time for
//! the former and a third more for the latter. So the conflicts of a check are counted under its answer,
//! and when one answer has cost [`MARGIN`] times as many as the other, the next SAT solver is one for that
//! answer. The first change comes after [`FIRST`] conflicts, each later one after [`LATER`] times as many as
//! the one before, so changes are few, and each costs less than the search that it follows.
//!
//! Only sessions change: a single check has no check before it. One that begins with a level or an assumption
//! is taken for one of paths: on four sets of generated streams that took 10.8 s instead of 11.7, on three
//! others 12.2 instead of 13.0; bisection gained most. A SAT solver that makes no use of the expectation
//! stays.

use bivalve_sat_adapter::{SatResult, SatSolver, Workload};

/// Conflicts before the first change.
const FIRST: u64 = 400;

/// So many times as many conflicts come before the next change.
const LATER: u64 = 4;

/// So many times as many conflicts as under the other answer.
const MARGIN: u64 = 3;

/// Conflicts by answer.
#[derive(Debug)]
pub(super) struct Habit {
    workload: Workload,
    sat: u64,
    unsat: u64,
    /// All conflicts when the last check was counted.
    counted: u64,
    /// The last answer, which is that of the check when the check is over.
    last: Option<SatResult>,
    /// Conflicts since the last change before the next.
    next: u64,
    /// The SAT solver makes use of the expectation.
    is_heeded: bool,
}

impl Default for Habit {
    fn default() -> Habit {
        Habit {
            workload: Workload::General,
            sat: 0,
            unsat: 0,
            counted: 0,
            last: None,
            next: FIRST,
            is_heeded: false,
        }
    }
}

impl Habit {
    /// The habit of a session that begins after so many conflicts.
    pub(super) fn after(conflicts: u64) -> Habit {
        Habit { counted: conflicts, ..Habit::default() }
    }

    /// The first check is one of a session.
    pub(super) fn expect_session(&mut self) {
        self.workload = Workload::Satisfiable;
    }

    /// Tells a new SAT solver what to expect.
    pub(super) fn tell(&mut self, backend: &mut dyn SatSolver) {
        self.is_heeded = backend.expect(self.workload);
    }

    /// A search has ended so.
    pub(super) fn note(&mut self, result: SatResult) {
        self.last = Some(result);
    }

    /// A check is over, after so many conflicts of all checks; is another SAT solver called for?
    pub(super) fn changes(&mut self, conflicts: u64) -> bool {
        let new = conflicts.saturating_sub(self.counted);
        self.counted = conflicts;
        match self.last.take() {
            Some(SatResult::Sat) => self.sat += new,
            Some(SatResult::Unsat) => self.unsat += new,
            Some(SatResult::Unknown(_)) | None => {}
        }
        let called_for = match () {
            () if self.sat > MARGIN * self.unsat => Workload::Satisfiable,
            () if self.unsat > MARGIN * self.sat => Workload::General,
            () => self.workload,
        };
        let changes = self.is_heeded && called_for != self.workload && self.sat + self.unsat >= self.next;
        if changes {
            *self = Habit {
                workload: called_for,
                next: LATER * self.next,
                counted: conflicts,
                ..Habit::default()
            };
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conflicts at which the habit changes, when each check takes 100 and is answered so.
    fn changes(answers: impl IntoIterator<Item = SatResult>) -> Vec<u64> {
        changes_of(Habit { is_heeded: true, ..Habit::default() }, answers)
    }

    fn changes_of(mut habit: Habit, answers: impl IntoIterator<Item = SatResult>) -> Vec<u64> {
        let (mut conflicts, mut changes) = (0, vec![]);
        for answer in answers {
            habit.note(answer);
            conflicts += 100;
            if habit.changes(conflicts) {
                habit.is_heeded = true;
                changes.push(conflicts);
            }
        }
        changes
    }

    #[test]
    fn a_habit_of_sat_changes_once() {
        assert_eq!(changes([SatResult::Sat; 1000]), [FIRST]);
        assert!(changes([SatResult::Unsat; 1000]).is_empty());
        let mixed = (0..1000).map(|i| if i % 2 == 0 { SatResult::Sat } else { SatResult::Unsat });
        assert!(changes(mixed).is_empty());
        assert!(changes_of(Habit::default(), [SatResult::Sat; 1000]).is_empty(), "for a deaf solver");
    }

    #[test]
    fn a_session_that_is_expected_starts_with_what_suits_paths() {
        let mut habit = Habit { is_heeded: true, ..Habit::default() };
        habit.expect_session();
        assert_eq!(habit.workload, Workload::Satisfiable);
        assert_eq!(changes_of(habit, [SatResult::Unsat; 1000]), [FIRST]);
    }

    #[test]
    fn changes_become_rarer() {
        let answer =
            |i: u32| if (i.ilog2() / 3).is_multiple_of(2) { SatResult::Sat } else { SatResult::Unsat };
        let phases = (1..40_000).map(answer);
        let changes = changes(phases);
        assert!((2..=5).contains(&changes.len()), "{changes:?}");
        assert!(changes.windows(2).all(|pair| pair[1] - pair[0] >= LATER * FIRST), "{changes:?}");
    }
}
