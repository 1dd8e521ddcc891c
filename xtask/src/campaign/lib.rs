//! Campaigns: random and broken input for the whole of Bivalve, and who judges what comes out.
//!
//! Three questions are asked again and again, each with material made from a seed:
//!
//! - *Is the answer right?* [`formula`] makes small formulas whose answer is often known by construction,
//!   [`judge`] decides each in several ways inside this process (rewriting off and on, from the pool and from
//!   printed text, at once and in steps, by every SAT backend) and by [`exhaustion`], the reference semantics
//!   under all assignments. Some have the shape of a rewrite rule's left side. Formulas about arrays and
//!   functions ([`theory`]) have two more judges: facts of the theories with random parts (its module
//!   `axioms`), and the same formula without arrays ([`expansion`]). [`plain`] says the same formula in words
//!   that every other solver knows, so that peers can be asked too.
//! - *Is there an answer at all?* [`mutation`] breaks scripts by bytes, tokens and trees, [`nasty`] names
//!   inputs that break readers, and [`drive`] runs any text through reader and solver as a session would:
//!   each command ends in an answer or in a located refusal. [`seeds`] is the material that is broken.
//!
//! - *Is the answer right in the middle of a session?* [`session`] makes scripts that push, pop, assert,
//!   assume and ask, [`session_judge`] carries them out beside a list of formulas, and [`session_output`]
//!   reads what the binary says.
//!
//! [`reduce`] makes findings smaller. How foreign solvers are asked, and what stops ours, is in
//! `bivalve-judge`.
//!
//! Everything follows from a seed and a number: input 4711 of seed 1 is the same on every machine, whatever
//! was done before it, so a finding is repeated by its number alone. The chores `cargo xtask differential`
//! and `cargo xtask mutate` run campaigns of any length; the tests of the workspace run short ones.

mod cores;
pub mod drive;
pub mod expansion;
pub mod judge;
pub mod reduce;
pub mod seeds;
pub mod session_judge;
pub mod session_output;
pub mod torture;

pub use bivalve_fuzz::{exhaustion, formula, mutation, nasty, plain, seed_of, session, theory};

/// The default settings but for these options, given as on a command line.
pub(crate) fn settings(options: &[(&str, &str)]) -> bivalve::Settings {
    let mut settings = bivalve::Settings::default();
    for (name, value) in options {
        settings.set(name, value).expect("an option of the table, with a value it takes");
    }
    settings
}

/// `on` or `off`, as switches of the option table are set.
pub(crate) fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
