//! `--approx auto`: when under-approximation is worth a try, and how much of one.
//!
//! What approximations win and lose was measured (`docs/under-approximation.md`): they win where there are
//! many very wide numbers, as in programs that compute with words of 256 bits, and small ones do; and lose
//! where there is little to choose, where symbols are bytes that are only put together to numbers, and where
//! there is no model. Two things decide:
//!
//! - *Are there many wide words?* A [`Census`] counts the leaves of the circuits: at least [`MANY`] of them
//!   have [`WIDE`] bits or more, and most bits belong to those. Where this is not so, the search is the one
//!   of `none`, conflict by conflict. It is asked before the search, because a search that is cut short and
//!   continued takes another course, and that alone was a loss.
//! - *Is it hard?* The first [`PATIENCE`] conflicts of a check are searched without approximations, since a
//!   search that is lucky at once can only be delayed.
//!
//! Then all is approximated by sign extension to [`WIDTH`] bits, together: one assumption, which is eased by
//! doubling. After [`EASINGS`] easings, when most words are nearly whole, or [`LIMIT`] conflicts it is given
//! up for good, and what was learned stays. All of it is counted, so runs are the same everywhere. Nothing of
//! it decides an answer: it only says when assumptions are made and given up, and those are sound whenever
//! that is (`bivalve-approx`).
//!
//! Cost: a look at each leaf once, however many checks there are.

use bivalve_approx::Parameters;
use bivalve_approx::encodings::Sign;
use bivalve_approx::policies::Global;
use bivalve_terms::{Op, Pool, Term};
use std::sync::Arc;

/// Conflicts of a check before approximations begin.
pub(crate) const PATIENCE: u64 = 100;

/// Conflicts under approximations.
pub(crate) const LIMIT: u64 = 3000;

/// Times that approximations are eased.
pub(crate) const EASINGS: u32 = 4;

/// Effective bits to begin with.
const WIDTH: u32 = 8;

/// Bits that make a word wide; from here on arithmetic is refined by lemmas, too.
const WIDE: u32 = 100;

/// So many wide words are many. Equations between few of them leave little to choose.
const MANY: u64 = 12;

/// What is tried.
pub(crate) fn parameters() -> Parameters {
    Parameters { encoding: Arc::new(Sign), policy: Arc::new(Global), width: WIDTH }
}

/// Counts the leaves of the circuits as they come: symbols, reads and applications.
#[derive(Default)]
pub(crate) struct Census {
    /// Leaves looked at.
    seen: usize,
    /// Wide ones among them.
    wide: u64,
    /// Bits of those.
    wide_bits: u64,
    /// Bits of all.
    bits: u64,
}

impl Census {
    /// Counts those that have come since the last time.
    pub(crate) fn count(&mut self, pool: &Pool, leaves: impl ExactSizeIterator<Item = Term>) {
        let all = leaves.len();
        for leaf in leaves.skip(self.seen) {
            let Some(width) = pool.width(leaf) else { continue };
            if !matches!(pool.op(leaf), Op::Symbol | Op::Select | Op::Apply) {
                continue;
            }
            let bits = u64::from(width);
            self.bits += bits;
            if width >= WIDE {
                self.wide += 1;
                self.wide_bits += bits;
            }
        }
        self.seen = all;
    }

    /// Are there many wide words, and little else?
    pub(crate) fn is_worth_it(&self) -> bool {
        self.wide >= MANY && 2 * self.wide_bits > self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// Symbols of a width.
    fn symbols(pool: &mut Pool, width: u32, count: usize) -> Vec<Term> {
        let sort = Sort::bitvec(width).expect("a legal width");
        (0..count).map(|number| pool.symbol(&format!("s{width}_{number}"), sort)).collect()
    }

    #[test]
    fn many_wide_words_are_worth_it_and_few_or_narrow_ones_are_not() {
        let mut pool = Pool::new();
        let wide = symbols(&mut pool, 256, 12);
        let bytes = symbols(&mut pool, 8, 384);
        let worth = |leaves: &[Term]| {
            let mut census = Census::default();
            census.count(&pool, leaves.iter().copied());
            census.is_worth_it()
        };
        assert!(worth(&wide));
        assert!(!worth(&wide[1..]), "too few");
        assert!(!worth(&bytes), "too narrow");
        assert!(worth(&[&wide, &bytes[1..]].concat()));
        assert!(!worth(&[&wide[..], &bytes].concat()), "bytes have as many bits");
    }

    #[test]
    fn a_leaf_counts_once() {
        let mut pool = Pool::new();
        let wide = symbols(&mut pool, 128, 12);
        let mut census = Census::default();
        for end in [0, 7, 11, 11] {
            census.count(&pool, wide[..end].iter().copied());
            assert!(!census.is_worth_it());
        }
        census.count(&pool, wide.iter().copied());
        assert!(census.is_worth_it());
    }
}
