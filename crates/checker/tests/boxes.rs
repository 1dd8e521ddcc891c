//! Boxes of floating-point numbers: a formula is false on a box only if it is false for all values in it, for
//! all operators and modes, and no other tree than a right one shows anything.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::check::check;
use bivalve_checker::floats::boxes::{Boxes, Keys};
use bivalve_checker::floats::lower::Lowering;
use bivalve_checker::floats::{FloatOp, Format as Of, read};
use bivalve_checker::term::{Op, SortKind, Term, Terms};
use bivalve_floats::num_bigint::BigUint;
use bivalve_floats::{Float, Format, Integers, Operation, Outcome, RoundingMode, Value};
use fastrand::Rng;

const OPERATIONS: [Operation; 12] = [
    Operation::Abs,
    Operation::Neg,
    Operation::Sqrt,
    Operation::RoundToIntegral,
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Div,
    Operation::Min,
    Operation::Max,
    Operation::Fma,
    Operation::Rem,
];

const CLAIMS: [Operation; 12] = [
    Operation::Lt,
    Operation::Le,
    Operation::Gt,
    Operation::Ge,
    Operation::Eq,
    Operation::IsNormal,
    Operation::IsSubnormal,
    Operation::IsZero,
    Operation::IsInfinite,
    Operation::IsNan,
    Operation::IsNegative,
    Operation::IsPositive,
];

fn format((exponent, significand): (u64, u64)) -> Format {
    Format::new(exponent, significand).unwrap()
}

fn of(format: Format) -> Of {
    Of::new(format.exponent_bits(), format.significand_bits()).unwrap()
}

fn key(value: &Float) -> u128 {
    let (bits, top) = (value.to_u128().unwrap(), 1 << (value.format().width() - 1));
    if bits & top == 0 { bits | top } else { bits ^ (top | (top - 1)) }
}

/// All values by their keys, one NaN.
fn values(format: Format) -> Vec<Float> {
    let all = (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap());
    let mut all: Vec<Float> = all.filter(|value| !value.is_nan()).chain([Float::nan(format)]).collect();
    all.sort_by_key(key);
    all
}

fn applied(terms: &mut Terms, operation: Operation, args: &[Term]) -> Term {
    let indices = match operation {
        Operation::Convert(format) => vec![format.exponent_bits(), format.significand_bits()],
        _ => vec![],
    };
    read::apply(terms, operation.name(), &indices, args).unwrap().unwrap()
}

fn constant(terms: &mut Terms, value: &Float) -> Term {
    let word = terms.value(value.format().width(), value.to_bits()).unwrap();
    terms.mk(Op::Float(FloatOp::FromBits(of(value.format()))), &[word]).unwrap()
}

/// The values; zeros of either sign where that is open.
fn results(operation: Operation, mode: RoundingMode, args: &[Value]) -> Vec<Value> {
    match (operation.apply::<Integers>(mode, args).unwrap(), &args[0]) {
        (Outcome::Value(value), _) => vec![value],
        (Outcome::Unspecified, Value::Float(x)) => {
            [true, false].map(|sign| Value::Float(Float::zero(x.format(), sign))).to_vec()
        }
        (Outcome::Unspecified, _) => panic!("the arguments are numbers"),
    }
}

/// What is asked of one operator on three boxes: whether it is refuted, and whether it is false everywhere.
fn asked(rng: &mut Rng, from: Format, operation: Operation) -> [bool; 2] {
    let (mut terms, mut lowering) = (Terms::new(), Lowering::default());
    let sort = terms.sort(SortKind::Float(of(from)));
    let inputs = [0; 3].map(|_| terms.fresh(sort));
    let mode_sort = terms.sort(SortKind::Mode);
    let modes = match rng.usize(..6) {
        5 => &RoundingMode::ALL[..],
        at => &RoundingMode::ALL[at..=at],
    };
    let mode = match modes {
        [mode] => terms.mk(Op::Float(FloatOp::Mode(mode.code())), &[]).unwrap(),
        _ => terms.fresh(mode_sort),
    };
    let numbers = &inputs[..operation.arity()];
    let args = if operation.rounds() { [&[mode], numbers].concat() } else { numbers.to_vec() };
    let term = applied(&mut terms, operation, &args);
    let to = if let Operation::Convert(to) = operation { to } else { from };
    let claim = CLAIMS[rng.usize(..CLAIMS.len())];
    let (all, of_result) = (values(from), values(to));
    let other = &of_result[rng.usize(..of_result.len())];
    let other_term = constant(&mut terms, other);
    let claimed = applied(&mut terms, claim, &[term, other_term][..claim.arity()]);
    let wanted = rng.bool();
    let formula = if wanted { claimed } else { terms.not(claimed).unwrap() };
    lowering.formula(&mut terms, formula).unwrap();
    let boxes = Boxes::new(&lowering, &terms, &[formula]).unwrap();
    let (mut keys, mut within) = (Keys::default(), vec![]);
    for &input in numbers {
        let [a, b] = [(); 2].map(|()| rng.usize(..all.len()));
        let (low, high) = if rng.u8(..4) == 0 { (a, a) } else { (a.min(b), a.max(b)) };
        let place = boxes.place(input).unwrap();
        keys.insert(place, [low, high].map(|at| BigUint::from(key(&all[at]))));
        within.push(&all[low..=high]);
    }
    let is_refuted = boxes.is_refuted_on(&terms, &keys).unwrap();
    let mut is_false = true;
    let one = [Float::nan(from)];
    let at = |place: usize| within.get(place).copied().unwrap_or(&one);
    for x in at(0) {
        for y in at(1) {
            for z in at(2) {
                for &mode in modes {
                    let args = [x, y, z].map(|value| Value::Float(value.clone()));
                    for value in results(operation, mode, &args[..operation.arity()]) {
                        let sides = [value, Value::Float(other.clone())];
                        let truth = &results(claim, mode, &sides[..claim.arity()])[0];
                        is_false &= *truth != Value::Bool(wanted);
                    }
                }
            }
        }
    }
    assert!(is_false || !is_refuted, "{operation:?} {claim:?} {wanted} {other} in {within:?}");
    [is_refuted, is_false]
}

#[test]
fn what_is_refuted_is_false_on_the_box() {
    let mut rng = Rng::with_seed(3);
    let (mut refuted, mut false_ones) = (0, 0);
    for (from, to) in [((2, 2), (2, 3)), ((2, 3), (3, 2)), ((3, 2), (2, 4)), ((3, 3), (2, 2))] {
        let (from, to) = (format(from), format(to));
        for operation in OPERATIONS.into_iter().chain([Operation::Convert(to)]) {
            let rounds = if operation.arity() == 3 { 60 } else { 400 };
            for _ in 0..rounds {
                let [is_refuted, is_false] = asked(&mut rng, from, operation);
                (refuted, false_ones) = (refuted + u32::from(is_refuted), false_ones + u32::from(is_false));
            }
        }
    }
    // Intervals are exact for one operator, but for signs of zeros, remainders and divisors around 0.
    assert!(refuted > 3_000 && refuted * 10 > false_ones * 8, "{refuted} of {false_ones}");
}

/// The square of a number between 1 and 3 is at most 9: the first two assertions say that, and the others
/// something else.
const SCRIPT: &str = "(declare-const x (_ FloatingPoint 4 4)) (declare-const y (_ FloatingPoint 4 4))
    (assert (and (fp.leq ((_ to_fp 4 4) RNE 1.0) x) (fp.leq x ((_ to_fp 4 4) RNE 3.0))))
    (assert (= y (fp.mul RNE x x)))
    (assert (fp.lt ((_ to_fp 4 4) RNE 9.0) y))
    (assert (fp.lt y x)) (check-sat)";

fn says(steps: &str) -> Result<(), String> {
    check(SCRIPT, format!("bvc 1\ncheck 0\n{steps}\nend 0\n").as_bytes())
        .map(drop)
        .map_err(|why| why.to_string())
}

/// The number of `x` among the terms of the first three assertions.
fn place() -> u64 {
    (1..40).find(|at| says(&format!("boxes 3 0 1 2 5 {at} #b7 0 {at} #c4 0 0")).is_ok()).expect("x is there")
}

#[test]
fn only_trees_of_refuted_boxes_are_accepted() {
    let x = place();
    // Numbers below 1 or above 3 are no `x`, and between these the square is not more than 9.
    for (tree, why) in [
        (format!("3 0 1 2 5 {x} #b7 0 {x} #c4 0 0"), None),
        (format!("4 0 1 2 3 5 {x} #b7 0 {x} #c4 0 0"), None),
        // A box is missing, there is one too many, or one is not split.
        (format!("3 0 1 2 4 {x} #b7 0 {x} #c4 0"), Some("not refuted")),
        (format!("3 0 1 2 6 {x} #b7 0 {x} #c4 0 0 0"), Some("no box")),
        (format!("3 0 1 2 3 {x} #c4 0 0"), Some("not refuted")),
        ("3 0 1 2 0".into(), Some("not refuted")),
        // Other terms.
        ("3 0 1 2 3 77 #c4 0 0".into(), Some("no such term")),
        // Without the bound, the definition, or what is wanted of it.
        (format!("2 1 2 5 {x} #b7 0 {x} #c4 0 0"), Some("not refuted")),
        (format!("2 0 2 5 {x} #b7 0 {x} #c4 0 0"), Some("")),
        (format!("2 0 1 5 {x} #b7 0 {x} #c4 0 0"), Some("not refuted")),
        (format!("3 0 1 9 5 {x} #b7 0 {x} #c4 0 0"), Some("no such assertion")),
    ] {
        match (says(&format!("boxes {tree}")), why) {
            (Ok(()), None) => {}
            (Err(said), Some(why)) => assert!(said.contains(why), "{tree}: {said}"),
            (said, _) => panic!("{tree}: {said:?}"),
        }
    }
    let said = says(&format!("theorem 0\nboxes 3 0 1 2 5 {x} #b7 0 {x} #c4 0 0")).expect_err("no assertions");
    assert!(said.contains("theorem"), "{said}");
}
