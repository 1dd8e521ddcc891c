//! # bivalve-faults
//!
//! Mutants for mutation testing (DeMillo, Lipton and Sayward, *Hints on test data selection*, 1978):
//! deliberate faults that campaigns have to find. A campaign that finds nothing in Bivalve is evidence
//! only if it finds faults where there are some.
//!
//! [`FAULTS`] is the list of all mutants. A mutant is a place in the code that is wrong while the mutant is
//! active: a wrong rule, a circuit that forgets a carry, a lemma without one of its premises. All are in one
//! build, behind the feature `faults` of the crates that have them, and at most one is active: `--plant NAME`
//! is an option of the solver that exists in such a build alone, and the solver activates the mutant for the
//! length of each check.
//!
//! A mutant is written in one of two forms:
//!
//! - where it takes more than a word, it stands in the file `planted.rs` of its crate, which the feature
//!   brings in, behind a single line where it is called;
//! - where a word is enough, `planted!(Name)` stands in a condition. Without the feature that is the constant
//!   `false`, and nothing of it is left in the binary.
//!
//! The choice is kept by thread, because mutants are deep inside of functions that have no parameter for
//! it. It is the only state in the libraries that is no argument, and only a build for tests has it.
//!
//! ```
//! use bivalve_faults::{FAULTS, Fault, planted};
//!
//! assert_eq!(Fault::parse("adder-carry"), Some(Fault::AdderCarry));
//! assert!(FAULTS.iter().all(|row| Fault::parse(row.name) == Some(row.fault)));
//! // In an ordinary build no fault is in force.
//! assert!(!planted!(AdderCarry));
//! ```

/// Where a mutant is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Rules, passes, definitions.
    Rewriter,
    /// Circuits, rules of gates, clauses.
    Circuits,
    /// The checker of arrays and functions, its lemmas and models, and lowering.
    Arrays,
}

impl Part {
    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Part::Rewriter => "rewriter",
            Part::Circuits => "circuits",
            Part::Arrays => "arrays",
        }
    }
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub struct FaultRow {
    /// Which one it is.
    pub fault: Fault,
    /// What `--plant` calls it.
    pub name: &'static str,
    /// Where it is.
    pub part: Part,
    /// What is wrong.
    pub what: &'static str,
}

macro_rules! faults {
    ($($variant:ident $name:literal $part:ident $what:literal;)*) => {
        /// A deliberate fault.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Fault {
            $(#[doc = $what] $variant,)*
        }

        /// All faults.
        pub static FAULTS: &[FaultRow] = &[
            $(FaultRow { fault: Fault::$variant, name: $name, part: Part::$part, what: $what },)*
        ];
    };
}

faults! {
    RuleUdivZero     "rule-udiv-zero"     Rewriter "x / 0 becomes 0, not all ones";
    RuleShlSame      "rule-shl-same"      Rewriter "x << x becomes 0, as x >> x does";
    RuleSremNegated  "rule-srem-negated"  Rewriter "the sign of the dividend goes lost in a signed remainder";
    RuleIncrement    "rule-increment"     Rewriter "x < x + 1 becomes true: the wrap-around was forgotten";
    RuleCancelFactor "rule-cancel-factor" Rewriter "k x = k y becomes x = y for every k but 0, not for odd ones only";
    RuleNestedIte    "rule-nested-ite"    Rewriter "nested choices of the same term are joined by `and` where `or` is right";
    RuleReadWrite    "rule-read-write"    Rewriter "a read passes a write at a constant index, whatever it reads at";
    RuleWriteWrite   "rule-write-write"   Rewriter "of two writes to one index the lower one stays";
    SolveSign        "solve-sign"         Rewriter "a + b = r is solved as a = r + b";
    FrozenDefined    "frozen-defined"     Rewriter "a symbol that clauses speak of already is eliminated all the same";
    AdderCarry       "adder-carry"        Circuits "the carry from bit 7 to bit 8 is lost";
    ShiftFar         "shift-far"          Circuits "a shift to the left takes its amount modulo a power of two";
    AshrFill         "ashr-fill"          Circuits "an arithmetic shift by the width or more gives zero, whatever the sign";
    UremZero         "urem-zero"          Circuits "x % 0 is 0, not x";
    SmodExact        "smod-exact"         Circuits "bvsmod adds the divisor even where nothing remains";
    SltBit           "slt-bit"            Circuits "single bits are compared as unsigned where they are signed";
    MulTopRow        "mul-top-row"        Circuits "the row of the highest bit is missing in a product";
    SmuloLeast       "smulo-least"        Circuits "the least number times -1 does not overflow";
    CnfConjunction   "cnf-conjunction"    Circuits "the long clause of a conjunction of three or more lacks its last operand";
    GateCofactor     "gate-cofactor"      Circuits "the else-branch of a gate is simplified as if the condition held";
    WalkStops        "walk-stops"         Arrays   "accesses do not go up from an array to those made of it";
    WriteUnseen      "write-unseen"       Arrays   "an access that lands at a write or a constant array is not compared with the element there";
    PremiseWrite     "premise-write"      Arrays   "a lemma lacks a write that was passed";
    PremiseArgument  "premise-argument"   Arrays   "a lemma about functions speaks of first arguments only";
    PremiseBranch    "premise-branch"     Arrays   "a lemma lacks the condition under which an else-branch was taken";
    WitnessForgotten "witness-forgotten"  Arrays   "arrays that are not equal get no index at which they differ";
    WitnessFixed     "witness-fixed"      Arrays   "arrays that are not equal are made to differ at index 0";
    DefaultIgnored   "default-ignored"    Arrays   "an array that equals a constant one is zero where it is not read";
    DefaultUncounted "default-uncounted"  Arrays   "constant arrays contradict each other even if every index is written between them";
    LowerNeighbours  "lower-neighbours"   Arrays   "of distinct arrays, neighbours alone are compared";
}

impl Fault {
    /// The fault of this name.
    pub fn parse(name: &str) -> Option<Fault> {
        FAULTS.iter().find(|row| row.name == name).map(|row| row.fault)
    }

    /// What `--plant` calls it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its row.
    pub fn row(self) -> &'static FaultRow {
        FAULTS.iter().find(|row| row.fault == self).expect("every fault has its row")
    }
}

/// Is this fault planted? Constantly false unless the build is one for tests.
#[macro_export]
macro_rules! planted {
    ($fault:ident) => {
        $crate::is_planted($crate::Fault::$fault)
    };
}

#[cfg(not(feature = "planted"))]
mod choice {
    use super::Fault;

    /// Is this fault planted? Not in this build.
    #[inline(always)]
    pub const fn is_planted(_: Fault) -> bool {
        false
    }
}

#[cfg(feature = "planted")]
mod choice {
    use super::Fault;
    use std::cell::Cell;

    thread_local! {
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Is this fault planted in this thread?
    #[inline]
    pub fn is_planted(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }

    /// A fault is in force as long as this is kept.
    #[must_use]
    #[derive(Debug)]
    pub struct Planted {
        before: Option<Fault>,
    }

    /// From now on this fault is in force in this thread, or none.
    pub fn plant(fault: Option<Fault>) -> Planted {
        Planted { before: PLANTED.replace(fault) }
    }

    impl Drop for Planted {
        fn drop(&mut self) {
            PLANTED.set(self.before);
        }
    }
}

pub use choice::is_planted;
#[cfg(feature = "planted")]
pub use choice::{Planted, plant};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_name_of_its_own() {
        for row in FAULTS {
            assert_eq!(Fault::parse(row.name), Some(row.fault));
            assert_eq!(row.fault.row().what, row.what);
        }
        assert_eq!(Fault::parse("none"), None);
    }

    #[cfg(not(feature = "planted"))]
    #[test]
    fn nothing_is_planted_in_a_build_for_people() {
        const { assert!(!planted!(AdderCarry)) };
    }
}
