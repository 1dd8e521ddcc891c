//! The refiners of this solver.
//!
//! The SAT solver decides an abstraction, in which reads, applications, equalities between arrays, wide
//! arithmetic, comparisons of words that are only compared, and `distinct` over many terms are variables;
//! refiners give them their meaning (`bivalve-refine`). To add one: implement `Refiner`, and add it to the
//! list here.

use crate::options::Settings;
use crate::parts::Parts;
use bivalve_abstraction::Abstraction;
use bivalve_arrays::ArrayRefiner;
use bivalve_orders::Orders;
use bivalve_refine::{AllDifferent, Refiner};

/// The refiners in the order in which they judge a model: what is to differ gets values of its own where it
/// is free, what is compared has values before others look at
/// what depends on it, and an index is worth nothing before its arithmetic is right.
pub(crate) fn refiners(settings: &Settings, parts: &Parts) -> Vec<Box<dyn Refiner>> {
    // Small models are looked for bit by bit, so all symbols have bits then.
    let (orders_from, distinct_from) =
        if settings.small_models { (0, 0) } else { (settings.orders_from, settings.distinct_from) };
    vec![
        Box::new(AllDifferent::new(distinct_from)),
        Box::new(Orders::new(orders_from)),
        Box::new(Abstraction::new(settings.abstract_from)),
        Box::new(ArrayRefiner::new(settings.array_lemmas, parts.array_strategy(settings))),
    ]
}
