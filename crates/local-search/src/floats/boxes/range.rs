//! Intervals of floating-point numbers, and what operators make of them.
//!
//! Rounding keeps order, and so do the operators in each argument, up or down. So the least and the greatest
//! result for arguments in intervals are results at ends of these, rounded as the term says; where the mode
//! is not known, down and up. Zeros have no sign here: an interval that ends at one has both.

use bivalve_terms::float::{Class, Float, Format, Integers, RoundingMode, Semantics};

/// The values between two numbers, if there are any, and NaN, if it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) ends: Option<[Float; 2]>,
    pub(super) nan: bool,
}

/// How the least result is rounded, and the greatest.
pub(super) type Modes = [RoundingMode; 2];

/// Whether a truth value may be false, and whether it may be true.
pub(super) type Truth = [bool; 2];

/// The modes of what is rounded in this one, or in any.
pub(super) fn modes(mode: Option<RoundingMode>) -> Modes {
    mode.map_or([RoundingMode::TowardNegative, RoundingMode::TowardPositive], |mode| [mode; 2])
}

fn is_infinite(x: &Float) -> bool {
    x.class() == Class::Infinite
}

fn is_zero(x: &Float) -> bool {
    x.class() == Class::Zero
}

fn is_below_zero(x: &Float) -> bool {
    x.sign() && !is_zero(x)
}

fn is_above_zero(x: &Float) -> bool {
    !x.sign() && !is_zero(x)
}

/// Whether there is a zero between the ends.
fn has_zero([low, high]: &[Float; 2]) -> bool {
    !is_above_zero(low) && !is_below_zero(high)
}

fn has_infinity(ends: &[Float; 2]) -> bool {
    ends.iter().any(is_infinite)
}

fn least(x: Float, y: Float) -> Float {
    if Integers::lt(&y, &x) { y } else { x }
}

fn greatest(x: Float, y: Float) -> Float {
    if Integers::lt(&x, &y) { y } else { x }
}

/// The number, or another one in the place of NaN.
fn number_or(x: Float, other: impl FnOnce(Format) -> Float) -> Float {
    if x.is_nan() { other(x.format()) } else { x }
}

impl Range {
    /// The values between two numbers, and NaN or not.
    pub(super) fn new(low: Float, high: Float, nan: bool) -> Range {
        let with_sign = |x: Float, sign| if is_zero(&x) { Float::zero(x.format(), sign) } else { x };
        Range { ends: Some([with_sign(low, true), with_sign(high, false)]), nan }
    }

    pub(super) fn all(format: Format) -> Range {
        Range::new(Float::infinity(format, true), Float::infinity(format, false), true)
    }

    /// One value.
    pub(super) fn of(value: &Float) -> Range {
        if value.is_nan() { Range::empty(true) } else { Range::new(value.clone(), value.clone(), false) }
    }

    /// No number.
    fn empty(nan: bool) -> Range {
        Range { ends: None, nan }
    }

    /// The values of both.
    pub(super) fn union(&self, other: &Range) -> Range {
        let nan = self.nan || other.nan;
        match (&self.ends, &other.ends) {
            (Some([a, b]), Some([c, d])) => {
                Range::new(least(a.clone(), c.clone()), greatest(b.clone(), d.clone()), nan)
            }
            (ends, None) | (None, ends) => Range { ends: ends.clone(), nan },
        }
    }

    pub(super) fn neg(&self) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        Range::new(Integers::neg(high), Integers::neg(low), self.nan)
    }

    pub(super) fn abs(&self) -> Range {
        match &self.ends {
            Some(ends @ [low, high]) if has_zero(ends) => Range::new(
                Float::zero(low.format(), true),
                greatest(Integers::neg(low), high.clone()),
                self.nan,
            ),
            Some([_, high]) if is_below_zero(high) => self.neg(),
            _ => self.clone(),
        }
    }

    pub(super) fn add(&self, other: &Range, modes: Modes) -> Range {
        let nan = self.nan || other.nan;
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return Range::empty(nan) };
        let is_open = is_infinite(a) && is_infinite(d) && a.sign() != d.sign()
            || is_infinite(b) && is_infinite(c) && b.sign() != c.sign();
        let low = number_or(Integers::add(modes[0], a, c), |of| Float::infinity(of, true));
        let high = number_or(Integers::add(modes[1], b, d), |of| Float::infinity(of, false));
        Range::new(low, high, nan || is_open)
    }

    /// What is between the results for the ends. Where one is NaN there are results that go to zero.
    fn corners(
        [a, b]: &[Float; 2],
        [c, d]: &[Float; 2],
        modes: Modes,
        nan: bool,
        result: impl Fn(RoundingMode, &Float, &Float) -> Float,
    ) -> Range {
        let at = |mode, x, y| number_or(result(mode, x, y), |of| Float::zero(of, false));
        let all = |mode| [at(mode, a, c), at(mode, a, d), at(mode, b, c), at(mode, b, d)];
        let low = all(modes[0]);
        let high = if modes[0] == modes[1] { low.clone() } else { all(modes[1]) };
        let low = low.into_iter().reduce(least).expect("there are four");
        Range::new(low, high.into_iter().reduce(greatest).expect("there are four"), nan)
    }

    pub(super) fn mul(&self, other: &Range, modes: Modes) -> Range {
        let nan = self.nan || other.nan;
        let (Some(x), Some(y)) = (&self.ends, &other.ends) else { return Range::empty(nan) };
        let is_open = has_zero(x) && has_infinity(y) || has_zero(y) && has_infinity(x);
        Range::corners(x, y, modes, nan || is_open, Integers::mul)
    }

    pub(super) fn div(&self, other: &Range, modes: Modes) -> Range {
        let nan = self.nan || other.nan;
        let (Some(x), Some(y)) = (&self.ends, &other.ends) else { return Range::empty(nan) };
        if has_zero(y) {
            return Range::all(y[0].format());
        }
        Range::corners(x, y, modes, nan || has_infinity(x) && has_infinity(y), Integers::div)
    }

    /// The product of the first two and the third, rounded once.
    pub(super) fn fma(&self, by: &Range, and: &Range, modes: Modes) -> Range {
        let nan = self.nan || by.nan || and.nan;
        let (Some(x), Some(y), Some(z)) = (&self.ends, &by.ends, &and.ends) else { return Range::empty(nan) };
        if [x, y, z].into_iter().any(has_infinity) {
            return Range::all(z[0].format());
        }
        let [low, high] = [0, 1].map(|at| {
            Range::corners(x, y, [modes[at]; 2], nan, |mode, a, b| Integers::fma(mode, a, b, &z[at])).ends
        });
        match (low, high) {
            (Some([low, _]), Some([_, high])) => Range::new(low, high, nan),
            _ => Range::empty(nan),
        }
    }

    pub(super) fn sqrt(&self, modes: Modes) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        if is_below_zero(high) {
            return Range::empty(true);
        }
        let nan = self.nan || is_below_zero(low);
        let low = if is_below_zero(low) { Float::zero(low.format(), true) } else { low.clone() };
        Range::new(Integers::sqrt(modes[0], &low), Integers::sqrt(modes[1], high), nan)
    }

    /// A function that keeps order, and NaN.
    pub(super) fn mapped(&self, modes: Modes, of: impl Fn(RoundingMode, &Float) -> Float) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        Range::new(of(modes[0], low), of(modes[1], high), self.nan)
    }

    /// Beside NaN the other one is the minimum and the maximum.
    pub(super) fn min(&self, other: &Range) -> Range {
        let nan = self.nan && other.nan;
        match (&self.ends, &other.ends) {
            (Some([a, b]), Some([c, d])) if !self.nan && !other.nan => {
                Range::new(least(a.clone(), c.clone()), least(b.clone(), d.clone()), nan)
            }
            _ => Range { nan, ..self.union(other) },
        }
    }

    pub(super) fn max(&self, other: &Range) -> Range {
        self.neg().min(&other.neg()).neg()
    }

    pub(super) fn less(&self, other: &Range) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        [self.nan || other.nan || !Integers::lt(b, c), Integers::lt(a, d)]
    }

    pub(super) fn at_most(&self, other: &Range) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        [self.nan || other.nan || !Integers::le(b, c), Integers::le(a, d)]
    }

    /// Equal as numbers.
    pub(super) fn equal(&self, other: &Range) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        let is_one = Integers::eq(a, b) && Integers::eq(c, d) && Integers::eq(a, c);
        [self.nan || other.nan || !is_one, Integers::le(a, d) && Integers::le(c, b)]
    }

    /// The same value.
    pub(super) fn same(&self, other: &Range) -> Truth {
        let [not_equal, equal] = self.equal(other);
        let is_zero = self.ends.as_ref().is_some_and(has_zero);
        let is_nan = self.nan && other.nan;
        [(not_equal || is_zero) && !(self.ends.is_none() && other.ends.is_none()), equal || is_nan]
    }

    pub(super) fn is_nan(&self) -> Truth {
        [self.ends.is_some(), self.nan]
    }

    pub(super) fn is_infinite(&self) -> Truth {
        let Some([low, high]) = &self.ends else { return [true, false] };
        let is_one = is_infinite(low) && is_infinite(high) && low.sign() == high.sign();
        [self.nan || !is_one, is_infinite(low) || is_infinite(high)]
    }

    pub(super) fn is_zero(&self) -> Truth {
        let Some(ends) = &self.ends else { return [true, false] };
        [self.nan || !ends.iter().all(is_zero), has_zero(ends)]
    }

    pub(super) fn is_negative(&self) -> Truth {
        let Some([low, high]) = &self.ends else { return [true, false] };
        [self.nan || !is_below_zero(high), !is_above_zero(low)]
    }

    pub(super) fn is_positive(&self) -> Truth {
        let Some([low, high]) = &self.ends else { return [true, false] };
        [self.nan || !is_above_zero(low), !is_below_zero(high)]
    }

    /// Whether the magnitude is at least the one number and at most the other.
    fn has_size(&self, least: &Float, most: &Float) -> Truth {
        let Some([low, high]) = self.abs().ends else { return [true, false] };
        let is_within = Integers::le(least, &low) && Integers::le(&high, most);
        [self.nan || !is_within, Integers::le(&low, most) && Integers::le(least, &high)]
    }

    pub(super) fn is_normal(&self, format: Format) -> Truth {
        self.has_size(&Float::smallest_normal(format, false), &Float::largest(format, false))
    }

    pub(super) fn is_subnormal(&self, format: Format) -> Truth {
        let most = Float::smallest_normal(format, false).next_down();
        self.has_size(&Float::smallest(format, false), &most)
    }
}
