//! What does no arithmetic: signs, classes, comparisons, minimum and maximum.

use super::{kit::Kit, words::Words};
use crate::Format;

impl<B: Words> Kit<'_, B> {
    /// `fp.abs`. The NaN has no sign bit already.
    pub(super) fn abs(&mut self, format: Format, x: &B::Word) -> B::Word {
        let (plus, magnitude) = (self.truth(false), self.magnitude(format, x));
        self.signed(&plus, &magnitude)
    }

    /// `fp.neg`.
    pub(super) fn neg(&mut self, format: Format, x: &B::Word) -> B::Word {
        let (negative, magnitude) = (self.sign(x), self.magnitude(format, x));
        // Of NaN neither this nor that is a sign.
        let nan = self.is_nan(format, x);
        let flipped = self.any([&negative, &nan]);
        let flipped = self.not(&flipped);
        self.signed(&flipped, &magnitude)
    }

    pub(super) fn is_nan(&mut self, format: Format, x: &B::Word) -> B::Word {
        self.parts(format, x).nan
    }

    pub(super) fn is_infinite(&mut self, format: Format, x: &B::Word) -> B::Word {
        self.parts(format, x).infinite
    }

    pub(super) fn is_zero(&mut self, format: Format, x: &B::Word) -> B::Word {
        self.parts(format, x).zero
    }

    pub(super) fn is_subnormal(&mut self, format: Format, x: &B::Word) -> B::Word {
        let parts = self.parts(format, x);
        let hidden = self.top(&parts.m);
        let others = self.any([&hidden, &parts.zero]);
        self.not(&others)
    }

    pub(super) fn is_normal(&mut self, format: Format, x: &B::Word) -> B::Word {
        let parts = self.parts(format, x);
        let hidden = self.top(&parts.m);
        let special = self.or(&parts.nan, &parts.infinite);
        self.and_not(&hidden, &special)
    }

    pub(super) fn is_negative(&mut self, format: Format, x: &B::Word) -> B::Word {
        let (negative, nan) = (self.sign(x), self.is_nan(format, x));
        self.and_not(&negative, &nan)
    }

    pub(super) fn is_positive(&mut self, format: Format, x: &B::Word) -> B::Word {
        let (negative, nan) = (self.sign(x), self.is_nan(format, x));
        let others = self.or(&negative, &nan);
        self.not(&others)
    }

    /// `fp.lt`, or `fp.leq`.
    pub(super) fn less(&mut self, format: Format, x: &B::Word, y: &B::Word, or_equal: bool) -> B::Word {
        let (x, y) = (self.parts(format, x), self.parts(format, y));
        let nan = self.or(&x.nan, &y.nan);
        let zeros = self.and(&x.zero, &y.zero);
        let is_below = self.ult(&x.magnitude, &y.magnitude);
        let same = self.eq(&x.magnitude, &y.magnitude);
        let others = self.or(&is_below, &same);
        let is_above = self.not(&others);
        // Strictly less among numbers of one sign, then of signs that differ.
        let strict = self.ite(&x.negative, &is_above, &is_below);
        let signs_differ = self.xor(&x.negative, &y.negative);
        let less = self.ite(&signs_differ, &x.negative, &strict);
        let result = if or_equal {
            let equal = self.and_not(&same, &signs_differ);
            self.any([&less, &equal, &zeros])
        } else {
            self.and_not(&less, &zeros)
        };
        self.and_not(&result, &nan)
    }

    /// `fp.eq`.
    pub(super) fn equal(&mut self, format: Format, x: &B::Word, y: &B::Word) -> B::Word {
        let same = self.eq(x, y);
        let (x, y) = (self.parts(format, x), self.parts(format, y));
        let zeros = self.and(&x.zero, &y.zero);
        let equal = self.or(&same, &zeros);
        self.and_not(&equal, &x.nan)
    }

    /// `fp.min` or `fp.max`; of opposite zeros the one whose sign is `free`.
    pub(super) fn extremum(
        &mut self,
        format: Format,
        x: &B::Word,
        y: &B::Word,
        free: &B::Word,
        is_min: bool,
    ) -> B::Word {
        let (nan_x, nan_y) = (self.is_nan(format, x), self.is_nan(format, y));
        let is_first = if is_min { self.less(format, x, y, false) } else { self.less(format, y, x, false) };
        let is_first = self.and_not(&is_first, &nan_x);
        let takes_first = self.or(&is_first, &nan_y);
        let result = self.ite(&takes_first, x, y);
        let (zero_x, zero_y) = (self.is_zero(format, x), self.is_zero(format, y));
        let (sign_x, sign_y) = (self.sign(x), self.sign(y));
        let opposite = self.xor(&sign_x, &sign_y);
        let opposite = self.all([&zero_x, &zero_y, &opposite]);
        let zero = self.zero(format, free);
        self.ite(&opposite, &zero, &result)
    }
}
