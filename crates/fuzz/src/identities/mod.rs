//! Identities that tools for smart contracts ask, and near-identities with one thing wrong.
//!
//! Programs of the Ethereum virtual machine compute with words of 256 bits. What their analysers (hevm,
//! halmos, Certora, Kontrol) ask of a solver is, again and again, that two ways to say the same agree: a
//! check of overflow and the wide product, fields of a packed word, a rounding quotient and its bounds,
//! storage at hashed places. Each row of [`table`] is such a *kind*, in several forms, for any width that is
//! a power of two from 8 to 1024. A row states what holds and what nearly holds; the negation of the first is
//! unsatisfiable, that of the second has a model, which is found by evaluating likely values.
//!
//! Cost: microseconds for what holds; up to 20,000 evaluations for a model.

mod arithmetic;
mod bits;
mod checks;
mod likely;
mod maker;
mod storage;
mod words;

use crate::case::{Case, Evidence};
use crate::seed_of;
use bivalve_formats::smtlib::print::BitVecFormat;
use bivalve_terms::{ExprError, Term};
use likely::counterexample;
use maker::{Claim, Maker, Statement};

/// The widths that identities are made for: powers of two.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 8..=1024;

/// Assignments that are tried to find where a near-identity fails.
const TRIES: u32 = 20_000;

/// A kind of identity.
pub struct Identity {
    /// Its name on command lines and in names of files.
    pub name: &'static str,
    /// What it says, in a few words.
    pub about: &'static str,
    /// Instances whose numbers differ by less than this are of different forms.
    pub forms: u64,
    make: fn(&mut Maker) -> Claim,
}

const fn identity(
    name: &'static str,
    forms: u64,
    about: &'static str,
    make: fn(&mut Maker) -> Claim,
) -> Identity {
    Identity { name, about, forms, make }
}

/// All kinds.
pub fn table() -> impl Iterator<Item = &'static Identity> {
    [bits::TABLE, words::TABLE, checks::TABLE, arithmetic::TABLE, storage::TABLE].into_iter().flatten()
}

/// What can keep an instance from being made.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum IdentityError {
    /// The width is not a power of two from 8 to 1024.
    #[error("identities have a power of two from 8 to 1024 bits, not {0}")]
    Width(u32),
    /// A term of a row is ill-sorted at this width.
    #[error("{0}")]
    Row(#[from] ExprError),
}

impl Identity {
    /// An instance over words of `width` bits: the negation of what holds (unsatisfiable), or of what nearly
    /// holds (satisfiable, with a model). All that is not given by the number is drawn from the seed.
    ///
    /// # Errors
    /// When the width is not a power of two from 8 to 1024.
    pub fn case(&self, width: u32, seed: u64, number: u64, holds: bool) -> Result<Case, IdentityError> {
        if !WIDTHS.contains(&width) || !width.is_power_of_two() {
            return Err(IdentityError::Width(width));
        }
        let seed = seed_of(seed ^ u64::from(width) << 32, number);
        let mut maker = Maker::new(width, seed, number % self.forms);
        let claim = (self.make)(&mut maker);
        let statement = if holds { &claim.holds } else { &claim.fails };
        let assertions = negated(statement)?;
        let pool = maker.context().with_pool(std::mem::take);
        let evidence = match holds {
            true => Evidence::Core((0..assertions.len()).collect()),
            false => counterexample(&pool, &assertions, seed, TRIES),
        };
        let side = if holds { "identity" } else { "near-identity" };
        Ok(Case {
            pool,
            assertions: assertions.into_iter().map(Into::into).collect(),
            evidence,
            format: BitVecFormat::Hexadecimal,
            origin: format!("{side} {} of {width} bits, number {number}", self.name),
            group: format!("identities {}", self.name),
        })
    }
}

/// What is given, and not what follows.
fn negated(statement: &Statement) -> Result<Vec<Term>, ExprError> {
    let negation = !&statement.then;
    statement.given.iter().chain([&negation]).map(bivalve_terms::Expr::term).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// The negation of what holds is false under every assignment that is tried, and what nearly holds has a
    /// model, at widths that the solver is slow at, too.
    #[test]
    fn the_semantics_agree() {
        for width in [8, 32, 256] {
            for identity in table() {
                for number in 0..identity.forms {
                    let case = identity.case(width, 1, number, true).unwrap();
                    let found = counterexample(&case.pool, &case.terms(), 7 + number, 200);
                    let name = identity.name;
                    assert!(matches!(found, Evidence::Nothing), "{name} {width} {number}: {}", case.script());
                    let near = identity.case(width, 1, number, false).unwrap();
                    assert_eq!(near.model_holds(), Some(true), "{name} {width} {number}: {}", near.script());
                }
            }
        }
    }

    #[test]
    fn names_differ_and_instances_follow_from_their_numbers() {
        let names: std::collections::BTreeSet<&str> = table().map(|identity| identity.name).collect();
        assert_eq!(names.len(), table().count());
        let identity = table().find(|identity| identity.name == "mul-div").unwrap();
        let script = |number| identity.case(64, 1, number, true).unwrap().script();
        assert_eq!(script(3), script(3));
        assert_ne!(script(3), script(4));
    }

    #[test]
    fn widths_are_powers_of_two() {
        for width in [0, 4, 24, 2048] {
            assert_eq!(
                table().next().unwrap().case(width, 1, 0, true).err(),
                Some(IdentityError::Width(width))
            );
        }
    }
}
