"""Formulas for all and for some values of symbols, by z3's names.

A formula keeps its variables by name and in order. Its body is shown as z3 shows it, with `Var(i)` in their place,
counted from the last one outwards. Patterns, weights and names of formulas are taken and not kept: instances are
found without them.
"""

from __future__ import annotations

from typing import Any, Sequence

from .._native import Sort, Term
from .exprs import (
    BoolRef,
    BoolVal,
    Context,
    ExprRef,
    SortRef,
    _built,
    _refuse,
    _to_expr,
    _to_sort,
    is_app,
    is_expr,
    is_var,
    register_form,
)
from .printer import quantified

__all__ = ["Exists", "ForAll", "MultiPattern", "PatternRef", "QuantifierRef", "Var", "get_var_index", "is_pattern", "is_quantifier"]


class QuantifierRef(BoolRef):
    """A formula for all or for some values of symbols."""

    __slots__ = ()

    def _parts(self) -> tuple[list[Term], Term]:
        """The symbols, and the body in which they are free."""
        parts = quantified(self.native)
        assert parts is not None
        return parts[1:]

    def is_forall(self) -> bool:
        """Whether it is for all values."""
        return self.native.op == "forall"

    def is_exists(self) -> bool:
        """Whether it is for some values."""
        return not self.is_forall()

    def is_lambda(self) -> bool:
        """There are no such expressions here."""
        return False

    def num_vars(self) -> int:
        """The number of variables."""
        return len(self._parts()[0])

    def _variable(self, idx: int) -> Term:
        symbols = self._parts()[0]
        return symbols[idx] if idx < len(symbols) else _refuse("Invalid variable idx")

    def var_name(self, idx: int) -> str:
        """The name of a variable."""
        return str(self._variable(idx).name)

    def var_sort(self, idx: int) -> SortRef:
        """The sort of a variable."""
        return _to_sort(self._variable(idx).sort, self.ctx)

    def body(self) -> Any:
        """The body, with `Var(i)` for the variables; those of formulas around this one count on from there."""
        symbols, body = self._parts()
        count, ctx = len(symbols), self.ctx
        outer = list(ctx.variables.items())
        pairs = {term: _variable(ctx, index + count, sort) for (index, sort), term in outer}
        pairs |= {symbol: _variable(ctx, count - 1 - i, symbol.sort) for i, symbol in enumerate(symbols)}
        return _to_expr(body.substitute(pairs), ctx)

    def children(self) -> list[Any]:
        """The body."""
        return [self.body()]

    def weight(self) -> int:
        """Weights are not kept: 1."""
        return 1

    def qid(self) -> str:
        """Names are not kept: none."""
        return ""

    def skolem_id(self) -> str:
        """Names are not kept: none."""
        return ""

    def num_patterns(self) -> int:
        """Patterns are not kept: none."""
        return 0

    def pattern(self, idx: int) -> Any:
        """There are none."""
        return _refuse("Invalid pattern idx")

    def num_no_patterns(self) -> int:
        """Patterns are not kept: none."""
        return 0

    def no_pattern(self, idx: int) -> Any:
        """There are none."""
        return _refuse("Invalid no-pattern idx")

    def __getitem__(self, arg: Any) -> Any:
        return _refuse("quantifier should be a lambda expression")

    def _no_application(self, *args: Any) -> Any:
        """It is no application."""
        return _refuse("Z3 application expected")

    decl = kind = params = num_args = arg = update = _no_application  # type: ignore[assignment]


class PatternRef(ExprRef):
    """Terms by which z3 chooses instances; they have no effect here."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Any], ctx: Context) -> None:
        super().__init__(parts[0].native, ctx)
        self.parts = list(parts)

    def __str__(self) -> str:
        return f"MultiPattern({', '.join(map(str, self.parts))})"


def _form(native: Term, ctx: Context) -> QuantifierRef | None:
    """The formula of a term, if it is quantified."""
    return None if quantified(native) is None else QuantifierRef(native, ctx)


register_form("forall", _form)
register_form("not", _form)


def _variable(ctx: Context, index: int, sort: Sort) -> Term:
    found = ctx.variables.get((index, sort))
    if found is None:
        found = ctx.variables[index, sort] = ctx.native.symbol(f"Var({index})", sort)
        ctx.indices[found.id] = index
    return found


def Var(idx: int, s: SortRef) -> Any:
    """The variable of a formula around this expression: 0 is the last one of the innermost."""
    return _to_expr(_variable(s.ctx, idx, s.native), s.ctx)


def get_var_index(a: Any) -> int:
    """The number of a variable."""
    return int(a.ctx.indices[a.native.id]) if is_var(a) else _refuse("Z3 bound variable expected")


def _quantified(is_forall: bool, vs: Any, body: Any, patterns: Sequence[Any]) -> BoolRef:
    given = [vs] if isinstance(vs, ExprRef) else list(vs)
    if not given or not all(is_app(v) and v.native.op == "symbol" for v in given):
        _refuse("Invalid bounded variable(s)")
    if not all(is_pattern(pattern) or is_expr(pattern) for pattern in patterns):
        _refuse("Z3 patterns expected")
    ctx = given[0].ctx
    body = body if isinstance(body, ExprRef) else BoolVal(body, ctx)
    symbols = [v.native for v in given]
    # Of equal ones the last is meant, as in nested formulas of one variable each.
    for i, symbol in enumerate(symbols):
        if any(symbol.is_same(other) for other in symbols[i + 1 :]):
            symbols[i] = ctx.native.symbol(str(symbol.name), symbol.sort)
    bind = ctx.native.forall if is_forall else ctx.native.exists
    return QuantifierRef(_built(bind, symbols, body.native), ctx)


def ForAll(
    vs: Any,
    body: Any,
    weight: int = 1,
    qid: str = "",
    skid: str = "",
    patterns: Sequence[Any] = (),
    no_patterns: Sequence[Any] = (),
) -> BoolRef:
    """The formula for all values of a symbol, or of each of a list."""
    return _quantified(True, vs, body, [*patterns, *no_patterns])


def Exists(
    vs: Any,
    body: Any,
    weight: int = 1,
    qid: str = "",
    skid: str = "",
    patterns: Sequence[Any] = (),
    no_patterns: Sequence[Any] = (),
) -> BoolRef:
    """The formula for some values of a symbol, or of each of a list."""
    return _quantified(False, vs, body, [*patterns, *no_patterns])


def MultiPattern(*args: Any) -> PatternRef:
    """Terms that are a pattern together."""
    if not args or not all(is_expr(arg) for arg in args):
        _refuse("Z3 expressions expected")
    return PatternRef(args, args[0].ctx)


def is_quantifier(a: Any) -> bool:
    """Formulas for all or for some values of symbols."""
    return isinstance(a, QuantifierRef)


def is_pattern(a: Any) -> bool:
    """Patterns."""
    return isinstance(a, PatternRef)
