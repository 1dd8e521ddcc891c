//! Broken preconditions panic with a sentence: unequal widths, impossible widths, bits outside of the value.

use super::super::BitVec;
use std::panic::{UnwindSafe, catch_unwind};

/// A binary operation and its name.
type Named<T> = (&'static str, fn(&BitVec, &BitVec) -> T);

/// The sentence with which `f` panics; `f` must panic.
fn sentence<T>(what: &str, f: impl FnOnce() -> T + UnwindSafe) -> String {
    match catch_unwind(f) {
        Ok(_) => panic!("{what} must be refused"),
        Err(payload) => payload.downcast_ref::<String>().cloned().unwrap_or_else(|| {
            (*payload.downcast_ref::<&str>().expect("a panic carries its sentence")).to_owned()
        }),
    }
}

#[test]
fn operands_of_unequal_width_are_refused_by_every_binary_operation() {
    let values: [Named<BitVec>; 19] = [
        ("add", BitVec::add),
        ("sub", BitVec::sub),
        ("mul", BitVec::mul),
        ("udiv", BitVec::udiv),
        ("urem", BitVec::urem),
        ("sdiv", BitVec::sdiv),
        ("srem", BitVec::srem),
        ("smod", BitVec::smod),
        ("and", BitVec::and),
        ("or", BitVec::or),
        ("xor", BitVec::xor),
        ("nand", BitVec::nand),
        ("nor", BitVec::nor),
        ("xnor", BitVec::xnor),
        ("shl", BitVec::shl),
        ("lshr", BitVec::lshr),
        ("ashr", BitVec::ashr),
        ("rotate_left_by", BitVec::rotate_left_by),
        ("rotate_right_by", BitVec::rotate_right_by),
    ];
    let truths: [Named<bool>; 16] = [
        ("comp", BitVec::comp),
        ("ult", BitVec::ult),
        ("ule", BitVec::ule),
        ("ugt", BitVec::ugt),
        ("uge", BitVec::uge),
        ("slt", BitVec::slt),
        ("sle", BitVec::sle),
        ("sgt", BitVec::sgt),
        ("sge", BitVec::sge),
        ("uadd_overflows", BitVec::uadd_overflows),
        ("sadd_overflows", BitVec::sadd_overflows),
        ("usub_overflows", BitVec::usub_overflows),
        ("ssub_overflows", BitVec::ssub_overflows),
        ("umul_overflows", BitVec::umul_overflows),
        ("smul_overflows", BitVec::smul_overflows),
        ("sdiv_overflows", BitVec::sdiv_overflows),
    ];
    // Small with small, small with wide, wide with wide of equally many words.
    for (v, w) in [(7, 8), (8, 7), (64, 65), (65, 64), (65, 66), (200, 100)] {
        let expected = |v, w| format!("operands of a bit-vector operation have one width, not {v} and {w}");
        let allowed = [expected(v, w), expected(w, v)];
        for (name, f) in values {
            let got = sentence(name, || f(&BitVec::one(v), &BitVec::one(w)));
            assert!(allowed.contains(&got), "{name}: {got}");
        }
        for (name, f) in truths {
            let got = sentence(name, || f(&BitVec::one(v), &BitVec::one(w)));
            assert!(allowed.contains(&got), "{name}: {got}");
        }
        assert!(allowed.contains(&sentence("udiv_rem", || BitVec::one(v).udiv_rem(&BitVec::one(w)))));
    }
}

#[test]
fn widths_of_zero_and_beyond_the_greatest_are_refused() {
    for width in [0, BitVec::MAX_WIDTH + 1, u32::MAX] {
        let expected = format!("a bit-vector has 1 to 2^24 bits, not {width}");
        assert_eq!(sentence("zero", || BitVec::zero(width)), expected);
        assert_eq!(sentence("one", || BitVec::one(width)), expected);
        assert_eq!(sentence("ones", || BitVec::ones(width)), expected);
        assert_eq!(sentence("min_signed", || BitVec::min_signed(width)), expected);
        assert_eq!(sentence("max_signed", || BitVec::max_signed(width)), expected);
        assert_eq!(sentence("from_u64", || BitVec::from_u64(0, width)), expected);
        assert_eq!(sentence("from_words", || BitVec::from_words(&[1], width)), expected);
        assert_eq!(sentence("from_fn", || BitVec::from_fn(width, |_| true)), expected);
    }
}

#[test]
fn results_beyond_the_greatest_width_are_refused() {
    let half = BitVec::zero(BitVec::MAX_WIDTH / 2 + 1);
    let expected = format!("a bit-vector has 1 to 2^24 bits, not {}", BitVec::MAX_WIDTH + 2);
    assert_eq!(sentence("concat", || half.concat(&half)), expected);
    assert_eq!(sentence("repeat", || half.repeat(2)), expected);
    assert_eq!(sentence("zero_extend", || half.zero_extend(BitVec::MAX_WIDTH / 2 + 1)), expected);
    assert_eq!(sentence("sign_extend", || half.sign_extend(BitVec::MAX_WIDTH / 2 + 1)), expected);
    assert!(sentence("zero_extend", || half.zero_extend(u32::MAX)).contains("1 to 2^24 bits"));
    assert!(sentence("repeat", || BitVec::one(3).repeat(u32::MAX)).contains("1 to 2^24 bits"));
    assert_eq!(sentence("repeat", || BitVec::one(3).repeat(0)), "a bit-vector is repeated at least once");
}

#[test]
fn bits_outside_of_the_value_are_refused() {
    for width in [1, 8, 64, 65, 100] {
        let value = BitVec::ones(width);
        let outside = |index: u32| format!("bit {index} lies outside of a bit-vector of {width} bits");
        assert_eq!(sentence("bit", || value.bit(width)), outside(width));
        assert_eq!(sentence("bit", || value.bit(u32::MAX)), outside(u32::MAX));
        let no_part = |high, low| format!("bits {high} to {low} are no part of a bit-vector of {width} bits");
        assert_eq!(sentence("extract", || value.extract(width, 0)), no_part(width, 0));
        assert_eq!(sentence("extract", || value.extract(0, 1)), no_part(0, 1));
        assert_eq!(sentence("extract", || value.extract(u32::MAX, 0)), no_part(u32::MAX, 0));
    }
}
