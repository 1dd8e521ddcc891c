//! What a logic has, where the standard is to be kept.
//!
//! The table has the logics of SMT-LIB over the theories that are decided. In other logics, and in `ALL`,
//! everything is accepted.

use crate::smtlib::lexer::Parsed;
use crate::smtlib::reading::Reading;

/// What only some logics have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    BitVectors,
    Arrays,
    Functions,
    Sorts,
    Floats,
    Quantifiers,
    DataTypes,
}

use Feature::{Arrays, BitVectors, Floats, Functions, Sorts};

/// Each logic, without `QF_`, with its features.
const LOGICS: &[(&str, &[Feature])] = &[
    ("BV", &[BitVectors]),
    ("ABV", &[BitVectors, Arrays]),
    ("UFBV", &[BitVectors, Functions, Sorts]),
    ("AUFBV", &[BitVectors, Arrays, Functions, Sorts]),
    ("UF", &[Functions, Sorts]),
    ("AX", &[Arrays, Sorts]),
    // Floating-point numbers are made of bit-vectors.
    ("FP", &[BitVectors, Floats]),
    ("FPLRA", &[BitVectors, Floats]),
    ("BVFP", &[BitVectors, Floats]),
    ("BVFPLRA", &[BitVectors, Floats]),
    ("ABVFP", &[BitVectors, Arrays, Floats]),
    ("ABVFPLRA", &[BitVectors, Arrays, Floats]),
    ("UFFP", &[BitVectors, Functions, Sorts, Floats]),
    ("UFBVFP", &[BitVectors, Functions, Sorts, Floats]),
    ("AUFBVFP", &[BitVectors, Arrays, Functions, Sorts, Floats]),
];

/// Options that the standard lets be set before the logic alone.
pub(crate) const OF_THE_START: &[&str] = &[
    ":global-declarations",
    ":interactive-mode",
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
    ":random-seed",
];

impl Reading<'_> {
    /// Refuses the current token, which needs a feature, where the standard is to be kept and the logic does
    /// not have it.
    pub(crate) fn check_logic(&self, feature: Feature) -> Parsed<()> {
        let Some(logic) = self.logic.as_deref().filter(|_| self.strict) else { return Ok(()) };
        let name = logic.strip_prefix("QF_").unwrap_or(logic);
        // A logic without quantifiers says so in its name.
        let is_without = |features: &[Feature]| match feature {
            Feature::Quantifiers => name != logic,
            _ => !features.contains(&feature),
        };
        if LOGICS.iter().any(|&(known, features)| known == name && is_without(features)) {
            let what = match feature {
                BitVectors => "bit-vectors",
                Arrays => "arrays",
                Functions => "functions with arguments",
                Sorts => "declared sorts",
                Floats => "floating-point numbers",
                Feature::Quantifiers => "quantifiers",
                Feature::DataTypes => "data types",
            };
            return self.only_lenient(&format!("a logic with {what}"), logic);
        }
        Ok(())
    }
}
