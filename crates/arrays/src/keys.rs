//! Small numbers for values: indices and elements are compared often, and wide or composite ones would be
//! compared slowly.
//!
//! Two values of one sort get the same number exactly if they are equal. An index of several components (the
//! arguments of a function) gets the number of its list of numbers. Numbers of different sorts may coincide;
//! nobody compares those, since a node has one index sort and one element sort.

use bivalve_terms::Value;
use rustc_hash::FxHashMap;

/// Numbers for the values of one model.
#[derive(Default)]
pub(crate) struct Keys {
    values: FxHashMap<Value, u32>,
    lists: FxHashMap<Vec<u32>, u32>,
}

impl Keys {
    pub(crate) fn value(&mut self, value: &Value) -> u32 {
        if let Some(&key) = self.values.get(value) {
            return key;
        }
        let key = self.values.len() as u32;
        self.values.insert(value.clone(), key);
        key
    }

    pub(crate) fn list(&mut self, list: Vec<u32>) -> u32 {
        let next = self.lists.len() as u32;
        *self.lists.entry(list).or_insert(next)
    }
}

/// Classes of nodes.
#[derive(Default)]
pub(crate) struct Classes {
    parent: Vec<u32>,
}

impl Classes {
    pub(crate) fn new(len: usize) -> Classes {
        Classes { parent: (0..len as u32).collect() }
    }

    pub(crate) fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let grand = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = grand;
            node = grand;
        }
        node
    }

    /// Joins two classes; the smaller representative stays.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
