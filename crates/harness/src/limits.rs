//! What a process may use: time on the clock, CPU time, address space.

use std::time::Duration;

/// What a process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// CPU time, if it is limited; what other processes do then matters less. More counts as out of time.
    pub cpu: Option<Duration>,
    /// Bytes of address space, if they are limited.
    pub memory: Option<u64>,
}

impl Default for Limits {
    /// Ten seconds on the clock, and all the memory there is.
    fn default() -> Limits {
        Limits { time: Duration::from_secs(10), cpu: None, memory: None }
    }
}
