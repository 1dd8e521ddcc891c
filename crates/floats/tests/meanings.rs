//! The two meanings of every operator agree: in every point of small formats, and in random and special
//! points of those in use and of skew ones.
//!
//! `cargo test -p bivalve-floats --test meanings -- --nocapture` prints the tables.

mod support;

use bivalve_floats::num_bigint::BigUint;
use bivalve_floats::{Exact, Format, Integers, Operation, Rational, RoundingMode, Semantics, Value};
use std::slice::from_ref;
use support::{BINARY, Table, all_values, format, modes, random_value, random_word};

/// The operators on values of one format alone.
const UNARY: [Operation; 13] = [
    Operation::Abs,
    Operation::Neg,
    Operation::Sqrt,
    Operation::RoundToIntegral,
    Operation::IsNormal,
    Operation::IsSubnormal,
    Operation::IsZero,
    Operation::IsInfinite,
    Operation::IsNan,
    Operation::IsNegative,
    Operation::IsPositive,
    Operation::ToReal,
    Operation::ToIeeeBits,
];
/// Compares the meanings in one point, in every mode that the operator tells apart.
fn compare(table: &mut Table, operation: Operation, format: Format, arguments: &[Value]) {
    for &mode in modes(operation) {
        let exact = operation.apply::<Exact>(mode, arguments).expect("the arguments fit");
        let integers = operation.apply::<Integers>(mode, arguments).expect("the arguments fit");
        assert_eq!(exact, integers, "{operation:?} {mode} of {arguments:?}");
    }
    table.count(operation, format, modes(operation).len() as u64);
}

fn small_formats() -> Vec<Format> {
    [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5), (3, 4), (4, 3)]
        .map(|(eb, sb)| format(eb, sb))
        .into()
}

#[test]
fn they_agree_on_all_of_small_formats() {
    let mut table = Table::default();
    for format in small_formats() {
        let values: Vec<Value> = all_values(format).into_iter().map(Value::Float).collect();
        for x in &values {
            UNARY.iter().for_each(|operation| compare(&mut table, *operation, format, from_ref(x)));
            for y in &values {
                for operation in BINARY {
                    compare(&mut table, operation, format, &[x.clone(), y.clone()]);
                }
            }
        }
    }
    table.print("small formats, all values");
}

fn compare_fma(formats: &[Format]) {
    let mut table = Table::default();
    for &format in formats {
        let values: Vec<Value> = all_values(format).into_iter().map(Value::Float).collect();
        for x in &values {
            for y in &values {
                for z in &values {
                    compare(&mut table, Operation::Fma, format, &[x.clone(), y.clone(), z.clone()]);
                }
            }
        }
    }
    table.print("three operands, all values");
}

#[test]
fn they_agree_on_three_operands() {
    compare_fma(&support::formats_of_three().iter().map(|&(eb, sb)| format(eb, sb)).collect::<Vec<_>>());
}

#[test]
fn they_agree_on_conversions_of_small_formats() {
    let mut table = Table::default();
    let mut formats = small_formats();
    formats.extend([format(2, 7), format(5, 2), format(5, 11)]);
    for &source in &small_formats() {
        for x in all_values(source).into_iter().map(Value::Float) {
            for &target in &formats {
                compare(&mut table, Operation::Convert(target), source, from_ref(&x));
            }
            for width in 1..=10 {
                compare(&mut table, Operation::ToUnsigned(width), source, from_ref(&x));
                compare(&mut table, Operation::ToSigned(width), source, from_ref(&x));
            }
        }
    }
    for &target in &formats {
        for width in 1..=8 {
            for bits in 0..1u32 << width {
                let word = [Value::Word(width, bits.into())];
                compare(&mut table, Operation::FromSigned(target), target, &word);
                compare(&mut table, Operation::FromUnsigned(target), target, &word);
            }
        }
        for denominator in [1u32, 3, 8, 10, 24, 127] {
            for numerator in -150..150 {
                let real = Rational::new(numerator, denominator).expect("not over zero");
                compare(&mut table, Operation::FromRational(target), target, &[Value::Real(real)]);
            }
        }
        for bits in (0..1u32 << target.width()).step_by(1 << target.width().saturating_sub(10)) {
            let word = [Value::Word(target.width(), bits.into())];
            compare(&mut table, Operation::FromBits(target), target, &word);
        }
    }
    table.print("conversions of small formats, all values");
}

/// Formats in use, and skew ones, with the share of points that they get: the rationals of wide exponents
/// cost.
const SAMPLED: [(u64, u64, u64); 13] = [
    (5, 11, 300),
    (8, 8, 300),
    (8, 24, 300),
    (11, 53, 100),
    (15, 113, 6),
    (2, 24, 200),
    (3, 64, 200),
    (2, 59, 200),
    (2, 61, 200),
    (4, 200, 100),
    (11, 2, 60),
    (13, 3, 10),
    (9, 60, 100),
];

fn sample(rounds: u64) {
    let mut table = Table::default();
    let random = &mut fastrand::Rng::with_seed(55);
    for (eb, sb, share) in SAMPLED {
        let format = format(eb, sb);
        for _ in 0..share * rounds / 10 {
            let x = random_value(random, format, None);
            let y = random_value(random, format, Some(&x));
            // A third operand that cancels the product, often.
            let near = Integers::mul(RoundingMode::NearestEven, &x, &y);
            let z = random_value(random, format, Some(&near));
            let (x, y, z) = (Value::Float(x), Value::Float(y), Value::Float(z));
            for operation in UNARY {
                compare(&mut table, operation, format, from_ref(&x));
            }
            for operation in BINARY {
                compare(&mut table, operation, format, &[x.clone(), y.clone()]);
            }
            compare(&mut table, Operation::Fma, format, &[x.clone(), y.clone(), z]);
            sample_conversions(&mut table, random, format, &x);
        }
    }
    table.print("random and special values");
}

fn sample_conversions(table: &mut Table, random: &mut fastrand::Rng, source: Format, x: &Value) {
    let targets = [(5, 11), (8, 8), (8, 24), (11, 53), (15, 113), (2, 5), (10, 64), (13, 3)];
    let (eb, sb) = targets[random.usize(0..targets.len())];
    compare(table, Operation::Convert(format(eb, sb)), source, from_ref(x));
    let widths = [1, 7, 8, 16, 32, 64, 65, 200];
    let width = widths[random.usize(0..widths.len())];
    compare(table, Operation::ToUnsigned(width), source, from_ref(x));
    compare(table, Operation::ToSigned(width), source, from_ref(x));
    let word = [Value::Word(width, random_word(random, width))];
    compare(table, Operation::FromSigned(source), source, &word);
    compare(table, Operation::FromUnsigned(source), source, &word);
    let bits = Value::Word(source.width(), random_word(random, source.width()));
    compare(table, Operation::FromBits(source), source, &[bits]);
    let denominator = BigUint::from(random.u64(1..=u64::MAX)) << random.u32(0..40);
    let real = Rational::new(random.i64(..), denominator).expect("not over zero");
    compare(table, Operation::FromRational(source), source, &[Value::Real(real)]);
}

#[test]
fn they_agree_on_random_and_special_values() {
    sample(support::rounds(10));
}
