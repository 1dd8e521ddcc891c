//! Floating-point terms: what their operators do with arguments, and what stands for results that the
//! standard leaves open.
//!
//! Meanings are those of `bivalve-floats`. A result that SMT-LIB does not specify is a fixed but free
//! function of the arguments, so a model has to say what it is. Such an operator therefore has one more
//! argument than is written: an application of a symbol that no text can name, one for each operator and
//! sorts, and the same one for all terms of a pool. `fp.min` and `fp.max` are open for zeros of opposite
//! sign, of which there are two pairs: their symbol is a word of two bits, the sign of the result where the
//! first argument is +0, and where it is -0. `fp.to_ubv` and `fp.to_sbv` are open for what is out of range:
//! their symbol is a function of rounding mode and number. `fp.to_real` is open for NaN and infinities: its
//! symbol is a function of the number. What is printed, and what a reader gives, are the arguments that are
//! written.

use crate::op::{Args, Op};
use crate::pool::{OpenKey, Pool};
use crate::sort::Sort;
use crate::sort_rule::{Query, SortError};
use crate::term::Term;
use crate::theories::{TheorySort, TheoryValue};
use crate::value::Value;
use crate::{BigInt, BitVec};
use bivalve_floats::{Float, Format, Integers, Outcome, Rational, RoundingMode, Semantics};

impl From<Float> for Value {
    fn from(value: Float) -> Value {
        TheoryValue::Float(value).into()
    }
}

impl From<RoundingMode> for Value {
    fn from(value: RoundingMode) -> Value {
        TheoryValue::RoundingMode(value).into()
    }
}

impl Value {
    /// The floating-point number; `None` for a value of another sort.
    #[inline]
    pub fn as_float(&self) -> Option<&Float> {
        if let Value::Theory(value) = self { value.as_float() } else { None }
    }

    /// The rounding mode; `None` for a value of another sort.
    pub fn as_rounding_mode(&self) -> Option<RoundingMode> {
        if let Value::Theory(value) = self { value.as_rounding_mode() } else { None }
    }

    /// The rational number; `None` for a value of another sort.
    pub fn as_real(&self) -> Option<&Rational> {
        if let Value::Theory(value) = self { value.as_real() } else { None }
    }
}

/// The pairs of opposite zeros, and the bits that say what is open of them.
const PAIRS: u32 = 2;

/// The big natural number of a word.
fn natural(bits: &BitVec) -> bivalve_floats::num_bigint::BigUint {
    bits.to_int().magnitude().clone()
}

impl<'a> Args<'a> {
    /// The floating-point number of child `i`.
    pub(crate) fn float(&self, i: usize) -> &'a Float {
        self.values[i].as_float().expect("the sorts were checked")
    }

    /// The rounding mode, which is the first child.
    pub(crate) fn mode(&self) -> RoundingMode {
        self.values[0].as_rounding_mode().expect("the sorts were checked")
    }

    fn target(&self) -> Format {
        self.format.expect("the result is a floating-point number")
    }

    pub(crate) fn float_of_fields(&self) -> Value {
        let negative = !self.bv(0).is_zero();
        let (exponent, fraction) = (natural(self.bv(1)), natural(self.bv(2)));
        let float = Float::from_fields(self.target(), negative, &exponent, &fraction);
        float.expect("the sorts were checked").into()
    }

    pub(crate) fn float_of_bits(&self) -> Value {
        Integers::from_bits(self.target(), &natural(self.bv(0))).into()
    }

    pub(crate) fn converted(&self) -> Value {
        Integers::convert(self.target(), self.mode(), self.float(1)).into()
    }

    pub(crate) fn float_of_real(&self) -> Value {
        let real = self.values[1].as_real().expect("the sorts were checked");
        Integers::from_rational(self.target(), self.mode(), real).into()
    }

    pub(crate) fn float_of_integer(&self, value: &BigInt) -> Value {
        Integers::from_integer(self.target(), self.mode(), value).into()
    }

    /// A minimum or maximum: of opposite zeros the one that the hidden argument says.
    pub(crate) fn extremum(&self, outcome: Outcome<Float>) -> Value {
        let open = || {
            let x = self.float(0);
            Float::zero(x.format(), self.bv(2).bit(u32::from(x.sign())))
        };
        outcome.unwrap_or_else(open).into()
    }

    pub(crate) fn unsigned(&self) -> Value {
        match Integers::to_unsigned(self.mode(), self.float(1), self.width) {
            Outcome::Value(value) => BitVec::from_int(&value.into(), self.width).into(),
            Outcome::Unspecified => self.values[2].clone(),
        }
    }

    pub(crate) fn signed(&self) -> Value {
        match Integers::to_signed(self.mode(), self.float(1), self.width) {
            Outcome::Value(value) => BitVec::from_int(&value, self.width).into(),
            Outcome::Unspecified => self.values[2].clone(),
        }
    }

    pub(crate) fn ieee_bits(&self) -> Value {
        BitVec::from_int(&Integers::to_ieee_bits(self.float(0)).into(), self.width).into()
    }

    pub(crate) fn exact_real(&self) -> Value {
        match Integers::to_real(self.float(0)) {
            Outcome::Value(value) => TheoryValue::Real(value).into(),
            Outcome::Unspecified => self.values[1].clone(),
        }
    }

    pub(crate) fn chain_floats(&self, holds: impl Fn(&Float, &Float) -> bool) -> Value {
        (1..self.values.len()).all(|i| holds(self.float(i - 1), self.float(i))).into()
    }
}

impl Op {
    /// Is the operator one of floating point?
    #[inline]
    pub(crate) fn is_float(self) -> bool {
        self >= Op::FpFields
    }

    /// Does SMT-LIB leave the result open for some arguments? Then terms have one argument more than is
    /// written, which says what it is there.
    #[inline]
    pub fn is_open(self) -> bool {
        self.written_count().is_some()
    }

    /// The number of arguments that are written, of an operator whose result may be left open.
    pub fn written_count(self) -> Option<usize> {
        match self {
            Op::FpMin | Op::FpMax | Op::FpToUbv | Op::FpToSbv => Some(2),
            Op::FpToReal | Op::RecordGet => Some(1),
            _ => None,
        }
    }
}

impl Pool {
    /// A constant of a floating-point sort.
    pub fn float(&mut self, value: &Float) -> Term {
        self.constant(&Value::from(value.clone())).expect("floats have constants")
    }

    /// A rounding mode.
    pub fn rounding_mode(&mut self, value: RoundingMode) -> Term {
        self.constant(&Value::from(value)).expect("rounding modes have constants")
    }

    /// A real constant.
    pub fn real(&mut self, value: &Rational) -> Term {
        self.constant(&TheoryValue::Real(value.clone()).into()).expect("reals have constants")
    }

    /// The value of a real constant.
    pub fn as_real(&self, term: Term) -> Option<Rational> {
        self.as_value(term)?.as_real().cloned()
    }

    /// The value of a floating-point constant.
    pub fn as_float(&self, term: Term) -> Option<Float> {
        self.as_value(term)?.as_float().cloned()
    }

    /// The floating-point sort of a format.
    pub fn float_sort(&mut self, format: Format) -> Sort {
        self.sorts_mut().theory(TheorySort::Float(format))
    }

    /// The format of a term of a floating-point sort.
    #[inline]
    pub fn float_format(&self, term: Term) -> Option<Format> {
        self.sorts().float_format(self.sort(term))
    }

    /// What `to_fp` means before these arguments: one is bits; behind a rounding mode stand a floating-point
    /// number, a signed bit-vector or a real constant.
    pub fn conversion(&self, args: &[Term]) -> Op {
        match *args {
            [_, number] if self.float_format(number).is_some() => Op::FpFromFloat,
            [_, number] if self.width(number).is_some() => Op::FpFromSbv,
            [_, _] => Op::FpFromReal,
            _ => Op::FpFromBits,
        }
    }

    /// The operator that a name of SMT-LIB stands for before these arguments, which tell operators of one
    /// name from each other.
    pub fn op_named(&self, name: &str, args: &[Term]) -> Option<Op> {
        let op = Op::named().find(|op| op.name() == name)?;
        Some(match (op, args) {
            (Op::FpFromBits, _) => self.conversion(args),
            (Op::IntSub, [_]) => Op::IntNeg,
            _ => op,
        })
    }

    /// The children of a term that are written. Only where the standard leaves a result open there is another
    /// one.
    pub fn written_args(&self, term: Term) -> &[Term] {
        let args = self.args(term);
        &args[..self.op(term).written_count().unwrap_or(args.len())]
    }

    /// The application of an operator of floating point to the arguments that are written, or to all.
    pub(crate) fn float_term(
        &mut self,
        op: Op,
        indices: &[u32],
        args: &[Term],
    ) -> Result<(Sort, Option<Term>), SortError> {
        let count = op.written_count().unwrap_or(args.len());
        let is_hidden = |&hidden: &Term| match (op, self.width(hidden)) {
            (Op::FpMin | Op::FpMax, width) => width == Some(PAIRS),
            (Op::FpToReal, _) => self.sorts().as_theory(self.sort(hidden)) == Some(TheorySort::Real),
            (_, width) => width == indices.first().copied(),
        };
        let has_hidden = args.len() == count + 1 && is_hidden(&args[count]);
        let written = if has_hidden { &args[..count] } else { args };
        let result = match (op, indices, args) {
            (Op::FpFields, _, &[_, exponent, fraction]) => {
                self.width(exponent).zip(self.width(fraction)).map(|(eb, f)| (eb.into(), u64::from(f) + 1))
            }
            (_, &[eb, sb], _) => Some((eb.into(), sb.into())),
            _ => None,
        };
        // Rules look sorts up, so this one is made before.
        if let Some(format) = result.and_then(|(eb, sb)| Format::new(eb, sb).ok()) {
            self.float_sort(format);
        }
        if op == Op::FpToReal {
            self.sorts_mut().theory(TheorySort::Real);
        }
        let sort = Query { pool: self, op, args: written, indices }.result()?;
        if !op.is_open() || written.len() < args.len() {
            return Ok((sort, None));
        }
        Ok((sort, Some(self.open_argument(op, sort, args))))
    }

    /// What says what the result is where the standard does not.
    fn open_argument(&mut self, op: Op, result: Sort, args: &[Term]) -> Term {
        let sort = self.sort(args[args.len() - 1]);
        let key = OpenKey { op, part: 0, of: sort, result };
        let symbol = match self.open_symbol(key) {
            Some(symbol) => symbol,
            None => {
                let of = match op {
                    Op::FpMin | Op::FpMax => Sort::bitvec(PAIRS).expect("a legal width"),
                    _ => {
                        let params: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
                        self.sorts_mut().function(&params, result).expect("sorts of terms")
                    }
                };
                self.make_open_symbol(key, of)
            }
        };
        match op {
            Op::FpMin | Op::FpMax => symbol,
            _ => self.mk(Op::Apply, &[&[symbol], args].concat()),
        }
    }
}
