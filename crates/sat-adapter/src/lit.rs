//! Literals.
//!
//! A variable is a number from 1 on; a literal is a variable or its negation. Everywhere in the world of SAT
//! a literal is written as a signed number (DIMACS: `-3` is "not variable 3"), and everywhere inside a solver
//! it is an index into tables. [`Lit`] stores the index, `2 * variable + sign`, because that is what is used
//! most: the negation flips the lowest bit, the two literals of a variable are neighbours in every order and
//! every table, and [`Lit::code`] needs no case distinction. The signed form is one shift away at the border.
//!
//! The code of the smallest literal is 2, never 0, so an `Option<Lit>` is as small as a `Lit`.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::Not;

/// A literal: a variable (numbered from 1) or its negation.
///
/// Literals are ordered by variable, and a variable comes before its negation. `Display` and `Debug` write
/// the DIMACS number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(NonZeroU32);

impl Lit {
    /// The largest variable number, that of DIMACS: 2^31 - 1.
    pub const MAX_VAR: u32 = i32::MAX as u32;

    /// The literal that is true when the variable is.
    ///
    /// # Panics
    ///
    /// When `var` is 0 or greater than [`Lit::MAX_VAR`].
    #[inline]
    pub fn positive(var: u32) -> Lit {
        assert!(var <= Lit::MAX_VAR, "a variable number is at most 2^31 - 1");
        Lit(NonZeroU32::new(var << 1).expect("variables are numbered from 1"))
    }

    /// The literal that is true when the variable is false.
    ///
    /// # Panics
    ///
    /// As [`Lit::positive`].
    #[inline]
    pub fn negative(var: u32) -> Lit {
        !Lit::positive(var)
    }

    /// The literal a DIMACS number means; `None` for 0 (the end of a clause) and for `i32::MIN` (which has no
    /// negation).
    #[inline]
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        match number {
            0 | i32::MIN => None,
            1.. => Some(Lit::positive(number.unsigned_abs())),
            _ => Some(Lit::negative(number.unsigned_abs())),
        }
    }

    /// The DIMACS number: the variable, negated when the literal is.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        let var = self.var() as i32;
        if self.is_negative() { -var } else { var }
    }

    /// The variable, from 1 on.
    #[inline]
    pub fn var(self) -> u32 {
        self.0.get() >> 1
    }

    /// Whether this is the negation of its variable.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0.get() & 1 == 1
    }

    /// A dense index: `2 * var`, plus 1 for the negation. The smallest is 2.
    #[inline]
    pub fn code(self) -> usize {
        self.0.get() as usize
    }

    /// The value of the literal when its variable has the value `value`.
    #[inline]
    pub fn under(self, value: bool) -> bool {
        value != self.is_negative()
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(NonZeroU32::new(self.0.get() ^ 1)
            .expect("a code is at least 2, so flipping its lowest bit leaves it positive"))
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_dimacs(), f)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_go_round() {
        for number in [1, -1, 2, -7, 1_000_000, i32::MAX, -i32::MAX] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!(lit.to_dimacs(), number);
            assert_eq!((!lit).to_dimacs(), -number);
            assert_eq!(lit.var(), number.unsigned_abs());
            assert_eq!(lit.is_negative(), number < 0);
            assert_eq!(lit.to_string(), number.to_string());
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }

    #[test]
    fn order_is_by_variable_then_sign() {
        let mut lits: Vec<Lit> = [3, -1, 2, 1, -3].into_iter().filter_map(Lit::from_dimacs).collect();
        lits.sort();
        assert_eq!(format!("{lits:?}"), "[1, -1, 2, 3, -3]");
        assert_eq!((lits[0].code(), lits[1].code()), (2, 3));
    }

    #[test]
    fn an_optional_literal_costs_nothing() {
        assert_eq!(size_of::<Option<Lit>>(), 4);
    }

    #[test]
    fn a_literal_under_a_value() {
        let x = Lit::positive(4);
        assert!(x.under(true) && !x.under(false) && (!x).under(false) && !(!x).under(true));
    }
}
