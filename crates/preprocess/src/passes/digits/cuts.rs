//! Where words are cut: at the ends of the slices and of the masks that are used of them.

use bivalve_terms::{Op, Pool, Term, TermMap};

/// A word with more cuts is left whole.
const MOST_CUTS: usize = 256;

/// By word: the places above zero where its parts begin, in order.
#[derive(Default)]
pub(super) struct Cuts(TermMap<Vec<u32>>);

impl Cuts {
    /// The cuts of some words, which come after their arguments. What is below a word whose arguments are not
    /// among them stays whole: not all of its uses are known.
    pub(super) fn new(pool: &Pool, below: &[Term]) -> Cuts {
        let (mut cuts, mut asked) = (Cuts::default(), Asked::default());
        for &term in below.iter().rev() {
            let Some(width) = pool.width(term) else { continue };
            let mut places = asked.0.remove(term).unwrap_or_default();
            places.sort_unstable();
            places.dedup();
            places.retain(|place| (1..width).contains(place));
            if places.len() > MOST_CUTS {
                places.clear();
            }
            asked.pass_on(pool, term, width, &places);
            cuts.0.insert(term, places);
        }
        cuts
    }

    /// The places above zero where the parts of a word begin.
    pub(super) fn of(&self, word: Term) -> &[u32] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}

/// By word: places where those that use it want it cut, in no order; some are not within it.
#[derive(Default)]
struct Asked(TermMap<Vec<u32>>);

impl Asked {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// The arguments of a frozen term are not among the terms of a pass. Their cuts were left as they came:
    /// unsorted, and beyond the end of the word, which made parts of billions of bits.
    #[test]
    fn words_below_the_terms_of_a_pass_are_whole() {
        let mut pool = Pool::new();
        let word = pool.symbol("word", Sort::bitvec(8).expect("a width"));
        let slices = [(6, 5), (3, 2)].map(|(high, low)| pool.mk_indexed(Op::Extract, &[high, low], &[word]));
        let joined = pool.mk(Op::Concat, &slices);
        let whole = Cuts::new(&pool, &[slices[0], slices[1], joined]);
        assert_eq!((whole.of(word), whole.of(joined)), (&[][..], &[][..]));
        let cut = Cuts::new(&pool, &[word, slices[0], slices[1], joined]);
        assert_eq!(cut.of(word), [2, 4, 5, 7]);
    }
}
