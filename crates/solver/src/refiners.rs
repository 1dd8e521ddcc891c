//! The refiners of this solver.
//!
//! The SAT solver decides an abstraction, in which reads, applications, equalities between arrays and wide
//! arithmetic are variables; refiners give them their meaning (`bivalve-refine`). To add one: implement
//! `Refiner`, and add it to the list here.

use crate::options::Settings;
use crate::parts::Parts;
use bivalve_abstraction::Abstraction;
use bivalve_arrays::ArrayRefiner;
use bivalve_refine::Refiner;

/// The refiners in the order in which they judge a model: an index is worth nothing before its arithmetic is
/// right.
pub(crate) fn refiners(settings: &Settings, parts: &Parts) -> Vec<Box<dyn Refiner>> {
    vec![
        Box::new(Abstraction::new(settings.abstract_from)),
        Box::new(ArrayRefiner::new(settings.array_lemmas, parts.array_strategy(settings))),
    ]
}
