//! Where words are cut: at the ends of the slices that are used of them.

use super::{MOST_BITS, is_leaf};
use bivalve_terms::{Op, Pool, Term, TermMap};

/// Where words are cut.
#[derive(Default)]
pub(in crate::passes) struct Cuts {
    /// By word: the places of the lowest bits of its parts, in order.
    places: TermMap<Vec<u32>>,
}

impl Cuts {
    /// The cuts of the words of which there are slices, or which are extended by their signs. What is
    /// compared with a constant of few bits is cut into bits.
    pub(in crate::passes) fn new(pool: &Pool, below: &[Term]) -> Cuts {
        let mut cuts = Cuts::default();
        for &term in below {
            match (pool.op(term), pool.args(term)) {
                (Op::Extract, &[word]) => {
                    let (low, width) = (pool.index(term), pool.width(term).unwrap_or_default());
                    cuts.add(pool, word, [low, low + width].into_iter());
                }
                (Op::SignExtend, &[word]) => {
                    let width = pool.width(word).unwrap_or_default();
                    cuts.add(pool, word, [width.saturating_sub(1)].into_iter());
                }
                (Op::Eq, &[a, b]) if pool.is_const(a) || pool.is_const(b) => {
                    let side = if pool.is_const(a) { b } else { a };
                    let width = pool.width(side).unwrap_or(u32::MAX);
                    match pool.op(side) {
                        Op::Extract if width <= MOST_BITS => {
                            let low = pool.index(side);
                            cuts.add(pool, pool.args(side)[0], low..=low + width);
                        }
                        _ if width <= MOST_BITS => cuts.add(pool, side, 0..width),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let words: Vec<Term> = cuts.places.iter().map(|(word, _)| word).collect();
        for word in words {
            let mut places = cuts.places.remove(word).unwrap_or_default();
            places.sort_unstable();
            places.dedup();
            places.retain(|&place| Some(place) < pool.width(word));
            cuts.places.insert(word, places);
        }
        cuts
    }

    fn add(&mut self, pool: &Pool, word: Term, places: impl Iterator<Item = u32>) {
        if is_leaf(pool, word) {
            let mut known = self.places.remove(word).unwrap_or_default();
            known.extend(places);
            self.places.insert(word, known);
        }
    }

    /// The places of the lowest bits of the parts of a word, in order.
    pub(in crate::passes) fn of(&self, word: Term) -> &[u32] {
        self.places.get(word).map_or(&[], Vec::as_slice)
    }
}
