//! A value that returns to what it was when the scope was opened.
//!
//! A scope in which the value is not assigned costs nothing: the trail holds a former value together with the
//! number of scopes that were open when it was replaced.

/// A value with scopes.
#[derive(Clone, Debug, Default)]
pub struct BacktrackValue<T> {
    value: T,
    scopes: usize,
    /// Former values, each with the number of the scope in which it was replaced.
    trail: Vec<(usize, T)>,
}

impl<T> BacktrackValue<T> {
    /// A value without scopes.
    pub fn new(value: T) -> BacktrackValue<T> {
        BacktrackValue { value, scopes: 0, trail: vec![] }
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// Assigns the value.
    pub fn set(&mut self, value: T) {
        let former = std::mem::replace(&mut self.value, value);
        if self.trail.last().map_or(0, |last| last.0) < self.scopes {
            self.trail.push((self.scopes, former));
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes += 1;
    }

    /// Returns to the value that was there when the last scope was opened.
    ///
    /// # Panics
    ///
    /// If no scope is open.
    pub fn pop(&mut self) {
        assert!(self.scopes > 0, "a scope is open");
        if let Some((_, former)) = self.trail.pop_if(|last| last.0 == self.scopes) {
            self.value = former;
        }
        self.scopes -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pop_restores_the_value_of_the_push() {
        let mut value = BacktrackValue::new(1);
        value.set(2);
        value.push();
        value.push();
        value.set(3);
        value.set(4);
        value.pop();
        assert_eq!(*value.get(), 2);
        value.set(5);
        value.push();
        value.pop();
        assert_eq!(*value.get(), 5);
        value.pop();
        assert_eq!(*value.get(), 2);
    }
}
