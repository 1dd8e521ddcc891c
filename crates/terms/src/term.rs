//! Terms as ids, and the identity of pools.
//!
//! A [`Term`] is a 32-bit id in the pool that made it. An id says nothing about that pool, so a term handed
//! to another one would silently mean something else there. In debug builds each pool therefore has a number,
//! each term carries the number of its pool, and every access checks it; the same finds terms that were kept
//! over a compaction without being renamed. In release builds all of this is empty, and a term is its id.
//!
//! Two terms are equal when their ids are; the number of the pool takes no part in comparisons, so debug and
//! release builds behave alike. Terms made from the ids of a side table carry no number, and none is checked.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A term: an id in the [`Pool`](crate::Pool) that made it. Ids are dense from 0; children are smaller than
/// parents.
#[derive(Clone, Copy)]
#[cfg_attr(not(debug_assertions), repr(transparent))]
pub struct Term {
    id: u32,
    /// The number of the pool; 0 where that is not known.
    #[cfg(debug_assertions)]
    pool: u32,
}

#[cfg(not(debug_assertions))]
const _: () = assert!(size_of::<Term>() == 4);

impl Term {
    /// An id without a pool, or a word of a node that is no term at all.
    #[inline]
    pub(crate) fn word(id: u32) -> Term {
        Term {
            id,
            #[cfg(debug_assertions)]
            pool: 0,
        }
    }

    #[inline]
    pub(crate) fn id(self) -> u32 {
        self.id
    }

    /// The position of this term in a dense side table.
    #[inline]
    pub fn index(self) -> usize {
        self.id as usize
    }
}

impl PartialEq for Term {
    #[inline]
    fn eq(&self, other: &Term) -> bool {
        self.id == other.id
    }
}

impl Eq for Term {}

impl Hash for Term {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialOrd for Term {
    #[inline]
    fn partial_cmp(&self, other: &Term) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    #[inline]
    fn cmp(&self, other: &Term) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.id)
    }
}

/// The identity of a pool: a number in debug builds, nothing in release builds.
#[derive(Debug)]
pub(crate) struct Identity {
    #[cfg(debug_assertions)]
    number: u32,
}

#[cfg(debug_assertions)]
impl Default for Identity {
    /// Different from all that were made before.
    fn default() -> Identity {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        // After 2^32 pools numbers come again; 0 is none.
        let number = NEXT.fetch_add(1, Relaxed);
        Identity { number: number.max(1) }
    }
}

#[cfg(not(debug_assertions))]
impl Default for Identity {
    fn default() -> Identity {
        Identity {}
    }
}

impl Identity {
    /// The term as one of this pool.
    #[inline]
    pub(crate) fn sign(&self, term: Term) -> Term {
        Term {
            #[cfg(debug_assertions)]
            pool: self.number,
            ..term
        }
    }

    /// Checks, in debug builds, that a term is not one of another pool.
    ///
    /// # Panics
    ///
    /// If it is.
    #[inline]
    pub(crate) fn check(&self, term: Term) {
        #[cfg(debug_assertions)]
        assert!(
            term.pool == self.number || term.pool == 0,
            "internal: {term:?} belongs to another pool, or to this one before a compaction"
        );
        #[cfg(not(debug_assertions))]
        let _ = term;
    }
}
