//! Deadlines: the one object that passes and walks poll.
//!
//! A deadline is a budget of steps and a [`Stop`]. A loop calls [`Deadline::step`] with the work of its next
//! iteration (terms visited, words of a multiplication, pairs compared) and ends when the answer is `false`.
//! Steps are counted, not measured, so a budget ends the work at the same place in every run; the stop flag
//! is the only thing that depends on time, and a computation that is stopped answers "unknown".
//!
//! A deadline that is over stays over, so a loop may poll in its inner part and look again outside.
//! [`Deadline::within`] gives a part of the work a budget of its own, and takes its steps from the whole.
//!
//! Cost: a subtraction and a comparison a step; the flag is read every [`POLL`] steps.

use crate::{Stop, Why};
use std::cell::Cell;

/// Steps between two looks at the stop flag. A step is about a visited term, so this is about 20 µs.
const POLL: u64 = 256;

/// A budget of steps, and a flag that ends the work from outside.
#[derive(Debug)]
pub struct Deadline {
    stop: Stop,
    /// Steps that are left.
    left: Cell<u64>,
    /// Steps until the flag is read again.
    until_poll: Cell<u64>,
    stopped: Cell<bool>,
}

impl Deadline {
    /// Ends after so many steps, or when `stop` is raised.
    pub fn new(stop: &Stop, steps: u64) -> Deadline {
        let stopped = Cell::new(stop.reason().is_some());
        Deadline { stop: stop.clone(), left: Cell::new(steps), until_poll: Cell::new(POLL), stopped }
    }

    /// Ends when `stop` is raised, after any number of steps.
    pub fn stopped_by(stop: &Stop) -> Deadline {
        Deadline::new(stop, u64::MAX)
    }

    /// Never ends.
    pub fn unlimited() -> Deadline {
        Deadline::new(&Stop::new(), u64::MAX)
    }

    /// Counts `steps` steps. Returns `false` when the work is to end: the budget is used up, or the stop flag
    /// was raised.
    #[inline]
    pub fn step(&self, steps: u64) -> bool {
        let left = self.left.get();
        if left < steps {
            self.left.set(0);
            return false;
        }
        if left != u64::MAX {
            self.left.set(left - steps);
        }
        let until_poll = self.until_poll.get();
        if until_poll > steps {
            self.until_poll.set(until_poll - steps);
            return !self.stopped.get();
        }
        self.poll()
    }

    #[cold]
    fn poll(&self) -> bool {
        self.until_poll.set(POLL);
        if self.stop.reason().is_some() {
            self.stopped.set(true);
        }
        !self.stopped.get()
    }

    /// Whether the work is to end. Reads the stop flag.
    pub fn is_over(&self) -> bool {
        self.left.get() == 0 || !self.poll()
    }

    /// Why the work is to end; `None` if it may go on. The stop flag comes before the budget.
    pub fn reason(&self) -> Option<Why> {
        self.stop.reason().or_else(|| (self.left.get() == 0).then_some(Why::Budget))
    }

    /// Steps that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// The flag that ends the work.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Runs a part of the work under a budget of its own, at most what is left. Its steps count here as well.
    pub fn within<T>(&self, steps: u64, work: impl FnOnce(&Deadline) -> T) -> T {
        let granted = steps.min(self.left.get());
        let part = Deadline::new(&self.stop, granted);
        let result = work(&part);
        if self.left.get() != u64::MAX {
            self.left.set(self.left.get() - (granted - part.left.get()));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_after_its_steps_and_stays_over() {
        let deadline = Deadline::new(&Stop::new(), 10);
        assert!((0..10).all(|_| deadline.step(1)));
        assert!(deadline.is_over() && !deadline.step(1));
        assert_eq!(deadline.reason(), Some(Why::Budget));
        let deadline = Deadline::new(&Stop::new(), 10);
        assert!(!deadline.step(11) && !deadline.step(1), "too large a step uses up the rest");
    }

    #[test]
    fn the_flag_is_seen_within_a_few_steps() {
        let stop = Stop::new();
        let deadline = Deadline::stopped_by(&stop);
        assert!(deadline.step(1 << 40) && deadline.step(1));
        stop.stop(Why::TimeLimit);
        assert!((0..=POLL).any(|_| !deadline.step(1)));
        assert_eq!(deadline.reason(), Some(Why::TimeLimit));
        stop.reset();
        assert!(!deadline.step(1), "it was told to end");
    }

    #[test]
    fn a_part_takes_its_steps_from_the_whole() {
        let whole = Deadline::new(&Stop::new(), 100);
        whole.within(30, |part| assert!((0..50).filter(|_| part.step(1)).count() == 30));
        assert_eq!(whole.left(), 70);
        whole.within(500, |part| assert!(part.step(60)));
        assert_eq!(whole.left(), 10);
        Deadline::unlimited().within(5, |part| assert!(!part.step(6)));
    }
}
