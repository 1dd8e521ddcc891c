//! Sets of passes by name, for options.

use crate::passes::PASSES;
use std::fmt;

/// A set of passes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PassSet(u64);

impl PassSet {
    /// The passes of these names, separated by commas; none for `none` and for nothing.
    ///
    /// # Errors
    ///
    /// When there is no pass of a name: what was expected.
    pub fn parse(text: &str) -> Result<PassSet, String> {
        let mut set = PassSet::default();
        for name in text.split(',').map(str::trim).filter(|name| *name != "none") {
            set.0 |= 1 << number(name).ok_or_else(PassSet::expected)?;
        }
        Ok(set)
    }

    /// Is the pass of this name among them?
    pub fn contains(&self, name: &str) -> bool {
        number(name).is_some_and(|number| self.has(number))
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }

    fn expected() -> String {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        format!("none, or passes separated by commas, of {}", names.join(", "))
    }
}

impl fmt::Display for PassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passes = PASSES.iter().enumerate().filter(|(number, _)| self.has(*number));
        let names: Vec<&str> = passes.map(|(_, pass)| pass.name).collect();
        f.write_str(if names.is_empty() { "none".to_owned() } else { names.join(",") }.as_str())
    }
}

fn number(name: &str) -> Option<usize> {
    PASSES.iter().position(|pass| pass.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_and_written() {
        let set = PassSet::parse("linear, reads").unwrap();
        assert_eq!(set.to_string(), "reads,linear");
        assert_eq!(PassSet::parse(&set.to_string()), Ok(set));
        assert!(set.contains("linear") && !set.contains("cardinality"));
        assert_eq!(PassSet::parse("none"), Ok(PassSet::default()));
        assert_eq!(PassSet::default().to_string(), "none");
        assert!(PassSet::parse("linear,frob").unwrap_err().contains("embedded-constraints"));
    }

    /// Passes that certificates do without; there must not be more of them.
    #[test]
    fn few_passes_have_no_reason_that_certificates_show() {
        let uncertified: Vec<&str> =
            PASSES.iter().filter(|pass| pass.uncertified.is_some()).map(|pass| pass.name).collect();
        assert!(uncertified.len() <= 15, "{uncertified:?}");
        assert!(PASSES.iter().filter_map(|pass| pass.uncertified).all(|why| why.len() > 20));
    }

    #[test]
    fn passes_have_names_of_their_own_and_reasons() {
        assert!(PASSES.len() <= 64);
        for (place, pass) in PASSES.iter().enumerate() {
            assert_eq!(number(pass.name), Some(place));
            assert!(pass.why.len() > 20 && (1..=3).contains(&pass.level), "{}", pass.name);
        }
    }
}
