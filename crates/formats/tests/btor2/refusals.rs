//! What is refused, with its place.

use bivalve_formats::btor2;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_terms::Pool;

fn refusal(text: &str, strict: bool) -> String {
    let mut pool = Pool::new();
    match btor2::read(&mut pool, text.as_bytes(), "f", ParserOptions { strict, ..ParserOptions::default() }) {
        Ok(_) => "accepted".into(),
        Err(refusal) => refusal.to_string(),
    }
}

/// Two words of half of all bits and more: it panicked.
#[test]
fn words_have_a_largest_width() {
    let half = "1 sort bitvec 8388608\n2 input 1\n3 sort bitvec 16777216\n4 concat 3 2 2\n";
    assert_eq!(refusal(half, true), "accepted");
    let said = refusal("1 sort bitvec 8388609\n2 input 1\n3 concat 1 2 2\n", false);
    let expected = "f:3:14: expected at most 16777216 bits of 'concat', found bitvec 8388609";
    assert_eq!(said, expected);
}

#[test]
fn faults_are_located() {
    let head = "1 sort bitvec 4\n2 input 1\n3 sort bitvec 1\n4 state 1\n5 sort array 1 1\n6 state 5\n";
    for (line, expected) in [
        ("6 not 1 2", "f:7:1: expected a number above 6, found '6'"),
        ("x not 1 2", "f:7:1: expected the number of a line, found 'x'"),
        ("7 nott 1 2", "f:7:3: expected an operator of BTOR2, found 'nott'"),
        ("7 not 2 2", "f:7:7: expected the number of a sort, found '2', another node"),
        ("7 not 1 9", "f:7:9: expected the number of a node, found '9', which is not defined"),
        ("7 not 1 1", "f:7:9: expected the number of a node, found '1', a sort"),
        ("7 not 3 2", "f:7:7: expected the sort of the result, bitvec 4, found bitvec 1"),
        ("7 add 1 2", "f:7:10: expected the number of a node, found end of line"),
        ("7 add 1 2 6", "f:7:11: expected a bit-vector, found array 4 4"),
        ("7 not 5 -6", "f:7:9: expected a bit-vector below the minus sign, found array 4 4"),
        ("7 add 1 2 2 name more", "f:7:18: expected end of line, found 'more'"),
        ("7 slice 1 2 4 0", "f:7:13: expected a bit from 0 to 3, found '4'"),
        ("7 slice 1 2 1 2", "f:7:15: expected a bit from 0 to 1, found '2'"),
        ("7 uext 1 2 1", "f:7:8: expected the sort of the result, bitvec 5, found bitvec 4"),
        ("7 const 1 010", "f:7:11: expected 4 binary digits, found '010'"),
        ("7 constd 1 16", "f:7:12: expected a decimal number of 4 bits, found '16'"),
        ("7 constd 1 -9", "f:7:12: expected a decimal number of 4 bits, found '-9'"),
        ("7 consth 1 1f", "f:7:12: expected a hexadecimal number of 4 bits, found '1f'"),
        ("7 one 5", "f:7:7: expected a bit-vector sort, found array 4 4"),
        ("7 sort bitvec 0", "f:7:15: expected a width from 1 to 16777216, found '0'"),
        (
            "7 sort array 1 5",
            "f:7:16: expected a bit-vector sort (nested arrays are not read), found array 4 4",
        ),
        ("7 bad 2", "f:7:7: expected bitvec 1, found bitvec 4"),
        ("7 next 1 2 2", "f:7:10: expected the number of a state, found '2', another node"),
        ("7 next 1 -4 2", "f:7:10: expected the number of a state, found '-4'"),
        ("7 next 3 4 2", "f:7:8: expected the sort of the state, bitvec 4, found bitvec 1"),
        (
            "7 init 1 4 2",
            "f:7:12: expected an initial value over states before line 4, found the input 'input2'",
        ),
        (
            "7 init 1 4 4",
            "f:7:12: expected an initial value over states before line 4, found the state of line 4",
        ),
        (
            "7 init 5 6 2",
            "f:7:12: expected a constant or an array as the initial value of an array, found '2'",
        ),
        ("7 next 1 4 2\n8 next 1 4 2", "f:8:1: expected one next value for a state, found '8 next 1 4 2'"),
        ("7 next 1 4 2\n8 not 1 7", "f:8:9: expected the number of a node, found '7', a line 'next'"),
        ("7 justice 0", "f:7:11: expected a number of conditions, found '0'"),
        ("7 output 6", "f:7:10: expected a bit-vector, found array 4 4"),
        ("7 ite 1 2 2 2", "f:7:9: expected bitvec 1, found bitvec 4"),
        ("7 read 1 2 2", "f:7:10: expected an array, found bitvec 4"),
    ] {
        assert_eq!(refusal(&format!("{head}{line}\n"), false), expected, "{line}");
    }
}

#[test]
fn strict_layout_is_that_of_btor2parser() {
    for (text, expected) in [
        ("1 sort bitvec 4\n  2 input 1 x ; fine\n; fine;\tfine\n", "accepted"),
        ("1 sort bitvec\t4\n", "f:1:14: expected a blank, found a tab"),
        ("1 sort bitvec 4\r\n", "f:1:16: expected a line feed, found a carriage return"),
        ("1 sort  bitvec 4\n", "f:1:7: expected one blank between words, found another blank"),
        ("1 sort bitvec 4;no\n", "f:1:16: expected a blank before the comment, found ';'"),
        ("1 sort bitvec 4", "f:1:16: expected a line feed, found end of input"),
        (
            "1 sort bitvec 4\n2 state 1\n3 zero 1\n4 init 1 2 3\n",
            "f:4:12: expected a node before the state, which is line 2, found '3'",
        ),
        // Files of unicorn, whose own reader takes lines in any order, and a comparison as a bit.
        ("9 sort bitvec 4\n2 input 9\n", "f:2:1: expected a number above 9, found '2'"),
        (
            "1 sort bitvec 4\n2 input 1\n3 eq 1 2 2\n4 bad 3\n",
            "f:3:6: expected the sort of the result, bitvec 1, found bitvec 4",
        ),
        (
            "1 sort bitvec 4\n2 input 1\n3 ult 1 2 -2\n4 bad -3\n",
            "f:3:7: expected the sort of the result, bitvec 1, found bitvec 4",
        ),
    ] {
        assert_eq!(refusal(text, true), expected, "{text:?}");
        assert_eq!(refusal(text, false), "accepted", "{text:?}");
    }
}

/// A comparison that is called a word is a bit, a number stands for one line, and what is not defined before
/// is not known.
#[test]
fn loose_reading_has_limits() {
    let head = "1 sort bitvec 4\n2 input 1\n3 sort bitvec 2\n9 eq 1 2 2\n";
    for (line, expected) in [
        ("5 not 1 9", "f:5:7: expected the sort of the result, bitvec 1, found bitvec 4"),
        ("5 eq 3 2 2", "f:5:6: expected the sort of the result, bitvec 1, found bitvec 2"),
        ("2 not 1 2", "f:5:1: expected a number above 9, found '2'"),
        ("5 not 1 6\n6 not 1 2", "f:5:9: expected the number of a node, found '6', which is not defined"),
        ("5 bad 9", "accepted"),
    ] {
        assert_eq!(refusal(&format!("{head}{line}\n"), false), expected, "{line}");
    }
}
