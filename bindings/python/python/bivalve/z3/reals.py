"""Reals, by z3's names: constants, and the numbers that floats are.

They are compared, chosen, and rounded to a float, all exactly; nothing is computed with them, and there are no real
variables. A Python number or its text beside a real is a constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .._native import Sort, Term
from . import kinds
from .exprs import (
    BoolRef,
    Context,
    ExprRef,
    SortRef,
    _built,
    _ctx,
    _operand,
    _refuse,
    _to_expr,
    register,
)
from .floats import FPRef, FPSortRef, _checked, _converted
from .refused import without

#: Operators of Python that compute.
_ARITHMETIC = (
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __rdiv__ __mod__ __rmod__ "
    "__pow__ __rpow__ __neg__ __abs__"
)


class ArithSortRef(SortRef):
    """The sort of reals."""

    __slots__ = ()

    def is_real(self) -> bool:
        """Whether it is the sort of reals."""
        return True

    def is_int(self) -> bool:
        """Whether it is the sort of integers."""
        return False

    def cast(self, val: Any) -> Any:
        """The value as an expression of this sort."""
        return val if isinstance(val, ExprRef) else RealVal(val, self.ctx)


@without("arithmetic of reals, which are compared and rounded", _ARITHMETIC)
class ArithRef(ExprRef):
    """A real expression."""

    __slots__ = ()

    def is_real(self) -> bool:
        """Whether it is a real."""
        return True

    def is_int(self) -> bool:
        """Whether it is an integer."""
        return False

    def __lt__(self, other: Any) -> BoolRef:
        return self._compared("<", other)

    def __le__(self, other: Any) -> BoolRef:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> BoolRef:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> BoolRef:
        return self._compared(">=", other)

    def __pos__(self) -> ArithRef:
        return self

    def _compared(self, op: str, other: Any) -> BoolRef:
        if isinstance(other, ExprRef) and not isinstance(other, ArithRef):
            _refuse("sort mismatch")
        args = [self.native, _operand(other, self.native.sort, self.ctx)]
        return _to_expr(_built(self.ctx.native.app, op, [], args), self.ctx)  # type: ignore[no-any-return]


class RatNumRef(ArithRef):
    """A real constant."""

    __slots__ = ()

    def as_fraction(self) -> Fraction:
        """The value."""
        value = self.native.value
        assert isinstance(value, Fraction)
        return value

    def numerator(self) -> RatNumRef:
        """The numerator."""
        return RealVal(self.numerator_as_long(), self.ctx)

    def denominator(self) -> RatNumRef:
        """The denominator, which is positive."""
        return RealVal(self.denominator_as_long(), self.ctx)

    def numerator_as_long(self) -> int:
        """The numerator."""
        return self.as_fraction().numerator

    def denominator_as_long(self) -> int:
        """The denominator, which is positive."""
        return self.as_fraction().denominator

    def is_int_value(self) -> bool:
        """Whether it is an integer."""
        return self.denominator_as_long() == 1

    def as_long(self) -> int:
        """The value, which is to be an integer."""
        return self.numerator_as_long() if self.is_int_value() else _refuse("Expected integer fraction")

    def as_decimal(self, prec: int) -> str:
        """The value in decimal, with so many digits behind the point; a question mark where more are left."""
        value = abs(self.as_fraction())
        whole, rest = divmod(value.numerator, value.denominator)
        digits, rest = divmod(rest * 10**prec, value.denominator)
        text = f"{digits:0{prec}d}" if prec else ""
        sign = "-" if self.as_fraction() < 0 else ""
        if rest:
            return f"{sign}{whole}.{text}?"
        return f"{sign}{whole}.{text}".rstrip("0").rstrip(".")

    def as_string(self) -> str:
        """The value: `1/3`."""
        return str(self.as_fraction())

    def py_value(self) -> float:
        """The nearest Python `float`."""
        return float(self.as_fraction())


def _number(value: Any, sort: Sort, ctx: Context) -> Term:
    """A Python number, or its text, beside a real expression; of a `float`, as in z3, what its text says: `0.1` is a
    tenth."""
    try:
        if isinstance(value, (str, float)):
            value = Fraction(str(value))
        return ctx.native.real(int(value) if isinstance(value, bool) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        return _refuse(f"parser error: expected a number, found {value!r}")


register("real", ArithSortRef, ArithRef, RatNumRef, _number)


def RealVal(val: Any, ctx: Context | None = None) -> RatNumRef:
    """A real constant: a number, or the text of a decimal number or of a fraction."""
    ctx = _ctx(ctx)
    return RatNumRef(_number(val, ctx.native.real(0).sort, ctx), ctx)


def RatVal(a: Any, b: Any, ctx: Context | None = None) -> RatNumRef:
    """The constant `a / b`."""
    above, below = (RealVal(part, ctx).as_fraction() for part in (a, b))
    return RealVal(above / below, ctx) if below else _refuse("expected a divisor that is not zero")


Q = RatVal


def fpToReal(x: Any, ctx: Context | None = None) -> ArithRef:
    """The number that a float is; any real for what is no number."""
    if not isinstance(x, FPRef):
        _refuse("First argument must be a Z3 floating-point expression")
    return _converted("fp.to_real", [x], [])  # type: ignore[no-any-return]


def fpRealToFP(rm: Any, v: Any, sort: Any, ctx: Context | None = None) -> FPRef:
    """The number of a sort that is nearest to a real."""
    _checked(rm, isinstance(v, ArithRef), "real", isinstance(sort, FPSortRef), "floating-point")
    return _converted("to_fp", [rm, v], [sort.ebits(), sort.sbits()])  # type: ignore[no-any-return]


def is_arith(a: Any) -> bool:
    """Real expressions; there are no others that can be computed with."""
    return isinstance(a, ArithRef)


def is_real(a: Any) -> bool:
    """Real expressions."""
    return isinstance(a, ArithRef)


def is_arith_sort(s: Any) -> bool:
    """The sort of reals."""
    return isinstance(s, ArithSortRef)


def is_rational_value(a: Any) -> bool:
    """Real constants."""
    return isinstance(a, RatNumRef)


def _is_comparison(a: Any, kind: int) -> bool:
    return isinstance(a, BoolRef) and a.kind() == kind


def is_lt(a: Any) -> bool:
    """Comparisons of reals by `<`."""
    return _is_comparison(a, kinds.Z3_OP_LT)


def is_le(a: Any) -> bool:
    """Comparisons of reals by `<=`."""
    return _is_comparison(a, kinds.Z3_OP_LE)


def is_gt(a: Any) -> bool:
    """Comparisons of reals by `>`."""
    return _is_comparison(a, kinds.Z3_OP_GT)


def is_ge(a: Any) -> bool:
    """Comparisons of reals by `>=`."""
    return _is_comparison(a, kinds.Z3_OP_GE)


__all__ = [
    "ArithRef",
    "ArithSortRef",
    "Q",
    "RatNumRef",
    "RatVal",
    "RealVal",
    "fpRealToFP",
    "fpToReal",
    "is_arith",
    "is_arith_sort",
    "is_ge",
    "is_gt",
    "is_le",
    "is_lt",
    "is_rational_value",
    "is_real",
]
