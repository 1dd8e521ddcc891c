//! The hardware design that a system was made from, as far as the system does not say it.
//!
//! In a system a step is a cycle: there are no modules, and a clock is an input that nothing depends on. Who
//! looks at a run wants to see them.

use bivalve_terms::Term;

/// The name of a design, and its clocks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Design {
    /// The name of the topmost module.
    pub top: Option<String>,
    /// The clocks.
    pub clocks: Vec<Clock>,
}

/// A clock of a design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The term that stands for it: a bit, an input as a rule.
    pub term: Term,
    /// The edge on which states change.
    pub edge: Edge,
}

/// An edge of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// From 0 to 1.
    Rising,
    /// From 1 to 0.
    Falling,
}
