"""Optimization, by z3's names: `Optimize` over bit-vectors and soft constraints."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .._native import BivalveError
from . import parameters
from .exprs import BitVecRef, BitVecVal, BoolRef, Context, _formulas, _refuse, _to_expr
from .refused import without
from .results import CheckSatResult, answer_of, sat
from .solver import AstVector, Solver
from .z3types import Z3Exception

_PRIORITIES = ("lex", "box", "pareto")


class OptimizeNumber:
    """What soft constraints cost, exactly."""

    def __init__(self, value: Fraction) -> None:
        self._value = value

    def as_fraction(self) -> Fraction:
        """The number."""
        return self._value

    def as_long(self) -> int:
        """The number, which is to be an integer."""
        if self._value.denominator != 1:
            _refuse(f"expected an integer, found {self._value}")
        return self._value.numerator

    def numerator_as_long(self) -> int:
        """The numerator."""
        return self._value.numerator

    def denominator_as_long(self) -> int:
        """The denominator."""
        return self._value.denominator

    def as_string(self) -> str:
        """The number as text."""
        return str(self._value)

    def __eq__(self, other: object) -> bool:
        other = other._value if isinstance(other, OptimizeNumber) else other
        return self._value == other

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return str(self._value)


class OptimizeObjective:
    """A handle on an objective: where its optimum lies, after a check."""

    def __init__(self, opt: Optimize, value: int, is_max: bool) -> None:
        self._opt, self._value, self._is_max = opt, value, is_max

    def lower(self) -> Any:
        """The optimum is not below this."""
        return self._opt._bound(self, 0)

    def upper(self) -> Any:
        """The optimum is not above this."""
        return self._opt._bound(self, 1)

    def lower_values(self) -> list[Any]:
        """The lower bound as z3 has it: infinity, the number, an infinitesimal."""
        return [0, self.lower(), 0]

    def upper_values(self) -> list[Any]:
        """The upper bound likewise."""
        return [0, self.upper(), 0]

    def value(self) -> Any:
        """The best value that is known not to be exceeded."""
        return self.upper() if self._is_max else self.lower()

    def __str__(self) -> str:
        return f"{self._value}:{self._is_max}"


@without("parameters of z3's, see Optimize.set", "help param_descrs")
@without("models at hand before the end of a check", "set_on_model")
class Optimize(Solver):
    """A solver that looks for optimal models: bit-vectors, read unsigned as by z3, and soft constraints."""

    def __init__(self, optimize: Any = None, ctx: Context | None = None) -> None:
        if optimize is not None:
            _refuse("optimizers are made by Optimize()")
        self._priority = "lex"
        #: The objectives with the levels that they are on: the direction and a term, or soft constraints.
        self._stated: list[tuple[int, str, Any]] = []
        self._ranges: list[tuple[Any, Any]] = []
        self._excluded: list[Any] = []
        super().__init__(ctx=ctx)

    def _set(self, name: str, value: Any) -> bool:
        if parameters.plain(name).removeprefix("opt.") == "priority":
            if str(value) not in _PRIORITIES:
                _refuse(f"expected one of the priorities {', '.join(_PRIORITIES)}, found {value}")
            self._priority = str(value)
            self._changed()
            return True
        return name in ("maxsat_engine", "optsmt_engine", "enable_sat", "enable_sls") or super()._set(name, value)

    def _changed(self) -> None:
        """What was found is void."""
        self._ranges, self._excluded = [], []

    def maximize(self, arg: Any) -> OptimizeObjective:
        """The greatest value of a bit-vector is looked for."""
        return self._state("maximize", arg)

    def minimize(self, arg: Any) -> OptimizeObjective:
        """The least value of a bit-vector is looked for."""
        return self._state("minimize", arg)

    def _state(self, direction: str, arg: Any) -> OptimizeObjective:
        if not isinstance(arg, BitVecRef):
            _refuse("expected a bit-vector to optimize")
        self._stated.append((self.num_scopes(), direction, arg))
        self._changed()
        return OptimizeObjective(self, len(self._stated) - 1, direction == "maximize")

    def add_soft(self, arg: Any, weight: Any = "1", id: Any = None) -> Any:
        """A formula should hold; if it does not, that costs its weight. Those of one id are one objective."""
        if isinstance(arg, (list, tuple, AstVector)):
            return [self.add_soft(one, weight, id) for one in arg]
        (formula,) = _formulas([arg], self.ctx)
        price = Fraction(str(weight))
        name = "" if id is None else str(id)
        soft = (formula, str(price.numerator), str(price.denominator))
        of_name = [at for at, (_, kind, what) in enumerate(self._stated) if kind == "soft" and what[0][0] == name]
        if not of_name:
            of_name = [len(self._stated)]
            self._stated.append((self.num_scopes(), "soft", []))
        self._stated[of_name[0]][2].append((name, self.num_scopes(), soft))
        self._changed()
        return OptimizeObjective(self, of_name[0], False)

    def assert_exprs(self, *args: Any) -> None:
        """Asserts formulas."""
        self._changed()
        super().assert_exprs(*args)

    add = append = insert = assert_exprs

    def push(self) -> None:
        """Opens a level."""
        self._changed()
        super().push()

    def pop(self, num: int = 1) -> None:
        """Drops levels, with the objectives on them."""
        super().pop(num)
        self._changed()
        levels = self.num_scopes()
        kept = [of for of in self._stated if of[0] <= levels]
        for _, kind, what in kept:
            if kind == "soft":
                what[:] = [soft for soft in what if soft[1] <= levels]
        self._stated = kept

    def reset(self) -> None:
        """Drops all assertions, levels and objectives."""
        super().reset()
        self._stated = []
        self._changed()

    def check(self, *assumptions: Any) -> CheckSatResult:
        """Is there a model? If there is, an optimal one is found; with the priority "pareto", another one each
        time, until there is none."""
        asked = [
            ("soft", [soft for _, _, soft in what]) if kind == "soft" else (kind, what.native, False)
            for _, kind, what in self._stated
        ]
        try:
            found, self._ranges, excluded = self.native.optimize(
                asked,
                *_formulas(assumptions, self.ctx),
                priority=self._priority if asked else "lex",
                excluded=self._excluded,
                time=self._timeout,
            )
        except BivalveError as error:
            raise Z3Exception(str(error)) from None
        answer = answer_of(found)
        self._excluded = excluded if answer == sat else []
        return answer

    def _bound(self, objective: OptimizeObjective, side: int) -> Any:
        """An end of the range of an objective."""
        if objective._value >= len(self._ranges):
            raise Z3Exception("there is no optimum: check() was not answered sat, or something was changed since")
        bound, (_, kind, what) = self._ranges[objective._value][side], self._stated[objective._value]
        return OptimizeNumber(bound) if kind == "soft" else BitVecVal(bound, what.size(), self.ctx)

    def lower(self, obj: OptimizeObjective) -> Any:
        """The optimum is not below this."""
        return self._of(obj).lower()

    def upper(self, obj: OptimizeObjective) -> Any:
        """The optimum is not above this."""
        return self._of(obj).upper()

    def lower_values(self, obj: OptimizeObjective) -> list[Any]:
        """The lower bound as z3 has it."""
        return self._of(obj).lower_values()

    def upper_values(self, obj: OptimizeObjective) -> list[Any]:
        """The upper bound likewise."""
        return self._of(obj).upper_values()

    def _of(self, obj: Any) -> OptimizeObjective:
        if not isinstance(obj, OptimizeObjective):
            _refuse("expected an objective, as maximize() and minimize() return it")
        return obj

    def objectives(self) -> list[Any]:
        """The terms of the objectives; of soft constraints their formulas."""
        return [
            AstVector([_to_expr(soft[0], self.ctx) for _, _, soft in what]) if kind == "soft" else what
            for _, kind, what in self._stated
        ]

    def to_smt2(self) -> str:
        """The assertions and objectives as an SMT-LIB script."""
        script = self.native.to_smt2()
        return script.replace("(check-sat)", self._objectives_text() + "(check-sat)")

    def sexpr(self) -> str:
        """The declarations, assertions and objectives in SMT-LIB syntax."""
        return super().sexpr() + self._objectives_text() + "(check-sat)\n"

    def _objectives_text(self) -> str:
        lines = []
        for _, kind, what in self._stated:
            if kind != "soft":
                lines.append(f"({kind} {what.sexpr()})\n")
                continue
            for name, _, (formula, above, below) in what:
                sign, size = ("-", above[1:]) if above.startswith("-") else ("", above)
                number = f"{size}.0" if below == "1" else f"(/ {size}.0 {below}.0)"
                number = f"(- {number})" if sign else number
                label = f" :id {name}" if name else ""
                text = BoolRef(formula, self.ctx).sexpr()
                lines.append(f"(assert-soft {text} :weight {number}{label})\n")
        return "".join(lines)

    def translate(self, target: Context) -> Any:
        """Optimizers are not copied."""
        return _refuse("Bivalve has no translation of optimizers")

    def __repr__(self) -> str:
        return self.sexpr()


__all__ = ["Optimize", "OptimizeObjective"]
