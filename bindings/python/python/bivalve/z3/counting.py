"""How many formulas hold: z3's cardinality and pseudo-Boolean constraints, as sums of bit-vectors.

Each formula counts with its weight where it holds. The sum is of so many bits that it cannot overflow; a negative
weight counts for the negation, which leaves the same difference. So the constraint is exact; it is printed as the
comparison that it is here, and not under z3's name.
"""

from __future__ import annotations

from typing import Any

from .exprs import ULE, UGE, BitVecRef, BitVecSort, BitVecVal, BoolRef, BoolVal, Context, If, Not, _list, _refuse


def _formula(value: Any, ctx: Context | None) -> BoolRef:
    if isinstance(value, bool):
        return BoolVal(value, ctx)
    return value if isinstance(value, BoolRef) else _refuse(f"expected a formula, found {value!r}")


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _refuse(f"expected an integer, found {value!r}")


def _sum(parts: list[BitVecRef]) -> BitVecRef:
    """The sum as a tree of small depth."""
    while len(parts) > 1:
        pairs = [left + right for left, right in zip(parts[::2], parts[1::2])]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


class _Weighted:
    """A sum of weights of formulas, and a bound of the same offset."""

    def __init__(self, args: Any, k: Any) -> None:
        pairs = [(formula, _integer(weight)) for formula, weight in args]
        self.ctx = next((formula.ctx for formula, _ in pairs if isinstance(formula, BoolRef)), None)
        terms = [(_formula(formula, self.ctx), weight) for formula, weight in pairs if weight != 0]
        self.bound = _integer(k) - sum(weight for _, weight in terms if weight < 0)
        self.most = sum(abs(weight) for _, weight in terms)
        sort = BitVecSort(max(self.most.bit_length(), 1), self.ctx)
        zero = BitVecVal(0, sort)
        literals = [(formula if weight > 0 else Not(formula), abs(weight)) for formula, weight in terms]
        self.sum = _sum([If(formula, BitVecVal(weight, sort), zero) for formula, weight in literals] or [zero])

    def at_most(self) -> BoolRef:
        if self.bound < 0 or self.bound >= self.most:
            return BoolVal(self.bound >= 0, self.ctx)
        return ULE(self.sum, self.bound)

    def at_least(self) -> BoolRef:
        if self.bound <= 0 or self.bound > self.most:
            return BoolVal(self.bound <= 0, self.ctx)
        return UGE(self.sum, self.bound)

    def exactly(self) -> BoolRef:
        if not 0 <= self.bound <= self.most:
            return BoolVal(False, self.ctx)
        equation: BoolRef = self.sum == self.bound
        return equation


def _counted(args: Any) -> _Weighted:
    *formulas, k = _list(args) or [None]
    formulas = _list(formulas)
    if not formulas:
        _refuse("Non empty list of arguments expected")
    return _Weighted([(formula, 1) for formula in formulas], k)


def AtMost(*args: Any) -> BoolRef:
    """At most so many of the formulas hold; the number stands last."""
    return _counted(args).at_most()


def AtLeast(*args: Any) -> BoolRef:
    """At least so many of the formulas hold; the number stands last."""
    return _counted(args).at_least()


def PbLe(args: Any, k: int) -> BoolRef:
    """The weights of the formulas that hold, pairs of a formula and an integer, sum up to at most `k`."""
    return _Weighted(args, k).at_most()


def PbGe(args: Any, k: int) -> BoolRef:
    """The weights of the formulas that hold, pairs of a formula and an integer, sum up to at least `k`."""
    return _Weighted(args, k).at_least()


def PbEq(args: Any, k: int, ctx: Context | None = None) -> BoolRef:
    """The weights of the formulas that hold, pairs of a formula and an integer, sum up to `k`."""
    del ctx  # The formulas say which it is.
    return _Weighted(args, k).exactly()
