//! Statistics of refiners, by name.
//!
//! A refiner counts what it likes; whoever prints or compares statistics goes by names. So a new refiner or a
//! new counter changes no other crate.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Counters of one refiner.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counters(Vec<(&'static str, u64)>);

impl Counters {
    /// Counters in this order.
    pub fn new(counters: &[(&'static str, u64)]) -> Counters {
        Counters(counters.to_vec())
    }

    /// The counter of this name; 0 if there is none.
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|row| row.0 == name).map_or(0, |row| row.1)
    }

    /// Adds other counters to these, by name.
    pub fn add(&mut self, counters: &Counters) {
        for &(name, count) in &counters.0 {
            match self.0.iter_mut().find(|row| row.0 == name) {
                Some((_, total)) => *total += count,
                None => self.0.push((name, count)),
            }
        }
    }

    /// All counters.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().copied()
    }
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_rows(&self.0, serializer)
    }
}

/// Counters of all refiners, by the refiner's name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RefinerStatistics(Vec<(&'static str, Counters)>);

impl RefinerStatistics {
    /// Adds counters to those of a refiner.
    pub fn add(&mut self, refiner: &'static str, counters: &Counters) {
        match self.0.iter_mut().find(|row| row.0 == refiner) {
            Some((_, total)) => total.add(counters),
            None => self.0.push((refiner, counters.clone())),
        }
    }

    /// A counter of a refiner; 0 if there is none.
    pub fn get(&self, refiner: &str, name: &str) -> u64 {
        self.0.iter().find(|row| row.0 == refiner).map_or(0, |row| row.1.get(name))
    }

    /// The refiners and their counters.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Counters)> {
        self.0.iter().map(|(name, counters)| (*name, counters))
    }
}

impl Serialize for RefinerStatistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_rows(&self.0, serializer)
    }
}

/// A map with a fixed order.
fn serialize_rows<V: Serialize, S: Serializer>(
    rows: &[(&'static str, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(rows.len()))?;
    rows.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
    map.end()
}
