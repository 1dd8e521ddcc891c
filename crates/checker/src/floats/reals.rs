//! Reals as words.
//!
//! A word, with a sign, is the place of a number in the order of a format, [`SCALE`], that has 64 digits more
//! than those whose numbers become reals; so the places of those are multiples of 2^64. A constant has the
//! place of the greatest number that is not above it. If it is no such multiple, it has to be far from the
//! multiples and from other constants: 2^17 places, so that the open results, three for each format, fit
//! between. A model over reals has one over places with the same order then, which is all that comparisons
//! ask for, and with the same results of rounding: to formats whose numbers, and the middles between, have
//! such places.

use super::Format;
use super::words::Words;
use crate::term::{Op, Term, Terms};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The format of places.
pub(super) const SCALE: Format = Format { exponent: 20, significand: 184 };

/// The bit of a place's sign.
const TOP: u32 = SCALE.width() - 1;

/// A sign, and a fraction.
type Fraction = (bool, BigUint, BigUint);

/// The constants that were compared, by place.
#[derive(Clone, Default)]
pub(super) struct Constants(BTreeMap<BigUint, Fraction>);

impl Constants {
    /// Takes a constant and its place into account, unless it is too near to others.
    pub(super) fn insert(&mut self, terms: &Terms, real: Fraction, place: Term) -> Result<(), String> {
        let (negative, above, below) = &real;
        // In the order of signed numbers.
        let place = terms.as_value(place).ok_or("a real constant is a value")? ^ (BigUint::from(1u8) << TOP);
        let room = BigUint::from(1u32 << 17);
        let fine = (&place + &room) % (BigUint::from(1u8) << 64u8);
        // With as many digits before the point as the scale has, or one less, a number of it is an integer.
        let by = i64::from(SCALE.fraction()) - above.bits() as i64 + below.bits() as i64;
        let [up, down] = [by, -by].map(|by| by.max(0).unsigned_abs());
        let is_number = fine == room && ((above << up) % (below << down)).bits() == 0;
        let mut near = self.0.range(&place - &room..=&place + &room);
        let is_alone = near.all(|(_, (sign, a, b))| sign == negative && a * below == above * b);
        let is_within = above.bits().abs_diff(below.bits()) >> (SCALE.exponent - 2) == 0;
        if !is_within || !is_number && (fine <= &room + &room || !is_alone) {
            return Err("a real so near to another one, or so far from 1, is not known here".into());
        }
        self.0.insert(place, real);
        Ok(())
    }
}

impl Format {
    /// May numbers of the format become reals, and reals be rounded to it?
    pub(super) fn has_reals(self) -> bool {
        self.exponent < SCALE.exponent && self.significand < 120
    }
}

impl Words<'_> {
    /// A word, or what it is if a bit negates it.
    fn negated(&self, negative: Term, word: Term) -> Term {
        self.ite(negative, self.mk(Op::BvNeg, &[word]), word)
    }

    /// The place of a number of the scale.
    pub(super) fn place(&self, x: Term) -> Term {
        self.negated(self.at(x, TOP), self.extend(self.extract(x, TOP - 1, 0), 1))
    }

    /// The number at a place.
    pub(super) fn at_place(&self, place: Term) -> Term {
        let magnitude = self.negated(self.at(place, TOP), place);
        self.concat(&[self.extract(place, TOP, TOP), self.extract(magnitude, TOP - 1, 0)])
    }
}
