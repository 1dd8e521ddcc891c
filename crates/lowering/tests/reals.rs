//! Reals as words: comparisons, choices and roundings of values of `fp.to_real` and constants agree with
//! their meanings on rationals, in every point of small formats, whatever NaN and infinities are.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::floats::stage;
use bivalve_lowering::Lowering;
use bivalve_terms::float::{Float, Format, Number, Rational, RoundingMode};
use bivalve_terms::{Assignment, BitVec, FunctionValue, Op, Pool, Term, TheorySort, Value, cone, eval};

const ORDERS: [Op; 6] = [Op::IntLt, Op::IntLe, Op::IntGt, Op::IntGe, Op::Eq, Op::Distinct];

fn values(format: Format) -> Vec<Float> {
    let mut all: Vec<Float> =
        (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap()).collect();
    all.sort();
    all.dedup();
    all
}

fn finite(format: Format) -> Vec<Rational> {
    let real = |value: &Float| match value.number() {
        Number::Finite(real) => Some(real),
        Number::Zero(_) => Some(Rational::from_integer(0)),
        _ => None,
    };
    let mut all: Vec<Rational> = values(format).iter().filter_map(real).collect();
    all.sort();
    all.dedup();
    all
}

/// The numbers of a format, what is in the middle of neighbours and a third between, and what is beyond.
fn constants(format: Format) -> Vec<Rational> {
    let numbers = finite(format);
    let mut all = numbers.clone();
    for pair in numbers.windows(2) {
        let apart = &pair[1] - &pair[0];
        all.extend([2u32, 3].map(|part| &pair[0] + &(&apart * &Rational::new(1, part).unwrap())));
    }
    all.extend([1_000, -1_000].map(Rational::from_integer));
    all.sort();
    all.dedup();
    all
}

/// What open results may be: places of constants and next to them.
fn open_words(pool: &mut Pool, lowering: &mut Lowering, constants: &[Rational]) -> Vec<BitVec> {
    let mut words = vec![];
    for constant in constants {
        let real = pool.real(constant);
        let image = lowering.image(pool, real);
        let word = pool.as_bitvec(image).unwrap();
        let one = BitVec::from_u64(1, word.width());
        words.extend([word.sub(&one), word.add(&one), word]);
    }
    words
}

/// Compares the value of a term's image with its meaning, for all values of the symbols; each open function
/// gives one of the words.
fn agrees(pool: &mut Pool, lowering: &mut Lowering, term: Term, symbols: &[Term], open: &[BitVec]) -> usize {
    lowering.check(pool, term).unwrap();
    let image = lowering.image(pool, term);
    let functions: Vec<Term> =
        cone(pool, &[image]).into_iter().filter(|&t| pool.op(t) == Op::Symbol).collect();
    let functions: Vec<Term> =
        functions.into_iter().filter(|&t| pool.sorts().is_function(pool.sort(t))).collect();
    let formats: Vec<Vec<Float>> =
        symbols.iter().map(|&symbol| values(pool.float_format(symbol).unwrap())).collect();
    let images: Vec<Term> = symbols.iter().map(|&symbol| lowering.image(pool, symbol)).collect();
    let count: usize = formats.iter().map(Vec::len).product();
    let mut checked = 0;
    for mut code in 0..count {
        let mut assignment = Assignment::new();
        let (mut is_open, first) = (false, code);
        for (image, values) in images.iter().zip(&formats) {
            let value = &values[code % values.len()];
            code /= values.len();
            is_open |= !matches!(value.number(), Number::Finite(_) | Number::Zero(_));
            assignment.set(*image, BitVec::from_int(&value.to_bits().into(), value.format().width()));
        }
        for choice in 0..if is_open { open.len() } else { 1 } {
            for (at, &function) in functions.iter().enumerate() {
                let word = open[(choice + 7 * at + first) % open.len()].clone();
                assignment.set(function, Value::from(FunctionValue::constant(word.into())));
            }
            let found = eval(pool, image, &assignment);
            let mut lifted = assignment.clone();
            lowering.lift(pool, &mut lifted);
            let meant = eval(pool, term, &lifted);
            let found = lowering.value(pool, pool.sort(term), &found);
            assert_eq!(meant, found, "{} under {lifted:?}", pool.display(term));
            checked += 1;
        }
    }
    checked
}

#[test]
fn comparisons_with_constants_agree_with_those_of_rationals() {
    let mut checked = 0;
    for (eb, sb) in [(2, 2), (2, 3)] {
        let mut stage = stage(eb, sb);
        let (x, constants) = (stage.floats[0], constants(Format::new(eb, sb).unwrap()));
        let (pool, lowering) = (&mut stage.pool, &mut stage.lowering);
        let real = pool.mk(Op::FpToReal, &[x]);
        let terms: Vec<Term> = constants
            .iter()
            .flat_map(|constant| {
                let constant = pool.real(constant);
                let pairs = ORDERS.map(|op| [pool.mk(op, &[real, constant]), pool.mk(op, &[constant, real])]);
                let chain = pool.mk(Op::IntLe, &[constant, real, constant]);
                pairs.into_iter().flatten().chain([chain]).collect::<Vec<_>>()
            })
            .collect();
        terms.iter().for_each(|&term| lowering.check(pool, term).unwrap());
        let open = open_words(pool, lowering, &constants);
        for term in terms {
            checked += agrees(pool, lowering, term, &[x], &open);
        }
    }
    assert!(checked > 100_000, "{checked}");
}

#[test]
fn numbers_of_different_formats_are_compared_chosen_and_rounded_as_reals() {
    let mut stage = stage(2, 3);
    let (x, mode) = (stage.floats[0], stage.mode);
    let (pool, lowering) = (&mut stage.pool, &mut stage.lowering);
    let other = Format::new(3, 2).unwrap();
    let sort = pool.float_sort(other);
    let y = pool.symbol("other", sort);
    let reals = [x, y].map(|x| pool.mk(Op::FpToReal, &[x]));
    let less = pool.mk(Op::IntLt, &reals);
    let third = pool.real(&Rational::new(1, 3u32).unwrap());
    let least = pool.mk(Op::Ite, &[less, reals[0], reals[1]]);
    let near = pool.mk(Op::Ite, &[less, reals[0], third]);
    let mut terms: Vec<Term> = ORDERS.iter().map(|&op| pool.mk(op, &reals)).collect();
    terms.push(pool.mk(Op::Distinct, &[reals[0], third, reals[1]]));
    terms.push(pool.mk(Op::IntGt, &[least, third]));
    terms.push(near);
    for mode in RoundingMode::ALL {
        let mode = pool.rounding_mode(mode);
        for real in [reals[0], near, least] {
            terms.push(pool.mk_indexed(Op::FpFromReal, &[2, 2], &[mode, real]));
        }
    }
    terms.iter().for_each(|&term| lowering.check(pool, term).unwrap());
    let open = open_words(pool, lowering, &constants(other));
    let mut checked = 0;
    for term in terms {
        checked += agrees(pool, lowering, term, &[x, y], &open);
    }
    assert!(checked > 100_000, "{checked}");
    // By any mode, too: it stays a symbol.
    let rounded = pool.mk_indexed(Op::FpFromReal, &[2, 2], &[mode, near]);
    assert!(lowering.check(pool, rounded).is_ok());
}

#[test]
fn real_symbols_and_reals_that_are_too_near_or_too_wide_are_refused() {
    let mut stage = stage(2, 3);
    let (x, mode) = (stage.floats[0], stage.mode);
    let (pool, lowering) = (&mut stage.pool, &mut stage.lowering);
    let real = pool.sorts_mut().theory(TheorySort::Real);
    let symbol = pool.symbol("real", real);
    let refusal = lowering.check(pool, symbol).unwrap_err();
    assert_eq!(refusal.to_string(), "expected a sort whose values are bit-vectors, found sort Real");
    let near = pool.real(&(&Rational::from_integer(1) + &Rational::scaled(1, -400)));
    let of_x = pool.mk(Op::FpToReal, &[x]);
    let less = pool.mk(Op::IntLt, &[of_x, near]);
    let refusal = lowering.check(pool, less).unwrap_err();
    assert_eq!(refusal.argument, Some(1));
    // It is rounded all the same.
    let rounded = pool.mk_indexed(Op::FpFromReal, &[2, 3], &[mode, near]);
    assert!(lowering.check(pool, rounded).is_ok());
    let wide = pool.float_sort(Format::new(20, 24).unwrap());
    let wide = pool.symbol("wide", wide);
    let of_wide = pool.mk(Op::FpToReal, &[wide]);
    assert_eq!(lowering.check(pool, of_wide).unwrap_err().argument, Some(0));
    let rounded = pool.mk_indexed(Op::FpFromReal, &[20, 24], &[mode, of_x]);
    assert_eq!(lowering.check(pool, rounded).unwrap_err().argument, Some(1));
}
