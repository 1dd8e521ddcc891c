//! Values: what terms evaluate to.
//!
//! A value is a Boolean, a bit-vector, an element of an uninterpreted sort (numbered from 0), an array or a
//! function. Arrays are finite maps with a default; they are compared often and updated in long store chains, so
//! the map is a persistent ordered tree: a store costs a logarithm, not a copy.
//!
//! Equality of arrays is extensional, and it is also structural, because the form is canonical: no entry equals the
//! default, and where the index sort is finite and so small that the entries cover half of it, the default is the
//! most frequent element (the least one among equals). Below half, the default is the strict majority, so there is
//! only one form anyhow. Hash and order agree with equality for the same reason.
//!
//! Cost: a store or read of n entries is O(log n) comparisons; re-choosing the default costs O(n log n), and
//! happens only when the entries cover half of the index sort.

use crate::BitVec;
use crate::sort::{Sort, SortKind, Sorts};
use rpds::RedBlackTreeMapSync;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort. The order is total within a sort: Booleans, bit-vectors (unsigned) and elements by number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An element of an uninterpreted sort.
    Element(Sort, u32),
    /// An array.
    Array(Arc<ArrayValue>),
    /// A function: only symbols have such values, no term of first-class sort.
    Function(Arc<FunctionValue>),
}

/// An array: a default element and the finitely many indices that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    indices: Domain,
    default: Value,
    entries: RedBlackTreeMapSync<Value, Value>,
}

/// The values of an index sort, as far as they can be enumerated.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Domain {
    Bool,
    BitVec(u32),
    /// Indices and elements of an array sort with at most 2^32 values.
    Array(Arc<[Domain; 2]>),
    /// More than 2^32 values, or an uninterpreted sort.
    Large,
}

/// A function: a default result and the finitely many argument lists that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionValue {
    default: Value,
    entries: BTreeMap<Vec<Value>, Value>,
}

impl Value {
    /// The value every symbol of `sort` has when nothing is known of it: false, zero, element 0, and the array
    /// or function that is so everywhere.
    pub fn default_of(sorts: &Sorts, sort: Sort) -> Value {
        // Descend to the innermost element sort, then wrap: array sorts may be deep.
        let mut shells = vec![];
        let mut inner = sort;
        let base = loop {
            match sorts.kind(inner) {
                SortKind::Bool => break Value::Bool(false),
                SortKind::BitVec(width) => break Value::BitVec(BitVec::zero(width)),
                SortKind::Uninterpreted(_) => break Value::Element(inner, 0),
                SortKind::Array { element, .. } => {
                    shells.push(inner);
                    inner = element;
                }
                SortKind::Function { result, .. } => {
                    shells.push(inner);
                    inner = result;
                }
            }
        };
        shells.into_iter().rev().fold(base, |value, shell| match sorts.is_function(shell) {
            true => FunctionValue::constant(value).into(),
            false => ArrayValue::constant(sorts, shell, value).into(),
        })
    }

    /// The Boolean. Panics on a value of another sort, which well-sorted terms never have.
    #[inline]
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            _ => panic!("internal: expected a Boolean value, found {self:?}"),
        }
    }

    /// The bit-vector. Panics on a value of another sort, which well-sorted terms never have.
    #[inline]
    pub fn as_bitvec(&self) -> &BitVec {
        match self {
            Value::BitVec(value) => value,
            _ => panic!("internal: expected a bit-vector value, found {self:?}"),
        }
    }

    /// The array. Panics on a value of another sort, which well-sorted terms never have.
    pub fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(value) => value,
            _ => panic!("internal: expected an array value, found {self:?}"),
        }
    }

    /// The function. Panics on a value of another sort, which well-sorted terms never have.
    pub fn as_function(&self) -> &FunctionValue {
        match self {
            Value::Function(value) => value,
            _ => panic!("internal: expected a function value, found {self:?}"),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Value {
        Value::BitVec(value)
    }
}

impl From<ArrayValue> for Value {
    fn from(value: ArrayValue) -> Value {
        Value::Array(Arc::new(value))
    }
}

impl From<FunctionValue> for Value {
    fn from(value: FunctionValue) -> Value {
        Value::Function(Arc::new(value))
    }
}

impl ArrayValue {
    /// The array of array sort `sort` whose elements are all `default`.
    pub fn constant(sorts: &Sorts, sort: Sort, default: Value) -> ArrayValue {
        let (index, _) = sorts.array_parts(sort).expect("an array sort");
        ArrayValue { indices: Domain::of(sorts, index), default, entries: RedBlackTreeMapSync::new_sync() }
    }

    /// The element at `index`.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array that has `element` at `index` and is equal to this one elsewhere.
    pub fn store(&self, index: &Value, element: &Value) -> ArrayValue {
        let mut next = self.clone();
        if *element == next.default {
            next.entries.remove_mut(index);
        } else {
            next.entries.insert_mut(index.clone(), element.clone());
        }
        next.choose_default();
        next
    }

    /// The element of all indices that are not among the entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default, by increasing index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// Restores the canonical form where the entries may outnumber the default.
    fn choose_default(&mut self) {
        let (entries, Some(cardinality)) = (self.entries.size() as u64, self.indices.cardinality()) else {
            return;
        };
        if 2 * entries < cardinality {
            return;
        }
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        if entries < cardinality {
            counts.insert(&self.default, cardinality - entries);
        }
        for (_, element) in &self.entries {
            *counts.entry(element).or_insert(0) += 1;
        }
        let most = counts.values().copied().max().expect("an index sort has a value");
        let chosen = counts.iter().find(|&(_, &count)| count == most).map(|(&value, _)| value.clone());
        let chosen = chosen.expect("the greatest count is among the counts");
        if chosen == self.default {
            return;
        }
        self.rebase(chosen);
    }

    /// Makes `default` the default; the index sort is small and covered by half, so its values are enumerated.
    fn rebase(&mut self, default: Value) {
        let mut entries = RedBlackTreeMapSync::new_sync();
        for i in 0..self.indices.cardinality().expect("only small index sorts are rebased") {
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

impl Domain {
    fn of(sorts: &Sorts, sort: Sort) -> Domain {
        if sorts.small_cardinality(sort).is_none() {
            return Domain::Large;
        }
        // A small sort is nested at most six deep: each level takes 2^n at least.
        match sorts.kind(sort) {
            SortKind::Bool => Domain::Bool,
            SortKind::BitVec(width) => Domain::BitVec(width),
            SortKind::Array { index, element } => {
                Domain::Array(Arc::new([Domain::of(sorts, index), Domain::of(sorts, element)]))
            }
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
            Domain::Large => None,
        }
    }

    /// The `i`-th value, in some fixed order; for arrays the elements are the digits of `i`.
    fn nth(&self, i: u64) -> Value {
        match self {
            Domain::Bool => Value::Bool(i == 1),
            Domain::BitVec(width) => BitVec::from_u64(i, *width).into(),
            Domain::Array(parts) => {
                let [indices, elements] = &**parts;
                let base = elements.cardinality().expect("a small array sort has a small element sort");
                let cells = indices.cardinality().expect("a small array sort has a small index sort");
                let entries = RedBlackTreeMapSync::new_sync();
                let mut array = ArrayValue { indices: indices.clone(), default: elements.nth(0), entries };
                let mut digits = i;
                for cell in 0..cells {
                    array = array.store(&indices.nth(cell), &elements.nth(digits % base));
                    digits /= base;
                }
                array.into()
            }
            Domain::Large => unreachable!("only small sorts are enumerated"),
        }
    }
}

impl FunctionValue {
    /// The function whose results are all `default`.
    pub fn constant(default: Value) -> FunctionValue {
        FunctionValue { default, entries: BTreeMap::new() }
    }

    /// Sets the result for one argument list.
    pub fn define(&mut self, args: Vec<Value>, result: Value) {
        self.entries.insert(args, result);
    }

    /// The result for the arguments.
    pub fn apply(&self, args: &[&Value]) -> Value {
        let args: Vec<Value> = args.iter().map(|&v| v.clone()).collect();
        self.entries.get(&args).unwrap_or(&self.default).clone()
    }

    /// The result for all argument lists that are not among the entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The argument lists with a result of their own, in increasing order.
    pub fn entries(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.entries.iter().map(|(args, result)| (args.as_slice(), result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bv(value: u64, width: u32) -> Value {
        BitVec::from_u64(value, width).into()
    }

    /// Every array over a small sort, reached by different orders of stores from different defaults, has one form.
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
}
