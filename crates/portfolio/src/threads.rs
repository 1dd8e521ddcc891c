//! How many threads, and whether the answer depends on time.

use crate::rounds::HEAD_START;
use thiserror::Error;

/// Threads of a portfolio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    count: usize,
    is_racing: bool,
    is_spare: bool,
    steps_alone: u64,
}

/// A number of threads that makes no sense.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("expected a number of threads from 1 to {most}, found {count}", most = Threads::MOST)]
pub struct NoThreads {
    /// The number.
    pub count: u64,
}

/// A SAT backend whose steps cannot be counted.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error(
    "threads need a SAT backend whose steps are counted, which '{0}' has not, unless the first answer wins"
)]
pub struct Unsteady(pub String);

impl Threads {
    /// No more threads are granted; there are fewer engines than that.
    pub const MOST: u64 = 256;

    /// So many threads, and an answer that does not depend on their number.
    ///
    /// # Errors
    ///
    /// When there would be none, or more than [`Threads::MOST`].
    pub fn new(count: u64) -> Result<Threads, NoThreads> {
        let granted = (1..=Threads::MOST).contains(&count).then_some(count);
        let count = granted.and_then(|count| usize::try_from(count).ok()).ok_or(NoThreads { count })?;
        Ok(Threads { count, is_racing: false, is_spare: false, steps_alone: HEAD_START })
    }

    /// One thread, in which the solver has nearly all of the time, and other engines a small part of it in
    /// its first check: for a solver whose caller has not asked for threads.
    pub fn spare() -> Threads {
        Threads { count: 1, is_racing: false, is_spare: true, steps_alone: HEAD_START }
    }

    /// The first answer wins, if `is_racing`: faster by a little, and models and cores depend on time.
    #[must_use]
    pub fn racing(self, is_racing: bool) -> Threads {
        Threads { is_racing, ..self }
    }

    /// Other engines are started after so many steps of the solver itself.
    #[must_use]
    pub fn alone_for(self, steps: u64) -> Threads {
        Threads { steps_alone: steps, ..self }
    }

    /// How many engines run at a time.
    pub fn count(self) -> usize {
        self.count
    }

    /// Whether the first answer wins.
    pub fn is_racing(self) -> bool {
        self.is_racing
    }

    /// Whether other engines have a small part of one thread only.
    pub fn is_spare(self) -> bool {
        self.is_spare
    }

    /// Steps of the solver before other engines are started.
    pub fn steps_alone(self) -> u64 {
        self.steps_alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_threads_and_too_many_are_refused() {
        for count in [0, Threads::MOST + 1, u64::MAX] {
            let refusal = Threads::new(count).unwrap_err().to_string();
            assert_eq!(refusal, format!("expected a number of threads from 1 to 256, found {count}"));
        }
        assert_eq!(Threads::new(2).unwrap().racing(true).count(), 2);
    }
}
