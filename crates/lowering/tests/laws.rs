//! What stands in the place of floating-point terms before images are made: comparisons with constants as
//! ranges, conversions that lose nothing, units. Each law is judged on all values of small formats, and seen
//! to leave no arithmetic.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::floats::{Stage, stage};
use bivalve_terms::float::{Float, Format, RoundingMode};
use bivalve_terms::{Op, Pool, Term, cone};

const COMPARISONS: [Op; 6] = [Op::FpLt, Op::FpLe, Op::FpGt, Op::FpGe, Op::FpEq, Op::Eq];

fn constants(pool: &mut Pool, eb: u64, sb: u64) -> Vec<Term> {
    let format = Format::new(eb, sb).unwrap();
    let values = (0..1u128 << (eb + sb)).filter_map(|bits| Float::from_u128(format, bits));
    let mut terms: Vec<Term> = values.map(|value| pool.float(&value)).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Whether the image of a term is without what the function finds.
fn is_without(stage: &mut Stage, term: Term, found: impl Fn(&Pool, Term) -> bool) -> bool {
    let Stage { pool, lowering, .. } = stage;
    lowering.check(pool, term).unwrap();
    let image = lowering.image(pool, term);
    cone(pool, &[image]).iter().all(|&part| !found(pool, part))
}

fn is_arithmetic(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvMul | Op::BvAdd | Op::BvSub | Op::BvUdiv | Op::BvShl | Op::BvLshr)
}

/// Functions of one unknown that rise or fall, with a constant.
fn functions(stage: &mut Stage, mode: Term, constant: Term, other: Term, (eb, sb): (u64, u64)) -> Vec<Term> {
    let (x, word) = (stage.floats[0], stage.word);
    let (pool, c, d) = (&mut stage.pool, constant, other);
    let own = [eb as u32, sb as u32];
    let mut terms = vec![
        pool.mk(Op::FpAdd, &[mode, x, c]),
        pool.mk(Op::FpAdd, &[mode, c, x]),
        pool.mk(Op::FpSub, &[mode, x, c]),
        pool.mk(Op::FpSub, &[mode, c, x]),
        pool.mk(Op::FpMul, &[mode, c, x]),
        pool.mk(Op::FpMul, &[mode, x, x]),
        pool.mk(Op::FpDiv, &[mode, x, c]),
        pool.mk(Op::FpDiv, &[mode, c, x]),
        pool.mk(Op::FpFma, &[mode, x, c, d]),
        pool.mk(Op::FpFma, &[mode, c, d, x]),
        pool.mk(Op::FpRoundToIntegral, &[mode, x]),
        pool.mk(Op::FpNeg, &[x]),
        pool.mk(Op::FpAbs, &[x]),
        pool.mk_indexed(Op::FpFromSbv, &own, &[mode, word]),
        pool.mk_indexed(Op::FpFromUbv, &own, &[mode, word]),
    ];
    if sb == 2 {
        terms.push(pool.mk(Op::FpSqrt, &[mode, x]));
    }
    terms
}

#[test]
fn comparisons_of_monotone_functions_with_constants_are_ranges() {
    let mut checked = 0;
    for (eb, sb) in [(2, 2), (2, 3), (3, 2)] {
        let mut stage = stage(eb, sb);
        let constants = constants(&mut stage.pool, eb, sb);
        let modes = RoundingMode::ALL.map(|mode| stage.pool.rounding_mode(mode));
        for (at, &constant) in constants.iter().enumerate() {
            for (place, &bound) in constants.iter().enumerate() {
                // All pairs of constants in the least format; the modes take turns.
                if sb + eb > 4 && (at + place) % 4 != 0 {
                    continue;
                }
                let mode = modes[(at + 3 * place) % modes.len()];
                let other = constants[(7 * at + place) % constants.len()];
                let functions = functions(&mut stage, mode, constant, other, (eb, sb));
                for (turn, function) in functions.into_iter().enumerate() {
                    let op = COMPARISONS[(turn + at + place) % COMPARISONS.len()];
                    let sides = if turn % 2 == 0 { [function, bound] } else { [bound, function] };
                    let term = stage.pool.mk(op, &sides);
                    checked += stage.agrees(term);
                }
            }
        }
        // Conversions to other formats.
        for (to, narrow) in [((3, 4), false), ((2, 2), true)] {
            let indices = [to.0, to.1];
            for bound in self::constants(&mut stage.pool, to.0.into(), to.1.into()) {
                let mode = if narrow { modes[2] } else { stage.mode };
                for op in COMPARISONS {
                    let converted =
                        stage.pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, stage.floats[0]]);
                    let term = stage.pool.mk(op, &[converted, bound]);
                    checked += stage.agrees(term);
                }
            }
        }
    }
    assert!(checked > 100_000, "{checked}");
}

#[test]
fn ranges_need_no_arithmetic() {
    let mut stage = stage(11, 53);
    let (x, word) = (stage.floats[0], stage.pool.symbol("wide", bivalve_terms::Sort::bitvec(64).unwrap()));
    let pool = &mut stage.pool;
    let near = pool.rounding_mode(RoundingMode::NearestEven);
    let tenth = pool.real(&bivalve_terms::float::Rational::scaled(1, -1));
    // As scripts write it.
    let c = pool.mk_indexed(Op::FpFromReal, &[11, 53], &[near, tenth]);
    let single = pool.mk_indexed(Op::FpFromReal, &[8, 24], &[near, tenth]);
    let sum = pool.mk(Op::FpAdd, &[near, x, c]);
    let product = pool.mk(Op::FpMul, &[near, sum, c]);
    let root = pool.mk(Op::FpSqrt, &[near, product]);
    let square = pool.mk(Op::FpMul, &[near, root, root]);
    let less = pool.mk(Op::FpLt, &[square, c]);
    let integer = pool.mk_indexed(Op::FpFromSbv, &[11, 53], &[near, word]);
    let at_least = pool.mk(Op::FpGe, &[integer, c]);
    let narrow = pool.mk_indexed(Op::FpFromFloat, &[8, 24], &[near, sum]);
    let equal = pool.mk(Op::FpEq, &[narrow, single]);
    for term in [less, at_least, equal] {
        assert!(is_without(&mut stage, term, is_arithmetic), "{}", stage.pool.display(term));
    }
    // Nothing is far away where formats are large.
    let mut stage = self::stage(20, 200);
    let (pool, x) = (&mut stage.pool, stage.floats[0]);
    let near = pool.rounding_mode(RoundingMode::NearestEven);
    let one = pool.float(&Float::one(Format::new(20, 200).unwrap(), false));
    let square = pool.mk(Op::FpMul, &[near, x, x]);
    let less = pool.mk(Op::FpLt, &[square, one]);
    assert!(is_without(&mut stage, less, is_arithmetic));
}

/// The search for the ends of a range takes a step for each bit, and a step in such a format takes long; no
/// limit of time ended it.
#[test]
fn formats_of_very_many_bits_have_no_ranges() {
    for (bits, has_range) in [(900, true), (1_100, false)] {
        let mut stage = stage(20, bits);
        let (pool, x) = (&mut stage.pool, stage.floats[0]);
        let near = pool.rounding_mode(RoundingMode::NearestEven);
        let one = pool.float(&Float::one(Format::new(20, bits).unwrap(), false));
        let square = pool.mk(Op::FpMul, &[near, x, x]);
        let less = pool.mk(Op::FpLt, &[square, one]);
        assert_eq!(is_without(&mut stage, less, is_arithmetic), has_range, "{bits}");
    }
}

#[test]
fn conversions_that_lose_nothing_are_left_out() {
    let mut checked = 0;
    for ((eb, sb), wide) in [((2, 2), [4, 6]), ((2, 3), [4, 8]), ((3, 2), [5, 6])] {
        let mut stage = stage(eb, sb);
        let (mode, [x, y]) = (stage.mode, [stage.floats[0], stage.floats[1]]);
        let own = [eb as u32, sb as u32];
        let constants = constants(&mut stage.pool, eb, sb);
        let [wide_x, wide_y] = [x, y].map(|x| stage.pool.mk_indexed(Op::FpFromFloat, &wide, &[mode, x]));
        let is_wide =
            |pool: &Pool, term: Term| pool.width(term).is_some_and(|width| width >= wide[0] + wide[1]);
        let mut terms: Vec<Term> = COMPARISONS.map(|op| stage.pool.mk(op, &[wide_x, wide_y])).into();
        let tests = [Op::FpIsZero, Op::FpIsInfinite, Op::FpIsNegative, Op::FpIsPositive];
        terms.extend(tests.map(|op| stage.pool.mk(op, &[wide_x])));
        terms.push(stage.pool.mk_indexed(Op::FpFromFloat, &own, &[mode, wide_x]));
        // What is rounded twice in one mode.
        let mut results = vec![];
        for op in [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv] {
            results.push(stage.pool.mk(op, &[mode, wide_x, wide_y]));
            for &constant in &constants {
                let value = stage.pool.mk_indexed(Op::FpFromFloat, &wide, &[mode, constant]);
                let value = bivalve_terms::eval(&stage.pool, value, &with_mode(&stage));
                let constant = stage.pool.constant(&value).unwrap();
                results.push(stage.pool.mk(op, &[mode, wide_x, constant]));
            }
        }
        if sb == 2 {
            results.push(stage.pool.mk(Op::FpSqrt, &[mode, wide_x]));
        }
        terms.extend(
            results.iter().map(|&result| stage.pool.mk_indexed(Op::FpFromFloat, &own, &[mode, result])),
        );
        for term in terms {
            checked += stage.agrees(term);
            assert!(is_without(&mut stage, term, is_wide), "{}", stage.pool.display(term));
        }
        // Not enough digits, another mode: as it is written, and right.
        let near = stage.pool.rounding_mode(RoundingMode::NearestEven);
        let few = [wide[0], wide[1] - 1];
        let [narrow_x, narrow_y] = [x, y].map(|x| stage.pool.mk_indexed(Op::FpFromFloat, &few, &[mode, x]));
        let product = stage.pool.mk(Op::FpDiv, &[mode, narrow_x, narrow_y]);
        let other = stage.pool.mk(Op::FpAdd, &[mode, wide_x, wide_y]);
        for term in [(mode, product), (near, other)]
            .map(|(mode, result)| stage.pool.mk_indexed(Op::FpFromFloat, &own, &[mode, result]))
        {
            checked += stage.agrees(term);
            let is_wide = |pool: &Pool, term| pool.width(term).is_some_and(|width| width >= few[0] + few[1]);
            assert!(!is_without(&mut stage, term, is_wide));
        }
    }
    assert!(checked > 50_000, "{checked}");
}

/// An assignment of the mode alone.
fn with_mode(stage: &Stage) -> bivalve_terms::Assignment {
    let mut assignment = bivalve_terms::Assignment::new();
    assignment.set(stage.mode, bivalve_terms::Value::from(RoundingMode::NearestEven));
    assignment
}

#[test]
fn integers_that_fit_come_back() {
    for (format, fits) in [([4, 4], true), ([4, 5], true), ([3, 2], false)] {
        let mut stage = stage(2, 2);
        let (mode, word) = (stage.mode, stage.word);
        for from in [Op::FpFromSbv, Op::FpFromUbv] {
            let float = stage.pool.mk_indexed(from, &format, &[mode, word]);
            for to in [Op::FpToSbv, Op::FpToUbv] {
                for width in 3..7 {
                    let term = stage.pool.mk_indexed(to, &[width], &[mode, float]);
                    assert!(stage.agrees(term) > 4);
                    let same = (from == Op::FpFromSbv) == (to == Op::FpToSbv);
                    let needed = if same { 4 } else { 5 };
                    let is_word = fits && width >= needed && (same || from == Op::FpFromUbv);
                    assert_eq!(is_without(&mut stage, term, is_arithmetic), is_word, "{format:?} {width}");
                }
            }
        }
    }
}

#[test]
fn units_and_what_undoes_itself() {
    let mut checked = 0;
    for (eb, sb) in [(2, 2), (2, 3), (3, 2)] {
        let mut stage = stage(eb, sb);
        let modes = RoundingMode::ALL.map(|mode| stage.pool.rounding_mode(mode));
        let [x, y] = [stage.floats[0], stage.floats[1]];
        for (at, constant) in constants(&mut stage.pool, eb, sb).into_iter().enumerate() {
            for (turn, mode) in modes.into_iter().chain([stage.mode]).enumerate() {
                let pool = &mut stage.pool;
                let mut terms = vec![];
                for op in [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv] {
                    terms.push(pool.mk(op, &[mode, x, constant]));
                    terms.push(pool.mk(op, &[mode, constant, x]));
                }
                if turn == at % modes.len() && eb + sb == 4 {
                    terms.push(pool.mk(Op::FpFma, &[mode, x, constant, y]));
                    terms.push(pool.mk(Op::FpFma, &[mode, constant, x, y]));
                    terms.push(pool.mk(Op::FpFma, &[mode, x, y, constant]));
                }
                checked += terms.into_iter().map(|term| stage.agrees(term)).sum::<usize>();
            }
        }
        let pool = &mut stage.pool;
        let minus = pool.mk(Op::FpNeg, &[x]);
        let size = pool.mk(Op::FpAbs, &[x]);
        let nearest = pool.mk(Op::FpRoundToIntegral, &[modes[0], x]);
        let terms = [
            pool.mk(Op::FpNeg, &[minus]),
            pool.mk(Op::FpAbs, &[minus]),
            pool.mk(Op::FpAbs, &[size]),
            pool.mk(Op::FpMin, &[x, x]),
            pool.mk(Op::FpMax, &[x, x]),
            pool.mk(Op::FpRoundToIntegral, &[stage.mode, nearest]),
        ];
        checked += terms.into_iter().map(|term| stage.agrees(term)).sum::<usize>();
    }
    assert!(checked > 20_000, "{checked}");
}
