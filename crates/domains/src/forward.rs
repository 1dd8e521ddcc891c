//! Forward: from domains of the arguments to a domain of the result.
//!
//! Each function is right because it is monotone or because it is a union of cases that are: a bound of a
//! sum, product or quotient is taken at the bounds of the operands where no carry is lost; bits of a sum are
//! known where both bits and the carry into their place are, and that is known where the least and the
//! greatest sum agree; the low bits of a product depend on low bits alone. Signed operators are put together
//! from unsigned ones, sign by sign. Operators that are not part of the normal form, and everything about
//! arrays and functions, give away nothing.
//!
//! Repeated operands (`x - x`) are taken as two: less is known, but nothing wrong. Cost: constant for each
//! operator, times the words of its width; shifts by amounts that are not constant look at up to
//! [`MOST_SHIFTS`] amounts.

use super::{Domain, lesser, low_ones};
use bivalve_terms::{BitVec, Op};

/// Amounts of a shift that are looked at one by one.
const MOST_SHIFTS: u64 = 9;

/// The domain of a term; `index` is the one stored with the operator, `width` that of the result (1 for
/// Booleans).
pub(super) fn transfer(op: Op, index: u32, width: u32, args: &[&Domain]) -> Domain {
    match (op, args) {
        (Op::Not | Op::BvNot, &[a]) => not(a),
        (Op::And | Op::BvAnd, &[a, b]) => and(a, b),
        (Op::BvXor, &[a, b]) => xor(a, b),
        (Op::BvNeg, &[a]) => neg(a),
        (Op::BvAdd, &[a, b]) => add(a, b),
        (Op::BvMul, &[a, b]) => mul(a, b),
        (Op::BvUdiv, &[a, b]) => udiv(a, b),
        (Op::BvUrem, &[a, b]) => urem(a, b),
        (Op::BvSdiv | Op::BvSrem | Op::BvSmod, &[a, b]) => signed(op, a, b),
        (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => shift(op, a, b),
        (Op::Concat, &[a, b]) => concat(a, b),
        (Op::Extract, &[a]) => extract(a, index + width - 1, index),
        (Op::SignExtend, &[a]) => sign_extend(a, index),
        (Op::Ite, &[c, a, b]) => match c.as_bool() {
            Some(true) => a.clone(),
            Some(false) => b.clone(),
            None => a.join(b),
        },
        (Op::Eq, &[a, b]) => truth(equal(a, b)),
        (Op::BvUlt, &[a, b]) => truth(less(a, b)),
        (Op::BvSlt, &[a, b]) => truth(signed_less(a, b)),
        (Op::BvUmulo, &[a, b]) => truth(product_overflows(a, b)),
        (Op::BvSmulo, &[a, b]) => truth(signed_product_overflows(a, b)),
        _ => Domain::all(width),
    }
}

fn truth(value: Option<bool>) -> Domain {
    value.map_or_else(|| Domain::all(1), Domain::truth)
}

pub(super) fn not(a: &Domain) -> Domain {
    Domain { must: a.may.not(), may: a.must.not(), least: a.greatest.not(), greatest: a.least.not() }
}

fn and(a: &Domain, b: &Domain) -> Domain {
    let bits = Domain::with_bits(a.must.and(&b.must), a.may.and(&b.may));
    bits.at_most(&lesser(&a.greatest, &b.greatest)).expect("a conjunction is no more than its operands")
}

pub(super) fn xor(a: &Domain, b: &Domain) -> Domain {
    let must = a.must.and(&b.may.not()).or(&b.must.and(&a.may.not()));
    let may = a.may.or(&b.may).and(&a.must.and(&b.must).not());
    Domain::with_bits(must, may)
}

pub(super) fn neg(a: &Domain) -> Domain {
    let width = a.width();
    sum(&Domain::one(BitVec::zero(width)), &not(a), true)
}

pub(super) fn add(a: &Domain, b: &Domain) -> Domain {
    sum(a, b, false)
}

pub(super) fn sub(a: &Domain, b: &Domain) -> Domain {
    sum(a, &not(b), true)
}

/// `a + b`, plus one if there is a carry.
fn sum(a: &Domain, b: &Domain, carry: bool) -> Domain {
    let width = a.width();
    let carried = |sum: BitVec| if carry { sum.add(&BitVec::one(width)) } else { sum };
    let (low, high) = (carried(a.must.add(&b.must)), carried(a.may.add(&b.may)));
    // The carries into each place, in the least and in the greatest case.
    let (never, always) = (high.xor(&a.may).xor(&b.may).not(), low.xor(&a.must).xor(&b.must));
    let (of_a, of_b) = (a.known().0, b.known().0);
    let known = of_a.and(&of_b).and(&never.or(&always));
    let bits = Domain::with_bits(low.and(&known), low.or(&known.not()));
    // Bounds hold if both lose the same carry.
    let (least, greatest) = (carried(a.least.add(&b.least)), carried(a.greatest.add(&b.greatest)));
    let lost = |x: &BitVec, y: &BitVec| y.not().ult(x) || carry && y.not() == *x;
    if lost(&a.least, &b.least) != lost(&a.greatest, &b.greatest) {
        return bits;
    }
    bits.meet(&Domain::between(least, greatest)).expect("a sum has its bits and its bounds")
}

fn mul(a: &Domain, b: &Domain) -> Domain {
    let bits = low_bits_of_product(a, b);
    if a.greatest.umul_overflows(&b.greatest) {
        return bits;
    }
    let bounds = Domain::between(a.least.mul(&b.least), a.greatest.mul(&b.greatest));
    bits.meet(&bounds).expect("a product has its bits and its bounds")
}

/// Each operand is a power of two times the rest: the zeros add up, and so many bits of the product are known
/// as of the rest that is known less.
fn low_bits_of_product(a: &Domain, b: &Domain) -> Domain {
    let width = a.width();
    let zeros = |x: &Domain| x.may.trailing_zeros();
    let known = |x: &Domain| x.known().0.not().trailing_zeros();
    let rest = (known(a) - zeros(a)).min(known(b) - zeros(b));
    let count = (zeros(a) + zeros(b) + rest).min(width);
    let low = low_ones(count, width);
    let product = a.must.mul(&b.must);
    Domain::with_bits(product.and(&low), product.or(&low.not()))
}

pub(super) fn udiv(a: &Domain, b: &Domain) -> Domain {
    let least = a.least.udiv(&b.greatest);
    let greatest = if b.least.is_zero() { BitVec::ones(a.width()) } else { a.greatest.udiv(&b.least) };
    Domain::between(least, greatest)
}

pub(super) fn urem(a: &Domain, b: &Domain) -> Domain {
    if a.greatest.ult(&b.least) || b.greatest.is_zero() {
        return a.clone();
    }
    let width = a.width();
    let greatest = if b.least.is_zero() {
        a.greatest.clone()
    } else {
        lesser(&a.greatest, &b.greatest.sub(&BitVec::one(width)))
    };
    // Multiples of the divisor leave the bits below its zeros alone.
    let low = low_ones(b.may.trailing_zeros(), width);
    let bits = Domain::with_bits(a.must.and(&low), a.may.or(&low.not()));
    let remainder = bits.at_most(&greatest).expect("a remainder is less than its divisor");
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Domain::one(a.urem(b)),
        _ => remainder,
    }
}

/// Quotients and remainders of signed numbers, by the signs of both.
fn signed(op: Op, a: &Domain, b: &Domain) -> Domain {
    let mut result: Option<Domain> = None;
    for (minus_a, part_a) in a.by_sign().into_iter().enumerate() {
        for (minus_b, part_b) in b.by_sign().into_iter().enumerate() {
            let (Some(a), Some(b)) = (&part_a, &part_b) else { continue };
            let case = signed_case(op, a, minus_a == 1, b, minus_b == 1);
            result = Some(result.map_or(case.clone(), |result| result.join(&case)));
        }
    }
    result.expect("a value has a sign")
}

fn signed_case(op: Op, a: &Domain, minus_a: bool, b: &Domain, minus_b: bool) -> Domain {
    let magnitude = |x: &Domain, minus: bool| if minus { neg(x) } else { x.clone() };
    let (abs_a, abs_b) = (magnitude(a, minus_a), magnitude(b, minus_b));
    if op == Op::BvSdiv {
        return magnitude(&udiv(&abs_a, &abs_b), minus_a != minus_b);
    }
    let rest = magnitude(&urem(&abs_a, &abs_b), minus_a);
    if op == Op::BvSrem || minus_a == minus_b {
        return rest;
    }
    // The remainder has the sign of the divisor unless it is zero.
    let zero = BitVec::zero(a.width());
    let Some(other) = rest.without(&zero) else { return rest };
    let moved = add(&other, b);
    if rest.least.is_zero() { moved.join(&Domain::one(zero)) } else { moved }
}

fn shift(op: Op, a: &Domain, b: &Domain) -> Domain {
    if op == Op::BvAshr {
        let parts = a.by_sign();
        let [plus, minus] = [(&parts[0], false), (&parts[1], true)].map(|(part, minus)| {
            let magnitude = part.as_ref().map(|part| if minus { not(part) } else { part.clone() });
            magnitude
                .map(|part| shift(Op::BvLshr, &part, b))
                .map(|part| if minus { not(&part) } else { part })
        });
        return match (plus, minus) {
            (Some(plus), Some(minus)) => plus.join(&minus),
            (plus, minus) => plus.or(minus).expect("a value has a sign"),
        };
    }
    let width = a.width();
    let amount = |value: &BitVec| value.to_u64().unwrap_or(u64::MAX).min(u64::from(width));
    let (least, greatest) = (amount(&b.least), amount(&b.greatest));
    if greatest - least < MOST_SHIFTS {
        // Only the greatest amount stands for more than itself: all that leave nothing.
        let amounts = (least..=greatest).filter(|&n| n == greatest || b.fits(&BitVec::from_u64(n, width)));
        let shifted = amounts.map(|n| shift_by(op, a, n as u32));
        return shifted.reduce(|x, y| x.join(&y)).expect("an amount is possible");
    }
    if op == Op::BvShl {
        let zeros = low_ones((a.may.trailing_zeros() + least as u32).min(width), width);
        return Domain::with_bits(BitVec::zero(width), zeros.not());
    }
    Domain::between(a.least.lshr_by(greatest as u32), a.greatest.lshr_by(least as u32))
}

/// A shift by a constant that is at most the width.
fn shift_by(op: Op, a: &Domain, amount: u32) -> Domain {
    let width = a.width();
    let by = |value: &BitVec| if op == Op::BvShl { value.shl_by(amount) } else { value.lshr_by(amount) };
    let bits = Domain::with_bits(by(&a.must), by(&a.may));
    if op == Op::BvShl && a.greatest.leading_zeros() < amount.min(width) {
        return bits;
    }
    bits.meet(&Domain::between(by(&a.least), by(&a.greatest)))
        .expect("a shifted value has its bits and bounds")
}

fn concat(a: &Domain, b: &Domain) -> Domain {
    Domain {
        must: a.must.concat(&b.must),
        may: a.may.concat(&b.may),
        least: a.least.concat(&b.least),
        greatest: a.greatest.concat(&b.greatest),
    }
}

pub(super) fn extract(a: &Domain, high: u32, low: u32) -> Domain {
    let cut = |value: &BitVec| value.extract(high, low);
    let bits = Domain::with_bits(cut(&a.must), cut(&a.may));
    let above = |value: &BitVec| (high + 1 < value.width()).then(|| value.lshr_by(high + 1));
    if above(&a.least) != above(&a.greatest) {
        return bits;
    }
    bits.meet(&Domain::between(cut(&a.least), cut(&a.greatest))).expect("a slice has its bits and its bounds")
}

fn sign_extend(a: &Domain, extra: u32) -> Domain {
    let wide = |value: &BitVec| value.sign_extend(extra);
    let bits = Domain::with_bits(wide(&a.must), wide(&a.may));
    match a.sign() {
        Some(_) => {
            let bounds = Domain::between(wide(&a.least), wide(&a.greatest));
            bits.meet(&bounds).expect("an extension has its bits and its bounds")
        }
        None => bits,
    }
}

/// Are the values of two domains the same?
fn equal(a: &Domain, b: &Domain) -> Option<bool> {
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => a.meet(b).is_none().then_some(false),
    }
}

/// Is a value of one domain less than one of another, unsigned?
pub(super) fn less(a: &Domain, b: &Domain) -> Option<bool> {
    if a.greatest.ult(&b.least) {
        return Some(true);
    }
    b.greatest.ule(&a.least).then_some(false)
}

fn signed_less(a: &Domain, b: &Domain) -> Option<bool> {
    let bounds = |x: &Domain| {
        let [plus, minus] = x.by_sign();
        let least = minus.as_ref().or(plus.as_ref()).expect("a value has a sign").least.clone();
        let greatest = plus.as_ref().or(minus.as_ref()).expect("a value has a sign").greatest.clone();
        (least, greatest)
    };
    let ((least_a, greatest_a), (least_b, greatest_b)) = (bounds(a), bounds(b));
    if greatest_a.slt(&least_b) {
        return Some(true);
    }
    greatest_b.sle(&least_a).then_some(false)
}

fn product_overflows(a: &Domain, b: &Domain) -> Option<bool> {
    match (a.least.umul_overflows(&b.least), a.greatest.umul_overflows(&b.greatest)) {
        (true, _) => Some(true),
        (_, false) => Some(false),
        _ => None,
    }
}

/// Of numbers whose signs are known: the magnitude of the product is greatest and least where those of the
/// operands are.
fn signed_product_overflows(a: &Domain, b: &Domain) -> Option<bool> {
    let (Some(_), Some(_)) = (a.sign(), b.sign()) else { return None };
    // The bounds of the operands are those of their magnitudes, in one order or the other.
    let corners =
        [(&a.least, &b.least), (&a.least, &b.greatest), (&a.greatest, &b.least), (&a.greatest, &b.greatest)];
    let overflows = corners.map(|(a, b)| a.smul_overflows(b));
    overflows.iter().all(|&overflow| overflow == overflows[0]).then_some(overflows[0])
}
