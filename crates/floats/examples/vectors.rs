//! Checks the meaning by integers against files of test vectors in the syntax of IBM's FPgen (`.fptest`).
//!
//! `cargo run -p bivalve-floats --example vectors -- FILE...` prints what it checked and each difference.
//! Vectors of decimal formats, of operators that SMT-LIB has not, and of traps that change the result are
//! left out, counted.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use bivalve_floats::num_bigint::{BigInt, BigUint};
use bivalve_floats::{Float, Format, Integers, Outcome, RoundingMode, Semantics};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// A binary format by its name in the files: `b32`.
fn format(name: &str) -> Option<Format> {
    match name {
        "b16" => Some(Format::FLOAT16),
        "b32" => Some(Format::FLOAT32),
        "b64" => Some(Format::FLOAT64),
        "b128" => Some(Format::FLOAT128),
        _ => None,
    }
}

fn mode(text: &str) -> Option<RoundingMode> {
    match text {
        ">" => Some(RoundingMode::TowardPositive),
        "<" => Some(RoundingMode::TowardNegative),
        "0" => Some(RoundingMode::TowardZero),
        "=0" => Some(RoundingMode::NearestEven),
        "=^" => Some(RoundingMode::NearestAway),
        _ => None,
    }
}

/// A value as the files write it: `-1.7FFFFFP127`, where the digits after the point are the fraction as an
/// integer.
fn value(format: Format, text: &str) -> Option<Float> {
    let negative = text.starts_with('-');
    match text.trim_start_matches(['+', '-']) {
        "Q" | "S" => return Some(Float::nan(format)),
        "Inf" => return Some(Float::infinity(format, negative)),
        "Zero" => return Some(Float::zero(format, negative)),
        _ => {}
    }
    let (significand, exponent) = text.get(1..)?.split_once('P')?;
    let (hidden, fraction) = significand.split_once('.')?;
    let exponent: i64 = exponent.parse().ok()?;
    let field = if hidden == "0" { 0 } else { u64::try_from(exponent + format.bias()).ok()? };
    let fraction = BigUint::parse_bytes(fraction.as_bytes(), 16)?;
    Float::from_fields(format, negative, &field.into(), &fraction)
}

/// What a vector says, and what we say; `None` if it is left out.
fn judge(line: &str) -> Option<(String, bool)> {
    let (left, right) = line.split_once("->")?;
    let mut words: Vec<&str> = left.split_whitespace().collect();
    let head = words.remove(0);
    let digits = head.get(1..)?.find(|c: char| !c.is_ascii_digit())? + 1;
    let (name, operation) = head.split_at(digits);
    let source = format(name)?;
    // The format of the result, where it is another: `b32b64cff`.
    let (target, operation) =
        match operation.strip_prefix('b').filter(|rest| rest.starts_with(char::is_numeric)) {
            Some(rest) => {
                let digits = rest.find(|c: char| !c.is_ascii_digit())?;
                (format(&format!("b{}", &rest[..digits]))?, &rest[digits..])
            }
            None => (source, operation),
        };
    let mode = mode(words.first()?)?;
    words.remove(0);
    let is_traps = |word: &&&str| word.chars().all(|c| "xuozi".contains(c));
    if let Some(traps) = words.first().filter(is_traps) {
        if traps.contains(['u', 'o']) {
            return None;
        }
        words.remove(0);
    }
    let expected = right.split_whitespace().next()?;
    if expected == "#" {
        return None;
    }
    // A signalling NaN, which SMT-LIB has not, is not ignored by minimum and maximum.
    if words.contains(&"S") && operation.ends_with('C') {
        return None;
    }
    let of = |index: usize| words.get(index).and_then(|text| value(source, text));
    let float = |result: Float| value(target, expected).map(|expected| expected == result);
    let truth = |result: bool| Some(expected == if result { "0x1" } else { "0x0" });
    let bound = |result: Outcome<Float>| match result {
        Outcome::Value(result) => float(result),
        Outcome::Unspecified => None,
    };
    let is_right = match operation {
        "+" => float(Integers::add(mode, &of(0)?, &of(1)?)),
        "-" => float(Integers::sub(mode, &of(0)?, &of(1)?)),
        "*" => float(Integers::mul(mode, &of(0)?, &of(1)?)),
        "/" => float(Integers::div(mode, &of(0)?, &of(1)?)),
        "*+" => float(Integers::fma(mode, &of(0)?, &of(1)?, &of(2)?)),
        "V" => float(Integers::sqrt(mode, &of(0)?)),
        "%" => float(Integers::rem(&of(0)?, &of(1)?)),
        "rfi" => float(Integers::round_to_integral(mode, &of(0)?)),
        "cff" => float(Integers::convert(target, mode, &of(0)?)),
        "cif" => float(Integers::from_integer(target, mode, &words.first()?.parse::<BigInt>().ok()?)),
        "~" => float(Integers::neg(&of(0)?)),
        "A" => float(Integers::abs(&of(0)?)),
        "<C" => bound(Integers::min(&of(0)?, &of(1)?)),
        ">C" => bound(Integers::max(&of(0)?, &of(1)?)),
        "?-" if !of(0)?.is_nan() => truth(Integers::is_negative(&of(0)?)),
        "?n" => truth(Integers::is_normal(&of(0)?)),
        "?0" => truth(Integers::is_zero(&of(0)?)),
        "?s" => truth(Integers::is_subnormal(&of(0)?)),
        "?i" => truth(Integers::is_infinite(&of(0)?)),
        "?N" => truth(Integers::is_nan(&of(0)?)),
        _ => None,
    };
    Some((format!("{operation} {name}"), is_right?))
}

fn main() -> ExitCode {
    let mut checked: BTreeMap<String, u64> = BTreeMap::new();
    let (mut left_out, mut wrong): (BTreeMap<String, u64>, u64) = Default::default();
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| line.contains("->")) {
            match judge(line) {
                Some((operation, is_right)) => {
                    *checked.entry(operation).or_default() += 1;
                    if !is_right {
                        wrong += 1;
                        println!("{path}:{number}: {line}");
                    }
                }
                None => {
                    let head = line.split_whitespace().next().unwrap_or_default().to_owned();
                    *left_out.entry(head).or_default() += 1;
                }
            }
        }
    }
    println!("checked: {} {checked:?}", checked.values().sum::<u64>());
    println!("left out: {} {left_out:?}", left_out.values().sum::<u64>());
    println!("different: {wrong}");
    ExitCode::from(u8::from(wrong > 0))
}
