//! A vector that is cut back to the length it had when the scope was opened.
//!
//! Elements are appended and never changed, so a length is all that a scope has to remember.

use std::ops::Deref;

/// A vector with scopes. Dereferences to a slice.
#[derive(Clone, Debug)]
pub struct BacktrackVec<T> {
    elements: Vec<T>,
    scopes: Vec<usize>,
}

impl<T> Default for BacktrackVec<T> {
    fn default() -> BacktrackVec<T> {
        BacktrackVec { elements: vec![], scopes: vec![] }
    }
}

impl<T> BacktrackVec<T> {
    /// An empty vector without scopes.
    pub fn new() -> BacktrackVec<T> {
        BacktrackVec::default()
    }

    /// Appends an element.
    pub fn append(&mut self, element: T) {
        self.elements.push(element);
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(self.elements.len());
    }

    /// Drops the elements that were appended since the last scope was opened.
    ///
    /// # Panics
    ///
    /// If no scope is open.
    pub fn pop(&mut self) {
        let length = self.scopes.pop().expect("a scope is open");
        self.elements.truncate(length);
    }

    /// The same, and hands the dropped elements out, in the order in which they were appended.
    ///
    /// # Panics
    ///
    /// If no scope is open.
    pub fn pop_drain(&mut self) -> std::vec::Drain<'_, T> {
        let length = self.scopes.pop().expect("a scope is open");
        self.elements.drain(length..)
    }

    /// The number of open scopes.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// All elements, to be changed in place. A change is not undone: this is for a renaming of what they
    /// refer to.
    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

impl<T> Deref for BacktrackVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elements
    }
}

impl<T> Extend<T> for BacktrackVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.elements.extend(elements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pop_cuts_back_to_the_push() {
        let mut vec = BacktrackVec::new();
        vec.append(1);
        vec.push();
        vec.push();
        vec.extend([2, 3]);
        assert_eq!((vec.scopes(), &vec[..]), (2, &[1, 2, 3][..]));
        assert_eq!(vec.pop_drain().collect::<Vec<_>>(), [2, 3]);
        vec.append(4);
        vec.pop();
        assert_eq!(vec[..], [1]);
    }

    #[test]
    #[should_panic(expected = "a scope is open")]
    fn a_pop_without_a_push_panics() {
        BacktrackVec::<u8>::new().pop();
    }
}
