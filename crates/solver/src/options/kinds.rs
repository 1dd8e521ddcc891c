//! What the values of options may be: how each kind is read from text, printed, and kept within its range.

use bivalve_arrays::LemmasPerRound;
use bivalve_preprocess::PassSet;
use bivalve_sat_adapter as sat;
use std::ops::RangeInclusive;

/// A kind of values that a field of type `T` may have.
pub(super) trait Kind<T> {
    /// The value that a text says, or what was expected.
    fn read(&self, text: &str) -> Result<T, String>;

    /// The text of a value.
    fn print(&self, value: &T) -> String;

    /// The nearest value that is allowed.
    fn nearest(&self, value: T) -> T {
        value
    }
}

/// `on` or `off`.
pub(super) struct Switch;

impl Kind<bool> for Switch {
    fn read(&self, text: &str) -> Result<bool, String> {
        match text {
            "on" | "true" | "yes" => Ok(true),
            "off" | "false" | "no" => Ok(false),
            _ => Err("on or off".to_owned()),
        }
    }

    fn print(&self, value: &bool) -> String {
        if *value { "on" } else { "off" }.to_owned()
    }
}

/// A numeral within a range.
pub(super) struct Number(pub(super) RangeInclusive<u64>);

impl<T: Copy + Into<u64> + TryFrom<u64>> Kind<T> for Number {
    fn read(&self, text: &str) -> Result<T, String> {
        let expected = || match (*self.0.start(), *self.0.end()) {
            (0, u64::MAX) => "a numeral".to_owned(),
            (low, u64::MAX) => format!("a numeral of at least {low}"),
            (low, high) => format!("a numeral from {low} to {high}"),
        };
        let value = text.parse().ok().filter(|value| self.0.contains(value));
        value.and_then(|value| T::try_from(value).ok()).ok_or_else(expected)
    }

    fn print(&self, value: &T) -> String {
        (*value).into().to_string()
    }

    fn nearest(&self, value: T) -> T {
        T::try_from(value.into().clamp(*self.0.start(), *self.0.end())).unwrap_or(value)
    }
}

/// A numeral of which 0 means none.
pub(super) struct Limit;

impl Kind<Option<u64>> for Limit {
    fn read(&self, text: &str) -> Result<Option<u64>, String> {
        Number(0..=u64::MAX).read(text).map(|value: u64| self.nearest(Some(value)))
    }

    fn print(&self, value: &Option<u64>) -> String {
        value.unwrap_or(0).to_string()
    }

    fn nearest(&self, value: Option<u64>) -> Option<u64> {
        value.filter(|&value| value > 0)
    }
}

/// A name out of a table: what is expected, and the search for it.
pub(super) struct Name(pub(super) &'static str, pub(super) fn(&str) -> Option<&'static str>);

impl Kind<&'static str> for Name {
    fn read(&self, text: &str) -> Result<&'static str, String> {
        (self.1)(text).ok_or_else(|| self.0.to_owned())
    }

    fn print(&self, value: &&'static str) -> String {
        (*value).to_owned()
    }
}

/// A SAT backend, as [`sat::create`] understands it.
pub(super) struct Backend;

impl Kind<String> for Backend {
    fn read(&self, text: &str) -> Result<String, String> {
        sat::create(text).map_err(|refusal| refusal.expected())?;
        Ok(text.to_owned())
    }

    fn print(&self, value: &String) -> String {
        value.clone()
    }
}

/// Passes, separated by commas.
pub(super) struct Passes;

impl Kind<PassSet> for Passes {
    fn read(&self, text: &str) -> Result<PassSet, String> {
        PassSet::parse(text)
    }

    fn print(&self, value: &PassSet) -> String {
        value.to_string()
    }
}

/// How many lemmas a round gives.
pub(super) struct PerRound;

impl Kind<LemmasPerRound> for PerRound {
    fn read(&self, text: &str) -> Result<LemmasPerRound, String> {
        LemmasPerRound::parse(text).ok_or_else(|| "one, each, repair or class".to_owned())
    }

    fn print(&self, value: &LemmasPerRound) -> String {
        value.name().to_owned()
    }
}

/// A deliberate fault, or `none`.
#[cfg(feature = "faults")]
pub(super) struct Planted;

#[cfg(feature = "faults")]
impl Kind<Option<bivalve_faults::Fault>> for Planted {
    fn read(&self, text: &str) -> Result<Option<bivalve_faults::Fault>, String> {
        match bivalve_faults::Fault::parse(text) {
            None if text != "none" => Err("the name of a fault, or none".to_owned()),
            fault => Ok(fault),
        }
    }

    fn print(&self, value: &Option<bivalve_faults::Fault>) -> String {
        value.map_or("none", bivalve_faults::Fault::name).to_owned()
    }
}
