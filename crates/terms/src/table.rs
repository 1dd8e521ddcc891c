//! The hash table of the pool: from the content of a node to its id.
//!
//! What a pool costs is cache misses, and above all those that the processor cannot overlap because it must
//! wait for one to know which way a branch goes. So the table is an array of buckets that are cache lines:
//! eight pairs of a hash and an id, filled from the left and never emptied. Three properties follow:
//! - All hashes of a bucket are compared at once, and the branches that remain ("one of them agrees", "the
//!   bucket is full") nearly always go the same way. Building a long list of terms thus has several misses
//!   under way at a time, while plain linear probing stops at each to see where a run of entries ends.
//! - A node is touched only when 32 bits of hash agree.
//! - The first bucket of a hash is `hash * buckets / 2^32`, monotone in the hash. So the buckets are (nearly)
//!   sorted, and growing is one pass through the old ones that writes the new ones in order, without asking
//!   nodes for their hashes again. It also allows growth by a half instead of to the double.
//!
//! An entry that finds its bucket full goes to the next one. The table does not know nodes: the caller says
//! whether an id is the one looked for.
//!
//! Cost: 8 bytes a place at a load of 50 to 75 %, so 10.7 to 16 bytes an entry; one bucket for nearly all
//! look-ups.

/// Ids by the hash of what they stand for.
#[derive(Default)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    len: usize,
}

/// A cache line of entries.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket {
    /// Hashes, [`VACANT`] from the first place without an entry on.
    hashes: [u32; PLACES],
    ids: [u32; PLACES],
}

/// Entries in a bucket.
const PLACES: usize = 8;

/// No entry; a hash of this value is moved to its neighbour.
const VACANT: u32 = 0;

/// The greatest number of buckets: with more of them, 32 bits of hash could not reach them all.
const MAX_BUCKETS: usize = 1 << 29;

/// Where an entry that was looked for in vain belongs, until the table next changes.
pub(crate) struct Vacancy {
    bucket: usize,
    place: usize,
    hash: u32,
}

impl Table {
    /// The id with this hash for which `same` holds, or the place for it. Makes room for one entry first.
    #[inline(always)]
    pub(crate) fn find(&mut self, hash: u32, same: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        if self.len >= self.buckets.len() * (PLACES / 4 * 3) {
            self.grow();
        }
        let hash = hash.max(VACANT + 1);
        let mut number = first_bucket(hash, self.buckets.len());
        loop {
            let bucket = &self.buckets[number];
            let mut agreeing = bucket.places_with(hash);
            while agreeing != 0 {
                let id = bucket.ids[agreeing.trailing_zeros() as usize];
                if same(id) {
                    return Ok(id);
                }
                agreeing &= agreeing - 1;
            }
            let vacant = bucket.places_with(VACANT);
            if vacant != 0 {
                return Err(Vacancy { bucket: number, place: vacant.trailing_zeros() as usize, hash });
            }
            number = next(number, self.buckets.len());
        }
    }

    /// Enters an id where [`Table::find`] found none.
    #[inline]
    pub(crate) fn fill(&mut self, vacancy: Vacancy, id: u32) {
        let bucket = &mut self.buckets[vacancy.bucket];
        bucket.hashes[vacancy.place] = vacancy.hash;
        bucket.ids[vacancy.place] = id;
        self.len += 1;
    }

    /// Bytes allocated.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    #[cold]
    fn grow(&mut self) {
        let count = (self.buckets.len() + self.buckets.len() / 2).clamp(8, MAX_BUCKETS);
        assert!(count > self.buckets.len(), "fewer than 3 * 2^30 distinct terms");
        let mut buckets = vec![Bucket::default(); count];
        for old in &self.buckets {
            for (&hash, &id) in old.hashes.iter().zip(&old.ids).take_while(|&(&hash, _)| hash != VACANT) {
                let mut number = first_bucket(hash, count);
                while buckets[number].places_with(VACANT) == 0 {
                    number = next(number, count);
                }
                let bucket = &mut buckets[number];
                let place = bucket.places_with(VACANT).trailing_zeros() as usize;
                bucket.hashes[place] = hash;
                bucket.ids[place] = id;
            }
        }
        self.buckets = buckets;
    }
}

impl Bucket {
    /// The places with this hash, one bit each.
    #[inline]
    fn places_with(&self, hash: u32) -> u32 {
        self.hashes.iter().enumerate().map(|(place, &other)| u32::from(other == hash) << place).sum()
    }
}

/// Where the search for a hash starts; monotone in the hash. `count` is at most [`MAX_BUCKETS`].
#[inline]
fn first_bucket(hash: u32, count: usize) -> usize {
    ((u64::from(hash) * count as u64) >> 32) as usize
}

/// The bucket after `number`, in a circle.
#[inline]
fn next(number: usize, count: usize) -> usize {
    if number + 1 == count { 0 } else { number + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_again_through_all_growth_and_others_are_not() {
        let mut table = Table::default();
        // Three ids share each hash, and hashes lie densely at both ends of their range.
        let hash = |id: u32| if id.is_multiple_of(2) { id / 6 } else { u32::MAX - id / 6 };
        for id in 0..20_000 {
            let vacancy = table.find(hash(id), |found| found == id).expect_err("not entered yet");
            table.fill(vacancy, id);
            assert!(table.len <= table.buckets.len() * 6);
        }
        for id in 0..20_000 {
            assert_eq!(table.find(hash(id), |found| found == id).ok(), Some(id));
            assert!(table.find(hash(id), |_| false).is_err());
        }
    }

    #[test]
    fn the_table_keeps_within_its_budget() {
        let mut table = Table::default();
        for id in 0..1_000_000u32 {
            let hash = id.wrapping_mul(0x9e37_79b9);
            if let Err(vacancy) = table.find(hash, |_| false) {
                table.fill(vacancy, id);
            }
            assert!(id < 100 || table.heap_bytes() <= 17 * table.len, "{} for {id}", table.heap_bytes());
        }
    }
}
