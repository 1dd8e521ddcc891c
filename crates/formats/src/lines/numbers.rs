//! Constants in binary, decimal and hexadecimal digits, as the lines of BTOR and BTOR2 have them.

use bivalve_terms::BitVec;

/// Exactly `width` binary digits.
pub(crate) fn binary(digits: &[u8], width: u32) -> Option<BitVec> {
    BitVec::parse_binary(digits).filter(|value| value.width() == width)
}

/// Hexadecimal digits of either case whose value fits into `width` bits.
pub(crate) fn hexadecimal(digits: &[u8], width: u32) -> Option<BitVec> {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let value = BitVec::parse_hex(&digits[zeros.min(digits.len().checked_sub(1)?)..])?;
    fit(&value, width)
}

/// Decimal digits without a leading zero whose value fits into `width` bits.
pub(crate) fn decimal(digits: &[u8], width: u32) -> Option<BitVec> {
    if digits.len() > 1 && digits[0] == b'0' {
        return None;
    }
    BitVec::parse_decimal(digits, width)
}

/// Decimal digits with a minus sign or without one: values from -2^(width-1) to 2^width - 1.
pub(crate) fn signed_decimal(digits: &[u8], width: u32) -> Option<BitVec> {
    let Some(magnitude) = digits.strip_prefix(b"-") else { return decimal(digits, width) };
    let value = decimal(magnitude, width)?;
    let least = BitVec::one(width).neg().shl(&BitVec::from_u64(u64::from(width) - 1, width));
    (!least.ult(&value)).then(|| value.neg())
}

/// The same number in another width.
fn fit(value: &BitVec, width: u32) -> Option<BitVec> {
    if value.width() <= width {
        return Some(value.zero_extend(width - value.width()));
    }
    let high = value.extract(value.width() - 1, width);
    (!high.redor()).then(|| value.extract(width - 1, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_to_fit() {
        let show = |value: Option<BitVec>| value.map(|value| value.to_binary_string());
        assert_eq!(show(hexadecimal(b"3F", 6)).as_deref(), Some("111111"));
        assert_eq!(show(hexadecimal(b"003f", 6)).as_deref(), Some("111111"));
        assert_eq!(show(hexadecimal(b"00", 3)).as_deref(), Some("000"));
        assert_eq!(show(hexadecimal(b"ff", 6)), None);
        assert_eq!(show(hexadecimal(b"", 6)), None);
        assert_eq!(show(decimal(b"7", 3)).as_deref(), Some("111"));
        assert_eq!((show(decimal(b"8", 3)), show(decimal(b"07", 3))), (None, None));
        for width in 1..70 {
            let least = format!("-{}", 1u128 << (width - 1));
            let value = signed_decimal(least.as_bytes(), width).expect("the least signed value fits");
            assert!(value.is_min_signed(), "{width}");
            let below = format!("-{}", (1u128 << (width - 1)) + 1);
            assert_eq!(signed_decimal(below.as_bytes(), width), None, "{width}");
        }
        assert_eq!(show(signed_decimal(b"-1", 4)).as_deref(), Some("1111"));
        assert_eq!(binary(b"0101", 3), None);
    }
}
