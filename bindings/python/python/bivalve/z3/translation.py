"""Sorts and terms of one context in another: symbols and declared sorts are those of the same name there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .._native import FloatValue, Sort, Term

if TYPE_CHECKING:
    from .exprs import Context


def sort_in(target: Context, sort: Sort) -> Sort:
    """A sort in a context."""
    native = target.native
    if sort.kind == "bool":
        return native.bool_sort()
    if sort.width is not None:
        return native.bv_sort(sort.width)
    if sort.exponent_bits is not None and sort.significand_bits is not None:
        return native.float_sort(sort.exponent_bits, sort.significand_bits)
    if sort.kind == "rounding_mode":
        return native.rounding_mode_sort()
    if sort.index is not None and sort.element is not None:
        return native.array_sort(sort_in(target, sort.index), sort_in(target, sort.element))
    if sort.params is not None and sort.result is not None:
        return native.function_sort([sort_in(target, param) for param in sort.params], sort_in(target, sort.result))
    if sort.constructors is not None:
        return _record_in(target, sort)
    return target.sort(str(sort.name))


def _record_in(target: Context, sort: Sort) -> Sort:
    found = target.records.get(sort)
    if found is None:
        parts = [(name, [(field, sort_in(target, of)) for field, of in fields]) for name, fields in sort.constructors or []]
        found = target.records[sort] = target.native.record_sort(str(sort.name), parts)
    return found


def _leaf_in(target: Context, term: Term) -> Term:
    if term.op == "symbol":
        return target.symbol(term.name, sort_in(target, term.sort))
    if term.width is not None:
        return target.native.bv(int(term.value), term.width)  # type: ignore[arg-type]
    if isinstance(term.value, FloatValue):
        return target.native.float(term.value, sort_in(target, term.sort))
    if term.sort.kind == "rounding_mode":
        return target.native.rounding_mode(str(term.value))
    if isinstance(term.value, Fraction):
        return target.native.real(term.value)
    return target.native.bool(bool(term.value))


def _apart(target: Context, of: Term, images: dict[int, Term]) -> list[Term]:
    """The variables and the body of a quantified formula, over symbols that are nowhere else, in the target neither."""
    *symbols, body = of.args
    fresh = [of.context.symbol(str(symbol.name), symbol.sort) for symbol in symbols]
    for symbol in fresh:
        images[symbol.id] = target.native.symbol(str(symbol.name), sort_in(target, symbol.sort))
    return [*fresh, body.substitute(dict(zip(symbols, fresh)))]


def term_in(target: Context, term: Term) -> Term:
    """A term in a context. What is shared is made once, and deep terms need no deep stack."""
    images: dict[int, Term] = {}
    bodies: dict[int, list[Term]] = {}
    todo = [term]
    while todo:
        of = todo[-1]
        if of.op == "forall" and of.id not in bodies:
            bodies[of.id] = _apart(target, of, images)
        args_of = bodies.get(of.id) or of.args
        missing = [arg for arg in args_of if arg.id not in images]
        if missing:
            todo += missing
            continue
        todo.pop()
        if of.id in images:
            continue
        args = [images[arg.id] for arg in args_of]
        if of.op == "constructor":
            images[of.id] = target.native.record(sort_in(target, of.sort), of.indices[-1], *args)
        elif not args:
            images[of.id] = _leaf_in(target, of)
        elif of.op == "const":
            images[of.id] = target.native.const_array(sort_in(target, of.sort), args[0])
        else:
            images[of.id] = target.native.app(of.op, of.indices, args)
    return images[term.id]
