"""Answers to checks."""

from __future__ import annotations

import warnings

from .._native import Result
from .z3consts import Z3_L_FALSE, Z3_L_TRUE, Z3_L_UNDEF

#: The answers of the package `bivalve`, by the numbers that z3 has for them.
_NUMBERS = {Result.SAT: Z3_L_TRUE, Result.UNSAT: Z3_L_FALSE, Result.UNKNOWN: Z3_L_UNDEF}
_TEXTS = {Z3_L_TRUE: "sat", Z3_L_FALSE: "unsat"}


class CheckSatResult:
    """The answer to a check; equal to the answer of the same meaning in the package `bivalve`."""

    __slots__ = ("r",)

    def __init__(self, r: int) -> None:
        self.r = r

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Result):
            return self.r == _NUMBERS[other]
        return isinstance(other, CheckSatResult) and self.r == other.r

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.r)

    def __bool__(self) -> bool:
        text = f"every answer is true, here {self!r}, as in z3; compare it with sat, unsat or unknown"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return True

    def __repr__(self) -> str:
        return _TEXTS.get(self.r, "unknown")


sat = CheckSatResult(Z3_L_TRUE)
unsat = CheckSatResult(Z3_L_FALSE)
unknown = CheckSatResult(Z3_L_UNDEF)

_ANSWERS = {Result.SAT: sat, Result.UNSAT: unsat, Result.UNKNOWN: unknown}


def answer_of(result: Result) -> CheckSatResult:
    """The answer of the solver by z3's name."""
    return _ANSWERS[result]
