//! Integer terms as signed bit-vectors.
//!
//! SMT-LIB 2.7 has conversions between bit-vectors and integers. An integer term that is made of conversions,
//! constants, arithmetic, comparisons and `ite` is bounded, so it is decided exactly without a theory of
//! integers: each term has an interval, and its image is a signed bit-vector that is wide enough for it. A
//! symbol has no interval and is refused.
//!
//! Why it is exact: the image, read as signed, is the value of the integer term, by induction. Sums,
//! differences and products are computed modulo 2^w at a width w that holds the interval of the result, and a
//! value is determined by its remainder modulo 2^w if it fits. Comparisons, `ite` and division extend their
//! arguments to a common width first. `div` and `mod` are Euclidean: the remainder is not negative. SMT-LIB
//! leaves division by zero to the model; it is refused unless the interval of the divisor excludes zero.
//!
//! Cost: a few terms an operation; `*` adds the widths of its arguments. Beyond [`MOST_BITS`] bits a term is
//! refused.

use crate::interval::Interval;
use crate::theory::{LoweredTheory, Refusal};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, TermMap, Value};
use num_bigint::BigInt;

/// The widest image of an integer. SMT-LIB sets no bound; beyond, a single product is a billion gates.
const MOST_BITS: u64 = 1 << 16;

/// The theory of integers that are made of bit-vectors.
#[derive(Default)]
pub struct Integers {
    /// Of each term of sort `Int` that was accepted.
    intervals: TermMap<Interval>,
}

impl LoweredTheory for Integers {
    fn owns(&self, _: &Pool, sort: Sort) -> bool {
        sort.is_int()
    }

    fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        if pool.sort(term).is_int() {
            let interval = self.folded(pool, term)?.pop().expect("a term has an interval");
            self.intervals.insert(term, interval);
        }
        Ok(())
    }

    fn image(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let op = pool.op(term);
        match op {
            Op::Const => {
                let value = pool.as_int(term).expect("a constant of sort Int").clone();
                let width = self.width(term);
                number(pool, &value, width)
            }
            Op::UbvToInt => pool.mk_indexed(Op::ZeroExtend, &[1], images),
            Op::SbvToInt => images[0],
            Op::IntToBv => {
                let width = pool.index(term);
                resize(pool, images[0], width)
            }
            Op::Eq | Op::Distinct => {
                let images = at_one_width(pool, images);
                pool.mk(op, &images)
            }
            Op::IntLt => compared(pool, Op::BvSlt, images),
            Op::IntLe => compared(pool, Op::BvSle, images),
            Op::IntGt => compared(pool, Op::BvSgt, images),
            Op::IntGe => compared(pool, Op::BvSge, images),
            Op::Ite => {
                let width = self.width(term);
                let [then, otherwise] = [images[1], images[2]].map(|image| resize(pool, image, width));
                pool.mk(Op::Ite, &[images[0], then, otherwise])
            }
            Op::IntNeg => {
                let width = self.width(term);
                let image = resize(pool, images[0], width);
                pool.mk(Op::BvNeg, &[image])
            }
            Op::IntAbs => self.absolute(pool, term, images[0]),
            _ => self.combined(pool, term, images),
        }
    }

    fn lift(&self, _: &Pool, _: Sort, image: &Value) -> Option<Value> {
        Some(image.as_bitvec()?.to_signed_int().into())
    }

    fn forget(&mut self) {
        self.intervals = TermMap::new();
    }
}

impl Integers {
    fn interval(&self, term: Term) -> &Interval {
        self.intervals.get(term).expect("a term of sort Int that was accepted")
    }

    /// The width of the image.
    fn width(&self, term: Term) -> u32 {
        self.interval(term).width() as u32
    }

    /// The intervals of the beginnings of a list of arguments, the whole term last; one for all terms that
    /// are no lists.
    fn folded(&self, pool: &Pool, term: Term) -> Result<Vec<Interval>, Refusal> {
        let args = pool.args(term);
        let first = |place: usize| self.interval(args[place]);
        let refused = |argument, expected: String, found: String| Refusal { term, argument, expected, found };
        let within = |interval: Interval| match interval.width() {
            ..=MOST_BITS => Ok(interval),
            width => Err(refused(None, format!("an integer of at most {MOST_BITS} bits"), width.to_string())),
        };
        let operation: fn(&Interval, &Interval) -> Interval = match pool.op(term) {
            Op::Const => {
                let value = pool.as_int(term).expect("a constant of sort Int");
                return Ok(vec![within(Interval::new(value.clone(), value.clone()))?]);
            }
            Op::UbvToInt => {
                return Ok(vec![within(Interval::unsigned(pool.width(args[0]).expect("a bit-vector")))?]);
            }
            Op::SbvToInt => {
                return Ok(vec![within(Interval::signed(pool.width(args[0]).expect("a bit-vector")))?]);
            }
            Op::Ite => return Ok(vec![within(first(1).union(first(2)))?]),
            Op::IntNeg => return Ok(vec![within(first(0).neg())?]),
            Op::IntAbs => return Ok(vec![within(first(0).abs())?]),
            Op::IntAdd => Interval::add,
            Op::IntSub => Interval::sub,
            Op::IntMul => Interval::mul,
            Op::IntDiv => Interval::div,
            Op::IntMod => Interval::modulo,
            op => unreachable!("'{}' gives no integer", op.name()),
        };
        let mut folded = vec![first(0).clone()];
        for (place, &arg) in args.iter().enumerate().skip(1) {
            let (before, divisor) = (&folded[place - 1], self.interval(arg));
            if matches!(pool.op(term), Op::IntDiv | Op::IntMod) && divisor.has_zero() {
                let found = format!("one between {} and {}", divisor.low, divisor.high);
                return Err(refused(Some(place), "a divisor that is not zero".into(), found));
            }
            folded.push(within(operation(before, divisor))?);
        }
        Ok(folded)
    }

    /// A sum, difference, product, quotient or remainder of two or more.
    fn combined(&self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let folded = self.folded(pool, term).expect("the term was accepted");
        let args = pool.args(term).to_vec();
        let op = pool.op(term);
        let mut bits = images[0];
        for place in 1..args.len() {
            let (before, result) = (&folded[place - 1], &folded[place]);
            let width = result.width() as u32;
            bits = match op {
                Op::IntAdd | Op::IntSub | Op::IntMul => {
                    let pair = [bits, images[place]].map(|image| resize(pool, image, width));
                    let op = match op {
                        Op::IntAdd => Op::BvAdd,
                        Op::IntSub => Op::BvSub,
                        _ => Op::BvMul,
                    };
                    pool.mk(op, &pair)
                }
                _ => {
                    let divisor = self.interval(args[place]);
                    // One more bit, in which the negation of the least number fits.
                    let wide = before.width().max(divisor.width()) as u32 + 1;
                    let [a, b] = [bits, images[place]].map(|image| resize(pool, image, wide));
                    let is_quotient = op == Op::IntDiv;
                    let result = match (is_quotient, before.is_natural_with(divisor)) {
                        (true, true) => pool.mk(Op::BvUdiv, &[a, b]),
                        (false, true) => pool.mk(Op::BvUrem, &[a, b]),
                        (true, false) => euclidean(pool, a, b, wide).0,
                        (false, false) => euclidean(pool, a, b, wide).1,
                    };
                    resize(pool, result, width)
                }
            };
        }
        bits
    }

    fn absolute(&self, pool: &mut Pool, term: Term, image: Term) -> Term {
        if !self.interval(pool.args(term)[0]).has_negatives() {
            return image;
        }
        // The result may be narrower than the argument by its sign, or wider by one bit.
        let width = self.width(term);
        let wide = width.max(width_of(pool, image));
        let bits = resize(pool, image, wide);
        let zero = number(pool, &BigInt::ZERO, wide);
        let is_negative = pool.mk(Op::BvSlt, &[bits, zero]);
        let negated = pool.mk(Op::BvNeg, &[bits]);
        let magnitude = pool.mk(Op::Ite, &[is_negative, negated, bits]);
        resize(pool, magnitude, width)
    }
}

fn width_of(pool: &Pool, image: Term) -> u32 {
    pool.width(image).expect("the image of an integer is a bit-vector")
}

/// The same value in another width, which must be wide enough unless only the remainder matters.
fn resize(pool: &mut Pool, bits: Term, width: u32) -> Term {
    match width.checked_sub(width_of(pool, bits)) {
        Some(0) => bits,
        Some(more) => pool.mk_indexed(Op::SignExtend, &[more], &[bits]),
        None => pool.mk_indexed(Op::Extract, &[width - 1, 0], &[bits]),
    }
}

/// The images of integers as bit-vectors of the greatest of their widths.
fn at_one_width(pool: &mut Pool, images: &[Term]) -> Vec<Term> {
    let width = images.iter().map(|&image| width_of(pool, image)).max().unwrap_or(1);
    images.iter().map(|&image| resize(pool, image, width)).collect()
}

/// A comparison of neighbours.
fn compared(pool: &mut Pool, op: Op, images: &[Term]) -> Term {
    let images = at_one_width(pool, images);
    let pairs: Vec<Term> = images.windows(2).map(|pair| pool.mk(op, pair)).collect();
    pool.and_all(&pairs)
}

/// The integer modulo 2^width.
fn number(pool: &mut Pool, value: &BigInt, width: u32) -> Term {
    pool.bitvec(&BitVec::from_int(value, width))
}

/// Quotient and remainder with a remainder that is not negative. The operators of bit-vectors truncate, so
/// the remainder has the sign of the dividend; where it is negative, the divisor's magnitude is added.
fn euclidean(pool: &mut Pool, a: Term, b: Term, width: u32) -> (Term, Term) {
    let [zero, one] = [0u32, 1].map(|n| number(pool, &BigInt::from(n), width));
    let quotient = pool.mk(Op::BvSdiv, &[a, b]);
    let remainder = pool.mk(Op::BvSrem, &[a, b]);
    let is_negative = pool.mk(Op::BvSlt, &[remainder, zero]);
    let is_divisor_positive = pool.mk(Op::BvSlt, &[zero, b]);
    let mut corrected = |x, y, op: [Op; 2]| {
        let [then, otherwise] = op.map(|op| pool.mk(op, &[x, y]));
        let corrected = pool.mk(Op::Ite, &[is_divisor_positive, then, otherwise]);
        pool.mk(Op::Ite, &[is_negative, corrected, x])
    };
    let quotient = corrected(quotient, one, [Op::BvSub, Op::BvAdd]);
    (quotient, corrected(remainder, b, [Op::BvAdd, Op::BvSub]))
}
