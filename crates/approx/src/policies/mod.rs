//! Policies: which vectors share an assumption, and how much wider a refined vector becomes.
//!
//! Vectors of one *group* share an assumption, so they are refined together when it is among the failed ones.
//! One group for all costs one variable a step and refines what had nothing to do with the failure; a group
//! for each vector is precise and makes more, smaller steps (thesis, section 3.3.2). Anything in between is a
//! policy as well: a group for each width, one for reads and one for symbols.
//!
//! Adding one is a file here and a row in [`POLICIES`].

mod global;
mod local;

use std::sync::Arc;

pub use global::Global;
pub use local::Local;

/// What stands behind a vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A symbol of the formula.
    Symbol,
    /// A read of an array.
    Read,
    /// An application of a function.
    Application,
}

/// An approximated vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector {
    /// Vectors are numbered from 0 in the order in which they came.
    pub number: u32,
    /// What it is.
    pub kind: Kind,
    /// Its bits, at least 2.
    pub width: u32,
    /// How many of them are free now; the full width once it is not approximated any more.
    pub effective: u32,
}

/// What is refined after a failure, and how far.
pub trait Policy: Send + Sync {
    /// A word for options and tables.
    fn name(&self) -> &str;

    /// The group of a vector, any number. Its effective width is that at the beginning.
    fn group(&self, vector: &Vector) -> u32;

    /// The next effective width of a vector whose group has failed. What is not more than the current one is
    /// taken for one more; the full width or more ends the approximation of this vector.
    fn refine(&self, vector: &Vector) -> u32;
}

/// A policy by name.
pub struct PolicyRow {
    /// The name, as [`Policy::name`] says it.
    pub name: &'static str,
    /// What it refines, in a few words.
    pub help: &'static str,
    /// Makes it.
    pub make: fn() -> Arc<dyn Policy>,
}

/// The policies by name; the first one is the default.
pub static POLICIES: &[PolicyRow] = &[
    PolicyRow { name: "global", help: "all vectors, to twice their width", make: || Arc::new(Global) },
    PolicyRow { name: "local", help: "failed vectors, to twice their width", make: || Arc::new(Local) },
];

/// The row of this name.
pub fn policy(name: &str) -> Option<&'static PolicyRow> {
    POLICIES.iter().find(|row| row.name == name)
}
