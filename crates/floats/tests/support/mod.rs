//! What the tests share: formats, all values of a small one, random values that favour the special ones, and
//! a table of what was compared.
//!
//! `BIVALVE_FLOATS=1000` compares so many rounds of random values instead of a few, and three operands of
//! more formats.

#![allow(dead_code, clippy::print_stdout)]
#![allow(clippy::disallowed_methods, reason = "the number of rounds is asked for by the environment")]

pub(crate) mod lanes;

use bivalve_floats::num_bigint::BigUint;
use bivalve_floats::{Float, Format, Operation, RoundingMode};
use std::collections::BTreeMap;

/// The operators on two floats.
pub(crate) const BINARY: [Operation; 12] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Div,
    Operation::Rem,
    Operation::Min,
    Operation::Max,
    Operation::Le,
    Operation::Lt,
    Operation::Ge,
    Operation::Gt,
    Operation::Eq,
];

/// The formats of which all values are tried as three operands.
pub(crate) fn formats_of_three() -> &'static [(u64, u64)] {
    let more = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (2, 5)].as_slice();
    if asked_rounds().is_some() { more } else { &more[..3] }
}

/// Rounds of random values: those that were asked for, or these.
pub(crate) fn rounds(few: u64) -> u64 {
    asked_rounds().unwrap_or(few)
}

fn asked_rounds() -> Option<u64> {
    std::env::var("BIVALVE_FLOATS").ok()?.parse().ok()
}

/// A format by its two numbers.
pub(crate) fn format(exponent_bits: u64, significand_bits: u64) -> Format {
    Format::new(exponent_bits, significand_bits).expect("the format is in bounds")
}

/// All values of a format, NaN once.
pub(crate) fn all_values(format: Format) -> Vec<Float> {
    let values = (0..1u128 << format.width())
        .map(|bits| Float::from_u128(format, bits).expect("so many bits it has"))
        .filter(|value| !value.is_nan());
    values.chain([Float::nan(format)]).collect()
}

/// A word of so many random bits, few of them set or few of them not, in half of the cases.
pub(crate) fn random_word(random: &mut fastrand::Rng, width: u32) -> BigUint {
    let mut word = BigUint::ZERO;
    let sparse = random.bool();
    if sparse {
        for _ in 0..random.u32(0..4) {
            word.set_bit(u64::from(random.u32(0..width)), true);
        }
        if random.bool() {
            word = ((BigUint::from(1u32) << width) - 1u32) ^ word;
        }
    } else {
        for index in 0..u64::from(width) {
            word.set_bit(index, random.bool());
        }
    }
    word
}

/// A value that is special, or near to another, or of a middle exponent, or of random bits.
pub(crate) fn random_value(random: &mut fastrand::Rng, format: Format, other: Option<&Float>) -> Float {
    let negative = random.bool();
    let (eb, fraction_bits) = (format.exponent_bits(), format.fraction_bits());
    let field =
        |value: i64| BigUint::from(value.clamp(0, i64::from(format.special_exponent())).unsigned_abs());
    let fraction = random_word(random, fraction_bits);
    let exponent = match random.u32(0..12) {
        0 => return Float::zero(format, negative),
        1 => {
            let specials = [
                Float::infinity(format, negative),
                Float::nan(format),
                Float::one(format, negative),
                Float::largest(format, negative),
                Float::smallest(format, negative),
                Float::smallest_normal(format, negative),
            ];
            return specials[random.usize(0..specials.len())].clone();
        }
        2 => BigUint::ZERO,
        3 => field(i64::from(format.special_exponent()) - random.i64(1..4)),
        4 => field(random.i64(1..5 + i64::from(fraction_bits))),
        5..=7 => field(format.bias() + random.i64(-4..4 + i64::from(fraction_bits))),
        8..=10 if other.is_some() => {
            let near = other.map_or(0, |other| i64::from(other.exponent_field()));
            let around = if random.bool() { 2 } else { i64::from(fraction_bits) + 3 };
            field(near + random.i64(-around..=around))
        }
        _ => random_word(random, eb),
    };
    Float::from_fields(format, negative, &exponent, &fraction).expect("the fields fit")
}

/// What was compared: counts by operator and format.
#[derive(Default)]
pub(crate) struct Table {
    counts: BTreeMap<String, BTreeMap<(u32, u32), u64>>,
}

impl Table {
    pub(crate) fn count(&mut self, operation: Operation, format: Format, comparisons: u64) {
        let name = match operation {
            Operation::Convert(_) => "to_fp of a float",
            Operation::FromSigned(_) => "to_fp of a signed word",
            Operation::FromRational(_) => "to_fp of a real",
            Operation::FromBits(_) => "to_fp of bits",
            other => other.name(),
        };
        let key = (format.exponent_bits(), format.significand_bits());
        *self.counts.entry(name.to_owned()).or_default().entry(key).or_default() += comparisons;
    }

    pub(crate) fn total(&self) -> u64 {
        self.counts.values().flat_map(BTreeMap::values).sum()
    }

    pub(crate) fn print(&self, title: &str) {
        let mut formats: Vec<_> = self.counts.values().flat_map(BTreeMap::keys).copied().collect();
        formats.sort_unstable();
        formats.dedup();
        println!("{title}: {} comparisons", self.total());
        print!("{:24}", "");
        formats.iter().for_each(|(eb, sb)| print!("{:>9}", format!("{eb}/{sb}")));
        println!();
        for (name, row) in &self.counts {
            print!("{name:24}");
            formats.iter().for_each(|format| print!("{:>9}", row.get(format).copied().unwrap_or(0)));
            println!();
        }
    }
}

/// The modes that an operator tells apart.
pub(crate) fn modes(operation: Operation) -> &'static [RoundingMode] {
    if operation.rounds() { &RoundingMode::ALL } else { &RoundingMode::ALL[..1] }
}
