//! A map whose changes are undone with the scope in which they were made.
//!
//! Each change of a key inside of a scope appends the key's former value to a trail; a pop walks the trail
//! back. Outside of all scopes nothing is recorded.

use crate::BacktrackVec;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// A map with scopes.
#[derive(Clone, Debug)]
pub struct BacktrackMap<K, V> {
    entries: FxHashMap<K, V>,
    /// Former values, in the order of the changes.
    trail: BacktrackVec<(K, Option<V>)>,
}

impl<K, V> Default for BacktrackMap<K, V> {
    fn default() -> BacktrackMap<K, V> {
        BacktrackMap { entries: FxHashMap::default(), trail: BacktrackVec::new() }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> BacktrackMap<K, V> {
    /// An empty map without scopes.
    pub fn new() -> BacktrackMap<K, V> {
        BacktrackMap::default()
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key)
    }

    /// Whether the key has a value.
    pub fn contains(&self, key: &K) -> bool {
        self.entries.contains_key(key)
    }

    /// The number of keys with a value.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no key has a value.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Gives a key a value, and returns the former one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let former = self.entries.insert(key, value);
        self.record(key, &former);
        former
    }

    /// Takes the value of a key away, and returns it.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let former = self.entries.remove(key);
        if former.is_some() {
            self.record(*key, &former);
        }
        former
    }

    fn record(&mut self, key: K, former: &Option<V>) {
        if self.trail.scopes() > 0 {
            self.trail.append((key, former.clone()));
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.trail.push();
    }

    /// Undoes the changes since the last scope was opened.
    ///
    /// # Panics
    ///
    /// If no scope is open.
    pub fn pop(&mut self) {
        for (key, former) in self.trail.pop_drain().rev() {
            match former {
                Some(value) => self.entries.insert(key, value),
                None => self.entries.remove(&key),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random changes, pushes and pops, beside copies of a plain map.
    #[test]
    fn a_pop_restores_the_map_of_the_push() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut map = BacktrackMap::new();
            let mut copies: Vec<FxHashMap<u8, u32>> = vec![];
            let mut plain: FxHashMap<u8, u32> = FxHashMap::default();
            for step in 0..300 {
                let key = random.u8(..12);
                match random.u8(..10) {
                    0 => {
                        map.push();
                        copies.push(plain.clone());
                    }
                    1 if !copies.is_empty() => {
                        map.pop();
                        plain = copies.pop().unwrap();
                    }
                    2..5 => assert_eq!(map.remove(&key), plain.remove(&key)),
                    _ => assert_eq!(map.insert(key, step), plain.insert(key, step)),
                }
                assert_eq!((map.len(), map.is_empty()), (plain.len(), plain.is_empty()));
                assert!((0..12).all(|key| map.get(&key) == plain.get(&key)), "seed {seed}, step {step}");
            }
        }
    }
}
