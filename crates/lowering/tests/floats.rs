//! Floating-point terms as bit-vectors: the image of every operator, read back, is its value, in every point
//! of small formats.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_lowering::Lowering;
use bivalve_terms::float::{Float, Format, RoundingMode};
use bivalve_terms::{Assignment, BitVec, FunctionValue, Op, Pool, Sort, Term, TheorySort, Value, cone, eval};

/// A pool with symbols of a format, a mode, a word, and the stage.
pub(crate) struct Stage {
    pub(crate) pool: Pool,
    pub(crate) lowering: Lowering,
    pub(crate) mode: Term,
    pub(crate) floats: Vec<Term>,
    pub(crate) word: Term,
}

pub(crate) fn stage(eb: u64, sb: u64) -> Stage {
    let mut pool = Pool::new();
    let modes = pool.sorts_mut().theory(TheorySort::RoundingMode);
    let sort = pool.float_sort(Format::new(eb, sb).unwrap());
    let mode = pool.symbol("r", modes);
    let floats = ["x", "y", "z"].map(|name| pool.symbol(name, sort)).to_vec();
    let word = pool.symbol("w", Sort::bitvec(4).unwrap());
    Stage { pool, lowering: Lowering::new(), mode, floats, word }
}

/// Every list of values for these symbols of small sorts, as words; `code` says which.
fn assigned(pool: &Pool, symbols: &[Term], mut code: u64) -> Option<Assignment> {
    let mut assignment = Assignment::new();
    for &symbol in symbols {
        let width = pool.width(symbol)?;
        assignment.set(symbol, BitVec::from_u64(code, width));
        code >>= width;
    }
    (code == 0).then_some(assignment)
}

impl Stage {
    /// Compares under every assignment of the term's images that satisfies what goes with them; the number of
    /// those that did.
    pub(crate) fn agrees(&mut self, term: Term) -> usize {
        let Stage { pool, lowering, .. } = self;
        lowering.check(pool, term).unwrap();
        let image = lowering.image(pool, term);
        // A formula that mentions the term has its conditions.
        let same = pool.mk(Op::Eq, &[term, term]);
        lowering.check(pool, same).unwrap();
        let condition = lowering.formula(pool, same);
        let symbols: Vec<Term> = cone(pool, &[image, condition]);
        let symbols: Vec<Term> = symbols.into_iter().filter(|&t| pool.op(t) == Op::Symbol).collect();
        let (functions, words): (Vec<Term>, Vec<Term>) =
            symbols.iter().partition(|&&symbol| pool.sorts().is_function(pool.sort(symbol)));
        let mut checked = 0;
        for code in 0.. {
            let Some(mut assignment) = assigned(pool, &words, code) else { break };
            // Whatever a function is, it is the same for term and image.
            for &function in &functions {
                let width = pool.sorts().function_parts(pool.sort(function)).unwrap().1.width().unwrap();
                let value = FunctionValue::constant(BitVec::from_u64(code ^ 5, width).into());
                assignment.set(function, Value::from(value));
            }
            if !eval(pool, condition, &assignment).expect_bool() {
                continue;
            }
            let found = eval(pool, image, &assignment);
            lowering.lift(pool, &mut assignment);
            let meant = eval(pool, term, &assignment);
            let found = lowering.value(pool, pool.sort(term), &found);
            assert_eq!(meant, found, "{} under {assignment:?}", pool.display(term));
            checked += 1;
        }
        checked
    }
}

#[test]
fn images_of_all_operators_agree_with_their_meanings() {
    let mut accepted = vec![0; Op::all().count()];
    for (eb, sb) in [(2, 2), (2, 3), (3, 2)] {
        let mut stage = stage(eb, sb);
        let (mode, word) = (stage.mode, stage.word);
        let [x, y, z] = stage.floats[..] else { panic!("three") };
        let pool = &mut stage.pool;
        let half = pool.real(&bivalve_terms::float::Rational::scaled(7, -3));
        let mut terms = vec![
            pool.mk_indexed(Op::FpFromBits, &[2, 2], &[word]),
            pool.mk_indexed(Op::FpFromReal, &[eb as u32, sb as u32], &[mode, half]),
            pool.mk_indexed(Op::FpFromSbv, &[eb as u32, sb as u32], &[mode, word]),
            pool.mk_indexed(Op::FpFromUbv, &[eb as u32, sb as u32], &[mode, word]),
            pool.mk_indexed(Op::FpFromFloat, &[3, 3], &[mode, x]),
            pool.mk_indexed(Op::FpFromFloat, &[2, 2], &[mode, x]),
            pool.mk(Op::Eq, &[x, y]),
            pool.mk(Op::Distinct, &[x, y]),
        ];
        let parts = [(3, 3), (2, 1), (0, 0)].map(|(hi, lo)| pool.mk_indexed(Op::Extract, &[hi, lo], &[word]));
        terms.push(pool.mk(Op::FpFields, &parts));
        for width in [1, 3] {
            terms.extend([Op::FpToUbv, Op::FpToSbv].map(|op| pool.mk_indexed(op, &[width], &[mode, x])));
        }
        for op in Op::all().filter(|op| op.is_lowered()) {
            for args in [&[x][..], &[x, y], &[mode, x], &[mode, x, y], &[mode, x, y, z], &[x, y, x]] {
                terms.extend(pool.app(op, args));
            }
        }
        let less = pool.mk(Op::FpLt, &[x, y]);
        terms.push(pool.mk(Op::Ite, &[less, y, x]));
        for term in terms {
            let op = stage.pool.op(term);
            // Of three operands, in the least format only; roots have symbols of their own.
            if op == Op::FpFma && (eb, sb) != (2, 2) || op == Op::FpSqrt && sb > 2 {
                continue;
            }
            accepted[op as usize] += stage.agrees(term);
        }
    }
    for op in Op::all().filter(|op| op.info().theory == bivalve_terms::Theory::Floats) {
        assert!(accepted[op as usize] > 4, "{op:?}: {}", accepted[op as usize]);
    }
}

/// Constants are folded as images are made: each operand in turn is a constant, or each but one.
#[test]
fn images_of_operators_on_constants_agree_with_their_meanings() {
    let mut stage = stage(2, 2);
    let format = Format::new(2, 2).unwrap();
    let [x, y, z] = stage.floats[..] else { panic!("three") };
    let bits = (0..16).filter_map(|bits| Float::from_u128(format, bits)).filter(|x| !x.is_nan());
    let values: Vec<Float> = bits.chain([Float::nan(format)]).collect();
    let constants: Vec<Term> = values.iter().map(|value| stage.pool.float(value)).collect();
    let modes: Vec<Term> = RoundingMode::ALL.map(|mode| stage.pool.rounding_mode(mode)).into();
    let mut checked = 0;
    for (at, &c) in constants.iter().enumerate() {
        // All pairs of constants are met, in one mode or another.
        for (other, &d) in constants.iter().enumerate() {
            let mode = modes[(at + other) % modes.len()];
            for op in Op::all().filter(|&op| op.is_lowered() && op != Op::FpSqrt) {
                let lists: [&[Term]; 6] =
                    [&[mode, c, d, z], &[mode, x, c, d], &[mode, c, x], &[mode, d, c], &[x, c], &[c, x]];
                for args in lists {
                    if let Ok(term) = stage.pool.app(op, args) {
                        checked += stage.agrees(term);
                    }
                }
            }
        }
        let mode = stage.mode;
        if let Ok(term) = stage.pool.app(Op::FpFma, &[mode, c, x, y]) {
            checked += stage.agrees(term);
        }
    }
    assert!(checked > 50_000, "{checked}");
}

/// Roots of one integer are one symbol, whatever they are rounded by.
#[test]
fn roots_are_shared_by_rounding_modes() {
    let mut stage = stage(3, 4);
    let x = stage.floats[0];
    let Stage { pool, lowering, .. } = &mut stage;
    let roots: Vec<Term> = RoundingMode::ALL
        .map(|mode| {
            let mode = pool.rounding_mode(mode);
            pool.mk(Op::FpSqrt, &[mode, x])
        })
        .to_vec();
    let all = pool.mk(Op::Distinct, &roots);
    lowering.check(pool, all).unwrap();
    let image = lowering.formula(pool, all);
    let is_root = |term: &&Term| pool.name(**term).is_some_and(|name| name == "root");
    assert_eq!(cone(pool, &[image]).iter().filter(is_root).count(), 1);
}

/// Where arrays over few values are compared, one of the values has to be left alone.
#[test]
fn arrays_over_few_values_are_refused_where_all_may_be_written() {
    // Of rounding modes there are so few that arrays are compared element by element; of these numbers not.
    for (few, all) in [(true, 5), (false, 59)] {
        let mut stage = stage(3, 3);
        let (mode, float) = (stage.mode, stage.floats[0]);
        let Stage { pool, lowering, .. } = &mut stage;
        let index = pool.sort(if few { mode } else { float });
        let sort = pool.sorts_mut().array(index, Sort::BOOL).unwrap();
        let [mut a, b] = ["a", "b"].map(|name| pool.symbol(name, sort));
        let truth = pool.bool(true);
        let mut refused = None;
        for stores in 1..=all {
            let at = pool.symbol("i", index);
            a = pool.mk(Op::Store, &[a, at, truth]);
            let same = pool.mk(Op::Eq, &[a, b]);
            refused =
                refused.or(lowering.check(pool, same).err().map(|refusal| (stores, refusal.to_string())));
        }
        let index = pool.sorts().display(index);
        let expected = format!(
            "expected where arrays over {index} are compared, fewer 'store' than it has values, found {all}"
        );
        assert_eq!(refused, (!few).then_some((all, expected)));
    }
}

/// Tests of results, and comparisons of sums with zero, by the classes of the operands: the laws say the same
/// as the arithmetic, and no arithmetic is made for them.
#[test]
fn classes_of_results_need_no_arithmetic() {
    let tests = [
        Op::FpIsNan,
        Op::FpIsZero,
        Op::FpIsInfinite,
        Op::FpIsNormal,
        Op::FpIsSubnormal,
        Op::FpIsNegative,
        Op::FpIsPositive,
    ];
    for (eb, sb) in [(2, 2), (2, 3)] {
        let mut stage = stage(eb, sb);
        let mode = stage.mode;
        let [x, y, _] = stage.floats[..] else { panic!("three") };
        let format = Format::new(eb, sb).unwrap();
        let indices = [eb as u32, sb as u32];
        let pool = &mut stage.pool;
        let mut results = vec![
            pool.mk_indexed(Op::FpFromFloat, &[3, 3], &[mode, x]),
            pool.mk_indexed(Op::FpFromFloat, &[2, 2], &[mode, x]),
            pool.mk_indexed(Op::FpFromSbv, &indices, &[mode, stage.word]),
            pool.mk_indexed(Op::FpFromUbv, &indices, &[mode, stage.word]),
        ];
        for op in Op::all().filter(|op| op.info().theory == bivalve_terms::Theory::Floats) {
            let is_root = op == Op::FpSqrt && sb > 2;
            for args in [&[x][..], &[x, y], &[mode, x], &[mode, x, y]] {
                let made = pool.app(op, args).ok().filter(|&term| pool.float_format(term) == Some(format));
                results.extend(made.filter(|_| !is_root));
            }
        }
        let mut terms: Vec<Term> = results
            .iter()
            .flat_map(|&result| tests.map(|test| (test, result)))
            .map(|(test, result)| pool.mk(test, &[result]))
            .collect();
        let sums = [Op::FpAdd, Op::FpSub].map(|op| pool.mk(op, &[mode, x, y]));
        for zero in
            [false, true].map(|negative| pool.float(&bivalve_terms::float::Float::zero(format, negative)))
        {
            for op in [Op::FpLt, Op::FpLe, Op::FpGt, Op::FpGe, Op::FpEq] {
                for sum in sums {
                    terms.push(pool.mk(op, &[sum, zero]));
                    terms.push(pool.mk(op, &[zero, sum]));
                }
            }
        }
        for op in [Op::FpLt, Op::FpLe, Op::FpGt, Op::FpGe, Op::FpEq] {
            terms.push(pool.mk(op, &[x, x]));
            terms.push(pool.mk(op, &[sums[0], sums[0]]));
        }
        terms.into_iter().for_each(|term| assert!(stage.agrees(term) > 4));
    }
    let mut stage = stage(8, 24);
    let Stage { pool, lowering, mode, floats, .. } = &mut stage;
    let root = pool.mk(Op::FpSqrt, &[*mode, floats[0]]);
    let product = pool.mk(Op::FpMul, &[*mode, root, floats[1]]);
    let nan = pool.mk(Op::FpIsNan, &[product]);
    lowering.check(pool, nan).unwrap();
    let image = lowering.formula(pool, nan);
    assert!(cone(pool, &[image]).iter().all(|&term| !matches!(pool.op(term), Op::BvMul | Op::BvAdd)));
}
