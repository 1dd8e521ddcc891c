//! What operators mean on values.
//!
//! Values are truth values and numbers below two to the power of the width; this file is the meaning of the
//! logic, and everything else that knows operators (circuits, polynomials) is tested against it.

use crate::term::{Op, Term, Terms};
use num_bigint::BigUint;

/// A value of an argument, with its width (1 for truth values).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The number of bits.
    pub width: u32,
    /// The number, below two to the power of the width.
    pub number: BigUint,
}

impl Value {
    /// A truth value.
    pub fn truth(value: bool) -> Value {
        Value { width: 1, number: u8::from(value).into() }
    }

    fn is_true(&self) -> bool {
        self.number == BigUint::from(1u8)
    }

    fn sign(&self) -> bool {
        self.number.bit(u64::from(self.width) - 1)
    }

    /// The number plus two to the power of the width - 1: signed order as unsigned order.
    fn shifted(&self) -> BigUint {
        let half = BigUint::from(1u8) << (self.width - 1);
        if self.sign() { &self.number - half } else { &self.number + half }
    }
}

/// Two to the power of the width.
fn modulus(width: u32) -> BigUint {
    BigUint::from(1u8) << width
}

/// Quotients of wider values take too long.
const MOST_DIVIDED: u32 = 1 << 16;

/// The value of an operator on values; `None` for operators without a meaning on values of bits.
pub fn apply(op: Op, args: &[Value]) -> Option<Value> {
    let width = args.first().map_or(1, |first| first.width);
    let low = |number: BigUint, width: u32| number & (modulus(width) - 1u8);
    let number = |number: BigUint| Some(Value { width, number: low(number, width) });
    let truth = |value: bool| Some(Value::truth(value));
    let ones = || modulus(width) - 1u8;
    match (op, args) {
        (Op::True, []) => truth(true),
        (Op::False, []) => truth(false),
        (Op::Not, [a]) => truth(!a.is_true()),
        (Op::And, [a, b]) => truth(a.is_true() && b.is_true()),
        (Op::Or, [a, b]) => truth(a.is_true() || b.is_true()),
        (Op::Xor, [a, b]) => truth(a.is_true() != b.is_true()),
        (Op::Eq, [a, b]) => truth(a.number == b.number),
        (Op::Ite, [c, a, b]) => Some(if c.is_true() { a.clone() } else { b.clone() }),
        (Op::BvNot, [a]) => number(ones() - &a.number),
        (Op::BvNeg, [a]) => number(modulus(width) - &a.number),
        (Op::BvAnd, [a, b]) => number(&a.number & &b.number),
        (Op::BvOr, [a, b]) => number(&a.number | &b.number),
        (Op::BvXor, [a, b]) => number(&a.number ^ &b.number),
        (Op::BvAdd, [a, b]) => number(&a.number + &b.number),
        (Op::BvMul, [a, b]) => number(&a.number * &b.number),
        (Op::BvUdiv, [_, b]) if b.number.bits() == 0 => number(ones()),
        (Op::BvUdiv | Op::BvUrem, _) if width > MOST_DIVIDED => None,
        (Op::BvUdiv, [a, b]) => number(&a.number / &b.number),
        (Op::BvUrem, [a, b]) if b.number.bits() == 0 => number(a.number.clone()),
        (Op::BvUrem, [a, b]) => number(&a.number % &b.number),
        (Op::BvShl, [a, b]) => number(amount(b).map_or(BigUint::default(), |by| &a.number << by)),
        (Op::BvLshr, [a, b]) => number(amount(b).map_or(BigUint::default(), |by| &a.number >> by)),
        (Op::BvAshr, [a, b]) if a.sign() => {
            let complement = ones() - &a.number;
            number(ones() - amount(b).map_or(BigUint::default(), |by| complement >> by))
        }
        (Op::BvAshr, [a, b]) => number(amount(b).map_or(BigUint::default(), |by| &a.number >> by)),
        (Op::BvUlt, [a, b]) => truth(a.number < b.number),
        (Op::BvSlt, [a, b]) => truth(a.shifted() < b.shifted()),
        (Op::Concat, [a, b]) => {
            let width = a.width + b.width;
            Some(Value { width, number: (&a.number << b.width) | &b.number })
        }
        (Op::Extract(high, from), [a]) => {
            let width = high - from + 1;
            Some(Value { width, number: low(&a.number >> from, width) })
        }
        (Op::SignExtend(more), [a]) => {
            let copies = if a.sign() { modulus(more) - 1u8 } else { BigUint::default() };
            Some(Value { width: width + more, number: (copies << width) | &a.number })
        }
        _ => None,
    }
}

/// By how many places a shift shifts; `None` where no bit stays.
fn amount(by: &Value) -> Option<u64> {
    u64::try_from(&by.number).ok().filter(|&places| places < u64::from(by.width))
}

impl Terms {
    /// The value that a term is.
    pub fn value_of(&self, term: Term) -> Option<Value> {
        match self.op(term) {
            Op::True => Some(Value::truth(true)),
            Op::False => Some(Value::truth(false)),
            _ => Some(Value { width: self.width(term)?, number: self.as_value(term)?.clone() }),
        }
    }

    /// A value of the sort of `like` as a term.
    pub fn term_of(&mut self, like: Term, value: &Value) -> Result<Term, String> {
        match self.width(like) {
            Some(width) => self.value(width, value.number.clone()),
            None => Ok(self.truth(value.is_true())),
        }
    }
}
