//! Random terms of floating point, from the root down.
//!
//! All operators of the theory over two formats of one formula, most often such small ones that a handful of
//! values makes each special case; special values, and constants of all bits; rounding modes as constants and
//! as symbols; words that become numbers and numbers that become words or reals, which are compared with each
//! other and with constants. Which formats go together is said by the greatest width of the generator.

use bivalve_terms::float::{Float, Format, Number, Rational, RoundingMode};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, Term, TheorySort};

/// Two formats, by exponent and significand, for each greatest width.
const FORMATS: [(u32, [(u64, u64); 2]); 7] = [
    (4, [(2, 2), (2, 3)]),
    (5, [(3, 2), (2, 2)]),
    (6, [(3, 3), (2, 4)]),
    (7, [(3, 4), (2, 3)]),
    (8, [(4, 4), (5, 3)]),
    (16, [(5, 11), (8, 8)]),
    (32, [(8, 24), (5, 11)]),
];

/// Words beside those as wide as a format.
const WIDTHS: [u32; 3] = [1, 3, 6];

/// Numbers from numbers of the same format: whether there is a mode, and how many numbers.
const ARITHMETIC: [(Op, bool, usize); 14] = [
    (Op::FpAbs, false, 1),
    (Op::FpNeg, false, 1),
    (Op::FpAdd, true, 2),
    (Op::FpAdd, true, 2),
    (Op::FpSub, true, 2),
    (Op::FpMul, true, 2),
    (Op::FpMul, true, 2),
    (Op::FpDiv, true, 2),
    (Op::FpFma, true, 3),
    (Op::FpSqrt, true, 1),
    (Op::FpRem, false, 2),
    (Op::FpRoundToIntegral, true, 1),
    (Op::FpMin, false, 2),
    (Op::FpMax, false, 2),
];

const COMPARISONS: [Op; 7] = [Op::FpLe, Op::FpLt, Op::FpGe, Op::FpGt, Op::FpEq, Op::Eq, Op::Distinct];

/// Comparisons of reals.
const ORDERS: [Op; 6] = [Op::IntLt, Op::IntLe, Op::IntGt, Op::IntGe, Op::Eq, Op::Distinct];

const CLASSES: [Op; 7] = [
    Op::FpIsNormal,
    Op::FpIsSubnormal,
    Op::FpIsZero,
    Op::FpIsInfinite,
    Op::FpIsNan,
    Op::FpIsNegative,
    Op::FpIsPositive,
];

/// Sets a generator up: which formats, and how many symbols.
pub(crate) fn set_up(random: &mut TermGen, max_width: u32) {
    let class = random.rng().u32(..40);
    let widest = if class == 0 { 32 } else { [4, 4, 5, 5, 6, 7, 8, 16][random.rng().usize(..8)] };
    random.max_width = widest.min(max_width.max(4));
    random.symbols_per_sort = random.rng().usize(1..=2);
}

fn formats(random: &TermGen) -> [Format; 2] {
    let fitting = FORMATS.iter().rev().find(|&&(width, _)| width <= random.max_width);
    let (_, pairs) = fitting.unwrap_or(&FORMATS[0]);
    pairs.map(|(eb, sb)| Format::new(eb, sb).expect("a legal format"))
}

/// A sort for a term: most often that of a number.
pub(crate) fn sort(random: &mut TermGen, pool: &mut Pool) -> Sort {
    match random.rng().u32(..8) {
        0 => mode_sort(pool),
        1 | 2 => word_sort(random),
        _ => number_sort(random, pool),
    }
}

fn mode_sort(pool: &mut Pool) -> Sort {
    pool.sorts_mut().theory(TheorySort::RoundingMode)
}

fn number_sort(random: &mut TermGen, pool: &mut Pool) -> Sort {
    let at = random.rng().usize(..2);
    pool.float_sort(formats(random)[at])
}

fn word_sort(random: &mut TermGen) -> Sort {
    let widths = formats(random).map(Format::width);
    let width = match random.rng().usize(..5) {
        at @ 0..3 => WIDTHS[at],
        at => widths[at - 3],
    };
    Sort::bitvec(width).expect("a legal width")
}

/// A random term with about so many operators. Depth is at most `size`, which is small.
pub(crate) fn term(random: &mut TermGen, pool: &mut Pool, sort: Sort, size: usize) -> Term {
    if size == 0 || random.rng().u32(..7) == 0 {
        return leaf(random, pool, sort);
    }
    if random.rng().u32(..12) == 0 {
        let choice = term(random, pool, Sort::BOOL, size / 3);
        let branches = [(); 2].map(|()| term(random, pool, sort, size / 3));
        return pool.mk(Op::Ite, &[choice, branches[0], branches[1]]);
    }
    match pool.sorts().as_theory(sort) {
        Some(TheorySort::Float(format)) => number(random, pool, format, size - 1),
        Some(_) => leaf(random, pool, sort),
        None if sort.is_bool() => truth(random, pool, size - 1),
        None => word(random, pool, sort, size - 1),
    }
}

fn leaf(random: &mut TermGen, pool: &mut Pool, sort: Sort) -> Term {
    if random.rng().u32(..3) > 0 {
        return random.symbol(pool, sort);
    }
    match pool.sorts().as_theory(sort) {
        Some(TheorySort::Float(format)) => {
            let value = value(random, format);
            pool.float(&value)
        }
        Some(_) => {
            let at = random.rng().usize(..RoundingMode::ALL.len());
            pool.rounding_mode(RoundingMode::ALL[at])
        }
        None => random.constant(pool, sort),
    }
}

/// A special value or any.
fn value(random: &mut TermGen, format: Format) -> Float {
    const SPECIAL: [fn(Format, bool) -> Float; 6] =
        [Float::infinity, Float::zero, Float::largest, Float::smallest, Float::smallest_normal, Float::one];
    let negative = random.rng().bool();
    match random.rng().usize(..14) {
        at if at < SPECIAL.len() => SPECIAL[at](format, negative),
        6 => Float::nan(format),
        _ => {
            let bits = random.rng().u128(..) >> (128 - format.width().min(128));
            Float::from_u128(format, bits).unwrap_or_else(|| Float::nan(format))
        }
    }
}

/// A term of reals: most often the value of a number, else a choice, or a constant, which is near one or not.
fn real(random: &mut TermGen, pool: &mut Pool, size: usize) -> Term {
    let format = formats(random)[random.rng().usize(..2)];
    match random.rng().u32(..8) {
        0 if size > 0 => {
            let choice = term(random, pool, Sort::BOOL, size / 3);
            let branches = [(); 2].map(|()| real(random, pool, size / 3));
            pool.mk(Op::Ite, &[choice, branches[0], branches[1]])
        }
        1 => {
            let (above, below) = (random.rng().i32(-9..=9), random.rng().u32(1..=9));
            pool.real(&Rational::new(above, below).expect("the denominator is not zero"))
        }
        2 | 3 => {
            let part = [0, 1, -1][random.rng().usize(..3)];
            let part = Rational::new(part, 1u32 << random.rng().u32(..9)).expect("it is not zero");
            match value(random, format).number() {
                Number::Finite(near) => pool.real(&(&near + &part)),
                _ => pool.real(&part),
            }
        }
        _ => {
            let sort = pool.float_sort(format);
            let of = term(random, pool, sort, size);
            pool.mk(Op::FpToReal, &[of])
        }
    }
}

fn mode(random: &mut TermGen, pool: &mut Pool) -> Term {
    let sort = mode_sort(pool);
    term(random, pool, sort, 1)
}

fn number(random: &mut TermGen, pool: &mut Pool, format: Format, size: usize) -> Term {
    let (sort, indices) = (pool.float_sort(format), [format.exponent_bits(), format.significand_bits()]);
    match random.rng().u32(..10) {
        0 => {
            let (from, mode) = (number_sort(random, pool), mode(random, pool));
            let of = term(random, pool, from, size);
            pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, of])
        }
        1 => {
            let op = [Op::FpFromSbv, Op::FpFromUbv][random.rng().usize(..2)];
            let (from, mode) = (word_sort(random), mode(random, pool));
            let of = term(random, pool, from, size);
            pool.mk_indexed(op, &indices, &[mode, of])
        }
        2 => {
            let bits = Sort::bitvec(format.width()).expect("a legal width");
            let of = term(random, pool, bits, size);
            pool.mk_indexed(Op::FpFromBits, &indices, &[of])
        }
        3 if random.rng().u32(..4) == 0 => {
            let (mode, of) = (mode(random, pool), real(random, pool, size));
            pool.mk_indexed(Op::FpFromReal, &indices, &[mode, of])
        }
        _ => {
            let (op, has_mode, count) = ARITHMETIC[random.rng().usize(..ARITHMETIC.len())];
            let mut args = if has_mode { vec![mode(random, pool)] } else { vec![] };
            args.extend((0..count).map(|_| term(random, pool, sort, size / count)));
            pool.mk(op, &args)
        }
    }
}

fn truth(random: &mut TermGen, pool: &mut Pool, size: usize) -> Term {
    match random.rng().u32(..10) {
        0..5 => {
            let (sort, op) =
                (number_sort(random, pool), COMPARISONS[random.rng().usize(..COMPARISONS.len())]);
            let count = if random.rng().u32(..8) == 0 { 3 } else { 2 };
            let args: Vec<Term> = (0..count).map(|_| term(random, pool, sort, size / count)).collect();
            pool.mk(op, &args)
        }
        5 if random.rng().bool() => {
            let op = ORDERS[random.rng().usize(..ORDERS.len())];
            let count = if random.rng().u32(..8) == 0 { 3 } else { 2 };
            let args: Vec<Term> = (0..count).map(|_| real(random, pool, size / count)).collect();
            pool.mk(op, &args)
        }
        5..7 => {
            let (sort, op) = (number_sort(random, pool), CLASSES[random.rng().usize(..CLASSES.len())]);
            let of = term(random, pool, sort, size);
            pool.mk(op, &[of])
        }
        7 => {
            let (sort, op) = (word_sort(random), [Op::BvUlt, Op::BvSle, Op::Eq][random.rng().usize(..3)]);
            let args = [(); 2].map(|()| term(random, pool, sort, size / 2));
            pool.mk(op, &args)
        }
        8 => {
            let of = term(random, pool, Sort::BOOL, size);
            pool.mk(Op::Not, &[of])
        }
        _ => {
            let op = [Op::And, Op::Or, Op::Xor, Op::Implies][random.rng().usize(..4)];
            let args = [(); 2].map(|()| term(random, pool, Sort::BOOL, size / 2));
            pool.mk(op, &args)
        }
    }
}

fn word(random: &mut TermGen, pool: &mut Pool, sort: Sort, size: usize) -> Term {
    let width = sort.width().expect("a word");
    if random.rng().bool() {
        let (from, mode) = (number_sort(random, pool), mode(random, pool));
        let of = term(random, pool, from, size);
        let has_its_width = pool.float_format(of).is_some_and(|format| format.width() == width);
        if has_its_width && random.rng().bool() {
            return pool.mk(Op::FpToIeee, &[of]);
        }
        let op = [Op::FpToUbv, Op::FpToSbv][random.rng().usize(..2)];
        return pool.mk_indexed(op, &[width], &[mode, of]);
    }
    let op = [Op::BvAdd, Op::BvAnd, Op::BvXor, Op::BvMul][random.rng().usize(..4)];
    let args = [(); 2].map(|()| term(random, pool, sort, size / 2));
    pool.mk(op, &args)
}
