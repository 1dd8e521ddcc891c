//! Distinct names for symbols.
//!
//! Names of a system may repeat or be absent, but a model, a witness or an SMT-LIB script needs different
//! names for different symbols. The first symbol of a name keeps it; later ones get a number behind it.
//!
//! Cost: one hash look-up a name, and one more for each number that is taken already.

use rustc_hash::FxHashMap;

/// The names that are in use, each with the last number that was put behind it.
#[derive(Clone, Default, Debug)]
pub struct DistinctNames {
    used: FxHashMap<String, u32>,
}

impl DistinctNames {
    /// No name is in use.
    pub fn new() -> DistinctNames {
        DistinctNames::default()
    }

    /// `name` itself if it is not in use yet, else the first of `name.1`, `name.2`, ... that is not. The
    /// result is in use from now on.
    pub fn distinct(&mut self, name: &str) -> String {
        let Some(&last) = self.used.get(name) else {
            self.used.insert(name.to_owned(), 0);
            return name.to_owned();
        };
        let free = (last + 1..).find(|number| !self.used.contains_key(&format!("{name}.{number}")));
        let number = free.expect("fewer names than numbers");
        self.used.insert(name.to_owned(), number);
        let result = format!("{name}.{number}");
        self.used.insert(result.clone(), 0);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = DistinctNames::new();
        let given = ["a", "a", "a.1", "a", "b", "a.1.1", "a.1"].map(|name| names.distinct(name));
        assert_eq!(given, ["a", "a.1", "a.1.1", "a.2", "b", "a.1.1.1", "a.1.2"]);
    }
}
