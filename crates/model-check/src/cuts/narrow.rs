//! The abstract system with narrow words (see `slices`), and what its invariants say of the wide ones.
//!
//! A choice of a bit for each bit of a class of narrow words takes each state, and each step, of the wide
//! system to one of the narrow system. So what is an invariant there is one here under all choices, and a
//! bad state here is bad there under one of them. A clause is said for each choice of the bits that it
//! mentions. Cost: a clause of one narrow bit becomes as many as the words are wide.

use crate::slices::{self, Image, Segment};
use crate::trace;
use bivalve::terms::{Op, Pool, Rebuild, Term, TermMap, cone};
use bivalve_systems::{Frame, ReplayError, System};
use std::collections::BTreeMap;

/// The most clauses over wide words.
const MOST_CLAUSES: usize = 50_000;

/// A system with narrow words.
pub(super) struct Narrow {
    pub(super) system: System,
    /// What the symbols of the wide system are.
    images: TermMap<Image>,
    /// By narrow state: the wide one, and the segments of its words.
    states: TermMap<(Term, Vec<Segment>)>,
}

/// A bit of the narrow words of a class: the class, the start of the segment, and the number in it.
type Slot = (u32, u32, u32);

impl Narrow {
    /// The system with narrow words, if it has half the bits or fewer.
    pub(super) fn new(pool: &mut Pool, wide: &System) -> Option<Narrow> {
        let symbols: Vec<Term> = wide.symbols().collect();
        let (system, list) = slices::narrowed(pool, wide, &symbols)?;
        let bits = |pool: &Pool, system: &System| -> u64 {
            system.states.iter().map(|state| u64::from(pool.width(state.term).unwrap_or(1))).sum()
        };
        if bits(pool, &system) * 2 > bits(pool, wide) {
            return None;
        }
        let (mut images, mut states) = (TermMap::new(), TermMap::new());
        for (&symbol, image) in symbols.iter().zip(list) {
            if let (Some(segments), true) = (&image.segments, pool.op(image.term) == Op::Symbol) {
                states.insert(image.term, (symbol, segments.clone()));
            }
            images.insert(symbol, image);
        }
        Some(Narrow { system, images, states })
    }

    /// The run of the wide system.
    pub(super) fn run(
        &self,
        pool: &mut Pool,
        wide: &System,
        run: Vec<Frame>,
    ) -> Result<Vec<Frame>, ReplayError> {
        let image_of = |symbol: Term| self.images.get(symbol).expect("a symbol of the system").clone();
        trace::of_part(pool, wide, image_of, &self.system, |_, term| term, run)
    }

    /// The clauses that these mean over wide words; none if they are too many.
    pub(super) fn widened(&self, pool: &mut Pool, clauses: &[Term]) -> Option<Vec<Term>> {
        let mut result = vec![];
        for &clause in clauses {
            let mut slots = BTreeMap::new();
            for term in cone(pool, &[clause]) {
                if let Some((slot, width)) = self.slot(pool, term) {
                    slots.insert(slot, width);
                }
            }
            let mut choices = vec![BTreeMap::new()];
            for (slot, width) in slots {
                if result.len() + choices.len().saturating_mul(width as usize) > MOST_CLAUSES {
                    return None;
                }
                let with = |choice: &BTreeMap<Slot, u32>, bit: u32| {
                    choice.iter().map(|(&slot, &bit)| (slot, bit)).chain([(slot, bit)]).collect()
                };
                choices =
                    choices.iter().flat_map(|choice| (0..width).map(move |bit| with(choice, bit))).collect();
            }
            result.extend(choices.iter().map(|choice| self.under(pool, clause, choice)));
        }
        Some(result)
    }

    /// The slot of a term that is a bit of a narrow state, with the width of the segment.
    fn slot(&self, pool: &Pool, term: Term) -> Option<(Slot, u32)> {
        if pool.op(term) != Op::Extract {
            return None;
        }
        let (_, segments) = self.states.get(pool.args(term)[0])?;
        let mut bit = pool.index(term);
        for Segment { class, start, widths: [wide, narrow] } in segments {
            if bit < *narrow {
                return Some(((*class, *start, bit), *wide));
            }
            bit -= narrow;
        }
        None
    }

    /// A clause with a bit of a wide word in the place of each bit of a narrow one.
    fn under(&self, pool: &mut Pool, clause: Term, choice: &BTreeMap<Slot, u32>) -> Term {
        let image = |pool: &mut Pool, term: Term, _: Term| {
            let (slot, _) = self.slot(pool, term)?;
            let (wide, _) = self.states.get(pool.args(term)[0])?;
            let bit = slot.1 + choice.get(&slot)?;
            Some(pool.mk_indexed(Op::Extract, &[bit, bit], &[*wide]))
        };
        Rebuild::new().apply(pool, clause, || true, image).expect("nothing stops the walk")
    }
}
