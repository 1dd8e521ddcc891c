//! The reasons why a question stays open.
//!
//! A limit that is reached is not a failure but a statement about the work done, so every answer "unknown"
//! carries one of these reasons. A reason has a word for programs ([`Why::word`]), and a text for people.

/// Why a question stayed open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Why {
    /// The budget of steps of the call is used up.
    #[error("the budget of steps is used up")]
    Budget,
    /// The caller, a signal or another thread asked the solver to stop.
    #[error("interrupted")]
    Interrupted,
    /// The time limit has passed.
    #[error("the time limit has passed")]
    TimeLimit,
    /// The memory limit is reached.
    #[error("the memory limit is reached")]
    MemoryLimit,
    /// The backend gave up, failed, or answered something that did not stand a check.
    #[error("the SAT backend gave no answer: {0}")]
    Backend(&'static str),
    /// A procedure above the SAT solver cannot tell.
    #[error("incomplete: {0}")]
    Incomplete(&'static str),
}

impl Why {
    /// The word for it in SMT-LIB's `(get-info :reason-unknown)`, and in the bindings.
    pub fn word(self) -> &'static str {
        match self {
            Why::TimeLimit => "timeout",
            Why::MemoryLimit => "memout",
            Why::Budget => "resourceout",
            Why::Interrupted => "interrupted",
            Why::Backend(_) | Why::Incomplete(_) => "incomplete",
        }
    }
}
