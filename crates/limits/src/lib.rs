//! # bivalve-limits
//!
//! Limits of work, for every crate that has a loop.
//!
//! A [`Stop`] ends a computation from another thread. A [`Deadline`] is what a pass or a walk polls: a budget
//! of steps, which ends it at the same place on every machine, and the stop flag, which ends it when the
//! caller asks. A [`Cancel`] ends work whose result is no longer needed. A [`Why`] says which of them it was.
//! Work may also end by a panic; [`panic_message`] reads what it says.
//!
//! ```
//! use bivalve_limits::{Deadline, Stop, Why};
//!
//! fn count_primes(below: u64, deadline: &Deadline) -> Option<usize> {
//!     let mut primes = vec![];
//!     for number in 2..below {
//!         if !deadline.step(1) {
//!             return None;
//!         }
//!         if primes.iter().all(|prime| number % prime != 0) {
//!             primes.push(number);
//!         }
//!     }
//!     Some(primes.len())
//! }
//!
//! let stop = Stop::new();
//! assert_eq!(count_primes(100, &Deadline::new(&stop, 1000)), Some(25));
//! assert_eq!(count_primes(100, &Deadline::new(&stop, 50)), None);
//! stop.stop(Why::TimeLimit);
//! assert_eq!(count_primes(100, &Deadline::new(&stop, 1000)), None);
//! ```

mod cancel;
mod deadline;
mod panic;
mod slot;
mod stop;
mod why;

pub use cancel::Cancel;
pub use deadline::Deadline;
pub use panic::panic_message;
pub use stop::{Counts, Meter, Stop};
pub use why::Why;
