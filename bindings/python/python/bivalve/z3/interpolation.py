"""Interpolants, by the names that z3 had for them until its version 4.7: `binary_interpolant`, `sequence_interpolant`,
`tree_interpolant` and `Interpolant`.

As there, nothing is to be asserted, and ``None`` means that it was not decided. Where the formulas have a model, z3
raised that model; here it is a `Z3Exception`, as exceptions have to be.
"""

from __future__ import annotations

from typing import Any

from .._native import BivalveError, StateError, Term
from .exprs import BoolRef, Context, _boolean, _context_of, _refuse, _to_expr
from .solver import AstVector, Solver
from .z3types import Z3Exception


def Interpolant(a: Any, ctx: Context | None = None) -> BoolRef:
    """Marks a part of a pattern for which `tree_interpolant` computes an interpolant. It means what the part means."""
    ctx = _context_of([a], ctx)
    true = ctx.native.bool(True)
    return BoolRef(true.implies(true.implies(_boolean(a, ctx))), ctx)


def _marked(term: Term) -> Term | None:
    """What a mark is around."""
    for _ in range(2):
        if term.op != "=>" or len(term.args) != 2 or term.args[0].value is not True:
            return None
        term = term.args[1]
    return term


def _has_marks(term: Term) -> bool:
    """Whether there is a mark in a formula."""
    seen, todo = set(), [term]
    while todo:
        term = todo.pop()
        if term.id not in seen:
            seen.add(term.id)
            if _marked(term) is not None:
                return True
            todo += term.args
    return False


def _tree(pattern: Term) -> tuple[list[list[Term]], list[int]]:
    """The sets of conjuncts of a pattern, children before parents, and the first set of the subtree of each."""
    sets: list[list[Term]] = []
    starts: list[int] = []
    # A term to be looked at; or, with no term, the end of a marked part, which begins at the set of this number.
    todo: list[tuple[Term | None, int]] = [(None, 0), (pattern, 0)]
    open_sets: list[list[Term]] = [[]]
    while todo:
        term, start = todo.pop()
        if term is None:
            sets.append(open_sets.pop())
            starts.append(start)
        elif (inside := _marked(term)) is not None:
            open_sets.append([])
            todo += [(None, len(sets)), (inside, 0)]
        elif term.op == "and":
            todo += [(arg, 0) for arg in reversed(term.args)]
        elif _has_marks(term):
            _refuse("expected Interpolant(...) at the top of a pattern, or in conjunctions and other Interpolant(...)")
        else:
            open_sets[-1].append(term)
    return sets, starts


def _found(sets: list[list[Term]], starts: list[int] | None, p: Any, ctx: Context) -> AstVector | None:
    solver = Solver(ctx=ctx)
    if p is not None:
        solver.set(p)
    try:
        solver.native.add(*(formula for of in sets for formula in of))
        found = solver.native.interpolants(sets, starts, time=solver._timeout)
    except StateError as error:
        raise Z3Exception(str(error)) from None
    except BivalveError as error:
        if "not decided" in str(error):
            return None
        raise Z3Exception(str(error)) from None
    return AstVector([_to_expr(term, ctx) for term in found])


def tree_interpolant(pat: Any, p: Any = None, ctx: Context | None = None) -> AstVector | None:
    """Interpolants of the parts of a pattern that are marked by `Interpolant`, inner ones before outer ones. That of a
    part follows from it, has only symbols that it shares with the rest, and the rest contradicts it; in the place of
    an inner part its interpolant will do."""
    ctx = _context_of([pat], ctx)
    sets, starts = _tree(_boolean(pat, ctx))
    return _found(sets, starts, p, ctx)


def binary_interpolant(a: Any, b: Any, p: Any = None, ctx: Context | None = None) -> BoolRef | None:
    """A formula that follows from `a`, contradicts `b`, and has only symbols that both have."""
    found = sequence_interpolant([a, b], p, ctx)
    return None if found is None else found[0]


def sequence_interpolant(v: Any, p: Any = None, ctx: Context | None = None) -> AstVector | None:
    """Interpolants between each prefix of a list of formulas and the rest; each follows from the one before it and the
    next formula."""
    ctx = _context_of(list(v), ctx)
    return _found([[_boolean(formula, ctx)] for formula in v], None, p, ctx)


__all__ = ["Interpolant", "binary_interpolant", "sequence_interpolant", "tree_interpolant"]
