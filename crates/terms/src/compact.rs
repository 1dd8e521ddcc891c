//! Compaction: a pool is rebuilt with the terms that are in use.
//!
//! Terms are made and never taken back, which is right for a problem and wrong for a session of a million
//! problems. The owner of everything that holds terms can have the pool rebuilt: the terms below those in use
//! are made again, in the order of their ids, so younger terms stay younger and children stay before parents;
//! the order among symbols, on which decisions may rest, does not change. Sorts keep their ids. Every other
//! term is gone, and what it is called now means something else, so every holder has to ask the [`Renaming`]
//! for the new names, or forget.
//!
//! Cost: linear in the old pool; the new one is as small as what is in it.

use crate::dag::{cone, unseen};
use crate::pool::Pool;
use crate::side_table::{TermMap, TermSet};
use crate::term::Term;

/// What terms are called after a compaction.
pub struct Renaming {
    images: TermMap<Term>,
}

impl Renaming {
    /// The new name of a term, `None` if it was not in use.
    pub fn get(&self, term: Term) -> Option<Term> {
        self.images.get(term).copied()
    }

    /// The new name of a term that was in use.
    ///
    /// # Panics
    ///
    /// If it was not in use.
    pub fn of(&self, term: Term) -> Term {
        self.get(term).expect("a term that is in use was named before the compaction")
    }
}

impl Pool {
    /// Throws away all terms that are not at or below one of those in use.
    pub fn compact(&mut self, in_use: &[Term]) -> Renaming {
        let mut pool = self.take_sorts();
        let renaming = adopted(&mut pool, self, in_use);
        *self = pool;
        renaming
    }

    /// Another pool with the same sorts and these terms, in the same order, and what they are called there.
    pub fn copy(&self, roots: &[Term]) -> (Pool, Renaming) {
        let mut pool = self.with_sorts();
        let renaming = adopted(&mut pool, self, roots);
        (pool, renaming)
    }
}

/// A copy of the part of a pool that is of interest, which grows with it. Sorts have the same ids in both.
///
/// The terms of the original keep their names as long as it is not compacted; then the copy is to be made
/// anew.
#[derive(Default)]
pub struct Mirror {
    pool: Pool,
    images: TermMap<Term>,
    seen: TermSet,
}

impl Mirror {
    /// An empty copy.
    pub fn new() -> Mirror {
        Mirror::default()
    }

    /// Copies the terms at and below `roots` that are not in the copy yet. Cost: linear in these.
    pub fn extend(&mut self, original: &Pool, roots: &[Term]) {
        let unseen = unseen(original, roots, &mut self.seen);
        if !unseen.is_empty() {
            self.pool.follow_sorts(original);
        }
        let Mirror { pool, images, .. } = self;
        for term in unseen {
            let image = pool.adopt(original, term, |arg| *images.get(arg).expect("children come first"));
            images.insert(term, image);
        }
    }

    /// The copies, which are made in the order in which they were asked for.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The copy of a term, `None` if there is none.
    pub fn image(&self, term: Term) -> Option<Term> {
        self.images.get(term).copied()
    }
}

/// Makes the terms at and below `roots` in an empty pool.
fn adopted(pool: &mut Pool, from: &Pool, roots: &[Term]) -> Renaming {
    let mut images = TermMap::new();
    for term in cone(from, roots) {
        let image = pool.adopt(from, term, |arg| *images.get(arg).expect("children come first"));
        images.insert(term, image);
    }
    Renaming { images }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitVec, Op, Sort};

    /// A small term as text.
    fn text(pool: &Pool, term: Term) -> String {
        let args: Vec<String> = pool.args(term).iter().map(|&arg| text(pool, arg)).collect();
        let leaf = (pool.name(term), pool.as_bitvec(term), pool.as_bool(term));
        format!("({:?} {:?} {leaf:?} {:?} {args:?})", pool.op(term), pool.indices(term), pool.sort(term))
    }

    #[test]
    fn a_copy_is_the_same_and_the_pool_stays() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).unwrap();
        let sort = pool.sorts_mut().array(byte, byte).unwrap();
        let [unused, x, y] = ["unused", "same", "same"].map(|name| pool.symbol(name, byte));
        let memory = pool.symbol("m", sort);
        let cell = pool.mk(Op::Select, &[memory, x]);
        let root = pool.mk(Op::BvAdd, &[cell, y]);
        let (before, words) = (pool.len(), text(&pool, root));
        let (copy, renaming) = pool.copy(&[root, y]);
        assert_eq!((pool.len(), text(&pool, root)), (before, words.clone()));
        assert_eq!(text(&copy, renaming.of(root)), words);
        assert!(renaming.of(x) < renaming.of(y) && renaming.get(unused).is_none());
        assert_eq!(copy.len(), before - 1);
    }

    #[test]
    fn a_mirror_grows_with_its_original() {
        let mut pool = Pool::new();
        let mut mirror = Mirror::new();
        let byte = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, byte));
        let sum = pool.mk(Op::BvAdd, &[x, x]);
        mirror.extend(&pool, &[sum]);
        assert_eq!((mirror.pool().len(), mirror.image(y)), (2, None));
        let sort = pool.sorts_mut().array(byte, byte).unwrap();
        let memory = pool.symbol("m", sort);
        let cell = pool.mk(Op::Select, &[memory, sum]);
        let root = pool.mk(Op::BvAdd, &[cell, y]);
        for _ in 0..2 {
            mirror.extend(&pool, &[root, sum]);
            assert_eq!(mirror.pool().len(), pool.len());
            assert_eq!(text(mirror.pool(), mirror.image(root).unwrap()), text(&pool, root));
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "before a compaction")]
    fn debug_builds_find_terms_that_were_not_renamed() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BOOL);
        pool.compact(&[x]);
        pool.op(x);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "another pool")]
    fn debug_builds_find_terms_of_other_pools() {
        let (mut one, mut other) = (Pool::new(), Pool::new());
        let [x, y] = [&mut one, &mut other].map(|pool| pool.symbol("x", Sort::BOOL));
        assert_eq!(x, y, "ids are compared, in every build");
        one.mk(Op::And, &[x, y]);
    }

    #[test]
    fn what_is_in_use_stays_and_everything_else_goes() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(100).unwrap();
        let array = pool.sorts_mut().array(sort, Sort::BOOL).unwrap();
        let function = pool.sorts_mut().function(&[sort, sort, sort], sort).expect("a first-order sort");
        let [x, dead, y] = ["x", "dead", "y"].map(|name| pool.symbol(name, sort));
        let (a, f) = (pool.symbol("a", array), pool.symbol("f", function));
        let wide = pool.bitvec(&BitVec::ones(100));
        pool.mk(Op::BvMul, &[dead, wide]);
        let low = pool.mk_indexed(Op::Extract, &[98, 3], &[y]);
        let long = pool.mk(Op::BvAdd, &[x, y, wide, x]);
        let applied = pool.mk(Op::Apply, &[f, x, long, y]);
        let read = pool.mk(Op::Select, &[a, applied]);
        let always = pool.bool(true);
        let constant = pool.const_array(array, always).unwrap();
        let roots = [read, low, constant];
        let before = roots.map(|root| text(&pool, root));
        let len = pool.len();
        let renaming = pool.compact(&roots);
        assert!(pool.len() == len - 2 && renaming.get(dead).is_none());
        assert_eq!(roots.map(|root| text(&pool, renaming.of(root))), before);
        assert!(renaming.of(x) < renaming.of(y) && pool.name(renaming.of(y)) == Some("y"));
        assert_eq!(pool.sort(renaming.of(a)), array);
        // Hash-consing goes on where it was.
        let (x, y) = (renaming.of(x), renaming.of(y));
        let wide = pool.bitvec(&BitVec::ones(100));
        assert_eq!(pool.mk(Op::BvAdd, &[x, y, wide, x]), renaming.of(long));
    }
}
