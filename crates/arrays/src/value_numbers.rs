//! Value numbers: indices and elements are compared often, and wide or composite ones would be compared
//! slowly.
//!
//! Two values of one sort have the same number exactly if they are equal. An index of several components (the
//! arguments of a function) has the number of its list of numbers. Numbers of different sorts may coincide;
//! they are never compared, since a node has one index sort and one element sort.

use bivalve_terms::Value;
use rustc_hash::FxHashMap;

/// Numbers for the values of one model.
#[derive(Default)]
pub(crate) struct ValueNumbers {
    values: FxHashMap<Value, u32>,
    lists: FxHashMap<Vec<u32>, u32>,
}

impl ValueNumbers {
    pub(crate) fn value(&mut self, value: &Value) -> u32 {
        if let Some(&number) = self.values.get(value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.insert(value.clone(), number);
        number
    }

    pub(crate) fn list(&mut self, list: Vec<u32>) -> u32 {
        let next = self.lists.len() as u32;
        *self.lists.entry(list).or_insert(next)
    }
}
