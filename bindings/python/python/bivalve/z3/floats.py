"""Floating point, by z3's names and with the meanings that z3 documents.

Operators of Python round by the default mode, which is nearest even; `<` and its like are those of IEEE 754, and `==`
is identity: NaN equals itself, and the zeros differ. `fpEQ` is equality of numbers. A Python number beside an
expression becomes the nearest value of its sort.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Sequence

from .._native import FloatValue, Sort, Term
from . import kinds
from .exprs import (
    BitVecNumRef,
    BitVecRef,
    BitVecSortRef,
    BitVecVal,
    BoolRef,
    Context,
    ExprRef,
    Not,
    SortRef,
    _built,
    _ctx,
    _names,
    _refuse,
    _to_expr,
    register,
)
from .printer import FLOATS, exponent, significand, sort_text


class FPSortRef(SortRef):
    """A floating-point sort."""

    __slots__ = ()

    def ebits(self) -> int:
        """The number of bits of the exponent."""
        return int(self.native.exponent_bits or 0)

    def sbits(self) -> int:
        """The number of bits of the significand, the hidden one included."""
        return int(self.native.significand_bits or 0)

    def cast(self, val: Any) -> Any:
        """The value as an expression of this sort."""
        return val if isinstance(val, ExprRef) else FPVal(val, None, self, self.ctx)


class FPRMSortRef(SortRef):
    """The sort of rounding modes."""

    __slots__ = ()


class FPRef(ExprRef):
    """A floating-point expression."""

    __slots__ = ()

    def ebits(self) -> int:
        """The number of bits of the exponent."""
        return int(self.native.sort.exponent_bits or 0)

    def sbits(self) -> int:
        """The number of bits of the significand, the hidden one included."""
        return int(self.native.sort.significand_bits or 0)

    def as_string(self) -> str:
        """The text in SMT-LIB syntax."""
        return self.sexpr()

    def __lt__(self, other: Any) -> BoolRef:
        return fpLT(self, other)

    def __le__(self, other: Any) -> BoolRef:
        return fpLEQ(self, other)

    def __gt__(self, other: Any) -> BoolRef:
        return fpGT(self, other)

    def __ge__(self, other: Any) -> BoolRef:
        return fpGEQ(self, other)

    def __add__(self, other: Any) -> FPRef:
        return fpAdd(get_default_rounding_mode(self.ctx), self, other)

    def __radd__(self, other: Any) -> FPRef:
        return fpAdd(get_default_rounding_mode(self.ctx), other, self)

    def __sub__(self, other: Any) -> FPRef:
        return fpSub(get_default_rounding_mode(self.ctx), self, other)

    def __rsub__(self, other: Any) -> FPRef:
        return fpSub(get_default_rounding_mode(self.ctx), other, self)

    def __mul__(self, other: Any) -> FPRef:
        return fpMul(get_default_rounding_mode(self.ctx), self, other)

    def __rmul__(self, other: Any) -> FPRef:
        return fpMul(get_default_rounding_mode(self.ctx), other, self)

    def __truediv__(self, other: Any) -> FPRef:
        return fpDiv(get_default_rounding_mode(self.ctx), self, other)

    def __rtruediv__(self, other: Any) -> FPRef:
        return fpDiv(get_default_rounding_mode(self.ctx), other, self)

    __div__, __rdiv__ = __truediv__, __rtruediv__

    def __mod__(self, other: Any) -> FPRef:
        return fpRem(self, other)

    def __rmod__(self, other: Any) -> FPRef:
        return fpRem(other, self)

    def __neg__(self) -> FPRef:
        return fpNeg(self)

    def __pos__(self) -> FPRef:
        return self


class FPNumRef(FPRef):
    """A floating-point constant."""

    __slots__ = ()

    @property
    def _value(self) -> FloatValue:
        value = self.native.value
        assert isinstance(value, FloatValue)
        return value

    @property
    def _number(self) -> FloatValue:
        """The value, which is to be a number."""
        return _refuse("invalid expression argument, expecting a valid fp, not a NaN") if self.isNaN() else self._value

    def sign(self) -> bool:
        """Whether the sign is set; refused for NaN."""
        return self._number.sign

    def sign_as_bv(self) -> BitVecNumRef:
        """The sign as a bit-vector; refused for NaN."""
        return BitVecVal(int(self.sign()), 1, self.ctx)

    def significand(self) -> str:
        """The significand in decimal, from 1 below 2, and below 1 where it is subnormal; refused for NaN."""
        return significand(self._number)

    def significand_as_long(self) -> int:
        """The field of the fraction, which is to have 64 bits at most; refused for NaN."""
        if self.sbits() - 1 > 64:
            _refuse("error retrieving the significand of a numeral.")
        return self._number.fraction

    def significand_as_bv(self) -> BitVecNumRef:
        """The field of the fraction; refused for NaN."""
        return BitVecVal(self._number.fraction, self.sbits() - 1, self.ctx)

    def exponent(self, biased: bool = True) -> str:
        """The exponent in decimal; refused for NaN."""
        return str(self.exponent_as_long(biased))

    def exponent_as_long(self, biased: bool = True) -> int:
        """The exponent; of an infinity, as in z3, the one above all others whether it is biased or not. Refused for
        NaN."""
        value = self._number
        return value.exponent if biased and not value.is_infinite else exponent(value)

    def exponent_as_bv(self, biased: bool = True) -> BitVecNumRef:
        """The exponent as a bit-vector; refused for NaN."""
        return BitVecVal(self.exponent_as_long(biased), self.ebits(), self.ctx)

    def isNaN(self) -> bool:
        """Whether it is not a number."""
        return self._value.is_nan

    def isInf(self) -> bool:
        """Whether it is one of the infinities."""
        return self._value.is_infinite

    def isZero(self) -> bool:
        """Whether it is one of the zeros."""
        return self._value.is_zero

    def isNormal(self) -> bool:
        """Whether it is a number with the hidden bit."""
        return self._value.is_normal

    def isSubnormal(self) -> bool:
        """Whether it is a number without the hidden bit, but no zero."""
        return self._value.is_subnormal

    def isPositive(self) -> bool:
        """Whether it is a number without the sign."""
        return not (self._value.is_nan or self._value.sign)

    def isNegative(self) -> bool:
        """Whether it is a number with the sign."""
        return self._value.sign

    def as_string(self) -> str:
        """The value as a fraction, with the sort."""
        value = self._value
        exact = str(value) if value.is_nan or value.is_infinite else str(value.as_fraction())
        return f"FPVal({exact}, {sort_text(self.native.sort)})"

    def py_value(self) -> float:
        """The nearest Python `float`."""
        return float(self._value)


class FPRMRef(ExprRef):
    """A rounding mode."""

    __slots__ = ()

    def as_string(self) -> str:
        """The text in SMT-LIB syntax."""
        return self.sexpr()


def _number(value: Any, sort: Sort, ctx: Context) -> Term:
    """A Python number beside an expression of a floating-point sort."""
    return _constant(value, 0, sort, ctx)


register("float", FPSortRef, FPRef, FPNumRef, _number)
register("rounding_mode", FPRMSortRef, FPRMRef)


# Sorts.


def FPSort(ebits: int, sbits: int, ctx: Context | None = None) -> FPSortRef:
    """The floating-point sort with so many bits of exponent and significand."""
    return FPSortRef(_built(_ctx(ctx).native.float_sort, ebits, sbits), _ctx(ctx))


def Float16(ctx: Context | None = None) -> FPSortRef:
    """The sort of half precision."""
    return FPSort(5, 11, ctx)


def Float32(ctx: Context | None = None) -> FPSortRef:
    """The sort of single precision."""
    return FPSort(8, 24, ctx)


def Float64(ctx: Context | None = None) -> FPSortRef:
    """The sort of double precision."""
    return FPSort(11, 53, ctx)


def Float128(ctx: Context | None = None) -> FPSortRef:
    """The sort of quadruple precision."""
    return FPSort(15, 113, ctx)


FloatHalf, FloatSingle, FloatDouble, FloatQuadruple = Float16, Float32, Float64, Float128


def get_default_fp_sort(ctx: Context | None = None) -> FPSortRef:
    """The sort of constants where none is named."""
    return FPSort(FLOATS.ebits, FLOATS.sbits, ctx)


def set_default_fp_sort(ebits: int, sbits: int, ctx: Context | None = None) -> None:
    """Sets the sort of constants where none is named."""
    FPSort(ebits, sbits, ctx)
    FLOATS.ebits, FLOATS.sbits = ebits, sbits


# Rounding modes.


def _mode(name: str, ctx: Context | None) -> FPRMRef:
    return FPRMRef(_ctx(ctx).native.rounding_mode(name), _ctx(ctx))


def RNE(ctx: Context | None = None) -> FPRMRef:
    """Round to nearest, ties to even."""
    return _mode("RNE", ctx)


def RNA(ctx: Context | None = None) -> FPRMRef:
    """Round to nearest, ties away from zero."""
    return _mode("RNA", ctx)


def RTP(ctx: Context | None = None) -> FPRMRef:
    """Round up."""
    return _mode("RTP", ctx)


def RTN(ctx: Context | None = None) -> FPRMRef:
    """Round down."""
    return _mode("RTN", ctx)


def RTZ(ctx: Context | None = None) -> FPRMRef:
    """Round toward zero."""
    return _mode("RTZ", ctx)


RoundNearestTiesToEven, RoundNearestTiesToAway = RNE, RNA
RoundTowardPositive, RoundTowardNegative, RoundTowardZero = RTP, RTN, RTZ


def get_default_rounding_mode(ctx: Context | None = None) -> FPRMRef:
    """The mode of Python's operators."""
    return _mode(FLOATS.mode, ctx)


def set_default_rounding_mode(rm: Any, ctx: Context | None = None) -> None:
    """Sets the mode of Python's operators: a rounding mode, or its kind."""
    name = str(rm.native.value) if is_fprm_value(rm) else kinds.MODE_OF_KIND.get(rm)
    FLOATS.mode = name if name is not None else _refuse("illegal rounding mode")


# Constants and symbols.


def _sort(s: Any) -> FPSortRef:
    return s if isinstance(s, FPSortRef) else _refuse("sort mismatch")


def _flag(negative: Any) -> bool:
    return negative if isinstance(negative, bool) else _refuse("expected Boolean flag")


def _special(text: str, s: Any) -> FPNumRef:
    sort = _sort(s)
    return FPNumRef(sort.ctx.native.float(text, sort.native), sort.ctx)


def fpNaN(s: FPSortRef) -> FPNumRef:
    """What is not a number."""
    return _special("nan", s)


def fpPlusInfinity(s: FPSortRef) -> FPNumRef:
    """Positive infinity."""
    return _special("inf", s)


def fpMinusInfinity(s: FPSortRef) -> FPNumRef:
    """Negative infinity."""
    return _special("-inf", s)


def fpInfinity(s: FPSortRef, negative: bool) -> FPNumRef:
    """One of the infinities."""
    return _special("-inf" if _flag(negative) else "inf", s)


def fpPlusZero(s: FPSortRef) -> FPNumRef:
    """Positive zero."""
    return _special("0", s)


def fpMinusZero(s: FPSortRef) -> FPNumRef:
    """Negative zero."""
    return _special("-0", s)


def fpZero(s: FPSortRef, negative: bool) -> FPNumRef:
    """One of the zeros."""
    return _special("-0" if _flag(negative) else "0", s)


#: Texts that are no numbers, as z3 has them.
_TEXTS = {"NaN": "nan", "nan": "nan", "+oo": "inf", "+inf": "inf", "+Inf": "inf"}
_TEXTS |= {"-oo": "-inf", "-inf": "-inf", "-Inf": "-inf"}

#: A number: sign and decimal, a divisor, an exponent of two.
_NUMBER = re.compile(r"([+-]?)(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,6})?)(?:/(\d+))?(?:[pP]([+-]?\d+))?", re.ASCII)

#: Exponents of two beyond which all numbers are alike, in every format.
_MOST = 1 << 25


def _constant(sig: Any, exp: int, sort: Sort, ctx: Context) -> Term:
    """`sig * 2^exp`, rounded to the sort once."""
    native = ctx.native
    if isinstance(sig, str):
        if sig in _TEXTS:
            return native.float(_TEXTS[sig], sort)
        text, mark, power = sig.partition("*(2**")
        if mark and not (power[-1:] == ")" and re.fullmatch(r"[+-]?\d+", power[:-1], re.ASCII)):
            _refuse("String does not have floating-point numeral form.")
        read = _NUMBER.fullmatch(text) or _refuse(f"parser error: expected a number, found {sig!r}")
        minus, number, below, binary = read.groups()
        exact = Fraction(number) / (int(below) if below and int(below) else 1)
        if below and not int(below):
            _refuse(f"parser error: expected a number, found {sig!r}")
        if not exact:
            return native.float(f"{minus}0", sort)
        exact, exp = (-exact if minus == "-" else exact), exp + int(binary or 0) + (int(power[:-1]) if mark else 0)
    elif isinstance(sig, float):
        if sig == 0 or sig != sig or sig in (float("inf"), float("-inf")):
            return native.float(sig, sort)
        exact = Fraction(sig)
    elif isinstance(sig, (int, Fraction)):
        exact = Fraction(sig)
    else:
        _refuse("Python value cannot be used to create floating-point numerals.")
    exp = max(-_MOST, min(exp, _MOST))
    return _built(native.float, exact * 2**exp if exp >= 0 else exact / 2**-exp, sort)  # type: ignore[no-any-return]


def FPVal(sig: Any, exp: Any = None, fps: FPSortRef | None = None, ctx: Context | None = None) -> FPNumRef:
    """The constant nearest to `sig * 2**exp`: a number, or its text."""
    if isinstance(exp, FPSortRef):
        fps, exp = exp, None
    sort = get_default_fp_sort(ctx) if fps is None else _sort(fps)
    if not isinstance(exp, (int, type(None))):
        _refuse(f"expected an integer as exponent, found {exp!r}")
    return FPNumRef(_constant(sig, exp or 0, sort.native, sort.ctx), sort.ctx)


def FP(name: object, fpsort: FPSortRef, ctx: Context | None = None) -> FPRef:
    """A floating-point symbol."""
    sort = _sort(fpsort)
    return FPRef(sort.ctx.symbol(name, sort.native), sort.ctx)


def FPs(names: str | Sequence[str], fpsort: FPSortRef, ctx: Context | None = None) -> list[FPRef]:
    """Floating-point symbols by their names, which are separated by blanks."""
    return [FP(name, fpsort, ctx) for name in _names(names)]


# Operators.


def _operands(args: Sequence[Any], ctx: Context | None) -> tuple[list[Term], Context]:
    """Expressions of one floating-point sort; Python numbers become constants of it, or of the default sort."""
    known = [arg for arg in args if isinstance(arg, FPRef)]
    if any(other.native.sort != known[0].native.sort for other in known[1:]):
        _refuse("sort mismatch")
    sort = known[0].sort() if known else get_default_fp_sort(ctx)
    terms = []
    for arg in args:
        if isinstance(arg, ExprRef) and not isinstance(arg, FPRef):
            _refuse("sort mismatch")
        terms.append(arg.native if isinstance(arg, FPRef) else _constant(arg, 0, sort.native, sort.ctx))
    return terms, sort.ctx


def _moded(rm: Any) -> Term:
    if not isinstance(rm, FPRMRef):
        _refuse("First argument must be a Z3 floating-point rounding mode expression")
    return rm.native


def _applied(op: str, args: Sequence[Any], ctx: Context | None, rm: Any = None, rounds: bool = False) -> Any:
    mode = [_moded(rm)] if rounds else []
    terms, ctx = _operands(args, ctx)
    return _to_expr(_built(ctx.native.app, op, [], [*mode, *terms]), ctx)


def fpAbs(a: Any, ctx: Context | None = None) -> FPRef:
    """The magnitude."""
    return _applied("fp.abs", [a], ctx)  # type: ignore[no-any-return]


def fpNeg(a: Any, ctx: Context | None = None) -> FPRef:
    """The number with the other sign."""
    return _applied("fp.neg", [a], ctx)  # type: ignore[no-any-return]


def fpAdd(rm: Any, a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The sum."""
    return _applied("fp.add", [a, b], ctx, rm, True)  # type: ignore[no-any-return]


def fpSub(rm: Any, a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The difference."""
    return _applied("fp.sub", [a, b], ctx, rm, True)  # type: ignore[no-any-return]


def fpMul(rm: Any, a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The product."""
    return _applied("fp.mul", [a, b], ctx, rm, True)  # type: ignore[no-any-return]


def fpDiv(rm: Any, a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The quotient."""
    return _applied("fp.div", [a, b], ctx, rm, True)  # type: ignore[no-any-return]


def fpRem(a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """`a - b * n` with the integer `n` nearest to the quotient."""
    return _applied("fp.rem", [a, b], ctx)  # type: ignore[no-any-return]


def fpMin(a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The lesser one; of zeros of opposite sign either."""
    return _applied("fp.min", [a, b], ctx)  # type: ignore[no-any-return]


def fpMax(a: Any, b: Any, ctx: Context | None = None) -> FPRef:
    """The greater one; of zeros of opposite sign either."""
    return _applied("fp.max", [a, b], ctx)  # type: ignore[no-any-return]


def fpFMA(rm: Any, a: Any, b: Any, c: Any, ctx: Context | None = None) -> FPRef:
    """`a * b + c`, rounded once."""
    return _applied("fp.fma", [a, b, c], ctx, rm, True)  # type: ignore[no-any-return]


def fpSqrt(rm: Any, a: Any, ctx: Context | None = None) -> FPRef:
    """The square root."""
    return _applied("fp.sqrt", [a], ctx, rm, True)  # type: ignore[no-any-return]


def fpRoundToIntegral(rm: Any, a: Any, ctx: Context | None = None) -> FPRef:
    """The nearest integer, as a floating-point number."""
    return _applied("fp.roundToIntegral", [a], ctx, rm, True)  # type: ignore[no-any-return]


def fpIsNaN(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is not a number."""
    return _applied("fp.isNaN", [a], ctx)  # type: ignore[no-any-return]


def fpIsInf(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is one of the infinities."""
    return _applied("fp.isInfinite", [a], ctx)  # type: ignore[no-any-return]


def fpIsZero(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is one of the zeros."""
    return _applied("fp.isZero", [a], ctx)  # type: ignore[no-any-return]


def fpIsNormal(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is a number with the hidden bit."""
    return _applied("fp.isNormal", [a], ctx)  # type: ignore[no-any-return]


def fpIsSubnormal(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is a number without the hidden bit, but no zero."""
    return _applied("fp.isSubnormal", [a], ctx)  # type: ignore[no-any-return]


def fpIsNegative(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is a number with the sign."""
    return _applied("fp.isNegative", [a], ctx)  # type: ignore[no-any-return]


def fpIsPositive(a: Any, ctx: Context | None = None) -> BoolRef:
    """Whether it is a number without the sign."""
    return _applied("fp.isPositive", [a], ctx)  # type: ignore[no-any-return]


def fpLT(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """`a < b`."""
    return _applied("fp.lt", [a, b], ctx)  # type: ignore[no-any-return]


def fpLEQ(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """`a <= b`."""
    return _applied("fp.leq", [a, b], ctx)  # type: ignore[no-any-return]


def fpGT(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """`a > b`."""
    return _applied("fp.gt", [a, b], ctx)  # type: ignore[no-any-return]


def fpGEQ(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """`a >= b`."""
    return _applied("fp.geq", [a, b], ctx)  # type: ignore[no-any-return]


def fpEQ(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """Whether they are equal as numbers: the zeros are, NaN is not."""
    return _applied("fp.eq", [a, b], ctx)  # type: ignore[no-any-return]


def fpNEQ(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """Whether they are not equal as numbers."""
    return Not(fpEQ(a, b, ctx))


# Conversions.


def _checked(rm: Any, second: bool, what: str, third: bool, sort: str) -> None:
    """Refuses arguments of a conversion that are not what they should be."""
    if not isinstance(rm, FPRMRef):
        _refuse("First argument must be a Z3 floating-point rounding mode expression.")
    if not second:
        _refuse(f"Second argument must be a Z3 {what} expression")
    if not third:
        _refuse(f"Third argument must be a Z3 {sort} sort")


def _converted(op: str, args: Sequence[Any], indices: Sequence[int]) -> Any:
    ctx = args[-1].ctx
    return _to_expr(_built(ctx.native.app, op, list(indices), [arg.native for arg in args]), ctx)


def fpFP(sgn: Any, exp: Any, sig: Any, ctx: Context | None = None) -> FPRef:
    """The number with these fields: sign, exponent, fraction."""
    if not all(isinstance(part, BitVecRef) for part in (sgn, exp, sig)) or sgn.size() != 1:
        _refuse("sort mismatch")
    return _converted("fp", [sgn, exp, sig], [])  # type: ignore[no-any-return]


def fpToFP(a1: Any, a2: Any = None, a3: Any = None, ctx: Context | None = None) -> FPRef:
    """The number of a sort that has these bits, or that is nearest to a number, a real or a signed bit-vector."""
    if isinstance(a1, BitVecRef) and isinstance(a2, FPSortRef):
        return fpBVToFP(a1, a2)
    is_number = isinstance(a2, (FPRef, BitVecRef)) or isinstance(a2, ExprRef) and a2.native.sort.kind == "real"
    if isinstance(a1, FPRMRef) and is_number and isinstance(a3, FPSortRef):
        return _converted("to_fp", [a1, a2], [a3.ebits(), a3.sbits()])  # type: ignore[no-any-return]
    return _refuse("Unsupported combination of arguments for conversion to floating-point term.")


def fpBVToFP(v: Any, sort: Any, ctx: Context | None = None) -> FPRef:
    """The number with these bits: sign, exponent, fraction."""
    if not isinstance(v, BitVecRef):
        _refuse("First argument must be a Z3 bit-vector expression")
    if not isinstance(sort, FPSortRef):
        _refuse("Second argument must be a Z3 floating-point sort.")
    return _converted("to_fp", [v], [sort.ebits(), sort.sbits()])  # type: ignore[no-any-return]


def fpFPToFP(rm: Any, v: Any, sort: Any, ctx: Context | None = None) -> FPRef:
    """The number of a sort nearest to one of another."""
    _checked(rm, isinstance(v, FPRef), "floating-point", isinstance(sort, FPSortRef), "floating-point")
    return _converted("to_fp", [rm, v], [sort.ebits(), sort.sbits()])  # type: ignore[no-any-return]


def fpSignedToFP(rm: Any, v: Any, sort: Any, ctx: Context | None = None) -> FPRef:
    """The number nearest to a bit-vector in two's complement."""
    _checked(rm, isinstance(v, BitVecRef), "bit-vector", isinstance(sort, FPSortRef), "floating-point")
    return _converted("to_fp", [rm, v], [sort.ebits(), sort.sbits()])  # type: ignore[no-any-return]


def fpUnsignedToFP(rm: Any, v: Any, sort: Any, ctx: Context | None = None) -> FPRef:
    """The number nearest to a bit-vector without a sign."""
    _checked(rm, isinstance(v, BitVecRef), "bit-vector", isinstance(sort, FPSortRef), "floating-point")
    return _converted("to_fp_unsigned", [rm, v], [sort.ebits(), sort.sbits()])  # type: ignore[no-any-return]


def fpToFPUnsigned(rm: Any, x: Any, s: Any, ctx: Context | None = None) -> FPRef:
    """The number nearest to a bit-vector without a sign."""
    return fpUnsignedToFP(rm, x, s, ctx)


def fpToSBV(rm: Any, x: Any, s: Any, ctx: Context | None = None) -> BitVecRef:
    """The integer in two's complement; any value where it does not fit."""
    _checked(rm, isinstance(x, FPRef), "floating-point", isinstance(s, BitVecSortRef), "bit-vector")
    return _converted("fp.to_sbv", [rm, x], [s.size()])  # type: ignore[no-any-return]


def fpToUBV(rm: Any, x: Any, s: Any, ctx: Context | None = None) -> BitVecRef:
    """The integer as a bit-vector without a sign; any value where it does not fit."""
    _checked(rm, isinstance(x, FPRef), "floating-point", isinstance(s, BitVecSortRef), "bit-vector")
    return _converted("fp.to_ubv", [rm, x], [s.size()])  # type: ignore[no-any-return]


def fpToIEEEBV(x: Any, ctx: Context | None = None) -> BitVecRef:
    """The bits: sign, exponent, fraction; of NaN those of the quiet one."""
    if not isinstance(x, FPRef):
        _refuse("First argument must be a Z3 floating-point expression")
    return _converted("fp.to_ieee_bv", [x], [])  # type: ignore[no-any-return]


# What is what.


def is_fp_sort(s: Any) -> bool:
    """Floating-point sorts."""
    return isinstance(s, FPSortRef)


def is_fprm_sort(s: Any) -> bool:
    """The sort of rounding modes."""
    return isinstance(s, FPRMSortRef)


def is_fp(a: Any) -> bool:
    """Floating-point expressions."""
    return isinstance(a, FPRef)


def is_fp_value(a: Any) -> bool:
    """Floating-point constants."""
    return isinstance(a, FPNumRef)


def is_fprm(a: Any) -> bool:
    """Rounding modes."""
    return isinstance(a, FPRMRef)


def is_fprm_value(a: Any) -> bool:
    """Rounding modes that are constants."""
    return isinstance(a, FPRMRef) and a.native.op == "constant"


__all__ = [
    "FP",
    "FPNumRef",
    "FPRMRef",
    "FPRMSortRef",
    "FPRef",
    "FPSort",
    "FPSortRef",
    "FPVal",
    "FPs",
    "Float128",
    "Float16",
    "Float32",
    "Float64",
    "FloatDouble",
    "FloatHalf",
    "FloatQuadruple",
    "FloatSingle",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "RoundNearestTiesToAway",
    "RoundNearestTiesToEven",
    "RoundTowardNegative",
    "RoundTowardPositive",
    "RoundTowardZero",
    "fpAbs",
    "fpAdd",
    "fpBVToFP",
    "fpDiv",
    "fpEQ",
    "fpFMA",
    "fpFP",
    "fpFPToFP",
    "fpGEQ",
    "fpGT",
    "fpInfinity",
    "fpIsInf",
    "fpIsNaN",
    "fpIsNegative",
    "fpIsNormal",
    "fpIsPositive",
    "fpIsSubnormal",
    "fpIsZero",
    "fpLEQ",
    "fpLT",
    "fpMax",
    "fpMin",
    "fpMinusInfinity",
    "fpMinusZero",
    "fpMul",
    "fpNEQ",
    "fpNaN",
    "fpNeg",
    "fpPlusInfinity",
    "fpPlusZero",
    "fpRem",
    "fpRoundToIntegral",
    "fpSignedToFP",
    "fpSqrt",
    "fpSub",
    "fpToFP",
    "fpToFPUnsigned",
    "fpToIEEEBV",
    "fpToSBV",
    "fpToUBV",
    "fpUnsignedToFP",
    "fpZero",
    "get_default_fp_sort",
    "get_default_rounding_mode",
    "is_fp",
    "is_fp_sort",
    "is_fp_value",
    "is_fprm",
    "is_fprm_sort",
    "is_fprm_value",
    "set_default_fp_sort",
    "set_default_rounding_mode",
]
