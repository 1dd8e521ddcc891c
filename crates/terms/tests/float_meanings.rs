//! The meanings of floating-point terms against exact rational arithmetic, on all arguments of small formats:
//! that each operator of the table is the one of its name, with its arguments in their order.
//!
//! What the standard leaves open is what the hidden argument says: the same for the same arguments, and
//! whatever it says is a value of the sort.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_terms::float::{Exact, Float, Format, Operation, Outcome, RoundingMode, Semantics, from_signed};
use bivalve_terms::{
    Assignment, BitVec, FunctionValue, Op, Pool, Sort, Term, Theory, TheoryValue, Value, eval,
};

fn formats() -> [Format; 2] {
    [(2, 3), (3, 2)].map(|(eb, sb)| Format::new(eb, sb).unwrap())
}

/// All values of a format, each once.
fn values(format: Format) -> Vec<Float> {
    let all = (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap());
    let mut all: Vec<Float> = all.collect();
    all.sort();
    all.dedup();
    all
}

/// Evaluates `op` on every list of arguments and compares; `free` is what is said of open results.
struct Judge {
    pool: Pool,
    mode: Term,
    numbers: [Term; 3],
    judged: usize,
}

impl Judge {
    fn new(format: Format) -> Judge {
        let mut pool = Pool::new();
        let mode = pool.rounding_mode(RoundingMode::NearestEven);
        let mode_sort = pool.sort(mode);
        let mode = pool.symbol("r", mode_sort);
        let sort = pool.float_sort(format);
        let numbers = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        Judge { pool, mode, numbers, judged: 0 }
    }

    fn check(&mut self, op: Op, operation: Operation, indices: &[u32], lists: &[Vec<Float>]) {
        let arity = operation.arity();
        let mut args = self.numbers[..arity].to_vec();
        if operation.rounds() {
            args.insert(0, self.mode);
        }
        let term = self.pool.mk_indexed(op, indices, &args);
        let modes = if operation.rounds() { &RoundingMode::ALL[..] } else { &RoundingMode::ALL[..1] };
        let mut assignment = Assignment::new();
        for &mode in modes {
            assignment.set(self.mode, mode);
            for list in lists {
                list.iter().zip(self.numbers).for_each(|(x, symbol)| assignment.set(symbol, x.clone()));
                let arguments: Vec<_> = list.iter().cloned().map(Into::into).collect();
                let found = eval(&self.pool, term, &assignment);
                let expected = match operation.apply::<Exact>(mode, &arguments).expect("arguments that fit") {
                    Outcome::Value(bivalve_terms::float::Value::Float(x)) => x.into(),
                    Outcome::Value(bivalve_terms::float::Value::Bool(b)) => b.into(),
                    Outcome::Value(bivalve_terms::float::Value::Word(width, bits)) => {
                        BitVec::from_int(&bits.into(), width).into()
                    }
                    Outcome::Value(bivalve_terms::float::Value::Real(real)) => TheoryValue::Real(real).into(),
                    // Nothing was said, so it is zero.
                    Outcome::Unspecified => Value::default_of(self.pool.sorts(), self.pool.sort(term)),
                };
                assert_eq!(found, expected, "{op:?} {indices:?} {mode} {list:?}");
                self.judged += 1;
            }
        }
    }
}

fn lists(values: &[Float], count: usize) -> Vec<Vec<Float>> {
    let all = values.len();
    let list = |code: usize| (0..count).map(|i| values[code / all.pow(i as u32) % all].clone()).collect();
    (0..all.pow(count as u32)).map(list).collect()
}

#[test]
fn operators_on_floats_mean_what_their_names_say() {
    use Operation as O;
    let all = [
        (Op::FpAbs, O::Abs),
        (Op::FpNeg, O::Neg),
        (Op::FpAdd, O::Add),
        (Op::FpSub, O::Sub),
        (Op::FpMul, O::Mul),
        (Op::FpDiv, O::Div),
        (Op::FpFma, O::Fma),
        (Op::FpSqrt, O::Sqrt),
        (Op::FpRem, O::Rem),
        (Op::FpRoundToIntegral, O::RoundToIntegral),
        (Op::FpMin, O::Min),
        (Op::FpMax, O::Max),
        (Op::FpLe, O::Le),
        (Op::FpLt, O::Lt),
        (Op::FpGe, O::Ge),
        (Op::FpGt, O::Gt),
        (Op::FpEq, O::Eq),
        (Op::FpIsNormal, O::IsNormal),
        (Op::FpIsSubnormal, O::IsSubnormal),
        (Op::FpIsZero, O::IsZero),
        (Op::FpIsInfinite, O::IsInfinite),
        (Op::FpIsNan, O::IsNan),
        (Op::FpIsNegative, O::IsNegative),
        (Op::FpIsPositive, O::IsPositive),
        (Op::FpToIeee, O::ToIeeeBits),
    ];
    for (op, operation) in all {
        assert_eq!(op.name(), operation.name());
    }
    for format in formats() {
        let mut judge = Judge::new(format);
        let values = values(format);
        let by_count = [1, 2, 3].map(|count| lists(&values, count));
        for (op, operation) in all {
            judge.check(op, operation, &[], &by_count[operation.arity() - 1]);
        }
        for width in [1, 2, 5] {
            judge.check(Op::FpToUbv, O::ToUnsigned(width), &[width], &by_count[0]);
            judge.check(Op::FpToSbv, O::ToSigned(width), &[width], &by_count[0]);
        }
        judge.check(Op::FpToReal, O::ToReal, &[], &by_count[0]);
        for target in formats().into_iter().chain([Format::new(2, 2).unwrap(), Format::FLOAT16]) {
            let indices = [target.exponent_bits(), target.significand_bits()];
            judge.check(Op::FpFromFloat, O::Convert(target), &indices, &by_count[0]);
        }
        assert!(judge.judged > 100_000, "{}", judge.judged);
    }
    // The others are about words: below.
    let others = [Op::FpFields, Op::FpFromBits, Op::FpFromReal, Op::FpFromSbv, Op::FpFromUbv];
    let floats = Op::all().filter(|op| op.info().theory == Theory::Floats).count();
    assert_eq!(all.len() + 4 + others.len(), floats);
}

#[test]
fn floats_are_made_of_words() {
    let format = Format::new(2, 3).unwrap();
    let mut pool = Pool::new();
    let mode = pool.rounding_mode(RoundingMode::TowardNegative);
    for bits in 0..32u64 {
        let float = Float::from_u128(format, bits.into()).unwrap();
        let word = pool.bv_u64(bits, 5);
        let parts =
            [(bits >> 4, 1), (bits >> 2 & 3, 2), (bits & 3, 2)].map(|(n, width)| pool.bv_u64(n, width));
        let made = [pool.mk(Op::FpFields, &parts), pool.mk_indexed(Op::FpFromBits, &[2, 3], &[word])];
        for term in made {
            assert_eq!(eval(&pool, term, &Assignment::new()), float.clone().into());
        }
        let unsigned = pool.mk_indexed(Op::FpFromUbv, &[2, 3], &[mode, word]);
        let signed = pool.mk_indexed(Op::FpFromSbv, &[2, 3], &[mode, word]);
        let number = bivalve_terms::float::to_signed(5, &bits.into());
        let rounded = |n| Value::from(Exact::from_integer(format, RoundingMode::TowardNegative, &n));
        assert_eq!(eval(&pool, unsigned, &Assignment::new()), rounded(bits.into()));
        assert_eq!(eval(&pool, signed, &Assignment::new()), rounded(number.clone()));
        assert_eq!(from_signed(5, &number), bits.into());
        let third = bivalve_terms::float::Rational::new(number, 3u32).unwrap();
        let real = pool.real(&third);
        let made = pool.mk_indexed(Op::FpFromReal, &[2, 3], &[mode, real]);
        let expected = Exact::from_rational(format, RoundingMode::TowardNegative, &third);
        assert_eq!(eval(&pool, made, &Assignment::new()), expected.into());
    }
}

/// Terms of one pool have one symbol for each operator and sorts, which no argument list shows; it moves with
/// the pool.
#[test]
fn what_is_open_is_a_function_of_the_arguments() {
    let mut pool = Pool::new();
    let format = Format::new(2, 3).unwrap();
    let sort = pool.float_sort(format);
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let min = pool.mk(Op::FpMin, &[x, y]);
    let max = pool.mk(Op::FpMax, &[x, y]);
    let open = pool.args(min)[2];
    assert!(pool.is_open_symbol(open) && open != pool.args(max)[2] && !pool.is_open_symbol(x));
    assert_eq!((pool.written_args(min), pool.display(min).to_string()), (&[x, y][..], "(fp.min x y)".into()));
    assert_eq!(pool.rebuild(min, &[y, x, open]), pool.mk(Op::FpMin, &[y, x]));
    // The sign of the result where x is +0, and where it is -0.
    let zeros = [false, true].map(|negative| Value::from(Float::zero(format, negative)));
    let mut assignment = Assignment::new();
    for signs in 0..4u64 {
        assignment.set(open, BitVec::from_u64(signs, 2));
        for first in [0, 1] {
            assignment.set(x, zeros[first].clone());
            assignment.set(y, zeros[1 - first].clone());
            let expected = Float::zero(format, signs >> first & 1 == 1);
            assert_eq!(eval(&pool, min, &assignment), expected.into());
        }
    }
    let mode = pool.rounding_mode(RoundingMode::TowardZero);
    let word = pool.mk_indexed(Op::FpToUbv, &[3], &[mode, x]);
    let signed = pool.mk_indexed(Op::FpToSbv, &[3], &[mode, x]);
    let function = |term: Term, pool: &Pool| pool.args(pool.args(term)[2])[0];
    assert_ne!(function(word, &pool), function(signed, &pool));
    let mut table = FunctionValue::constant(BitVec::from_u64(5, 3).into());
    let nan = Value::from(Float::nan(format));
    table.define(vec![RoundingMode::TowardZero.into(), nan.clone()], BitVec::from_u64(6, 3).into());
    assignment.set(function(word, &pool), Value::from(table));
    for (value, expected) in [(nan, 6), (Float::infinity(format, true).into(), 5)] {
        assignment.set(x, value);
        assert_eq!(eval(&pool, word, &assignment), BitVec::from_u64(expected, 3).into());
    }
    // After a compaction there is still one symbol for both.
    let renaming = pool.compact(&[min, x, y]);
    let [min, x, y] = [min, x, y].map(|term| renaming.of(term));
    assert_eq!(pool.mk(Op::FpMin, &[x, y]), min);
    assert!(pool.is_open_symbol(pool.args(min)[2]));
    let (mut copy, renaming) = pool.copy(&[min]);
    assert_eq!(copy.mk(Op::FpMin, &[renaming.of(x), renaming.of(y)]), renaming.of(min));
    let (sort, wide) = (copy.sort(renaming.of(x)), copy.bv_u64(0, 3));
    assert!(copy.app(Op::FpMin, &[renaming.of(x), renaming.of(y), wide]).is_err());
    assert_eq!(Sort::bitvec(5).ok(), Sort::bitvec(copy.sorts().float_format(sort).unwrap().width()).ok());
}
