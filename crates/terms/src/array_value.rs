//! Array values: finite maps with a default, in a canonical form.
//!
//! Arrays are compared often and updated in long store chains, so the map is a persistent ordered tree: a
//! store costs a logarithm and shares the rest with the array it started from.
//!
//! **Canonical form.** Equality of arrays is extensional, and it is also structural (hash and order agree
//! with it), because there is one form for each array. No entry equals the default, and the default is
//! - the element that more than half of all indices have, if there is one;
//! - otherwise the *neutral* element, a value that depends on the sort alone.
//!
//! Over an infinite or very large index sort (more than 2^32 values) the first case always holds, since
//! memory bounds the entries. Over a small one the second case makes the array *dense*: it has at least half
//! as many entries as there are indices. A dense array counts its elements, so that a store notices in
//! logarithmic time when one of them gets the majority. Passing from one case to the other rebuilds the
//! entries; a chain of stores that fills or clears an array passes once.
//!
//! Where the number of indices is even, a default that loses the majority leaves none to another; where it is
//! odd, it may leave it to the element that was stored.
//!
//! Cost: O(log n) comparisons for a store or read among n entries; O(i log i) for a passage, with i indices
//! in the sort.

use crate::BitVec;
use crate::records::RecordSort;
use crate::sort::{Sort, SortKind, Sorts};
use crate::theories::TheorySort;
use crate::value::Value;
use rpds::RedBlackTreeMapSync;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An array: a default element and the finitely many indices that differ from it.
#[derive(Clone)]
pub struct ArrayValue {
    default: Value,
    entries: RedBlackTreeMapSync<Value, Value>,
    /// How many indices have each element other than the neutral one; empty unless the array is dense.
    counts: RedBlackTreeMapSync<Value, u64>,
    neutral: Value,
    indices: Domain,
}

/// The values of an index sort, as far as they can be enumerated.
#[derive(Clone, PartialEq)]
enum Domain {
    Bool,
    BitVec(u32),
    /// Indices and elements of an array sort with at most 2^32 values.
    Array(Arc<[Domain; 2]>),
    /// A small sort of a theory that is lowered.
    Theory(TheorySort),
    /// A small record sort, and the values of its fields.
    Record(Arc<(Arc<RecordSort>, Vec<Domain>)>),
    /// More than 2^32 values, or an uninterpreted sort.
    Large,
}

impl ArrayValue {
    /// The array of array sort `sort` whose elements are all `default`. Panics if `sort` is no array sort.
    pub fn constant(sorts: &Sorts, sort: Sort, default: Value) -> ArrayValue {
        let (_, element) = sorts.array_parts(sort).expect("internal: an array value of another sort");
        ArrayValue { default, ..ArrayValue::neutral(sorts, sort, Value::default_of(sorts, element)) }
    }

    /// The array of array sort `sort` whose elements are all neutral, that is the default of their sort.
    pub(crate) fn neutral(sorts: &Sorts, sort: Sort, neutral: Value) -> ArrayValue {
        let (index, _) = sorts.array_parts(sort).expect("internal: an array value of another sort");
        ArrayValue::over(Domain::of(sorts, index), neutral)
    }

    fn over(indices: Domain, neutral: Value) -> ArrayValue {
        let (entries, counts) = (RedBlackTreeMapSync::new_sync(), RedBlackTreeMapSync::new_sync());
        ArrayValue { default: neutral.clone(), entries, counts, neutral, indices }
    }

    /// Whether this is an array over the index sort `index`, whatever its elements are.
    pub(crate) fn is_indexed_by(&self, sorts: &Sorts, index: Sort) -> bool {
        self.indices == Domain::of(sorts, index)
    }

    /// The element at `index`.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array that has `element` at `index` and is equal to this one elsewhere.
    pub fn store(&self, index: &Value, element: &Value) -> ArrayValue {
        let mut next = self.clone();
        let before = self.select(index);
        if before == element {
            return next;
        }
        if *element == next.default {
            next.entries.remove_mut(index);
        } else {
            next.entries.insert_mut(index.clone(), element.clone());
        }
        let Some(all) = self.indices.cardinality() else { return next };
        let half = all / 2;
        // So many entries leave the default no majority.
        let is_dense = |array: &ArrayValue| array.entries.size() as u64 >= all - half;
        match (is_dense(self), is_dense(&next)) {
            (false, false) => {}
            (false, true) => {
                next.become_dense();
                if !is_dense(&next) {
                    next.counts = RedBlackTreeMapSync::new_sync();
                } else if next.counts.get(element).is_some_and(|&count| count > half) {
                    next.rebase(element.clone());
                    next.counts = RedBlackTreeMapSync::new_sync();
                }
            }
            // The neutral element, which is the default already, has got the majority.
            (true, false) => next.counts = RedBlackTreeMapSync::new_sync(),
            (true, true) => {
                next.count(before, -1);
                if next.count(element, 1) > half {
                    next.rebase(element.clone());
                    next.counts = RedBlackTreeMapSync::new_sync();
                }
            }
        }
        next
    }

    /// The element of all indices that are not among the entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// How many indices have an element other than the default.
    pub fn size(&self) -> usize {
        self.entries.size()
    }

    /// The entries that differ from the default, by increasing index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// No element has the majority any more.
    fn become_dense(&mut self) {
        self.rebase(self.neutral.clone());
        for (_, element) in &self.entries {
            match self.counts.get_mut(element) {
                Some(count) => *count += 1,
                None => self.counts.insert_mut(element.clone(), 1),
            }
        }
    }

    /// Changes the count of an element of a dense array; returns the new one. The neutral element is not
    /// counted.
    fn count(&mut self, element: &Value, by: i64) -> u64 {
        if *element == self.neutral {
            return 0;
        }
        let count = self.counts.get(element).map_or(0, |&count| count);
        let count = count.checked_add_signed(by).expect("only elements that occur are taken away");
        if count == 0 {
            self.counts.remove_mut(element);
        } else {
            self.counts.insert_mut(element.clone(), count);
        }
        count
    }

    /// Makes `default` the default; the index sort is small, and its values are enumerated.
    fn rebase(&mut self, default: Value) {
        if self.default == default {
            return;
        }
        let mut entries = RedBlackTreeMapSync::new_sync();
        for i in 0..self.indices.cardinality().expect("only arrays over small index sorts are rebased") {
            let index = self.indices.nth(i);
            let element = self.select(&index);
            if *element != default {
                entries.insert_mut(index.clone(), element.clone());
            }
        }
        self.default = default;
        self.entries = entries;
    }
}

/// Default and entries say all; the other fields follow from them and from the sort. Values of array sort may
/// be nested deeply, and what follows from the sort must not be walked beside what the array holds: each
/// level would double the work.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        (&self.default, &self.entries) == (&other.default, &other.entries)
    }
}

impl Eq for ArrayValue {}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        (&self.default, &self.entries).cmp(&(&other.default, &other.entries))
    }
}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.default, &self.entries).hash(state);
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.entries).entry(&"default", &self.default).finish()
    }
}

impl Domain {
    fn of(sorts: &Sorts, sort: Sort) -> Domain {
        if sorts.small_cardinality(sort).is_none() {
            return Domain::Large;
        }
        // A small sort is nested at most five deep: Bool has 2 values, and each array of it squares them at
        // least.
        match sorts.kind(sort) {
            SortKind::Bool => Domain::Bool,
            SortKind::BitVec(width) => Domain::BitVec(width),
            SortKind::Array { index, element } => {
                Domain::Array(Arc::new([Domain::of(sorts, index), Domain::of(sorts, element)]))
            }
            SortKind::Theory(_) if let Some(record) = sorts.as_record(sort) => {
                let fields = record.constructors().iter().flat_map(|constructor| &constructor.fields);
                let fields = fields.map(|&(_, sort)| Domain::of(sorts, sort)).collect();
                Domain::Record(Arc::new((record.clone(), fields)))
            }
            SortKind::Theory(sort) => Domain::Theory(sort),
            SortKind::Uninterpreted(_) | SortKind::Function { .. } => Domain::Large,
        }
    }

    fn cardinality(&self) -> Option<u64> {
        match self {
            Domain::Bool => Some(2),
            Domain::BitVec(width) => Some(1 << width),
            Domain::Array(parts) => {
                parts[1].cardinality()?.checked_pow(u32::try_from(parts[0].cardinality()?).ok()?)
            }
            Domain::Theory(sort) => sort.small_cardinality(),
            Domain::Record(record) => {
                let mut fields = record.1.iter();
                record.0.count_values(|_| fields.next().and_then(Domain::cardinality))
            }
            Domain::Large => None,
        }
    }

    /// The `i`-th value, in some fixed order that begins with the default of the sort; for arrays the
    /// elements are the digits of `i`.
    fn nth(&self, i: u64) -> Value {
        match self {
            Domain::Bool => Value::Bool(i == 1),
            Domain::BitVec(width) => BitVec::from_u64(i, *width).into(),
            Domain::Array(parts) => {
                let [indices, elements] = &**parts;
                let base = elements.cardinality().expect("a small array sort has a small element sort");
                let cells = indices.cardinality().expect("a small array sort has a small index sort");
                let mut array = ArrayValue::over(indices.clone(), elements.nth(0));
                let mut digits = i;
                for cell in 0..cells {
                    array = array.store(&indices.nth(cell), &elements.nth(digits % base));
                    digits /= base;
                }
                array.into()
            }
            Domain::Theory(sort) => sort.nth(i).into(),
            Domain::Record(record) => {
                let fields = &record.1;
                let count = |field: u32| fields[field as usize].cardinality();
                let count = |field| count(field).expect("a part of a small sort is small");
                record.0.nth(i, count, |field, number| fields[field as usize].nth(number)).into()
            }
            Domain::Large => unreachable!("only small sorts are enumerated"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bv(value: u64, width: u32) -> Value {
        BitVec::from_u64(value, width).into()
    }

    /// Every array over a small sort, reached by different orders of stores from different defaults, has one
    /// form.
    #[test]
    fn equal_arrays_have_one_form() {
        let mut sorts = Sorts::default();
        let two = Sort::bitvec(2).unwrap();
        let sort = sorts.array(two, two).unwrap();
        for code in 0..256u64 {
            let cell = |i: u64| bv(code >> (2 * i) & 3, 2);
            let mut forms = vec![];
            for default in 0..4 {
                for rotation in 0..4 {
                    let start = ArrayValue::constant(&sorts, sort, bv(default, 2));
                    let order = (0..4).map(|i| (i + rotation) % 4);
                    forms.push(order.fold(start, |array, i| array.store(&bv(i, 2), &cell(i))));
                }
            }
            assert!(forms.windows(2).all(|pair| pair[0] == pair[1]), "code {code}: {forms:?}");
            assert!((0..4).all(|i| *forms[0].select(&bv(i, 2)) == cell(i)));
        }
    }

    /// As above, with five indices, where another element may have the majority when the default loses it.
    #[test]
    fn equal_arrays_over_an_odd_number_of_indices_have_one_form() {
        let mut sorts = Sorts::default();
        let modes = sorts.theory(TheorySort::RoundingMode);
        let sort = sorts.array(modes, Sort::bitvec(2).unwrap()).unwrap();
        let index = |i: u64| Value::from(TheorySort::RoundingMode.nth(i % 5));
        for code in 0..1024u64 {
            let cell = |i: u64| bv(code >> (2 * (i % 5)) & 3, 2);
            let mut forms = vec![];
            for default in 0..4 {
                for rotation in 0..5 {
                    let start = ArrayValue::constant(&sorts, sort, bv(default, 2));
                    let order = (0..5).map(|i| i + rotation);
                    forms.push(order.fold(start, |array, i| array.store(&index(i), &cell(i))));
                }
            }
            assert!(forms.windows(2).all(|pair| pair[0] == pair[1]), "code {code}: {forms:?}");
            assert!((0..5).all(|i| *forms[0].select(&index(i)) == cell(i)));
        }
    }

    /// Random walks of stores over eight indices against a plain vector, with counts, majorities and
    /// passages.
    #[test]
    fn stores_agree_with_a_vector_and_forms_with_its_equality() {
        let mut sorts = Sorts::default();
        let [index, element] = [3, 4].map(|width| Sort::bitvec(width).unwrap());
        let sort = sorts.array(index, element).unwrap();
        let mut state = 12345u64;
        let mut random = |bound: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        let mut seen: Vec<(Vec<u64>, ArrayValue)> = vec![];
        for _ in 0..40 {
            let start = random(16);
            let mut model = vec![start; 8];
            let mut array = ArrayValue::constant(&sorts, sort, bv(start, 4));
            for _ in 0..50 {
                let elements = 1 + random(3);
                let (i, e) = (random(8), random(elements));
                model[i as usize] = e;
                array = array.store(&bv(i, 3), &bv(e, 4));
                assert!((0..8).all(|i| *array.select(&bv(i, 3)) == bv(model[i as usize], 4)));
                let dense = array.entries.size() >= 4;
                let counted: u64 = array.counts.iter().map(|(_, &count)| count).sum();
                assert_eq!(counted, if dense { array.entries.size() as u64 } else { 0 });
                seen.push((model.clone(), array.clone()));
            }
        }
        for (i, (model, array)) in seen.iter().enumerate() {
            for (other_model, other) in &seen[..i] {
                assert_eq!(model == other_model, array == other, "{model:?} {other_model:?}");
            }
        }
    }

    #[test]
    fn arrays_indexed_by_small_arrays_are_enumerated() {
        let mut sorts = Sorts::default();
        let inner = sorts.array(Sort::BOOL, Sort::BOOL).unwrap();
        let outer = sorts.array(inner, Sort::BOOL).unwrap();
        let indices = Domain::of(&sorts, inner);
        let fill = |default: bool| {
            let start = ArrayValue::constant(&sorts, outer, default.into());
            (0..4).fold(start, |array, i| array.store(&indices.nth(i), &(i == 2).into()))
        };
        assert_eq!(fill(true), fill(false));
        assert_eq!(fill(true).entries().count(), 1);
        assert_eq!(indices.nth(0), Value::default_of(&sorts, inner));
    }

    /// Two arrays as deep as sorts allow are compared, ordered, hashed, printed and dropped on a small stack.
    #[test]
    fn deep_arrays_are_handled_level_by_level() {
        let build = || {
            let mut sorts = Sorts::default();
            let mut deep = [Value::Bool(false), Value::Bool(true)];
            let mut sort = Sort::BOOL;
            for _ in 0..crate::MAX_NESTING {
                sort = sorts.array(Sort::bitvec(8).unwrap(), sort).unwrap();
                let constant = |default: &Value| ArrayValue::constant(&sorts, sort, default.clone());
                let stored = constant(&deep[0])
                    .store(&bv(3, 8), &Value::default_of(&sorts, sorts.array_parts(sort).unwrap().1));
                deep = [stored.into(), constant(&deep[1]).into()];
            }
            deep
        };
        let judge = move || {
            let ([a, b], [c, d]) = (build(), build());
            assert!(a == c && b == d && a != b);
            assert_eq!(a.cmp(&c), Ordering::Equal);
            assert_eq!(a.cmp(&b), Ordering::Less);
            let hash = |value: &Value| {
                let mut hasher = rustc_hash::FxHasher::default();
                value.hash(&mut hasher);
                hasher.finish()
            };
            assert_eq!(hash(&a), hash(&c));
            assert!(format!("{a:?}").len() > 256);
        };
        std::thread::Builder::new().stack_size(512 << 10).spawn(judge).unwrap().join().unwrap();
    }

    #[test]
    fn long_store_chains_are_cheap() {
        let mut sorts = Sorts::default();
        let word = Sort::bitvec(32).unwrap();
        let sort = sorts.array(word, word).unwrap();
        let start = ArrayValue::constant(&sorts, sort, bv(0, 32));
        let last = (0..50_000).fold(start, |array, i| array.store(&bv(i, 32), &bv(i, 32)));
        assert_eq!(last.entries().count(), 49_999);
    }

    /// A memory that is written everywhere, twice over, with all elements different and then all the same.
    #[test]
    fn filling_a_small_array_is_cheap() {
        let mut sorts = Sorts::default();
        let word = Sort::bitvec(14).unwrap();
        let sort = sorts.array(word, word).unwrap();
        let start = ArrayValue::constant(&sorts, sort, bv(7, 14));
        let full = (0..1 << 14).fold(start.clone(), |array, i| array.store(&bv(i, 14), &bv(i, 14)));
        assert_eq!(full.entries().count(), (1 << 14) - 1);
        let clear = (0..1 << 14).fold(full, |array, i| array.store(&bv(i, 14), &bv(7, 14)));
        assert_eq!(clear, start);
    }
}
