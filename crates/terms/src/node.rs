//! The node of a term: 16 bytes, and its hash.
//!
//! A node is the key of hash-consing. Where all about a term fits into the two words of its node (at most two
//! children, or a constant of at most 64 bits), terms are equal exactly when their nodes are. Longer content
//! lies in the pool; its hash goes through the content.
//!
//! The hash folds the two halves of a 128-bit product of the two halves of the node (the idea of wyhash), and
//! does so once more at the end, so that neighbouring ids, constants with few bits and long runs of one
//! operator all spread evenly: a test of the pool counts it. It is the same on every machine, for every run.

use crate::op::Op;
use crate::sort::Sort;
use crate::term::Term;

/// `words` holds, by operator: the children (at most two; an index follows a single child), the bits of a
/// narrow constant, the place of a wide one, the place of a symbol's name, or place and number of the
/// children.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// The number of children when they are inline, else [`OUTLINE`].
    pub(crate) inline: u8,
    /// The index of an operator on records, where it does not follow a single child; 0 for all others.
    pub(crate) part: u16,
    pub(crate) sort: Sort,
    pub(crate) words: [Term; 2],
}

/// Marks a node whose children lie in the array that all terms of the pool share.
pub(crate) const OUTLINE: u8 = u8::MAX;

/// A node is 16 bytes; in debug builds terms are larger, because they name their pool.
const _: () = assert!(size_of::<Node>() == 8 + 2 * size_of::<Term>());

#[cfg(not(debug_assertions))]
const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    /// The two words as one, the first being the lower half.
    #[inline]
    pub(crate) fn bits(&self) -> u64 {
        u64::from(self.words[0].id()) | u64::from(self.words[1].id()) << 32
    }

    /// The hash of a node that says all about its term.
    #[inline]
    pub(crate) fn hash(&self) -> u32 {
        finish(self.mixed())
    }

    #[inline]
    fn mixed(&self) -> u64 {
        let head = u64::from(self.op as u8)
            | u64::from(self.inline) << 8
            | u64::from(self.part) << 16
            | u64::from(self.sort.id()) << 32;
        mix(head ^ SEEDS[0], self.bits() ^ SEEDS[1])
    }
}

/// The hash of a node and of content that lies elsewhere.
pub(crate) fn long_hash(node: Node, content: impl Iterator<Item = u64>) -> u32 {
    finish(content.fold(node.mixed(), |hash, word| mix(hash ^ SEEDS[0], word ^ SEEDS[1])))
}

/// Words without pattern: digits of the square roots of 2 and 3.
const SEEDS: [u64; 2] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b];

/// Both halves of a product of 128 bits, folded. Neither factor should be zero often.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[inline]
fn finish(hash: u64) -> u32 {
    (mix(hash, SEEDS[0]) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of entries that find their bucket of eight full, at a load of five in eight. Random hashes
    /// give 3 %.
    fn overflow(nodes: impl Iterator<Item = Node>) -> f64 {
        let hashes: Vec<u32> = nodes.map(|node| node.hash()).collect();
        let mut filled = vec![0u32; hashes.len() / 5];
        let mut late = 0;
        for &hash in &hashes {
            let bucket = &mut filled[((u64::from(hash) * (hashes.len() / 5) as u64) >> 32) as usize];
            late += u32::from(*bucket == 8);
            *bucket = (*bucket + 1).min(8);
        }
        f64::from(late) / hashes.len() as f64
    }

    #[test]
    fn regular_nodes_spread_like_random_ones() {
        let node = |op, inline, width: u32, a: u32, b: u32| {
            let sort = Sort::bitvec(width).unwrap_or(Sort::BOOL);
            Node { op, inline, part: 0, sort, words: [a, b].map(Term::word) }
        };
        let count = 0..200_000;
        let families = [
            ("chain", overflow(count.clone().map(|i| node(Op::BvAdd, 2, 64, i, i + 1)))),
            ("unary", overflow(count.clone().map(|i| node(Op::BvNot, 1, 64, i, 0)))),
            ("pairs", overflow(count.clone().map(|i| node(Op::BvUlt, 2, 0, i % 450, i / 450)))),
            (
                "bits of few terms",
                overflow(count.clone().map(|i| node(Op::Extract, 1, 1, i / 1000, i % 1000))),
            ),
            ("widths", overflow(count.clone().map(|i| node(Op::Extract, 1, 1 + i % 1000, i / 1000, 0)))),
            ("small constants", overflow(count.clone().map(|i| node(Op::Const, 0, 32, i, 0)))),
            ("high constants", overflow(count.clone().map(|i| node(Op::Const, 0, 64, 0, i << 14)))),
        ];
        for (family, overflow) in families {
            assert!(overflow < 0.06, "{family}: {overflow}");
        }
    }
}
