//! Sums of comparisons: all results lie within the checker's forms, and no other factors, comparisons or
//! assertions than right ones show anything.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::check::check;
use bivalve_checker::floats::lower::Lowering;
use bivalve_checker::floats::sums::{Number, Sums};
use bivalve_checker::floats::{FloatOp, Format as Of, MODES, read};
use bivalve_checker::term::{Op, SortKind, Term, Terms};
use bivalve_floats::num_bigint::BigInt;
use bivalve_floats::{Float, Format, Integers, Number as Value, Rational, RoundingMode, Semantics};

fn rational(number: &Number) -> Rational {
    Rational::scaled(number.0.clone(), number.1)
}

fn finite(value: &Float) -> Option<Rational> {
    match value.number() {
        Value::Finite(number) => Some(number),
        Value::Zero(_) => Some(Rational::from_integer(BigInt::from(0))),
        Value::Nan | Value::Infinite(_) => None,
    }
}

struct Script {
    terms: Terms,
    of: Of,
}

impl Script {
    fn number(&mut self, value: &Float) -> Term {
        let word = self.terms.value(self.of.width(), value.to_bits()).unwrap();
        self.terms.mk(Op::Float(FloatOp::FromBits(self.of)), &[word]).unwrap()
    }

    fn apply(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Term {
        read::apply(&mut self.terms, name, indices, args).unwrap().unwrap()
    }
}

/// The results of an operator in a mode; `None` for the mode is any of them.
type Result = fn(Format, RoundingMode, &Float, &Float, &Float) -> Float;

const OPERATORS: [(&str, Result); 7] = [
    ("x y", |_, mode, x, y, _| Integers::mul(mode, x, y)),
    ("(x + y) y", |_, mode, x, y, _| Integers::mul(mode, &Integers::add(mode, x, y), y)),
    ("fp.add", |_, mode, x, y, _| Integers::add(mode, x, y)),
    ("fp.sub", |_, mode, x, y, _| Integers::sub(mode, x, y)),
    ("fp.mul", |_, mode, x, _, by| Integers::mul(mode, by, x)),
    ("to_fp", |to, mode, x, _, _| Integers::convert(to, mode, x)),
    ("fp.neg", |_, _, x, _, _| Integers::neg(x)),
];

#[test]
fn results_lie_within_their_forms() {
    let mut found = 0;
    for (of, to) in [((2, 2), (2, 3)), ((2, 3), (2, 2)), ((3, 3), (2, 3)), ((2, 3), (3, 2))] {
        let [of, to] = [of, to].map(|(exponent, significand)| Format::new(exponent, significand).unwrap());
        let values = (0..1u128 << of.width()).map(|bits| Float::from_u128(of, bits).unwrap());
        let numbers: Vec<Float> = values.filter(|value| finite(value).is_some()).collect();
        let by = &numbers[numbers.len() / 3];
        for (name, result) in OPERATORS {
            for place in 0..=MODES.len() {
                for (at, most) in numbers.iter().enumerate().filter(|(_, most)| !most.sign()) {
                    let bounds = [most, &numbers[at / 2]];
                    let formats = (of, to);
                    found += within(formats, name, result, place, &numbers, (bounds, by));
                }
            }
        }
    }
    assert!(found > 100_000, "{found}");
}

/// Compares results with the form, if there is one; how many were compared.
fn within(
    (of, to): (Format, Format),
    name: &str,
    result: Result,
    place: usize,
    numbers: &[Float],
    (bounds, by): ([&Float; 2], &Float),
) -> usize {
    let format = Of::new(of.exponent_bits(), of.significand_bits()).unwrap();
    let mut script = Script { terms: Terms::new(), of: format };
    let sort = script.terms.sort(SortKind::Float(format));
    let inputs = [0; 2].map(|_| script.terms.fresh(sort));
    let mode_sort = script.terms.sort(SortKind::Mode);
    let mode = match place {
        5 => script.terms.fresh(mode_sort),
        place => script.terms.mk(Op::Float(FloatOp::Mode(place as u8)), &[]).unwrap(),
    };
    let by_term = script.number(by);
    let term = match name {
        "x y" => script.apply("fp.mul", &[], &[mode, inputs[0], inputs[1]]),
        "(x + y) y" => {
            let sum = script.apply("fp.add", &[], &[mode, inputs[0], inputs[1]]);
            script.apply("fp.mul", &[], &[mode, sum, inputs[1]])
        }
        "fp.mul" => script.apply(name, &[], &[mode, by_term, inputs[0]]),
        "to_fp" => script.apply(name, &[to.exponent_bits(), to.significand_bits()], &[mode, inputs[0]]),
        "fp.neg" => script.apply(name, &[], &[inputs[0]]),
        _ => script.apply(name, &[], &[mode, inputs[0], inputs[1]]),
    };
    let mut all = vec![];
    for (input, most) in inputs.into_iter().zip(bounds) {
        let (high, low) = (script.number(most), script.number(&Integers::neg(most)));
        all.push(script.apply("fp.leq", &[], &[low, input]));
        all.push(script.apply("fp.leq", &[], &[input, high]));
    }
    let result_format = if name == "to_fp" { to } else { of };
    script.of = Of::new(result_format.exponent_bits(), result_format.significand_bits()).unwrap();
    let zero = script.number(&Float::zero(result_format, false));
    all.push(script.apply("fp.leq", &[], &[term, zero]));
    let formula = script.terms.chain(Op::And, &all).unwrap();
    let mut lowering = Lowering::default();
    lowering.formula(&mut script.terms, formula).unwrap();
    let sums = Sums::new(&lowering, &script.terms, &[formula]).unwrap();
    let Some(form) = sums.rows.get(4) else { return 0 };
    let modes = RoundingMode::ALL.iter().enumerate().filter(|&(at, _)| place == 5 || at == place);
    let modes: Vec<RoundingMode> = modes.map(|(_, &mode)| mode).collect();
    let is_within =
        |value: &&Float, most: &Float| finite(value).unwrap().magnitude() <= finite(most).unwrap();
    let mut compared = 0;
    for x in numbers.iter().filter(|x| is_within(x, bounds[0])) {
        for y in numbers.iter().filter(|y| is_within(y, bounds[1])) {
            for &mode in &modes {
                let result = finite(&result(to, mode, x, y, by)).expect("a finite number");
                let mut linear = rational(&form.constant);
                for (product, factor) in &form.terms {
                    let mut part = rational(factor);
                    for &input in product {
                        part = &part * &finite(if input == inputs[0] { x } else { y }).unwrap();
                    }
                    linear = &linear + &part;
                }
                assert!((&result - &linear).magnitude() <= rational(&form.error), "{name} {place}");
                compared += 1;
            }
        }
    }
    compared
}

/// The first three assertions are contradictory: the sum is at most 1, its double at least 3. The comparisons
/// are four bounds, the sum and its double.
const SCRIPT: &str = "(declare-const x Float32) (declare-const y Float32)
    (define-fun ten () Float32 ((_ to_fp 8 24) RNE 10.0)) (define-fun low () Float32 (fp.neg ten))
    (assert (and (fp.leq low x) (fp.leq x ten) (fp.leq low y) (fp.leq y ten)))
    (assert (fp.lt (fp.add RNE x y) ((_ to_fp 8 24) RNE 1.0)))
    (assert (not (fp.lt (fp.mul RNE ((_ to_fp 8 24) RNE 2.0) (fp.add RNE x y)) ((_ to_fp 8 24) RNE 3.0))))
    (assert (fp.lt x y)) (check-sat)";

fn says(steps: &str) -> std::result::Result<(), String> {
    check(SCRIPT, format!("bvc 1\ncheck 0\n{steps}\nend 0\n").as_bytes())
        .map(drop)
        .map_err(|why| why.to_string())
}

#[test]
fn only_contradictory_sums_are_accepted() {
    says("sums 3 0 1 2 2 4 #2 5 #1").unwrap();
    says("sums 4 0 1 2 3 2 4 #20000000000000000 5 #10000000000000000").unwrap();
    for (steps, why) in [
        // Other factors, none, and those of other comparisons.
        ("sums 3 0 1 2 2 4 #3 5 #1", "not contradictory"),
        ("sums 3 0 1 2 2 4 #1 5 #1", "not contradictory"),
        ("sums 3 0 1 2 2 4 #2 5 #0", "not contradictory"),
        ("sums 3 0 1 2 0", "not contradictory"),
        ("sums 3 0 1 2 2 4 #2 1 #1", "not contradictory"),
        ("sums 4 0 1 2 3 2 4 #2 6 #1", "not contradictory"),
        ("sums 3 0 1 2 2 4 #2 6 #1", "no such comparison"),
        // The inputs have no bounds, or one side is missing.
        ("sums 2 1 2 2 0 #2 1 #1", "no such comparison"),
        ("sums 2 0 1 2 4 #2 5 #1", "no such comparison"),
        ("sums 3 0 1 4 2 4 #2 5 #1", "no such assertion"),
    ] {
        let said = says(steps).expect_err("nothing is shown");
        assert!(said.contains(why), "{steps}: {said}");
    }
    let said = says("theorem 0\nsums 3 0 1 2 2 4 #2 5 #1").expect_err("theorems have no assertions");
    assert!(said.contains("theorem"), "{said}");
}
