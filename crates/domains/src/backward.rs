//! Backward: from what a result must be to what its arguments can be at most.
//!
//! For operators that have an inverse in one operand the forward function of the inverse is used (`a + b = r`
//! gives `a = r - b`); for others what is known of all results of that kind: a conjunction that is true has
//! true operands, a remainder is at most its dividend, the values below a bound have a bound. Arguments keep
//! what was known of them; nothing is found to be possible that was not.
//!
//! Operators without an entry tell nothing. Cost: that of a few forward functions.

use super::forward::{add, extract, less, neg, not, sub, udiv, xor};
use super::{Domain, low_ones};
use bivalve_terms::{BitVec, Op};

/// The domains of the arguments under which the result can be in `result`; `None` if it cannot.
pub(super) fn refine(op: Op, index: u32, result: &Domain, args: &[&Domain]) -> Option<Vec<Domain>> {
    match (op, args) {
        (Op::Not | Op::BvNot, &[a]) => Some(vec![a.meet(&not(result))?]),
        (Op::And | Op::BvAnd, &[a, b]) => {
            Some(vec![operand_of_and(result, a, b)?, operand_of_and(result, b, a)?])
        }
        (Op::BvXor, &[a, b]) => both(a, b, &xor(result, b), &xor(result, a)),
        (Op::BvNeg, &[a]) => Some(vec![a.meet(&neg(result))?]),
        (Op::BvAdd, &[a, b]) => both(a, b, &sub(result, b), &sub(result, a)),
        (Op::BvMul, &[a, b]) => Some(vec![factor(result, a, b)?, factor(result, b, a)?]),
        (Op::BvUdiv, &[a, b]) => quotient(result, a, b),
        (Op::BvUrem, &[a, b]) => remainder(result, a, b),
        (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => shift(op, result, a, b),
        (Op::Concat, &[a, b]) => {
            let (cut, width) = (b.width(), result.width());
            both(a, b, &extract(result, width - 1, cut), &extract(result, cut - 1, 0))
        }
        (Op::Extract, &[a]) => Some(vec![a.meet(&around(result, index, a.width()))?]),
        (Op::SignExtend, &[a]) => {
            let own = a.width();
            let mut narrow = a.meet(&extract(result, own - 1, 0))?;
            // Every copy of the sign tells what it is.
            let copies = extract(result, result.width() - 1, own - 1);
            if let Some(sign) = first_known(&copies) {
                let [plus, minus] = narrow.by_sign();
                narrow = if sign { minus? } else { plus? };
            }
            Some(vec![narrow])
        }
        (Op::Ite, &[c, a, b]) => choice(result, c, a, b),
        (Op::Eq, &[a, b]) => match result.as_bool() {
            Some(true) => both(a, b, b, a),
            Some(false) => {
                let without = |x: &Domain, y: &Domain| y.value().map_or(Some(x.clone()), |y| x.without(y));
                Some(vec![without(a, b)?, without(b, a)?])
            }
            None => Some(vec![a.clone(), b.clone()]),
        },
        (Op::BvUlt, &[a, b]) => match result.as_bool() {
            Some(true) => below(a, b),
            Some(false) => {
                // Not less is at least.
                Some(vec![a.at_least(&b.least)?, b.at_most(&a.greatest)?])
            }
            None => Some(vec![a.clone(), b.clone()]),
        },
        (Op::BvSlt, &[a, b]) => signed_order(result, a, b),
        _ => Some(args.iter().map(|&arg| arg.clone()).collect()),
    }
}

/// Both arguments with more known of each.
fn both(a: &Domain, b: &Domain, of_a: &Domain, of_b: &Domain) -> Option<Vec<Domain>> {
    Some(vec![a.meet(of_a)?, b.meet(of_b)?])
}

/// A known one of the result is one in the operand; a known zero is zero if the other operand has a one.
fn operand_of_and(result: &Domain, operand: &Domain, other: &Domain) -> Option<Domain> {
    let width = operand.width();
    let zeros = other.must.and(&result.may.not());
    let bits = Domain { must: result.must.clone(), may: zeros.not(), ..Domain::all(width) };
    operand.meet(&bits)?.at_least(&result.least)
}

/// Factors of a product whose low bits are known: the zeros at the end of one are zeros of the product, and
/// the odd rest can be divided by. A factor of a product that is not cut is at most the quotient.
fn factor(result: &Domain, operand: &Domain, other: &Domain) -> Option<Domain> {
    let mut operand = operand.clone();
    if let Some(value) = other.value() {
        let width = value.width();
        let zeros = value.trailing_zeros();
        if !result.must.and(&low_ones(zeros, width)).is_zero() {
            return None;
        }
        let known = result.known().0.not().trailing_zeros();
        if known > zeros
            && let Some(inverse) = value.lshr_by(zeros).odd_inverse()
        {
            let (bits, low) = (result.must.lshr_by(zeros).mul(&inverse), low_ones(known - zeros, width));
            operand = operand.meet(&Domain::with_bits(bits.and(&low), bits.or(&low.not())))?;
        }
    }
    if !operand.greatest.umul_overflows(&other.greatest) && !other.least.is_zero() {
        operand = operand.at_most(&result.greatest.udiv(&other.least))?;
    }
    Some(operand)
}

/// Bits that were shifted by a known amount stand elsewhere, and what was shifted in is known. Where operand
/// and result are known, the amount is what the first one of both says, or enough to lose all.
fn shift(op: Op, result: &Domain, a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let width = a.width();
    if let Some(amount) = b.value() {
        let amount = amount.to_u64().map_or(width, |amount| amount.min(u64::from(width)) as u32);
        return Some(vec![shifted(op, result, a, amount)?, b.clone()]);
    }
    let amounts = match (a.value(), result.value()) {
        (Some(a), Some(result)) => amounts(op, a, result, b)?,
        _ => b.clone(),
    };
    Some(vec![a.clone(), amounts])
}

/// The operand of a shift by `amount`, which is at most the width.
fn shifted(op: Op, result: &Domain, a: &Domain, amount: u32) -> Option<Domain> {
    let width = a.width();
    let come_in =
        if op == Op::BvShl { low_ones(amount, width) } else { low_ones(width - amount, width).not() };
    // The copies of the sign are ones or zeros.
    let sign = match op {
        Op::BvAshr => [result.must.and(&come_in), result.may.not().and(&come_in)].map(|bits| !bits.is_zero()),
        _ if result.must.and(&come_in).is_zero() => [false, false],
        _ => return None,
    };
    let a = match (sign, a.by_sign()) {
        ([true, true], _) => return None,
        ([true, false], [_, minus]) => minus?,
        ([false, true], [plus, _]) => plus?,
        ([false, false], _) => a.clone(),
    };
    match op {
        _ if amount == width => Some(a),
        Op::BvShl => a.meet(&around(&extract(result, width - 1, amount), 0, width)),
        _ => a.meet(&around(&extract(result, width - amount - 1, 0), amount, width)),
    }
}

/// The amounts by which `a` is shifted to `result`.
fn amounts(op: Op, a: &BitVec, result: &BitVec, b: &Domain) -> Option<Domain> {
    let width = a.width();
    if op == Op::BvAshr && a.msb() {
        return amounts(Op::BvLshr, &a.not(), &result.not(), b);
    }
    let zeros = |x: &BitVec| if op == Op::BvShl { x.trailing_zeros() } else { x.leading_zeros() };
    let amount = |number: u32| BitVec::from_u64(u64::from(number), width);
    if result.is_zero() {
        return b.at_least(&amount(width - zeros(a)));
    }
    let by = amount(zeros(result).checked_sub(zeros(a))?);
    let shifted = if op == Op::BvShl { a.shl(&by) } else { a.lshr(&by) };
    if shifted == *result { b.meet(&Domain::one(by)) } else { None }
}

/// `a / b = q` with a divisor that is not zero: `q·b <= a`, and `a` is less than that and `b`.
fn quotient(result: &Domain, a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let (mut dividend, mut divisor) = (a.clone(), b.clone());
    let one = BitVec::one(a.width());
    // Division by zero gives all ones.
    if !result.greatest.is_ones() {
        divisor = divisor.without(&BitVec::zero(a.width()))?;
    }
    if !divisor.least.is_zero() {
        if !result.least.umul_overflows(&divisor.least) {
            dividend = dividend.at_least(&result.least.mul(&divisor.least))?;
        } else {
            return None;
        }
        let above = result.greatest.add(&one);
        if !above.is_zero() {
            divisor = divisor.at_least(&dividend.least.udiv(&above).add(&one))?;
        }
        if !above.is_zero() && !above.umul_overflows(&divisor.greatest) {
            dividend = dividend.at_most(&above.mul(&divisor.greatest).sub(&one))?;
        }
        if !result.least.is_zero() {
            divisor = divisor.at_most(&udiv(&dividend, result).greatest)?;
        }
    }
    Some(vec![dividend, divisor])
}

/// A remainder is at most the dividend, and less than the divisor unless that is zero.
fn remainder(result: &Domain, a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let dividend = a.at_least(&result.least)?;
    let mut divisor = b.clone();
    if !divisor.least.is_zero() {
        divisor = divisor.at_least(&result.least.add(&BitVec::one(a.width())))?;
    }
    Some(vec![dividend, divisor])
}

/// All values of `width` bits that have these bits from place `low` on.
pub(super) fn around(slice: &Domain, low: u32, width: u32) -> Domain {
    let place = |value: &BitVec| {
        let wide =
            if slice.width() < width { value.zero_extend(width - slice.width()) } else { value.clone() };
        wide.shl_by(low)
    };
    let open = place(&BitVec::ones(slice.width())).not();
    let bits = Domain { must: place(&slice.must), may: place(&slice.may).or(&open), ..Domain::all(width) };
    if low + slice.width() == width {
        let bounds = Domain {
            least: place(&slice.least),
            greatest: place(&slice.greatest).or(&low_ones(low, width)),
            ..bits
        };
        return bounds.tight().expect("a slice that is possible stands in some value");
    }
    bits.tight().expect("a slice that is possible stands in some value")
}

/// The first bit that is known, if any.
fn first_known(copies: &Domain) -> Option<bool> {
    let (known, must) = copies.known();
    (!known.is_zero()).then(|| !must.is_zero())
}

/// If one branch is impossible, it is the other one; a branch that is taken has the result's values.
fn choice(result: &Domain, c: &Domain, a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let (then, other) = (a.meet(result), b.meet(result));
    match (c.as_bool(), then, other) {
        (Some(true), then, _) | (None, then, None) => {
            Some(vec![c.meet(&Domain::truth(true))?, then?, b.clone()])
        }
        (Some(false), _, other) | (None, None, other) => {
            Some(vec![c.meet(&Domain::truth(false))?, a.clone(), other?])
        }
        (None, Some(_), Some(_)) => Some(vec![c.clone(), a.clone(), b.clone()]),
    }
}

/// `a < b`.
fn below(a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let one = BitVec::one(a.width());
    if less(a, b) == Some(false) {
        return None;
    }
    let bounded = a.at_most(&b.greatest.sub(&one))?;
    Some(vec![bounded, b.at_least(&a.least.add(&one))?])
}

/// Signed order is unsigned order of numbers with the sign bit turned around, where that leaves an interval
/// in one piece.
fn signed_order(result: &Domain, a: &Domain, b: &Domain) -> Option<Vec<Domain>> {
    let Some(less) = result.as_bool() else { return Some(vec![a.clone(), b.clone()]) };
    let (of_a, of_b) = (turned(a), turned(b));
    let refined = if less {
        below(&of_a, &of_b)?
    } else {
        vec![of_a.at_least(&of_b.least)?, of_b.at_most(&of_a.greatest)?]
    };
    both(a, b, &turned(&refined[0]), &turned(&refined[1]))
}

/// The domain of the sum with the least signed number.
fn turned(a: &Domain) -> Domain {
    add(a, &Domain::one(BitVec::min_signed(a.width())))
}
