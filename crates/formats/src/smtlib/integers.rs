//! Integer terms, read as signed bit-vectors.
//!
//! SMT-LIB 2.7 has conversions between bit-vectors and integers. An integer term that is made of conversions,
//! constants, arithmetic, comparisons and `ite` is bounded, so it is decided exactly without a theory of
//! integers: the reader computes an interval of each term and builds it as a signed bit-vector that is wide
//! enough for the interval. A variable has no interval and is refused.
//!
//! A term of sort `Int` is represented by `(sbv_to_int b)`: an uninterpreted function, which stands for the
//! conversion, applied to the bit-vector `b`. There is one such function for each interval, so the interval
//! of a term follows from its function symbol, also after a definition was expanded, and a printed term reads
//! back with the same meaning. These terms never reach the solver: comparisons and conversions to bit-vectors
//! use `b`.
//!
//! Why it is exact: the value of `b`, read as signed, is the value of the integer term, by induction. Sums,
//! differences and products are computed modulo 2^w at a width w that holds the interval of the result, and a
//! value is determined by its remainder modulo 2^w if it fits. Comparisons, `ite` and division extend their
//! arguments to a common width first. `div` and `mod` are Euclidean: the remainder is not negative. SMT-LIB
//! leaves division by zero to the model; it is refused unless the interval of the divisor excludes zero.
//!
//! Cost: a few terms an operation; `*` adds the widths of its arguments. Beyond [`MOST_BITS`] bits a term is
//! refused.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use crate::smtlib::symbols::Symbols;
use bivalve_terms::{BitVec, Op, Pool, Renaming, Sort, Term};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

/// The widest representation of an integer.
const MOST_BITS: u64 = 1 << 16;

/// An operator with an integer among its arguments or as its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerOp {
    /// The unsigned value of a bit-vector.
    Unsigned,
    /// The signed value of a bit-vector.
    Signed,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Abs,
    Lt,
    Le,
    Gt,
    Ge,
    /// The bit-vector of the width of the index that is equal modulo 2^width.
    ToBitVec,
}

/// The operators by spelling: those of SMT-LIB 2.7, then the names of earlier versions and of Z3.
pub(crate) const INTEGER_OPS: [(&str, IntegerOp); 17] = [
    ("ubv_to_int", IntegerOp::Unsigned),
    ("sbv_to_int", IntegerOp::Signed),
    ("int_to_bv", IntegerOp::ToBitVec),
    ("+", IntegerOp::Add),
    ("-", IntegerOp::Sub),
    ("*", IntegerOp::Mul),
    ("div", IntegerOp::Div),
    ("mod", IntegerOp::Mod),
    ("abs", IntegerOp::Abs),
    ("<", IntegerOp::Lt),
    ("<=", IntegerOp::Le),
    (">", IntegerOp::Gt),
    (">=", IntegerOp::Ge),
    ("bv2nat", IntegerOp::Unsigned),
    ("bv2int", IntegerOp::Unsigned),
    ("nat2bv", IntegerOp::ToBitVec),
    ("int2bv", IntegerOp::ToBitVec),
];

/// Whether the name is one of an earlier version of SMT-LIB or of Z3.
fn is_older_name(name: &str) -> bool {
    ["bv2nat", "bv2int", "nat2bv", "int2bv"].contains(&name)
}

/// The integers from `low` to `high`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Interval {
    low: BigInt,
    high: BigInt,
}

/// The sort `Int` and the functions that stand for conversions to it.
#[derive(Default)]
pub(crate) struct Integers {
    sort: Option<Sort>,
    conversions: Vec<(Interval, Term)>,
    by_interval: FxHashMap<Interval, usize>,
    by_symbol: FxHashMap<Term, usize>,
}

/// An integer term: `bits`, read as signed, is its value, and has the width of its interval.
#[derive(Clone)]
struct Number {
    bits: Term,
    interval: Interval,
}

impl Interval {
    fn new(low: BigInt, high: BigInt) -> Interval {
        Interval { low, high }
    }

    /// The least interval that has all these integers; there is at least one.
    fn hull(integers: &[BigInt]) -> Interval {
        let low = integers.iter().min().expect("an integer").clone();
        Interval { low, high: integers.iter().max().expect("an integer").clone() }
    }

    /// The bits that hold every integer of the interval as signed.
    fn width(&self) -> u64 {
        let bits = |n: &BigInt| match n.sign() {
            Sign::Minus => (n + 1u32).bits() + 1,
            Sign::NoSign | Sign::Plus => n.bits() + 1,
        };
        bits(&self.low).max(bits(&self.high))
    }

    /// The greatest absolute value.
    fn magnitude(&self) -> BigInt {
        self.low.magnitude().max(self.high.magnitude()).clone().into()
    }

    fn is_negative(&self) -> bool {
        self.high.sign() == Sign::Minus
    }

    fn has_negatives(&self) -> bool {
        self.low.sign() == Sign::Minus
    }

    fn has_zero(&self) -> bool {
        !self.is_negative() && self.low.sign() != Sign::Plus
    }
}

impl Integers {
    /// The sort `Int`, if it has been mentioned.
    pub(crate) fn sort(&self) -> Option<Sort> {
        self.sort
    }

    /// The sort `Int`.
    pub(crate) fn make_sort(&mut self, pool: &mut Pool) -> Sort {
        *self.sort.get_or_insert_with(|| pool.sorts_mut().declare("Int"))
    }

    /// The term of sort `Int` for a number.
    fn term(&mut self, pool: &mut Pool, number: Number) -> Term {
        let Number { bits, interval } = number;
        let place = match self.by_interval.get(&interval) {
            Some(&place) => place,
            None => {
                let sort = self.make_sort(pool);
                let from = pool.sort(bits);
                let function = pool.sorts_mut().function(&[from], sort);
                let symbol = pool.symbol("sbv_to_int", function.expect("both sorts are first-class"));
                let place = self.conversions.len();
                self.conversions.push((interval.clone(), symbol));
                self.by_interval.insert(interval, place);
                self.by_symbol.insert(symbol, place);
                place
            }
        };
        pool.mk(Op::Apply, &[self.conversions[place].1, bits])
    }

    /// The number that a term of sort `Int` stands for.
    fn number(&self, pool: &Pool, term: Term) -> Option<Number> {
        let &[symbol, bits] = pool.args(term) else { return None };
        let place = self.by_symbol.get(&symbol).filter(|_| pool.op(term) == Op::Apply)?;
        Some(Number { bits, interval: self.conversions[*place].0.clone() })
    }

    /// The terms that have to outlive a compaction of the pool.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> {
        self.conversions.iter().map(|(_, symbol)| *symbol)
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.conversions.iter_mut().for_each(|(_, symbol)| *symbol = renaming.of(*symbol));
        self.by_symbol =
            self.conversions.iter().zip(0..).map(|((_, symbol), place)| (*symbol, place)).collect();
    }
}

impl Symbols {
    /// The bit-vector whose signed value is the value of a term of sort `Int`; `None` for other terms.
    pub fn integer_bits(&self, pool: &Pool, term: Term) -> Option<Term> {
        self.integers.number(pool, term).map(|number| number.bits)
    }
}

/// The same value in another width, which must be wide enough unless only the remainder matters.
fn resize(pool: &mut Pool, bits: Term, width: u32) -> Term {
    let from = pool.width(bits).expect("an integer is a bit-vector");
    match width.checked_sub(from) {
        Some(0) => bits,
        Some(more) => pool.mk_indexed(Op::SignExtend, &[more], &[bits]),
        None => pool.mk_indexed(Op::Extract, &[width - 1, 0], &[bits]),
    }
}

/// The integer modulo 2^width.
fn constant(pool: &mut Pool, value: &BigInt, width: u32) -> Term {
    let filler = if value.sign() == Sign::Minus { u8::MAX } else { 0 };
    let mut bytes = value.to_signed_bytes_le();
    bytes.resize(width.div_ceil(64) as usize * 8, filler);
    let words: Vec<u64> =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
    pool.bitvec(&BitVec::from_words(&words, width))
}

/// Reading integer terms.
impl Reading<'_> {
    /// Refuses an older name of an operator where the standard is to be kept.
    pub(crate) fn check_integer_name(&self, token: Token) -> Parsed<()> {
        match self.lexer.name(token) {
            name if is_older_name(name) => self.only_lenient("an operator of SMT-LIB", format!("'{name}'")),
            _ => Ok(()),
        }
    }

    /// The current numeral as a term.
    pub(crate) fn integer_literal(&mut self) -> Parsed<Term> {
        let digits = self.lexer.text();
        // A digit has more than three bits.
        if digits.len() as u64 > MOST_BITS / 3 {
            let found = format!("{} digits", digits.len());
            return Err(self.refuse_token(DiagnosticKind::Literal, "a shorter numeral", found));
        }
        let value = BigInt::parse_bytes(digits, 10).expect("a numeral is digits");
        let place = self.lexer.place();
        self.finish(Interval::new(value.clone(), value.clone()), place, |pool, width| {
            constant(pool, &value, width)
        })
    }

    /// The sort of a definition: a sort, or `Int`.
    pub(crate) fn result_sort(&mut self) -> Parsed<Sort> {
        let token = self.lexer.next()?;
        let is_declared =
            |name| self.symbols.names.find(name).is_some_and(|id| self.symbols.sorts.names.contains_key(&id));
        if token == Token::Symbol && self.lexer.text() == b"Int" && !is_declared(b"Int") {
            return Ok(self.symbols.integers.make_sort(self.pool));
        }
        self.sort_from(token)
    }

    /// An operator of the core theory applied to integers; `None` if the arguments from `start` on are none.
    pub(crate) fn apply_core_to_integers(
        &mut self,
        op: Op,
        start: usize,
        place: u64,
    ) -> Parsed<Option<Term>> {
        let (Some(sort), Op::Eq | Op::Distinct | Op::Ite) = (self.symbols.integers.sort(), op) else {
            return Ok(None);
        };
        let args = self.work.args[start..].to_vec();
        let is_integer = |pool: &Pool, args: &[Term]| args.iter().all(|&arg| pool.sort(arg) == sort);
        match (op, &args[..]) {
            (Op::Eq | Op::Distinct, [_, _, ..]) if is_integer(self.pool, &args) => {
                let bits = self.at_one_width(start);
                Ok(Some(self.pool.mk(op, &bits)))
            }
            (Op::Ite, &[condition, then, otherwise])
                if self.pool.sort(condition).is_bool() && is_integer(self.pool, &args[1..]) =>
            {
                let [then, otherwise] = [then, otherwise].map(|branch| self.number(branch));
                let (a, b) = (then.interval, otherwise.interval);
                let interval = Interval::hull(&[a.low, a.high, b.low, b.high]);
                self.finish(interval, place, |pool, width| {
                    let [then, otherwise] = [then.bits, otherwise.bits].map(|bits| resize(pool, bits, width));
                    pool.mk(Op::Ite, &[condition, then, otherwise])
                })
                .map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The application of an integer operator, which begins at `place`, to the arguments from `start` on;
    /// `index` is that of `int_to_bv`.
    pub(crate) fn apply_integer(
        &mut self,
        op: IntegerOp,
        index: u32,
        start: usize,
        place: u64,
    ) -> Parsed<Term> {
        let count = self.work.args.len() - start;
        let name = || {
            let named = INTEGER_OPS.iter().find(|(_, other)| *other == op);
            format!("'{}'", named.expect("every operator has a name").0)
        };
        match op {
            IntegerOp::Unsigned | IntegerOp::Signed => {
                self.check_count(&name(), 1, start, place)?;
                return self.bit_vector_value(op == IntegerOp::Unsigned, start, place);
            }
            IntegerOp::ToBitVec | IntegerOp::Abs => self.check_count(&name(), 1, start, place)?,
            IntegerOp::Mod => self.check_count(&name(), 2, start, place)?,
            IntegerOp::Sub if count == 1 => {}
            _ if count < 2 => self.check_count(&name(), 2, start, place)?,
            _ => {}
        }
        let sort = self.symbols.integers.make_sort(self.pool);
        if let Some(wrong) = (start..start + count).find(|&arg| self.pool.sort(self.work.args[arg]) != sort) {
            return Err(self.wrong_sort(sort, wrong));
        }
        let first = self.work.args[start];
        match op {
            IntegerOp::ToBitVec => {
                let bits = self.number(first).bits;
                Ok(resize(self.pool, bits, index))
            }
            IntegerOp::Abs => self.absolute(first, place),
            IntegerOp::Lt | IntegerOp::Le | IntegerOp::Gt | IntegerOp::Ge => Ok(self.compare(op, start)),
            IntegerOp::Sub if count == 1 => {
                let Number { bits, interval: Interval { low, high } } = self.number(first);
                self.finish(Interval::new(-high, -low), place, |pool, width| {
                    let bits = resize(pool, bits, width);
                    pool.mk(Op::BvNeg, &[bits])
                })
            }
            _ => {
                let mut folded = first;
                for arg in start + 1..start + count {
                    folded = match op {
                        IntegerOp::Div | IntegerOp::Mod => self.divide(op, folded, arg, place)?,
                        _ => self.combine(op, folded, self.work.args[arg], place)?,
                    };
                }
                Ok(folded)
            }
        }
    }

    /// The number of an argument, which is of sort `Int`.
    fn number(&self, term: Term) -> Number {
        let number = self.symbols.integers.number(self.pool, term);
        number.expect("terms of sort Int are made here")
    }

    /// The term for an interval, with the bits that `build` makes at its width.
    fn finish(
        &mut self,
        interval: Interval,
        place: u64,
        build: impl FnOnce(&mut Pool, u32) -> Term,
    ) -> Parsed<Term> {
        let width = interval.width();
        if width > MOST_BITS {
            let expected = format!("an integer of at most {MOST_BITS} bits");
            let span = place..self.lexer.end();
            return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, width.to_string()));
        }
        let bits = build(self.pool, width as u32);
        Ok(self.symbols.integers.term(self.pool, Number { bits, interval }))
    }

    /// The integer arguments from `start` on as bit-vectors of the greatest of their widths.
    fn at_one_width(&mut self, start: usize) -> Vec<Term> {
        let bits: Vec<Term> = self.work.args[start..].iter().map(|&arg| self.number(arg).bits).collect();
        let width = bits.iter().filter_map(|&bits| self.pool.width(bits)).max().unwrap_or(1);
        bits.into_iter().map(|bits| resize(self.pool, bits, width)).collect()
    }

    /// The value of the bit-vector argument at `start`.
    fn bit_vector_value(&mut self, is_unsigned: bool, start: usize, place: u64) -> Parsed<Term> {
        let bits = self.work.args[start];
        let Some(width) = self.pool.width(bits) else {
            let found = format!("sort {}", self.pool.sorts().display(self.pool.sort(bits)));
            let span = self.extent(self.work.places[start]);
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, "a bit-vector", found));
        };
        let one = BigInt::from(1u32);
        let interval = match is_unsigned {
            true => Interval::new(BigInt::ZERO, (&one << width) - 1u32),
            false => Interval::new(-(&one << (width - 1)), (&one << (width - 1)) - 1u32),
        };
        self.finish(interval, place, |pool, _| match is_unsigned {
            true => pool.mk_indexed(Op::ZeroExtend, &[1], &[bits]),
            false => bits,
        })
    }

    /// A comparison of neighbours.
    fn compare(&mut self, op: IntegerOp, start: usize) -> Term {
        let op = match op {
            IntegerOp::Lt => Op::BvSlt,
            IntegerOp::Le => Op::BvSle,
            IntegerOp::Gt => Op::BvSgt,
            _ => Op::BvSge,
        };
        let bits = self.at_one_width(start);
        let pairs: Vec<Term> = bits.windows(2).map(|pair| self.pool.mk(op, pair)).collect();
        self.pool.and_all(&pairs)
    }

    /// A sum, difference or product.
    fn combine(&mut self, op: IntegerOp, x: Term, y: Term, place: u64) -> Parsed<Term> {
        let (x, y) = (self.number(x), self.number(y));
        let (a, b) = (&x.interval, &y.interval);
        let (op, interval) = match op {
            IntegerOp::Add => (Op::BvAdd, Interval::new(&a.low + &b.low, &a.high + &b.high)),
            IntegerOp::Sub => (Op::BvSub, Interval::new(&a.low - &b.high, &a.high - &b.low)),
            _ => {
                let ends = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
                (Op::BvMul, Interval::hull(&ends))
            }
        };
        self.finish(interval, place, |pool, width| {
            let args = [x.bits, y.bits].map(|bits| resize(pool, bits, width));
            pool.mk(op, &args)
        })
    }

    fn absolute(&mut self, x: Term, place: u64) -> Parsed<Term> {
        let Number { bits, interval } = self.number(x);
        if !interval.has_negatives() {
            return Ok(x);
        }
        let high = interval.magnitude();
        let low = if interval.is_negative() { -interval.high } else { BigInt::ZERO };
        self.finish(Interval::new(low, high), place, |pool, width| {
            // The result may be narrower than the argument by its sign, or wider by one bit.
            let wide = width.max(pool.width(bits).expect("a bit-vector"));
            let bits = resize(pool, bits, wide);
            let zero = constant(pool, &BigInt::ZERO, wide);
            let is_negative = pool.mk(Op::BvSlt, &[bits, zero]);
            let negated = pool.mk(Op::BvNeg, &[bits]);
            let magnitude = pool.mk(Op::Ite, &[is_negative, negated, bits]);
            resize(pool, magnitude, width)
        })
    }

    /// Euclidean quotient or remainder by the argument at `divisor`.
    fn divide(&mut self, op: IntegerOp, x: Term, divisor: usize, place: u64) -> Parsed<Term> {
        let (x, y) = (self.number(x), self.number(self.work.args[divisor]));
        if y.interval.has_zero() {
            let span = self.extent(self.work.places[divisor]);
            let Interval { low, high } = &y.interval;
            let found = format!("one between {low} and {high}");
            return Err(self.lexer.refuse(
                DiagnosticKind::Unsupported,
                span,
                "a divisor that is not zero",
                found,
            ));
        }
        let (a, b) = (&x.interval, &y.interval);
        let is_natural = !a.has_negatives() && !b.has_negatives();
        let interval = match op {
            IntegerOp::Mod if is_natural => Interval::new(BigInt::ZERO, (&b.high - 1u32).min(a.high.clone())),
            IntegerOp::Mod => Interval::new(BigInt::ZERO, b.magnitude() - 1u32),
            _ if is_natural => Interval::new(&a.low / &b.high, &a.high / &b.low),
            // By a divisor of absolute value one the quotient is as large as the dividend, never larger.
            _ => Interval::new(-a.magnitude(), a.magnitude()),
        };
        // One more bit, in which the negation of the least number fits.
        let wide = a.width().max(b.width()) as u32 + 1;
        self.finish(interval, place, |pool, width| {
            let [a, b] = [x.bits, y.bits].map(|bits| resize(pool, bits, wide));
            let result = match (op, is_natural) {
                (IntegerOp::Mod, true) => pool.mk(Op::BvUrem, &[a, b]),
                (IntegerOp::Mod, false) => euclidean(pool, a, b, wide).1,
                (_, true) => pool.mk(Op::BvUdiv, &[a, b]),
                (_, false) => euclidean(pool, a, b, wide).0,
            };
            resize(pool, result, width)
        })
    }
}

/// Quotient and remainder with a remainder that is not negative. The operators of bit-vectors truncate, so
/// the remainder has the sign of the dividend; where it is negative, the divisor's magnitude is added.
fn euclidean(pool: &mut Pool, a: Term, b: Term, width: u32) -> (Term, Term) {
    let [zero, one] = [0u32, 1].map(|n| constant(pool, &BigInt::from(n), width));
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
