//! Comparisons of a function of one unknown with a constant, where the function only rises, or only falls.
//!
//! Rounding keeps order, so a sum, product or quotient with a constant, a root, a conversion, a nearest
//! integer and a square rise or fall with their operand, up to steps. Then the comparison says that the
//! operand lies between two numbers; they are found by halving, with the operator's own meaning, and nothing
//! is left of the operator. A function that falls first and rises then has two such ranges.

use crate::constants::{self, is_finite, is_zero};
use crate::exact::is_wider;
use bivalve_terms::float::{Float, Format, RoundingMode};
use bivalve_terms::{BitVec, Op, Pool, Term, Value, meaning};
use num_bigint::BigInt;

/// Formats and words of more bits are left to their images: the halving takes 3 milliseconds for so many, and
/// minutes for a hundred times as many.
const MOST_BITS: u32 = 1_024;

/// What a function is of, in the order of its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Domain {
    Floats(Format),
    Signed(u32),
    Unsigned(u32),
}

impl Domain {
    fn least(self) -> BigInt {
        match self {
            Domain::Floats(format) => -place_of(&Float::infinity(format, false)),
            Domain::Signed(width) => -(BigInt::from(1) << (width - 1)),
            Domain::Unsigned(_) => BigInt::ZERO,
        }
    }

    fn greatest(self) -> BigInt {
        match self {
            Domain::Floats(format) => place_of(&Float::infinity(format, false)),
            Domain::Signed(width) => (BigInt::from(1) << (width - 1)) - 1,
            Domain::Unsigned(width) => (BigInt::from(1) << width) - 1,
        }
    }

    /// The value at a place in the order.
    fn at(self, place: &BigInt) -> Value {
        match self {
            Domain::Floats(format) => Float::at_place(format, place).expect("between infinities").into(),
            Domain::Signed(width) | Domain::Unsigned(width) => BitVec::from_int(place, width).into(),
        }
    }
}

/// The place of a number.
fn place_of(value: &Float) -> BigInt {
    value.place().expect("a number")
}

/// A function of one unknown.
struct Function<'a> {
    pool: &'a Pool,
    term: Term,
    /// The values of all arguments; that of the unknown is replaced.
    args: Vec<Value>,
    /// Where the unknown stands.
    unknown: Vec<usize>,
    domain: Domain,
    /// The ranges where it rises (`true`) or falls.
    ranges: Vec<(BigInt, BigInt, bool)>,
}

impl Function<'_> {
    /// The place of the result where the unknown is at a place.
    fn result(&mut self, place: &BigInt) -> BigInt {
        let value = self.domain.at(place);
        self.unknown.iter().for_each(|&at| self.args[at] = value.clone());
        let result = meaning(self.pool, self.term, self.args.len(), |at| &self.args[at]);
        place_of(result.as_float().expect("a floating-point number"))
    }

    /// The first place from `low` on, up to `high`, where the result is as asked for, if from there on all
    /// are; `high + 1` if none is.
    fn first(&mut self, low: &BigInt, high: &BigInt, holds: impl Fn(&BigInt) -> bool) -> BigInt {
        let (mut low, mut high) = (low.clone(), high + 1);
        while low < high {
            let middle: BigInt = (&low + &high) >> 1;
            let result = self.result(&middle);
            if holds(&result) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The places of the unknown where that of the result is between these, range by range.
    fn preimages(&mut self, least: Option<&BigInt>, greatest: Option<&BigInt>) -> Vec<(BigInt, BigInt)> {
        let mut found: Vec<(BigInt, BigInt)> = vec![];
        for (low, high, rises) in self.ranges.clone() {
            let (from, to) = match rises {
                true => (
                    least.map(|least| self.first(&low, &high, |result| result >= least)),
                    greatest.map(|greatest| self.first(&low, &high, |result| result > greatest)),
                ),
                false => (
                    greatest.map(|greatest| self.first(&low, &high, |result| result <= greatest)),
                    least.map(|least| self.first(&low, &high, |result| result < least)),
                ),
            };
            let (from, to) = (from.unwrap_or(low), to.map_or(high, |to| to - 1));
            match found.last_mut() {
                _ if from > to => {}
                Some((_, last)) if &*last + 1 >= from => *last = to,
                _ => found.push((from, to)),
            }
        }
        found
    }
}

/// The constant that is a number other than 0, and no infinity.
fn factor(value: &Value) -> Option<bool> {
    let value = value.as_float()?;
    let is_factor = is_finite(value) && !is_zero(value);
    is_factor.then(|| value.sign())
}

fn finite(value: &Value) -> Option<()> {
    value.as_float().filter(|value| is_finite(value)).map(|_| ())
}

/// The function that a term is, with the unknown.
fn function(pool: &Pool, term: Term) -> Option<(Function<'_>, Term)> {
    let op = pool.op(term);
    let is_function = matches!(
        op,
        Op::FpNeg
            | Op::FpAbs
            | Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRoundToIntegral
            | Op::FpFromFloat
            | Op::FpFromSbv
            | Op::FpFromUbv
    );
    if !is_function {
        return None;
    }
    let args = pool.args(term).to_vec();
    let mut values: Vec<Option<Value>> = args.iter().map(|&arg| constants::value(pool, arg)).collect();
    let first = usize::from(pool.float_format(args[0]).is_none());
    let any = first == 1 && values[0].is_none();
    if any {
        // In any mode, if that does not matter.
        let (from, to) = (pool.float_format(args[1])?, pool.float_format(term)?);
        let is_exact = op == Op::FpFromFloat && is_wider(from, to);
        values[0] = is_exact.then_some(Value::from(RoundingMode::NearestEven));
        values[0].as_ref()?;
    }
    let unknown: Vec<usize> = (0..args.len()).filter(|&at| values[at].is_none()).collect();
    let &at = unknown.first()?;
    let x = args[at];
    let other = |at: usize| values[at].as_ref();
    // `None` of a square, whose direction depends on the sign.
    let rises = match (op, unknown.as_slice()) {
        (Op::FpMul, [1, 2]) if args[1] == args[2] => None,
        (Op::FpAbs, [0]) => None,
        (Op::FpNeg, [0]) => Some(false),
        (Op::FpAdd, &[at]) => finite(other(3 - at)?).map(|()| true).map(Some)?,
        (Op::FpSub, &[at]) => finite(other(3 - at)?).map(|()| at == 1).map(Some)?,
        (Op::FpMul, &[at]) => Some(!factor(other(3 - at)?)?),
        (Op::FpDiv, [1]) => Some(!factor(other(2)?)?),
        (Op::FpFma, &[at @ (1 | 2)]) => {
            finite(other(3)?)?;
            Some(!factor(other(3 - at)?)?)
        }
        (Op::FpFma, [3]) => {
            finite(other(1)?)?;
            finite(other(2)?)?;
            Some(true)
        }
        (Op::FpSqrt | Op::FpRoundToIntegral | Op::FpFromFloat | Op::FpFromSbv | Op::FpFromUbv, [1]) => {
            Some(true)
        }
        _ => return None,
    };
    let domain = match (op, pool.float_format(x), pool.width(x)) {
        (Op::FpFromSbv, _, Some(width)) => Domain::Signed(width),
        (Op::FpFromUbv, _, Some(width)) => Domain::Unsigned(width),
        (_, Some(format), _) => Domain::Floats(format),
        _ => return None,
    };
    let size = |format: Format| format.exponent_bits() + format.significand_bits();
    let bits = match domain {
        Domain::Floats(format) => size(format),
        Domain::Signed(width) | Domain::Unsigned(width) => width,
    };
    if bits.max(size(pool.float_format(term)?)) > MOST_BITS {
        return None;
    }
    let (least, greatest) = (domain.least(), domain.greatest());
    let ranges = match rises {
        None => vec![(least, BigInt::ZERO, false), (BigInt::ZERO, greatest, true)],
        Some(rises) if op == Op::FpSqrt => vec![(BigInt::ZERO, greatest, rises)],
        Some(rises) => vec![(least, greatest, rises)],
    };
    let some = domain.at(&BigInt::ZERO);
    let args = values.into_iter().map(|value| value.unwrap_or_else(|| some.clone())).collect();
    Some((Function { pool, term, args, unknown, domain, ranges }, x))
}

/// That the unknown lies between two places.
fn between(pool: &mut Pool, domain: Domain, x: Term, (low, high): (BigInt, BigInt)) -> Term {
    let [below, above] = [low <= domain.least(), high >= domain.greatest()];
    let at_most = match domain {
        Domain::Floats(_) if below && above => {
            let nan = pool.mk(Op::FpIsNan, &[x]);
            return pool.mk(Op::Not, &[nan]);
        }
        Domain::Floats(_) if low == high && low == BigInt::ZERO => return pool.mk(Op::FpIsZero, &[x]),
        Domain::Floats(_) => Op::FpLe,
        Domain::Signed(_) => Op::BvSle,
        Domain::Unsigned(_) => Op::BvUle,
    };
    let constant = |pool: &mut Pool, place: &BigInt| {
        pool.constant(&domain.at(place)).expect("numbers and words have constants")
    };
    if low == high {
        let value = constant(pool, &low);
        return pool.mk(Op::Eq, &[x, value]);
    }
    let mut parts = vec![];
    if !below {
        let low = constant(pool, &low);
        parts.push(pool.mk(at_most, &[low, x]));
    }
    if !above {
        let high = constant(pool, &high);
        parts.push(pool.mk(at_most, &[x, high]));
    }
    pool.and_all(&parts)
}

/// A comparison of such a function with a constant as one of the unknown.
pub(crate) fn simpler(pool: &mut Pool, term: Term) -> Option<Term> {
    let &[x, y] = pool.args(term) else { return None };
    let op = pool.op(term);
    let is_comparison = matches!(op, Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe | Op::FpEq | Op::Eq);
    if !is_comparison || pool.float_format(x).is_none() {
        return None;
    }
    let (function_of, constant, op) = match (constants::float(pool, x), constants::float(pool, y)) {
        (None, Some(value)) => (x, value, op),
        (Some(value), None) => (y, value, flipped(op)),
        _ => return None,
    };
    if constant.is_nan() {
        return Some(if op == Op::Eq { pool.mk(Op::FpIsNan, &[function_of]) } else { pool.bool(false) });
    }
    if op == Op::Eq && is_zero(&constant) {
        return None;
    }
    let place = place_of(&constant);
    let [below, above] = [&place - 1, &place + 1];
    let (least, greatest) = match op {
        Op::FpLt => (None, Some(&below)),
        Op::FpLe => (None, Some(&place)),
        Op::FpGt => (Some(&above), None),
        Op::FpGe => (Some(&place), None),
        _ => (Some(&place), Some(&place)),
    };
    let (mut function, unknown) = function(pool, function_of)?;
    let (domain, ranges) = (function.domain, function.preimages(least, greatest));
    let parts: Vec<Term> = ranges.into_iter().map(|range| between(pool, domain, unknown, range)).collect();
    Some(match parts[..] {
        [] => pool.bool(false),
        [only] => only,
        _ => pool.mk(Op::Or, &parts),
    })
}

/// The comparison with its sides exchanged.
pub(crate) fn flipped(op: Op) -> Op {
    match op {
        Op::FpLt => Op::FpGt,
        Op::FpLe => Op::FpGe,
        Op::FpGt => Op::FpLt,
        Op::FpGe => Op::FpLe,
        other => other,
    }
}
