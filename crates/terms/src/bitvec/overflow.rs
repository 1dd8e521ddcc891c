//! Overflow predicates: is the exact result outside of the range of the width?
//!
//! They are the `bvnego`, `bvuaddo`, `bvsaddo`, `bvusubo`, `bvssubo`, `bvumulo`, `bvsmulo` and `bvsdivo` of
//! SMT-LIB 2.7 and the `uaddo` ... `sdivo` of BTOR2. Sums are judged by the wrapped result: an unsigned sum
//! overflowed exactly if it came out below an operand, a signed one exactly if operands of one sign gave the
//! other sign.
//!
//! *Products.* Up to 64 bits the exact product fits the machine's 128 bits. Above, the unsigned product of
//! numbers with `p` and `q` significant bits has `p + q - 1` or `p + q` bits, so only `p + q = w + 1` needs a
//! closer look. Then `(a >> 1) * b` has at most `w` bits and is exact, and `a * b` is twice that plus `(a mod
//! 2) * b`: it overflows exactly if the doubling or the last sum does. A signed product overflows exactly if
//! the product of the magnitudes does, or exceeds the range on the side of its sign. Nothing is ever computed
//! at a greater width, so the predicates hold up to the greatest width.

use super::{BitVec, Pair, sign_extended};

impl BitVec {
    /// `bvnego`: does `-self` overflow, signed? Only for the least signed number.
    #[inline]
    pub fn neg_overflows(&self) -> bool {
        self.is_min_signed()
    }

    /// `bvuaddo`: does `self + other` overflow, unsigned?
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[inline]
    #[track_caller]
    pub fn uadd_overflows(&self, other: &BitVec) -> bool {
        self.add(other).ult(self)
    }

    /// `bvsaddo`: does `self + other` overflow, signed?
    #[inline]
    #[track_caller]
    pub fn sadd_overflows(&self, other: &BitVec) -> bool {
        let sum = self.add(other);
        self.msb() == other.msb() && self.msb() != sum.msb()
    }

    /// `bvusubo`: does `self - other` overflow, unsigned?
    #[inline]
    #[track_caller]
    pub fn usub_overflows(&self, other: &BitVec) -> bool {
        self.ult(other)
    }

    /// `bvssubo`: does `self - other` overflow, signed?
    #[inline]
    #[track_caller]
    pub fn ssub_overflows(&self, other: &BitVec) -> bool {
        let difference = self.sub(other);
        self.msb() != other.msb() && self.msb() != difference.msb()
    }

    /// `bvumulo`: does `self * other` overflow, unsigned?
    #[track_caller]
    pub fn umul_overflows(&self, other: &BitVec) -> bool {
        if let Pair::Small(a, b) = self.pair(other) {
            return (u128::from(a) * u128::from(b)) >> self.width != 0;
        }
        let significant_bits = 2 * self.width - self.leading_zeros() - other.leading_zeros();
        if significant_bits != self.width + 1 {
            return significant_bits > self.width;
        }
        let half = self.lshr_by(1).mul(other);
        half.msb() || self.lsb() && half.shl_by(1).uadd_overflows(other)
    }

    /// `bvsmulo`: does `self * other` overflow, signed?
    #[track_caller]
    pub fn smul_overflows(&self, other: &BitVec) -> bool {
        if let Pair::Small(a, b) = self.pair(other) {
            let product = i128::from(sign_extended(a, self.width)) * i128::from(sign_extended(b, self.width));
            let limit = 1i128 << (self.width - 1);
            return product < -limit || product >= limit;
        }
        let (a, b) = (self.magnitude(), other.magnitude());
        let magnitude = a.mul(&b);
        let negative = self.msb() != other.msb();
        a.umul_overflows(&b) || magnitude.msb() && !(negative && magnitude.is_min_signed())
    }

    /// `bvsdivo`: does `self / other` overflow, signed? Only the least signed number by -1; never by zero.
    #[inline]
    #[track_caller]
    pub fn sdiv_overflows(&self, other: &BitVec) -> bool {
        self.assert_same_width(other);
        self.is_min_signed() && other.is_ones()
    }
}
