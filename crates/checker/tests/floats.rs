//! The checker's meaning of floating point agrees with the solver's, by integers: in every point of small
//! formats, and in random and special points of those in use and of skew ones.
//!
//! The image of an operator on values is a value, since constants are folded; that of one on symbols is
//! evaluated. `BIVALVE_FLOATS=1000` compares so many rounds of random points, and more small formats.

#![allow(clippy::disallowed_methods, reason = "the number of rounds is asked for by the environment")]
#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::evaluate::{Value as Number, apply};
use bivalve_checker::floats::lower::Lowering;
use bivalve_checker::floats::{FloatOp, Format as Of, read};
use bivalve_checker::term::{Op, SortKind, Term, Terms};
use bivalve_floats::num_bigint::{BigInt, BigUint};
use bivalve_floats::{Float, Format, Integers, Operation, Outcome, Rational, RoundingMode, Semantics, Value};
use rustc_hash::FxHashMap;

type Arguments = Vec<Value>;

const BINARY: [Operation; 12] = [
    Operation::Add,
    Operation::Mul,
    Operation::Div,
    Operation::Rem,
    Operation::Min,
    Operation::Max,
    Operation::Le,
    Operation::Lt,
    Operation::Ge,
    Operation::Gt,
    Operation::Sub,
    Operation::Eq,
];

fn unary(others: &[Format], widths: &[u32]) -> Vec<Operation> {
    let mut all = vec![
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
    all.extend(others.iter().map(|&format| Operation::Convert(format)));
    all.extend(widths.iter().flat_map(|&width| [Operation::ToUnsigned(width), Operation::ToSigned(width)]));
    all
}

fn of(format: Format) -> Of {
    Of::new(format.exponent_bits(), format.significand_bits()).unwrap()
}

/// The application of an operator.
fn applied(terms: &mut Terms, operation: Operation, args: &[Term]) -> Term {
    let indices = match operation {
        Operation::Convert(format)
        | Operation::FromSigned(format)
        | Operation::FromUnsigned(format)
        | Operation::FromRational(format)
        | Operation::FromBits(format) => vec![format.exponent_bits(), format.significand_bits()],
        Operation::ToUnsigned(width) | Operation::ToSigned(width) => vec![width],
        _ => vec![],
    };
    read::apply(terms, operation.name(), &indices, args).unwrap().unwrap()
}

fn modes(operation: Operation) -> &'static [RoundingMode] {
    if operation.rounds() { &RoundingMode::ALL } else { &RoundingMode::ALL[..1] }
}

fn bits(value: &Value) -> BigUint {
    match value {
        Value::Float(float) => float.to_bits(),
        Value::Bool(truth) => u8::from(*truth).into(),
        Value::Word(_, bits) => bits.clone(),
        Value::Real(_) => panic!("a real is no word"),
    }
}

fn constant(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Float(float) => {
            let word = terms.value(float.format().width(), float.to_bits()).unwrap();
            terms.mk(Op::Float(FloatOp::FromBits(of(float.format()))), &[word]).unwrap()
        }
        Value::Word(width, bits) => terms.value(*width, bits.clone()).unwrap(),
        Value::Real(real) => {
            let (above, below) = (real.numerator().magnitude().clone(), real.denominator().clone());
            read::real(terms, real.is_negative(), above, below).unwrap()
        }
        Value::Bool(truth) => terms.truth(*truth),
    }
}

/// The value of a term, if it has no symbols. Those of comparisons alone are not folded.
fn value(terms: &Terms, term: Term) -> Option<Number> {
    if terms.is_value(term) {
        return terms.value_of(term);
    }
    let args: Option<Vec<Number>> = terms.args(term).iter().map(|&arg| value(terms, arg)).collect();
    args.and_then(|args| apply(terms.op(term), &args))
}

/// Compares the image of an operator on constants.
fn compare(terms: &mut Terms, operation: Operation, arguments: &[Value]) -> u64 {
    let mut lowering = Lowering::default();
    for &mode in modes(operation) {
        let rounding = terms.mk(Op::Float(FloatOp::Mode(mode.code())), &[]).unwrap();
        let mut args: Vec<Term> = if operation.rounds() { vec![rounding] } else { vec![] };
        args.extend(arguments.iter().map(|value| constant(terms, value)));
        let term = applied(terms, operation, &args);
        let image = lowering.image(terms, term).unwrap();
        let found = value(terms, image).map(|value| value.number);
        let expected = match operation.apply::<Integers>(mode, arguments).unwrap() {
            Outcome::Value(value) => Some(bits(&value)),
            Outcome::Unspecified => None,
        };
        assert_eq!(found, expected, "{operation:?} {mode} of {arguments:?}");
    }
    modes(operation).len() as u64
}

/// Compares the images of comparisons and roundings of a number as a real, where that is not open.
fn compare_reals(x: &Value) -> u64 {
    let (mut terms, mut lowering) = (Terms::new(), Lowering::default());
    let Some(Outcome::Value(Value::Real(value))) =
        Operation::ToReal.apply::<Integers>(RoundingMode::NearestEven, std::slice::from_ref(x))
    else {
        return 0;
    };
    let number = constant(&mut terms, x);
    let real = read::apply(&mut terms, "fp.to_real", &[], &[number]).unwrap().unwrap();
    let mut points = 0;
    let mut is = |terms: &mut Terms, term: Term, expected: bool| {
        let image = lowering.image(terms, term).unwrap();
        assert_eq!(self::value(terms, image).unwrap().number, u8::from(expected).into(), "{value} {term:?}");
        points += 1;
    };
    for (above, below) in (-33..=33).flat_map(|above| [1u32, 2, 3, 16, 48].map(|below| (above, below))) {
        let other = Rational::new(above, below).unwrap();
        let constant = constant(&mut terms, &Value::Real(other.clone()));
        for (name, expected) in
            [("<", value < other), ("<=", value <= other), (">", value > other), (">=", value >= other)]
        {
            let term = read::apply(&mut terms, name, &[], &[real, constant]).unwrap().unwrap();
            is(&mut terms, term, expected);
        }
        let same = terms.mk(Op::Eq, &[constant, real]).unwrap();
        is(&mut terms, same, value == other);
    }
    for mode in RoundingMode::ALL {
        let rounding = terms.mk(Op::Float(FloatOp::Mode(mode.code())), &[]).unwrap();
        let rounded = read::apply(&mut terms, "to_fp", &[2, 2], &[rounding, real]).unwrap().unwrap();
        let meant = Integers::from_rational(format((2, 2)), mode, &value);
        let meant = self::constant(&mut terms, &Value::Float(meant));
        let same = terms.mk(Op::Eq, &[rounded, meant]).unwrap();
        is(&mut terms, same, true);
    }
    points
}

/// Constants that are compared stand at places of their own.
#[test]
fn reals_that_are_too_near_are_refused() {
    let (mut terms, mut lowering) = (Terms::new(), Lowering::default());
    let ten = |power: usize| BigUint::from(10u8).pow(power as u32);
    let number = constant(&mut terms, &Value::Float(Float::one(format((3, 4)), false)));
    let real = read::apply(&mut terms, "fp.to_real", &[], &[number]).unwrap().unwrap();
    // Those that differ in how they are written only, are far, or are not; those that are huge or tiny.
    let one = ten(70);
    for (above, below, is_known) in [
        (1u8.into(), 10u8.into(), true),
        (10u8.into(), 100u8.into(), true),
        (&one + 1u8, &one * 10u8, false),
        (ten(40) + 1u8, ten(41), true),
        (&one + 1u8, one.clone(), false),
        (&one - 1u8, one.clone(), false),
        (ten(40) + 1u8, ten(40), true),
        (ten(80_000), 1u8.into(), false),
        (1u8.into(), ten(80_000), false),
        (BigUint::from(1u8) << 600_000u32, 1u8.into(), false),
        (1u8.into(), BigUint::from(1u8) << 600_000u32, false),
        (ten(300), 3u8.into(), true),
    ] {
        let constant = read::real(&mut terms, false, above, below.clone()).unwrap();
        let less = read::apply(&mut terms, "<", &[], &[real, constant]).unwrap().unwrap();
        assert_eq!(lowering.image(&mut terms, less).is_ok(), is_known, "{}", below.bits());
    }
    let wide = terms.sort(SortKind::Float(Of::new(20, 24).unwrap()));
    let wide = terms.fresh(wide);
    assert!(read::apply(&mut terms, "fp.to_real", &[], &[wide]).is_err());
}

/// The image of an operator on symbols, to be evaluated.
struct Symbolic {
    terms: Terms,
    order: Vec<Term>,
    symbols: Vec<Term>,
    image: Term,
    operation: Operation,
}

impl Symbolic {
    fn new(operation: Operation, sorts: &[SortKind]) -> Symbolic {
        let (mut terms, mut lowering) = (Terms::new(), Lowering::default());
        let mode = operation.rounds().then_some(SortKind::Mode);
        let symbols: Vec<Term> = mode
            .into_iter()
            .chain(sorts.iter().copied())
            .map(|kind| {
                let sort = terms.sort(kind);
                terms.fresh(sort)
            })
            .collect();
        let term = applied(&mut terms, operation, &symbols);
        let image = lowering.image(&mut terms, term).unwrap();
        let symbols = symbols.iter().map(|&symbol| lowering.symbol(symbol)).collect();
        let mut made = Symbolic { terms, order: vec![], symbols, image, operation };
        made.order = made.below();
        made
    }

    fn below(&self) -> Vec<Term> {
        let (mut stack, mut seen, mut all) = (vec![(self.image, false)], FxHashMap::default(), vec![]);
        while let Some((term, is_done)) = stack.pop() {
            if is_done {
                all.push(term);
            } else if seen.insert(term, ()).is_none() {
                stack.push((term, true));
                stack.extend(self.terms.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        all
    }

    /// The value where each open result has all bits set.
    fn compare(&self, arguments: &[Value]) -> u64 {
        for &mode in modes(self.operation) {
            let mut values: FxHashMap<Term, Number> = FxHashMap::default();
            let mode_bits = self.operation.rounds().then(|| BigUint::from(mode.code()));
            let given = mode_bits.into_iter().chain(arguments.iter().map(bits));
            for (&symbol, number) in self.symbols.iter().zip(given) {
                values.insert(symbol, Number { width: self.terms.bits(symbol).unwrap(), number });
            }
            for &term in &self.order {
                if values.contains_key(&term) {
                    continue;
                }
                let args: Vec<Number> =
                    self.terms.args(term).iter().filter_map(|arg| values.get(arg).cloned()).collect();
                let value = match self.terms.op(term) {
                    Op::Symbol(_) | Op::Apply(_) => {
                        let width = self.terms.bits(term).unwrap();
                        Number { width, number: (BigUint::from(1u8) << width) - 1u8 }
                    }
                    Op::Value(_) => self.terms.value_of(term).unwrap(),
                    op => apply(op, &args).unwrap(),
                };
                values.insert(term, value);
            }
            let expected = match self.operation.apply::<Integers>(mode, arguments).unwrap() {
                Outcome::Value(value) => bits(&value),
                Outcome::Unspecified => match &arguments[0] {
                    Value::Float(x) if matches!(self.operation, Operation::Min | Operation::Max) => {
                        Float::zero(x.format(), true).to_bits()
                    }
                    _ => (BigUint::from(1u8) << self.terms.bits(self.image).unwrap()) - 1u8,
                },
            };
            let found = &values[&self.image].number;
            assert_eq!(found, &expected, "{:?} {mode} of {arguments:?}", self.operation);
        }
        modes(self.operation).len() as u64
    }
}

/// So many rounds of random points are asked for.
fn rounds() -> Option<usize> {
    std::env::var("BIVALVE_FLOATS").ok()?.parse().ok()
}

fn format((exponent, significand): (u64, u64)) -> Format {
    Format::new(exponent, significand).unwrap()
}

fn all_values(format: Format) -> Vec<Value> {
    let all = (0..1u128 << format.width()).filter_map(|bits| Float::from_u128(format, bits));
    all.filter(|x| !x.is_nan()).chain([Float::nan(format)]).map(Value::Float).collect()
}

fn random_value(random: &mut fastrand::Rng, format: Format) -> Value {
    let sign = random.bool();
    let special: [fn(Format, bool) -> Float; 6] =
        [Float::infinity, Float::zero, Float::largest, Float::smallest, Float::smallest_normal, Float::one];
    let any = |random: &mut fastrand::Rng| {
        let mut word = BigUint::default();
        (0..u64::from(format.width())).for_each(|at| word.set_bit(at, random.bool()));
        Float::from_bits(format, &word).unwrap()
    };
    Value::Float(match random.u8(0..12) {
        at @ 0..6 => special[usize::from(at)](format, sign),
        6 => Float::nan(format),
        7 => any(random).next_up(),
        // Near to one, where sums cancel and quotients are rounded.
        8..10 => {
            let exponent = BigUint::from((1u64 << (format.exponent_bits() - 1)) - 1 + random.u64(0..3));
            let mut fraction = BigUint::default();
            let count = if random.bool() { 3 } else { u64::from(format.significand_bits()) };
            (0..count).for_each(|_| {
                fraction.set_bit(random.u64(0..u64::from(format.significand_bits()) - 1), true)
            });
            Float::from_fields(format, sign, &exponent, &fraction).unwrap()
        }
        _ => any(random),
    })
}

#[test]
fn meanings_agree_in_every_point_of_small_formats() {
    let mut points = 0;
    let all = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (4, 2)].map(format);
    for &small in if rounds().is_some() { &all[..] } else { &all[..3] } {
        let values = all_values(small);
        let others = [(2, 2), (3, 2), (2, 4), (3, 5)].map(format);
        for x in &values {
            let mut terms = Terms::new();
            for operation in unary(&others, &[1, 2, 3, 5]) {
                points += compare(&mut terms, operation, std::slice::from_ref(x));
            }
            for operation in BINARY {
                for y in &values {
                    points += compare(&mut terms, operation, &[x.clone(), y.clone()]);
                }
            }
        }
        for width in 1..=6 {
            let mut terms = Terms::new();
            for word in 0u32..1 << width {
                let word = Value::Word(width, word.into());
                for operation in [Operation::FromSigned(small), Operation::FromUnsigned(small)] {
                    points += compare(&mut terms, operation, std::slice::from_ref(&word));
                }
                if width == small.width() {
                    points += compare(&mut terms, Operation::FromBits(small), std::slice::from_ref(&word));
                }
            }
        }
        for above in -40..=40 {
            let mut terms = Terms::new();
            for below in [1u32, 2, 3, 5, 7, 16, 96] {
                let real = Value::Real(Rational::new(above, below).unwrap());
                points += compare(&mut terms, Operation::FromRational(small), std::slice::from_ref(&real));
            }
        }
    }
    for small in [(2, 2), (3, 2)].map(format) {
        let values = all_values(small);
        for x in &values {
            let mut terms = Terms::new();
            for y in &values {
                for z in &values {
                    points += compare(&mut terms, Operation::Fma, &[x.clone(), y.clone(), z.clone()]);
                }
            }
        }
    }
    for small in [(2, 2), (2, 3), (3, 2)].map(format) {
        points += all_values(small).iter().map(compare_reals).sum::<u64>();
    }
    println!("{points} points");
    assert!(points > 20_000);
}

/// Images over symbols, in every point.
#[test]
fn images_of_symbols_agree_in_every_point_of_small_formats() {
    let mut points = 0;
    for small in [(2, 2), (2, 3), (3, 2)].map(format) {
        let (values, sort) = (all_values(small), SortKind::Float(of(small)));
        let others = [(2, 2), (3, 4)].map(format);
        for operation in unary(&others, &[1, 3]) {
            let image = Symbolic::new(operation, &[sort]);
            points += values.iter().map(|x| image.compare(std::slice::from_ref(x))).sum::<u64>();
        }
        for operation in BINARY {
            let image = Symbolic::new(operation, &[sort; 2]);
            for x in &values {
                points += values.iter().map(|y| image.compare(&[x.clone(), y.clone()])).sum::<u64>();
            }
        }
        for operation in [Operation::FromSigned(small), Operation::FromUnsigned(small)] {
            let image = Symbolic::new(operation, &[SortKind::BitVec(4)]);
            points += (0u32..16).map(|word| image.compare(&[Value::Word(4, word.into())])).sum::<u64>();
        }
    }
    assert!(points > 10_000, "{points}");
}

#[test]
fn meanings_agree_in_random_points() {
    let rounds = rounds().unwrap_or(8);
    let mut random = fastrand::Rng::with_seed(7);
    let formats =
        [(5, 11), (8, 8), (8, 24), (11, 53), (15, 113), (2, 24), (3, 64), (11, 2), (9, 3)].map(format);
    for round in 0..rounds {
        for (at, &format) in formats.iter().enumerate() {
            let (mut terms, is_wide) = (Terms::new(), format.exponent_bits() > 9);
            let other = formats[(at + round) % formats.len()];
            for operation in unary(&[other], &[8, 32, 65]) {
                compare(&mut terms, operation, &[random_value(&mut random, format)]);
            }
            for operation in BINARY {
                // Each unit of distance is a step of a remainder.
                if operation != Operation::Rem || !is_wide || (round == 0 && format.exponent_bits() == 11) {
                    let (x, y) = (random_value(&mut random, format), random_value(&mut random, format));
                    compare(&mut terms, operation, &[x, y]);
                }
            }
            let three: Arguments = (0..3).map(|_| random_value(&mut random, format)).collect();
            compare(&mut terms, Operation::Fma, &three);
            for width in [1, 31, 64, 130] {
                let mut word = BigUint::default();
                (0..u64::from(width)).for_each(|at| word.set_bit(at, random.bool()));
                for operation in [Operation::FromSigned(format), Operation::FromUnsigned(format)] {
                    compare(&mut terms, operation, &[Value::Word(width, word.clone())]);
                }
            }
            let ten = BigUint::from(10u8).pow(random.u32(0..60));
            let number = BigInt::from(random.i64(..));
            let large = Rational::from_integer(&number * BigInt::from(ten.clone()));
            for real in [Rational::new(number, ten).unwrap(), large] {
                compare(&mut terms, Operation::FromRational(format), &[Value::Real(real)]);
            }
        }
    }
}
