//! The judge: every operation said again on unbounded integers, by another library.
//!
//! A value is read as an unbounded integer, unsigned and signed; an operation is the integer operation of
//! SMT-LIB's definition, brought back modulo 2^w. The integers are `dashu-int`'s, which shares no code with
//! the library behind the wide operations. Every result is checked for its width, its canonical form and its
//! number; the same judge serves corner cases, random values and the shrinking property tests.

use super::super::{BitVec, WORD, Words, low_mask};
use dashu_int::{IBig, UBig, ops::RemEuclid};

/// The unsigned number of a value.
pub(super) fn number(value: &BitVec) -> IBig {
    let bytes: Vec<u8> = value.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    IBig::from(UBig::from_le_bytes(&bytes))
}

/// 2^exponent.
pub(super) fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// The signed number of a value.
fn signed_number(value: &BitVec) -> IBig {
    let n = number(value);
    if n < power(value.width() - 1) { n } else { n - power(value.width()) }
}

/// floor(a / b) for b != 0.
fn floor_division(a: &IBig, b: &IBig) -> IBig {
    let quotient = a / b;
    if &quotient * b != *a && (a < &IBig::ZERO) != (b < &IBig::ZERO) {
        quotient - IBig::ONE
    } else {
        quotient
    }
}

/// Both invariants of the representation.
pub(super) fn assert_canonical(value: &BitVec) {
    let width = value.width;
    assert!((1..=BitVec::MAX_WIDTH).contains(&width));
    match &value.words {
        Words::Small(word) => {
            assert!(width <= WORD, "{value:?} is small");
            assert_eq!(word & !low_mask(width), 0, "{value:?} has bits above its width");
        }
        Words::Wide(words) => {
            assert!(width > WORD, "{value:?} is wide");
            assert_eq!(words.len(), width.div_ceil(64) as usize, "{value:?}");
            let spare = words.len() as u32 * 64 - width;
            assert!(spare == 0 || words[words.len() - 1] >> (64 - spare) == 0, "bits above {width}");
        }
    }
}

/// `got` is canonical, has the width and denotes `expected` modulo 2^width.
fn assert_value(got: &BitVec, width: u32, expected: &IBig, what: impl Fn() -> String) {
    assert_canonical(got);
    assert_eq!(got.width(), width, "width of {}", what());
    assert_eq!(number(got), IBig::from(expected.rem_euclid(power(width))), "{}", what());
}

/// All binary operations and predicates on two operands of one width.
pub(super) fn judge_pair(x: &BitVec, y: &BitVec) {
    judge_values(x, y);
    judge_truths(x, y);
}

/// All binary operations on two operands of one width.
fn judge_values(x: &BitVec, y: &BitVec) {
    let w = x.width();
    let (a, b) = (number(x), number(y));
    let (sa, sb) = (signed_number(x), signed_number(y));
    let by_zero = b == IBig::ZERO;
    let or_zero =
        |n: IBig, value: fn(&IBig, &IBig) -> IBig, a: &IBig, b: &IBig| if by_zero { n } else { value(a, b) };
    // A distance, and the distance modulo the width, as machine numbers.
    let n = usize::try_from((&b).min(&IBig::from(w))).expect("at most the width");
    let turn = usize::try_from(&b % IBig::from(w)).expect("below the width");
    let back = w as usize - turn;
    let values: [(&str, BitVec, IBig); 21] = [
        ("add", x.add(y), &a + &b),
        ("sub", x.sub(y), &a - &b),
        ("mul", x.mul(y), &a * &b),
        ("udiv", x.udiv(y), or_zero(IBig::NEG_ONE, |a, b| a / b, &a, &b)),
        ("urem", x.urem(y), or_zero(a.clone(), |a, b| a % b, &a, &b)),
        ("sdiv", x.sdiv(y), {
            let by_zero = if sa < IBig::ZERO { IBig::ONE } else { IBig::NEG_ONE };
            or_zero(by_zero, |a, b| a / b, &sa, &sb)
        }),
        ("srem", x.srem(y), or_zero(sa.clone(), |a, b| a % b, &sa, &sb)),
        ("smod", x.smod(y), or_zero(sa.clone(), |a, b| a - b * floor_division(a, b), &sa, &sb)),
        ("and", x.and(y), &a & &b),
        ("or", x.or(y), &a | &b),
        ("xor", x.xor(y), &a ^ &b),
        ("nand", x.nand(y), IBig::NEG_ONE - (&a & &b)),
        ("nor", x.nor(y), IBig::NEG_ONE - (&a | &b)),
        ("xnor", x.xnor(y), IBig::NEG_ONE - (&a ^ &b)),
        ("shl", x.shl(y), &a << n),
        ("lshr", x.lshr(y), &a >> n),
        ("ashr", x.ashr(y), floor_division(&sa, &(IBig::ONE << n))),
        ("rotate_left_by", x.rotate_left_by(y), (&a << turn) + (&a >> back)),
        ("rotate_right_by", x.rotate_right_by(y), (&a >> turn) + (&a << back)),
        ("udiv_rem.0", x.udiv_rem(y).0, or_zero(IBig::NEG_ONE, |a, b| a / b, &a, &b)),
        ("udiv_rem.1", x.udiv_rem(y).1, or_zero(a.clone(), |a, b| a % b, &a, &b)),
    ];
    for (name, got, expected) in &values {
        assert_value(got, w, expected, || format!("{x:?} {name} {y:?}"));
    }
}

/// All binary predicates on two operands of one width.
fn judge_truths(x: &BitVec, y: &BitVec) {
    let w = x.width();
    let (a, b) = (number(x), number(y));
    let (sa, sb) = (signed_number(x), signed_number(y));
    let unsigned = |n: IBig| n < IBig::ZERO || n >= power(w);
    let signed = |n: IBig| n < -power(w - 1) || n >= power(w - 1);
    let truths = [
        ("comp", x.comp(y), a == b),
        ("ult", x.ult(y), a < b),
        ("ule", x.ule(y), a <= b),
        ("ugt", x.ugt(y), a > b),
        ("uge", x.uge(y), a >= b),
        ("slt", x.slt(y), sa < sb),
        ("sle", x.sle(y), sa <= sb),
        ("sgt", x.sgt(y), sa > sb),
        ("sge", x.sge(y), sa >= sb),
        ("==", x == y, a == b),
        ("<", x < y, a < b),
        ("uadd_overflows", x.uadd_overflows(y), unsigned(&a + &b)),
        ("usub_overflows", x.usub_overflows(y), unsigned(&a - &b)),
        ("umul_overflows", x.umul_overflows(y), unsigned(&a * &b)),
        ("sadd_overflows", x.sadd_overflows(y), signed(&sa + &sb)),
        ("ssub_overflows", x.ssub_overflows(y), signed(&sa - &sb)),
        ("smul_overflows", x.smul_overflows(y), signed(&sa * &sb)),
        ("sdiv_overflows", x.sdiv_overflows(y), b != IBig::ZERO && signed(&sa / &sb)),
    ];
    for (name, got, expected) in truths {
        assert_eq!(got, expected, "{x:?} {name} {y:?}");
    }
}

/// All operations of one operand that need no further number.
pub(super) fn judge_one(x: &BitVec) {
    let w = x.width();
    let (a, sa) = (number(x), signed_number(x));
    assert_canonical(x);
    assert_value(&x.not(), w, &(IBig::NEG_ONE - &a), || format!("not {x:?}"));
    assert_value(&x.neg(), w, &-&a, || format!("neg {x:?}"));
    let bits: Vec<bool> = (0..w).map(|i| (&a >> i as usize) & IBig::ONE == IBig::ONE).collect();
    let ones = bits.iter().filter(|&&bit| bit).count() as u32;
    let lowest = bits.iter().position(|&bit| bit).map(|i| i as u32);
    let highest = bits.iter().rposition(|&bit| bit).map(|i| i as u32);
    assert!(x.bits().eq(bits.iter().copied()), "bits of {x:?}");
    assert_eq!(x.bits().len(), w as usize);
    assert!(x.bits().rev().eq(bits.iter().rev().copied()), "bits of {x:?} downward");
    assert_eq!(&BitVec::from_fn(w, |i| bits[i as usize]), x);
    assert_eq!(x.msb(), sa < IBig::ZERO, "msb of {x:?}");
    assert_eq!(x.lsb(), bits[0], "lsb of {x:?}");
    assert_eq!(x.to_u64(), u64::try_from(&a).ok(), "to_u64 of {x:?}");
    assert_eq!(IBig::from(x.low_u64()), IBig::from((&a).rem_euclid(power(64))), "low_u64 of {x:?}");
    assert_eq!(x.is_zero(), ones == 0, "is_zero of {x:?}");
    assert_eq!(x.is_one(), a == IBig::ONE, "is_one of {x:?}");
    assert_eq!(x.is_ones(), ones == w, "is_ones of {x:?}");
    assert_eq!(x.is_min_signed(), sa == -power(w - 1), "is_min_signed of {x:?}");
    assert_eq!(x.is_max_signed(), sa == power(w - 1) - IBig::ONE, "is_max_signed of {x:?}");
    assert_eq!(x.trailing_zeros(), lowest.unwrap_or(w), "trailing_zeros of {x:?}");
    assert_eq!(x.leading_zeros(), highest.map_or(w, |i| w - 1 - i), "leading_zeros of {x:?}");
    assert_eq!(x.count_ones(), ones, "count_ones of {x:?}");
    assert_eq!(x.log2_exact(), if ones == 1 { lowest } else { None }, "log2_exact of {x:?}");
    assert_eq!(x.redand(), ones == w, "redand of {x:?}");
    assert_eq!(x.redor(), ones > 0, "redor of {x:?}");
    assert_eq!(x.redxor(), ones % 2 == 1, "redxor of {x:?}");
    assert_eq!(x.neg_overflows(), -&sa >= power(w - 1), "neg_overflows of {x:?}");
    match x.odd_inverse() {
        Some(inverse) => {
            assert_value(&inverse, w, &number(&inverse), || format!("odd_inverse of {x:?}"));
            let product = IBig::from((&a * number(&inverse)).rem_euclid(power(w)));
            assert_eq!(product, IBig::ONE, "{x:?} times its inverse");
        }
        None => assert!(!bits[0], "{x:?} is odd and has an inverse"),
    }
}

/// Shifts and rotations by a machine number, including distances beyond the width.
pub(super) fn judge_distance(x: &BitVec, n: u32) {
    let w = x.width();
    let (a, sa) = (number(x), signed_number(x));
    let far = n.min(w) as usize;
    let turn = (n % w) as usize;
    let back = w as usize - turn;
    let values = [
        ("shl_by", x.shl_by(n), &a << far),
        ("lshr_by", x.lshr_by(n), &a >> far),
        ("ashr_by", x.ashr_by(n), floor_division(&sa, &(IBig::ONE << far))),
        ("rotate_left", x.rotate_left(n), (&a << turn) + (&a >> back)),
        ("rotate_right", x.rotate_right(u64::from(n)), (&a >> turn) + (&a << back)),
    ];
    for (name, got, expected) in &values {
        assert_value(got, w, expected, || format!("{x:?} {name} {n}"));
    }
    assert_eq!(x.rotate_left(u64::from(n) + (u64::from(w) << 33)), x.rotate_left(n));
}

/// Joining with a value of any width, and cutting the whole apart again.
pub(super) fn judge_joining(x: &BitVec, y: &BitVec) {
    let (v, w) = (x.width(), y.width());
    let joined = x.concat(y);
    assert_value(&joined, v + w, &(number(x) * power(w) + number(y)), || format!("{x:?} concat {y:?}"));
    assert_eq!(&joined.extract(v + w - 1, w), x);
    assert_eq!(&joined.extract(w - 1, 0), y);
    assert_value(&x.zero_extend(w), v + w, &number(x), || format!("zero_extend {x:?} {w}"));
    assert_value(&x.sign_extend(w), v + w, &signed_number(x), || format!("sign_extend {x:?} {w}"));
    assert_eq!((x.zero_extend(0), x.sign_extend(0), x.repeat(1)), (x.clone(), x.clone(), x.clone()));
    assert_value(&BitVec::from_words(x.words(), w), w, &number(x), || format!("from_words {x:?} {w}"));
    assert_value(&BitVec::from_u64(x.low_u64(), w), w, &x.low_u64().into(), || format!("from_u64 {x:?} {w}"));
    let order = v.cmp(&w).then(number(x).cmp(&number(y)));
    assert_eq!(x.cmp(y), order, "{x:?} cmp {y:?}");
}

/// One extraction.
pub(super) fn judge_extract(x: &BitVec, high: u32, low: u32) {
    let expected = number(x) >> low as usize;
    assert_value(&x.extract(high, low), high - low + 1, &expected, || format!("extract {high} {low} {x:?}"));
}

/// Copies in a row: `x` times 1 + 2^w + 2^2w + ...
pub(super) fn judge_repeat(x: &BitVec, count: u32) {
    let expected = (0..count).fold(IBig::ZERO, |n, _| n * power(x.width()) + number(x));
    assert_value(&x.repeat(count), count * x.width(), &expected, || format!("repeat {count} {x:?}"));
}

/// All numerals of a value, and back.
pub(super) fn judge_text(x: &BitVec) {
    let w = x.width();
    let natural = UBig::try_from(number(x)).expect("an unsigned number");
    let decimal = natural.to_string();
    assert_eq!(x.to_decimal_string(), decimal);
    assert_eq!(BitVec::parse_decimal(decimal.as_bytes(), w).as_ref(), Some(x));
    assert_eq!(BitVec::parse_decimal(format!("000{decimal}").as_bytes(), w).as_ref(), Some(x));
    assert_eq!(format!("{x:?}"), format!("{decimal}[{w}]"));
    let binary = format!("{:0>1$}", natural.in_radix(2).to_string(), w as usize);
    assert_eq!(x.to_binary_string(), binary);
    assert_eq!(x.to_string(), format!("#b{binary}"));
    assert_eq!(BitVec::parse_binary(binary.as_bytes()).as_ref(), Some(x));
    let hex = format!("{:0>1$}", natural.in_radix(16).to_string(), w as usize / 4);
    assert_eq!(x.to_hex_string(), w.is_multiple_of(4).then(|| hex.clone()));
    if w.is_multiple_of(4) {
        assert_eq!(BitVec::parse_hex(hex.as_bytes()).as_ref(), Some(x));
        assert_eq!(BitVec::parse_hex(hex.to_uppercase().as_bytes()).as_ref(), Some(x));
    }
}
