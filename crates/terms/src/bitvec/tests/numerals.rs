//! Numerals: round trips against the judge, known texts, limits, and what is no numeral.

use super::judge::judge_text;
use super::operands::Random;
use super::{BitVec, WIDTHS, operands};

#[test]
fn numerals_round_trip_and_agree_with_the_judge() {
    let mut random = Random(6);
    for width in WIDTHS.into_iter().chain([3, 4, 66, 68, 192, 20_000]) {
        operands(width, &mut random).iter().for_each(judge_text);
    }
}

#[test]
fn known_values_print_as_known_texts() {
    let five = BitVec::from_u64(5, 8);
    assert_eq!(format!("{five}"), "#b00000101");
    assert_eq!(format!("{five:?}"), "5[8]");
    assert_eq!(five.to_hex_string().as_deref(), Some("05"));
    assert_eq!(BitVec::from_u64(5, 7).to_hex_string(), None);
    assert_eq!(BitVec::one(1).to_string(), "#b1");
    assert_eq!(BitVec::min_signed(65).to_decimal_string(), "18446744073709551616");
    assert_eq!(BitVec::min_signed(66).to_string(), format!("#b1{}", "0".repeat(65)));
    assert_eq!(BitVec::parse_hex(b"dEaDbEeF"), Some(BitVec::from_u64(0xdead_beef, 32)));
    assert_eq!(BitVec::parse_binary(b"0101"), Some(BitVec::from_u64(5, 4)));
    assert_eq!(BitVec::parse_decimal(b"5", 3), Some(BitVec::from_u64(5, 3)));
}

#[test]
fn decimal_numerals_fit_exactly_below_two_to_the_width() {
    for width in (1..=200).chain([1023, 1024, 4096, 40_000]) {
        let greatest = BitVec::ones(width);
        let text = greatest.to_decimal_string();
        assert_eq!(BitVec::parse_decimal(text.as_bytes(), width), Some(greatest.clone()), "2^{width} - 1");
        let next = greatest.zero_extend(1).add(&BitVec::one(width + 1)).to_decimal_string();
        assert_eq!(BitVec::parse_decimal(next.as_bytes(), width), None, "2^{width}");
        assert_eq!(BitVec::parse_decimal(next.as_bytes(), width + 1), Some(BitVec::min_signed(width + 1)));
        assert_eq!(BitVec::parse_decimal(format!("{text}0").as_bytes(), width), None);
    }
}

#[test]
fn overlong_decimal_numerals_are_turned_away_by_length_and_zeros_do_not_count() {
    let mut digits = vec![b'9'; 20_000_000];
    assert_eq!(BitVec::parse_decimal(&digits, BitVec::MAX_WIDTH), None);
    assert_eq!(BitVec::parse_decimal(&digits, 1), None);
    digits.fill(b'0');
    assert_eq!(BitVec::parse_decimal(&digits, 1), Some(BitVec::zero(1)));
    digits[19_999_999] = b'2';
    assert_eq!(BitVec::parse_decimal(&digits, 1), None);
    assert_eq!(BitVec::parse_decimal(&digits, 2), Some(BitVec::from_u64(2, 2)));
}

#[test]
fn what_is_no_numeral_is_none() {
    let bad: [&[u8]; 12] =
        [b"", b"2", b"a", b"-1", b"+1", b" 1", b"1 ", b"1_0", b"#b1", b"0x1", "\u{661}".as_bytes(), b"1\0"];
    for text in bad {
        assert_eq!(BitVec::parse_binary(text), None, "{text:?}");
    }
    for text in bad.iter().filter(|text| **text != b"2" && **text != b"a") {
        assert_eq!(BitVec::parse_hex(text), None, "{text:?}");
        assert_eq!(BitVec::parse_decimal(text, 64), None, "{text:?}");
    }
    assert_eq!(BitVec::parse_hex(b"g"), None);
    assert_eq!(BitVec::parse_decimal(b"a", 8), None);
    assert_eq!(BitVec::parse_decimal(b"1", 0), None);
    assert_eq!(BitVec::parse_decimal(b"1", BitVec::MAX_WIDTH + 1), None);
}

#[test]
fn a_bad_digit_is_found_wherever_it_is() {
    for length in [1, 2, 16, 17, 64, 65, 130, 3000] {
        for place in [0, 1, length / 2, length - 1] {
            let mut digits = vec![b'1'; length];
            assert!(BitVec::parse_binary(&digits).is_some() && BitVec::parse_hex(&digits).is_some());
            assert!(BitVec::parse_decimal(&digits, 12_000).is_some());
            digits[place.min(length - 1)] = b'x';
            assert_eq!(BitVec::parse_binary(&digits), None);
            assert_eq!(BitVec::parse_hex(&digits), None);
            assert_eq!(BitVec::parse_decimal(&digits, 12_000), None);
        }
    }
}

#[test]
fn numerals_of_more_than_the_greatest_width_are_none() {
    let mut digits = vec![b'1'; BitVec::MAX_WIDTH as usize + 1];
    assert_eq!(BitVec::parse_binary(&digits), None);
    digits.pop();
    assert_eq!(BitVec::parse_binary(&digits), Some(BitVec::ones(BitVec::MAX_WIDTH)));
    digits.truncate(BitVec::MAX_WIDTH as usize / 4 + 1);
    assert_eq!(BitVec::parse_hex(&digits), None);
    digits.pop();
    assert_eq!(BitVec::parse_hex(&digits).map(|value| value.width()), Some(BitVec::MAX_WIDTH));
}
