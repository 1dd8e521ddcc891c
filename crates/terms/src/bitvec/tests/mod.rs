//! Tests of bit-vector values: exhaustive for tiny widths, by the judge for corners and random values, and
//! for what is refused.

mod exhaustive;
mod judge;
mod numerals;
mod operands;
mod refusals;

use super::BitVec;
use judge::{
    assert_canonical, judge_distance, judge_extract, judge_joining, judge_one, judge_pair, judge_repeat,
    judge_text,
};
use operands::{Random, corners};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Widths on both sides of every boundary of the representation and of the algorithms.
const WIDTHS: [u32; 10] = [1, 2, 63, 64, 65, 127, 128, 129, 256, 4096];

/// Corner values and random ones.
fn operands(width: u32, random: &mut Random) -> Vec<BitVec> {
    let mut values = corners(width);
    for _ in 0..4 {
        values.push(random.uniform(width));
        values.push(random.rough(width));
    }
    values
}

#[test]
fn every_operation_agrees_with_the_judge_on_corners_and_random_values() {
    let mut random = Random(1);
    for width in WIDTHS {
        let values = operands(width, &mut random);
        for x in &values {
            judge_one(x);
            for y in &values {
                judge_pair(x, y);
            }
        }
    }
}

#[test]
fn shifts_by_machine_numbers_agree_with_the_judge() {
    let mut random = Random(2);
    for width in WIDTHS {
        let near = [0, 1, 2, 63, 64, 65, width / 2, width - 1, width, width + 1, 2 * width, u32::MAX];
        for x in operands(width, &mut random) {
            for n in near {
                judge_distance(&x, n);
            }
            judge_distance(&x, random.below(width));
        }
    }
}

#[test]
fn cutting_and_joining_agree_with_the_judge() {
    let mut random = Random(3);
    for width in WIDTHS {
        for x in operands(width, &mut random) {
            for other in WIDTHS {
                judge_joining(&x, &random.uniform(other));
                judge_joining(&x, &BitVec::ones(other));
            }
            for _ in 0..10 {
                let low = random.below(width);
                judge_extract(&x, low + random.below(width - low), low);
            }
            judge_extract(&x, width - 1, 0);
            for count in 1..9 {
                judge_repeat(&x, count);
            }
        }
    }
    judge_repeat(&BitVec::one(1), 1000);
    judge_repeat(&BitVec::from_u64(5, 3), 43);
}

#[test]
fn constructors_give_their_numbers_in_canonical_form() {
    for width in WIDTHS.into_iter().chain([BitVec::MAX_WIDTH]) {
        let one_bit = |place: u32| BitVec::from_fn(width, |i| i == place);
        let named = [
            (BitVec::zero(width), BitVec::from_fn(width, |_| false)),
            (BitVec::one(width), one_bit(0)),
            (BitVec::ones(width), BitVec::from_fn(width, |_| true)),
            (BitVec::min_signed(width), one_bit(width - 1)),
            (BitVec::max_signed(width), BitVec::from_fn(width, |i| i != width - 1)),
        ];
        for (value, expected) in &named {
            assert_canonical(value);
            assert_eq!(value.width(), width);
            assert_eq!(value, expected);
        }
    }
    assert_eq!(BitVec::from_bool(true), BitVec::ones(1));
    assert_eq!(BitVec::from_bool(false), BitVec::zero(1));
}

#[test]
fn values_are_ordered_by_width_and_then_unsigned() {
    let values: Vec<BitVec> = WIDTHS.iter().flat_map(|&width| corners(width)).collect();
    for pair in values.windows(2) {
        assert!(pair[0] < pair[1], "{:?} before {:?}", pair[0], pair[1]);
    }
}

#[test]
fn products_and_quotients_of_thousands_of_words_agree_with_the_judge() {
    let mut random = Random(4);
    for width in [64 * 256, 64 * 257 + 5, (1 << 17) + 13] {
        let (x, y) = (random.uniform(width), random.rough(width));
        judge_pair(&x, &y);
        judge_pair(&x, &y.lshr_by(width / 2));
        judge_pair(&x, &x.lshr_by(width / 3));
    }
    // Newton's last step at this width multiplies by the library.
    let odd = random.uniform(64 * 300 + 1).or(&BitVec::one(64 * 300 + 1));
    assert!(odd.mul(&odd.odd_inverse().expect("an odd number")).is_one());
}

#[test]
fn the_greatest_width_works() {
    let w = BitVec::MAX_WIDTH;
    let mut random = Random(5);
    let (x, y) = (random.uniform(w), random.uniform(w).lshr_by(w / 2));
    let (quotient, remainder) = x.udiv_rem(&y);
    assert_eq!(quotient.mul(&y).add(&remainder), x);
    assert!(remainder.ult(&y) && !quotient.umul_overflows(&y));
    assert_eq!(x.extract(w - 1, w / 2).concat(&x.extract(w / 2 - 1, 0)), x);
    assert_eq!(x.rotate_left(12345u32).rotate_right(12345u32), x);
    assert_eq!(x.sub(&y).add(&y), x);
    let digits = x.to_binary_string();
    assert_eq!(digits.len(), w as usize);
    assert_eq!(BitVec::parse_binary(digits.as_bytes()), Some(x));
    assert_eq!(BitVec::from_bool(true).repeat(w), BitVec::ones(w));
}

/// Two values of one width, of any shape; small words shrink toward zero.
fn two_values() -> impl Strategy<Value = (BitVec, BitVec)> {
    let word = || prop_oneof![4 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX), 1 => Just(1 << 63)];
    let words = move || prop::collection::vec(word(), 0..6);
    (1u32..=300, words(), words())
        .prop_map(|(width, a, b)| (BitVec::from_words(&a, width), BitVec::from_words(&b, width)))
}

/// A fixed seed and no file of failures: the same cases in every run.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count,
        rng_seed: RngSeed::Fixed(0xb17),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_two_values_agree_with_the_judge((x, y) in two_values(), n in 0u32..400, v in 1u32..200) {
        judge_one(&x);
        judge_pair(&x, &y);
        judge_pair(&x, &x);
        judge_distance(&x, n);
        judge_joining(&x, &BitVec::from_words(y.words(), v));
        judge_text(&x);
    }

    #[test]
    fn negation_is_inversion_plus_one_and_shifts_are_products((x, y) in two_values(), n in 0u32..300) {
        prop_assert_eq!(x.neg(), x.not().add(&BitVec::one(x.width())));
        prop_assert_eq!(x.sub(&y), x.add(&y.neg()));
        let power = BitVec::one(x.width()).shl_by(n);
        prop_assert_eq!(x.shl_by(n), x.mul(&power));
        if !power.is_zero() {
            prop_assert_eq!(x.lshr_by(n), x.udiv(&power));
        }
        let (q, r) = x.udiv_rem(&y);
        prop_assert_eq!(q.mul(&y).add(&r), x.clone());
        prop_assert_eq!(x.sdiv(&y).mul(&y).add(&x.srem(&y)), x);
    }
}
