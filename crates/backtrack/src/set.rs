//! A set that forgets what was inserted since the scope was opened.
//!
//! The elements lie in the order in which they were inserted, which is also the order of iteration, so that
//! no decision depends on hash values.

use crate::BacktrackVec;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// A set with scopes. Iterates in the order of insertion.
#[derive(Clone, Debug)]
pub struct BacktrackSet<T> {
    members: FxHashSet<T>,
    order: BacktrackVec<T>,
}

impl<T> Default for BacktrackSet<T> {
    fn default() -> BacktrackSet<T> {
        BacktrackSet { members: FxHashSet::default(), order: BacktrackVec::new() }
    }
}

impl<T: Copy + Eq + Hash> BacktrackSet<T> {
    /// An empty set without scopes.
    pub fn new() -> BacktrackSet<T> {
        BacktrackSet::default()
    }

    /// Inserts an element; `false` if it was there before.
    pub fn insert(&mut self, element: T) -> bool {
        let is_new = self.members.insert(element);
        if is_new {
            self.order.append(element);
        }
        is_new
    }

    /// Whether the element is in the set.
    pub fn contains(&self, element: &T) -> bool {
        self.members.contains(element)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The elements in the order in which they were inserted.
    pub fn as_slice(&self) -> &[T] {
        &self.order
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.order.push();
    }

    /// Removes the elements that were inserted since the last scope was opened.
    ///
    /// # Panics
    ///
    /// If no scope is open.
    pub fn pop(&mut self) {
        for element in self.order.pop_drain() {
            self.members.remove(&element);
        }
    }

    /// Replaces every element by its image, scopes included. Two elements must not have one image.
    pub fn rename(&mut self, image: impl Fn(T) -> T) {
        self.members.clear();
        for element in self.order.elements_mut() {
            *element = image(*element);
            self.members.insert(*element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_leaves_with_the_scope_in_which_it_came() {
        let mut set = BacktrackSet::new();
        assert!(set.insert(5));
        set.push();
        assert!(!set.insert(5) && set.insert(3));
        set.push();
        assert!(set.insert(4) && !set.insert(3));
        assert_eq!(set.as_slice(), [5, 3, 4]);
        set.rename(|element| element * 10);
        set.pop();
        assert!(set.contains(&30) && !set.contains(&40) && !set.contains(&4));
        set.pop();
        assert_eq!((set.as_slice(), set.len()), (&[50][..], 1));
    }
}
