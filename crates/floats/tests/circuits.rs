//! The circuits agree with the meaning by integers: in every point of small formats, and in random and
//! special points of those in use and of skew ones. The circuits are evaluated in 64 points at once.
//!
//! `cargo test -p bivalve-floats --test circuits -- --nocapture` prints the tables.

mod support;

use bivalve_floats::circuits::{
    Application, constant, free_width, image, is_canonical, is_mode, restoring_root,
};
use bivalve_floats::num_bigint::BigUint;
use bivalve_floats::{Float, Format, Integers, Operation, Outcome, Rational, RoundingMode, Semantics, Value};
use std::slice::from_ref;
use support::lanes::{Lanes, pack, unpack};
use support::{BINARY, Table, all_values, format, random_value, random_word};

/// Points of one operator that wait to be evaluated together.
struct Batch<'a> {
    table: &'a mut Table,
    operation: Operation,
    format: Format,
    points: Vec<(RoundingMode, Vec<Value>, BigUint)>,
}

fn bits(value: &Value) -> (u32, BigUint) {
    match value {
        Value::Float(float) => (float.format().width(), float.to_bits()),
        Value::Bool(truth) => (1, BigUint::from(u32::from(*truth))),
        Value::Word(width, bits) => (*width, bits.clone()),
        Value::Real(_) => panic!("reals have no circuits"),
    }
}

impl Batch<'_> {
    /// Adds a point, in every mode if the operator rounds.
    fn add(&mut self, arguments: &[Value], free: &BigUint) {
        for &mode in support::modes(self.operation) {
            self.points.push((mode, arguments.to_vec(), free.clone()));
            if self.points.len() == 64 {
                self.flush();
            }
        }
    }

    fn expected(&self, mode: RoundingMode, arguments: &[Value], free: &BigUint) -> (u32, BigUint) {
        match self.operation.apply::<Integers>(mode, arguments).expect("the arguments fit") {
            Outcome::Value(value) => bits(&value),
            Outcome::Unspecified => match self.operation {
                Operation::Min | Operation::Max => bits(&Float::zero(self.format, free.bit(0)).into()),
                _ => (free_width(self.operation).expect("it may be unspecified"), free.clone()),
            },
        }
    }

    fn flush(&mut self) {
        let Some((_, first, _)) = self.points.first() else {
            return;
        };
        let column = |index: usize| -> Vec<BigUint> {
            self.points.iter().map(|(_, arguments, _)| bits(&arguments[index]).1).collect()
        };
        let operands: Vec<_> =
            first.iter().enumerate().map(|(index, x)| pack(bits(x).0, &column(index))).collect();
        let codes: Vec<_> = self.points.iter().map(|(mode, ..)| BigUint::from(mode.code())).collect();
        let frees: Vec<_> = self.points.iter().map(|(.., free)| free.clone()).collect();
        let application = Application {
            operation: self.operation,
            format: self.format,
            mode: &pack(RoundingMode::CODE_BITS, &codes),
            operands: &operands,
            free: &pack(free_width(self.operation).unwrap_or(1), &frees),
        };
        let result = image(&mut Lanes::default(), &application).expect("the words fit");
        for (lane, (mode, arguments, free)) in self.points.iter().enumerate() {
            let found = (result.len() as u32, unpack(&result, lane));
            let operation = self.operation;
            let expected = self.expected(*mode, arguments, free);
            assert_eq!(found, expected, "{operation:?} {mode} of {arguments:?} in {}", self.format);
        }
        self.table.count(self.operation, self.format, self.points.len() as u64);
        self.points.clear();
    }
}

/// Runs `fill` on a batch of an operator, and evaluates what is left in it.
fn batch(table: &mut Table, operation: Operation, format: Format, fill: impl FnOnce(&mut Batch)) {
    let mut batch = Batch { table, operation, format, points: vec![] };
    fill(&mut batch);
    batch.flush();
}

const UNARY: [Operation; 12] = [
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
    Operation::ToIeeeBits,
];
fn small_formats() -> Vec<Format> {
    [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5), (3, 4), (4, 3), (5, 2)]
        .map(|(eb, sb)| format(eb, sb))
        .into()
}

fn values_of(format: Format) -> Vec<Value> {
    all_values(format).into_iter().map(Value::Float).collect()
}

#[test]
fn all_of_small_formats() {
    let mut table = Table::default();
    let frees = [BigUint::ZERO, BigUint::from(1u32)];
    for format in small_formats() {
        let values = values_of(format);
        for operation in UNARY {
            batch(&mut table, operation, format, |batch| {
                values.iter().for_each(|x| batch.add(from_ref(x), &frees[0]));
            });
        }
        for operation in BINARY {
            batch(&mut table, operation, format, |batch| {
                for x in &values {
                    for (y, index) in values.iter().zip(0..) {
                        batch.add(&[x.clone(), y.clone()], &frees[index % 2]);
                    }
                }
            });
        }
    }
    table.print("circuits of small formats, all values");
}

fn all_of_three_operands(formats: &[(u64, u64)]) {
    let mut table = Table::default();
    for &(eb, sb) in formats {
        let values = values_of(format(eb, sb));
        batch(&mut table, Operation::Fma, format(eb, sb), |batch| {
            for x in &values {
                for y in &values {
                    for z in &values {
                        batch.add(&[x.clone(), y.clone(), z.clone()], &BigUint::ZERO);
                    }
                }
            }
        });
    }
    table.print("circuits of three operands, all values");
}

#[test]
fn three_operands() {
    all_of_three_operands(support::formats_of_three());
}

#[test]
fn conversions_of_small_formats() {
    let mut table = Table::default();
    let random = &mut fastrand::Rng::with_seed(3);
    let mut formats = small_formats();
    formats.extend([format(2, 7), format(5, 11), format(6, 3)]);
    for &source in &small_formats() {
        let values = values_of(source);
        let targets = formats.iter().map(|target| Operation::Convert(*target));
        let widths = (1..=10).flat_map(|width| [Operation::ToUnsigned(width), Operation::ToSigned(width)]);
        for operation in targets.chain(widths) {
            batch(&mut table, operation, source, |batch| {
                for x in &values {
                    let free = random_word(random, free_width(operation).unwrap_or(1));
                    batch.add(from_ref(x), &free);
                }
            });
        }
    }
    for &target in &formats {
        for width in 1..=8 {
            for operation in [Operation::FromSigned(target), Operation::FromUnsigned(target)] {
                batch(&mut table, operation, target, |batch| {
                    for bits in 0..1u32 << width {
                        batch.add(&[Value::Word(width, bits.into())], &BigUint::ZERO);
                    }
                });
            }
        }
        batch(&mut table, Operation::FromBits(target), target, |batch| {
            for bits in (0..1u32 << target.width()).step_by(1 << target.width().saturating_sub(10)) {
                batch.add(&[Value::Word(target.width(), bits.into())], &BigUint::ZERO);
            }
        });
    }
    table.print("circuits of conversions of small formats, all values");
}

/// Formats in use, and skew ones, with the share of points that they get.
const SAMPLED: [(u64, u64, u64); 13] = [
    (5, 11, 10),
    (8, 8, 10),
    (8, 24, 10),
    (11, 53, 4),
    (15, 113, 1),
    (2, 24, 4),
    (3, 64, 2),
    (2, 59, 2),
    (11, 2, 10),
    (13, 3, 10),
    (24, 2, 4),
    (9, 5, 10),
    (2, 9, 10),
];

fn sample(rounds: u64) {
    let mut table = Table::default();
    let random = &mut fastrand::Rng::with_seed(56);
    for (eb, sb, share) in SAMPLED {
        let format = format(eb, sb);
        let targets = [(5, 11), (8, 8), (8, 24), (11, 53), (15, 113), (2, 5), (10, 64), (24, 3)];
        let targets = targets.map(|(eb, sb)| Operation::Convert(support::format(eb, sb)));
        let width = [1, 7, 8, 16, 32, 64, 65][random.usize(0..7)];
        let conversions = [
            Operation::ToUnsigned(width),
            Operation::ToSigned(width),
            Operation::FromUnsigned(format),
            Operation::FromSigned(format),
            Operation::FromBits(format),
            Operation::Fma,
        ];
        let operations = UNARY.into_iter().chain(BINARY).chain(targets).chain(conversions);
        for operation in operations {
            batch(&mut table, operation, format, |batch| {
                for _ in 0..share * rounds {
                    let free = random_word(random, free_width(operation).unwrap_or(1));
                    let x = random_value(random, format, None);
                    let y = random_value(random, format, Some(&x));
                    let product = Integers::mul(RoundingMode::NearestEven, &x, &y);
                    let z = random_value(random, format, Some(&product));
                    let word_width = match operation {
                        Operation::FromBits(_) => format.width(),
                        _ => width,
                    };
                    let word = Value::Word(word_width, random_word(random, word_width));
                    let floats: Vec<Value> = [x, y, z].map(Value::Float).into();
                    match operation {
                        Operation::FromBits(_) | Operation::FromSigned(_) | Operation::FromUnsigned(_) => {
                            batch.add(&[word], &free);
                        }
                        _ => batch.add(&floats[..operation.arity()], &free),
                    }
                }
            });
        }
    }
    table.print("circuits, random and special values");
}

#[test]
fn random_and_special_values() {
    sample(support::rounds(64));
}

#[test]
fn constants_choose_by_mode() {
    let format = format(3, 4);
    let codes: Vec<BigUint> = RoundingMode::ALL.iter().map(|mode| BigUint::from(mode.code())).collect();
    let mode = pack(RoundingMode::CODE_BITS, &codes);
    for numerator in -400..400 {
        let real = Rational::new(numerator, 21u32).expect("not over zero");
        let word = constant(&mut Lanes::default(), format, &mode, &real);
        for (of, lane) in RoundingMode::ALL.into_iter().zip(0..) {
            let expected = Integers::from_rational(format, of, &real);
            assert_eq!(unpack(&word, lane), expected.to_bits(), "{of} {real:?}");
        }
    }
}

#[test]
fn symbols_are_told_what_they_may_be() {
    let format = format(3, 3);
    let words: Vec<BigUint> = (0..64u32).map(BigUint::from).collect();
    let canonical = is_canonical(&mut Lanes::default(), format, &pack(6, &words));
    for (bits, lane) in words.iter().zip(0..) {
        let value = Float::from_bits(format, bits).expect("six bits it has");
        assert_eq!(unpack(&canonical, lane).bit(0), value.to_bits() == *bits, "{bits}");
    }
    let modes = is_mode(&mut Lanes::default(), &pack(RoundingMode::CODE_BITS, &words[..8]));
    for code in 0..8 {
        let is_mode = unpack(&modes, code).bit(0);
        assert_eq!(is_mode, RoundingMode::from_code(code as u64).is_some(), "{code}");
    }
}

#[test]
fn roots() {
    for first in (0..1u32 << 12).step_by(64) {
        let numbers: Vec<BigUint> = (first..first + 64).map(BigUint::from).collect();
        let (root, rest) = restoring_root(&mut Lanes::default(), &pack(12, &numbers));
        assert_eq!((root.len(), rest.len()), (6, 7));
        for (number, lane) in numbers.iter().zip(0..) {
            assert_eq!(unpack(&root, lane), number.sqrt());
            assert_eq!(unpack(&rest, lane), number - number.sqrt().pow(2));
        }
    }
}

#[test]
fn words_that_do_not_fit_have_no_circuit() {
    let word = |width| vec![0u64; width];
    let builder = &mut Lanes::default();
    let mut image = |operation, operands: &[Vec<u64>], mode: usize, free: usize| {
        let (mode, free) = (&word(mode), &word(free));
        let format = Format::FLOAT16;
        image(builder, &Application { operation, format, mode, operands, free }).map(|word| word.len())
    };
    let wide = || word(16);
    assert_eq!(image(Operation::Add, &[wide(), wide()], 3, 1), Some(16));
    assert_eq!(image(Operation::Add, &[wide()], 3, 1), None);
    assert_eq!(image(Operation::Add, &[wide(), word(15)], 3, 1), None);
    assert_eq!(image(Operation::Add, &[wide(), wide()], 2, 1), None);
    assert_eq!(image(Operation::ToReal, &[wide()], 3, 1), None);
    assert_eq!(image(Operation::ToSigned(8), &[wide()], 3, 7), None);
    assert_eq!(image(Operation::FromSigned(Format::FLOAT16), &[word(3)], 3, 1), Some(16));
}
