//! Where words are cut: at the ends of the slices and of the masks that are used of them.

use bivalve_terms::{Op, Pool, Term, TermMap};

/// A word with more cuts is left whole.
const MOST_CUTS: usize = 256;

/// By word: the places above zero where its parts begin, in order.
#[derive(Default)]
pub(super) struct Cuts(TermMap<Vec<u32>>);

impl Cuts {
    /// The cuts of the words below some terms, which come after their arguments.
    pub(super) fn new(pool: &Pool, below: &[Term]) -> Cuts {
        let mut cuts = Cuts::default();
        for &term in below.iter().rev() {
            let Some(width) = pool.width(term) else { continue };
            let mut places = cuts.0.remove(term).unwrap_or_default();
            places.sort_unstable();
            places.dedup();
            places.retain(|place| (1..width).contains(place));
            if places.len() > MOST_CUTS {
                places.clear();
            }
            cuts.pass_on(pool, term, width, &places);
            cuts.0.insert(term, places);
        }
        cuts
    }

    /// What cuts of a word say of what it is made of.
    fn pass_on(&mut self, pool: &Pool, term: Term, width: u32, places: &[u32]) {
        let args = pool.args(term);
        match (pool.op(term), args) {
            (Op::Extract, &[word]) => {
                let low = pool.index(term);
                self.add(word, places.iter().map(|place| place + low).chain([low, low + width]));
            }
            (Op::Concat, args) => {
                let mut at = 0;
                for &arg in args.iter().rev() {
                    self.add(arg, places.iter().filter_map(|place| place.checked_sub(at)));
                    at += pool.width(arg).unwrap_or_default();
                }
            }
            (Op::SignExtend, &[word]) => {
                let top = pool.width(word).unwrap_or_default().saturating_sub(1);
                self.add(word, places.iter().copied().chain([top]));
            }
            (Op::BvShl | Op::BvLshr, &[word, by]) => {
                let Some(by) = pool.as_u64(by).and_then(|by| u32::try_from(by).ok()) else { return };
                if by < width && pool.op(term) == Op::BvShl {
                    self.add(
                        word,
                        places.iter().filter_map(|place| place.checked_sub(by)).chain([width - by]),
                    );
                } else if by < width {
                    self.add(word, places.iter().map(|place| place + by).chain([by]));
                }
            }
            (Op::BvAnd, args) => {
                let mask = args.iter().find_map(|&arg| pool.as_bitvec(arg));
                let ends = |mask: &bivalve_terms::BitVec| {
                    (1..width).filter(|&place| mask.bit(place) != mask.bit(place - 1)).collect::<Vec<_>>()
                };
                let ends = mask.as_ref().map(ends).unwrap_or_default();
                for &arg in args {
                    self.add(arg, places.iter().chain(&ends).copied());
                }
            }
            (Op::Ite | Op::ZeroExtend | Op::BvOr | Op::BvXor | Op::BvNot, args) => {
                for &arg in args {
                    self.add(arg, places.iter().copied());
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, word: Term, places: impl Iterator<Item = u32>) {
        let mut known = self.0.remove(word).unwrap_or_default();
        known.extend(places);
        self.0.insert(word, known);
    }

    /// The places above zero where the parts of a word begin.
    pub(super) fn of(&self, word: Term) -> &[u32] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}
