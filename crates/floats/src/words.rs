//! Words as integers: two's complement and back.

use num_bigint::{BigInt, BigUint, Sign};

/// The integer that a word denotes in two's complement. Bits at and above the width count as none.
pub fn to_signed(width: u32, bits: &BigUint) -> BigInt {
    let modulus = BigUint::from(1u32) << width;
    let bits = bits % &modulus;
    let is_negative = width > 0 && bits.bit(u64::from(width) - 1);
    let value = BigInt::from(bits);
    if is_negative { value - BigInt::from(modulus) } else { value }
}

/// The word of a width that denotes an integer modulo two to the power of the width.
pub fn from_signed(width: u32, value: &BigInt) -> BigUint {
    let modulus = BigUint::from(1u32) << width;
    let rest = value.magnitude() % &modulus;
    let is_negative = value.sign() == Sign::Minus && rest != BigUint::ZERO;
    if is_negative { modulus - rest } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_integers_lead_back() {
        for width in 1..6u32 {
            for bits in 0..1u32 << width {
                let value = to_signed(width, &bits.into());
                let half = BigInt::from(1 << (width - 1));
                assert!(-&half <= value && value < half);
                assert_eq!(from_signed(width, &value), bits.into());
            }
        }
        assert_eq!(from_signed(3, &BigInt::from(-8)), BigUint::ZERO);
        assert_eq!(to_signed(1, &BigUint::from(1u32)), BigInt::from(-1));
    }
}
