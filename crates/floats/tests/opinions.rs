//! Third opinions on the meanings: the host's arithmetic, which rounds to nearest even, and `rustc_apfloat`,
//! a translation of LLVM's, in all modes.

mod support;

use bivalve_floats::num_bigint::{BigInt, BigUint};
use bivalve_floats::{Float, Format, Integers, Operation, Outcome, RoundingMode, Semantics};
use rustc_apfloat::{FloatConvert, Round, Status, ieee};
use support::{Table, format, random_value, random_word};

/// A comparison of one point with the host's arithmetic.
macro_rules! host {
    ($test:ident, $host:ty, $bits:ty, $read:ident) => {
        #[test]
        fn $test() {
            let mut table = Table::default();
            let random = &mut fastrand::Rng::with_seed(32);
            let even = RoundingMode::NearestEven;
            let format = Float::from(<$host>::default()).format();
            let mut same = |operation, ours: Float, hosts: $host, of: [$host; 3]| {
                assert_eq!(ours, Float::from(hosts), "{operation:?} of {of:?}");
                table.count(operation, format, 1);
            };
            for _ in 0..60_000 {
                let a = random_value(random, format, None);
                let b = random_value(random, format, Some(&a));
                let product = Integers::mul(even, &a, &b);
                let c = random_value(random, format, Some(&product));
                let read = |x: &Float| x.$read().expect("the format is the host's");
                let (x, y, z) = (read(&a), read(&b), read(&c));
                let of = [x, y, z];
                same(Operation::Add, Integers::add(even, &a, &b), x + y, of);
                same(Operation::Sub, Integers::sub(even, &a, &b), x - y, of);
                same(Operation::Mul, product, x * y, of);
                same(Operation::Div, Integers::div(even, &a, &b), x / y, of);
                same(Operation::Fma, Integers::fma(even, &a, &b, &c), x.mul_add(y, z), of);
                same(Operation::Sqrt, Integers::sqrt(even, &a), x.sqrt(), of);
                same(Operation::Abs, Integers::abs(&a), x.abs(), of);
                same(Operation::Neg, Integers::neg(&a), -x, of);
                let rounded: [(RoundingMode, fn($host) -> $host); 5] = [
                    (even, <$host>::round_ties_even),
                    (RoundingMode::NearestAway, <$host>::round),
                    (RoundingMode::TowardPositive, <$host>::ceil),
                    (RoundingMode::TowardNegative, <$host>::floor),
                    (RoundingMode::TowardZero, <$host>::trunc),
                ];
                for (mode, hosts) in rounded {
                    same(Operation::RoundToIntegral, Integers::round_to_integral(mode, &a), hosts(x), of);
                }
                assert_eq!(Integers::lt(&a, &b), x < y);
                assert_eq!(Integers::le(&a, &b), x <= y);
                assert_eq!(Integers::eq(&a, &b), x == y);
                assert_eq!(Integers::is_subnormal(&a), x.is_subnormal());
                assert_eq!(Integers::is_normal(&a), x.is_normal());
                let word = random.u64(..) >> random.u32(0..64);
                let from = |value: BigInt| Integers::from_integer(format, even, &value);
                same(Operation::FromUnsigned(format), from(word.into()), word as $host, of);
                same(Operation::FromSigned(format), from((word as i64).into()), word as i64 as $host, of);
                // The host's casts saturate; what is in range is rounded toward zero.
                match Integers::to_signed(RoundingMode::TowardZero, &a, 64) {
                    Outcome::Value(value) => assert_eq!(value, BigInt::from(x as i64)),
                    Outcome::Unspecified => {
                        assert!(x.is_nan() || matches!(x as i64, i64::MIN | i64::MAX), "{x}");
                    }
                }
                match Integers::to_unsigned(RoundingMode::TowardZero, &a, 32) {
                    Outcome::Value(value) => assert_eq!(value, BigUint::from(x as u32)),
                    Outcome::Unspecified => assert!(x.is_nan() || matches!(x as u32, 0 | u32::MAX), "{x}"),
                }
            }
            table.print("the host's arithmetic");
        }
    };
}

host!(the_host_in_single_precision, f32, u32, to_f32);
host!(the_host_in_double_precision, f64, u64, to_f64);

#[test]
fn the_host_between_its_formats() {
    let random = &mut fastrand::Rng::with_seed(64);
    for _ in 0..100_000 {
        let wide = random_value(random, Format::FLOAT64, None);
        let narrow = Integers::convert(Format::FLOAT32, RoundingMode::NearestEven, &wide);
        assert_eq!(narrow, Float::from(wide.to_f64().expect("double") as f32), "{wide:?}");
        let back = Integers::convert(Format::FLOAT64, RoundingMode::NearestEven, &narrow);
        assert_eq!(back, Float::from(f64::from(narrow.to_f32().expect("single"))), "{narrow:?}");
    }
}

/// Decimal text is read as the host reads it, and is as short as the host's.
#[test]
fn the_host_in_decimal() {
    let random = &mut fastrand::Rng::with_seed(10);
    let digits = |text: &str| -> String {
        let mantissa = text.split('e').next().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').to_owned()
    };
    for _ in 0..3_000 {
        let value = random_value(random, Format::FLOAT64, None);
        let host = value.to_f64().expect("double");
        if host.is_finite() {
            let text = value.to_decimal();
            assert_eq!(text.parse::<f64>().expect("a number").to_bits(), host.to_bits(), "{text}");
            assert_eq!(digits(&text), digits(&format!("{host:e}")), "{text}");
        }
        let (significand, exponent) = (random.u64(..), random.i32(-345..310));
        let text = format!("{}.{}e{exponent}", significand % 1000, significand / 1000);
        let read = Float::from_number(Format::FLOAT64, RoundingMode::NearestEven, &text);
        assert_eq!(read.expect("a number"), Float::from(text.parse::<f64>().expect("a number")), "{text}");
    }
}

fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardPositive => Round::TowardPositive,
        RoundingMode::TowardNegative => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

/// A value of the other library, of the bits of ours.
fn of<T: rustc_apfloat::Float>(x: &Float) -> T {
    T::from_bits(x.to_u128().expect("at most 128 bits"))
}

/// Compares `rounds` points of a format that the other library has as `T`.
fn judge<T: rustc_apfloat::Float>(format: Format, rounds: u64, table: &mut Table) {
    let random = &mut fastrand::Rng::with_seed(u64::from(format.width()));
    let ours = |value: T| Float::from_u128(format, value.to_bits()).expect("as many bits");
    for _ in 0..rounds {
        let a = random_value(random, format, None);
        let b = random_value(random, format, Some(&a));
        let c = random_value(random, format, Some(&Integers::mul(RoundingMode::TowardZero, &a, &b)));
        let (x, y, z): (T, T, T) = (of(&a), of(&b), of(&c));
        let mut same = |operation, mode: RoundingMode, result: Float, others: T| {
            assert_eq!(result, ours(others), "{operation:?} {mode} of {x} {y} {z}");
            table.count(operation, format, 1);
        };
        for mode in RoundingMode::ALL {
            let how = round(mode);
            same(Operation::Add, mode, Integers::add(mode, &a, &b), x.add_r(y, how).value);
            same(Operation::Sub, mode, Integers::sub(mode, &a, &b), x.sub_r(y, how).value);
            same(Operation::Mul, mode, Integers::mul(mode, &a, &b), x.mul_r(y, how).value);
            same(Operation::Div, mode, Integers::div(mode, &a, &b), x.div_r(y, how).value);
            same(Operation::Fma, mode, Integers::fma(mode, &a, &b, &c), x.mul_add_r(y, z, how).value);
            let integral = x.round_to_integral(how).value;
            same(Operation::RoundToIntegral, mode, Integers::round_to_integral(mode, &a), integral);
            let word = u128::try_from(random_word(random, 128)).expect("128 bits") >> random.u32(0..128);
            let from = |value: BigInt| Integers::from_integer(format, mode, &value);
            let unsigned = T::from_u128_r(word, how).value;
            same(Operation::FromUnsigned(format), mode, from(word.into()), unsigned);
            let signed = T::from_i128_r(word as i128, how).value;
            same(Operation::FromSigned(format), mode, from((word as i128).into()), signed);
        }
        same(Operation::Rem, RoundingMode::NearestEven, Integers::rem(&a, &b), x.ieee_rem(y).value);
        assert_eq!(Integers::lt(&a, &b), x < y);
        assert_eq!(Integers::le(&a, &b), x <= y);
        assert_eq!(Integers::is_subnormal(&a), x.is_denormal());
        assert_eq!(Integers::is_normal(&a), x.is_normal());
        for mode in RoundingMode::ALL {
            judge_words(&a, x, mode, table);
        }
    }
}

/// Compares the words that a value is rounded to.
fn judge_words<T: rustc_apfloat::Float>(a: &Float, x: T, mode: RoundingMode, table: &mut Table) {
    for width in [1, 8, 32, 64, 127] {
        let theirs = x.to_u128_r(width as usize, round(mode), &mut true);
        let theirs = in_range(theirs.status).then_some(BigUint::from(theirs.value));
        let theirs = theirs.map_or(Outcome::Unspecified, Outcome::Value);
        assert_eq!(Integers::to_unsigned(mode, a, width), theirs, "{mode} {width} {x}");
        table.count(Operation::ToUnsigned(width), a.format(), 1);
        // Its words of one bit have no sign.
        if width > 1 {
            let theirs = x.to_i128_r(width as usize, round(mode), &mut true);
            let theirs = in_range(theirs.status).then_some(BigInt::from(theirs.value));
            let theirs = theirs.map_or(Outcome::Unspecified, Outcome::Value);
            assert_eq!(Integers::to_signed(mode, a, width), theirs, "{mode} {width} {x}");
            table.count(Operation::ToSigned(width), a.format(), 1);
        }
    }
}

fn in_range(status: Status) -> bool {
    !status.contains(Status::INVALID_OP)
}

#[test]
fn apfloat_in_all_modes() {
    let mut table = Table::default();
    judge::<ieee::Half>(Format::FLOAT16, 2_000, &mut table);
    judge::<ieee::BFloat>(Format::BFLOAT16, 2_000, &mut table);
    judge::<ieee::Float8E5M2>(format(5, 3), 2_000, &mut table);
    judge::<ieee::Single>(Format::FLOAT32, 2_000, &mut table);
    judge::<ieee::Double>(Format::FLOAT64, 2_000, &mut table);
    judge::<ieee::Quad>(Format::FLOAT128, 500, &mut table);
    table.print("rustc_apfloat");
}

/// Conversions from one format to another.
fn judge_conversion<S, T>(source: Format, target: Format)
where
    S: rustc_apfloat::Float + FloatConvert<T>,
    T: rustc_apfloat::Float,
{
    let random = &mut fastrand::Rng::with_seed(7);
    for _ in 0..2_000 {
        let a = random_value(random, source, None);
        for mode in RoundingMode::ALL {
            let theirs: T = of::<S>(&a).convert_r(round(mode), &mut true).value;
            let theirs = Float::from_u128(target, theirs.to_bits()).expect("as many bits");
            assert_eq!(Integers::convert(target, mode, &a), theirs, "{mode} {a:?}");
        }
    }
}

#[test]
fn apfloat_between_formats() {
    judge_conversion::<ieee::Quad, ieee::Double>(Format::FLOAT128, Format::FLOAT64);
    judge_conversion::<ieee::Double, ieee::Quad>(Format::FLOAT64, Format::FLOAT128);
    judge_conversion::<ieee::Double, ieee::Single>(Format::FLOAT64, Format::FLOAT32);
    judge_conversion::<ieee::Double, ieee::BFloat>(Format::FLOAT64, Format::BFLOAT16);
    judge_conversion::<ieee::Single, ieee::Half>(Format::FLOAT32, Format::FLOAT16);
    judge_conversion::<ieee::BFloat, ieee::Half>(Format::BFLOAT16, Format::FLOAT16);
    judge_conversion::<ieee::Half, ieee::BFloat>(Format::FLOAT16, Format::BFLOAT16);
    judge_conversion::<ieee::Half, ieee::Float8E5M2>(Format::FLOAT16, format(5, 3));
}
