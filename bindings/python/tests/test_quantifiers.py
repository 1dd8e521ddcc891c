"""Formulas for all and for some values of symbols."""

import itertools

import pytest

import bivalve


@pytest.fixture
def ctx():
    return bivalve.Context()


def check(ctx, *formulas):
    solver = bivalve.Solver(ctx)
    solver.add(*formulas)
    return str(solver.check())


def test_symbols_are_bound_and_stay_free_elsewhere(ctx):
    x, y = (ctx.bv_symbol(name, 8) for name in "xy")
    least = ctx.forall([y], x.ule(y))
    assert ctx.forall([y], x.ule(y)).is_same(least) and str(least) == "(forall ((y (_ BitVec 8))) (bvule x y))"
    assert least.op == "forall" and least.args[0].is_same(y) and least.args[1].is_same(x.ule(y))
    assert ctx.app(least.op, least.indices, least.args).is_same(least)
    solver = bivalve.Solver(ctx)
    solver.add(least, y > x, y == 7)
    assert str(solver.check()) == "sat"
    assert solver.model()[x] == 0 and solver.model()[y] == 7
    solver.add(ctx.exists([y], y.ult(x)))
    assert str(solver.check()) == "unsat"
    assert ctx.forall([], x == y).is_same(x == y)


def test_no_symbol_is_caught(ctx):
    x, y = (ctx.bv_symbol(name, 2) for name in "xy")
    greatest = ctx.forall([x], x.ule(y)).substitute({y: x})
    assert check(ctx, greatest, x == 3) == "sat" and check(ctx, greatest, x == 2) == "unsat"
    inner, body = greatest.args
    assert not inner.is_same(x) and body.args[1].is_same(x) and ctx.forall([inner], body).is_same(greatest)
    assert check(ctx, ctx.forall([x], greatest)) == "unsat" and check(ctx, ctx.exists([x], greatest)) == "sat"
    # Copies go to another context, and texts come back.
    read, symbols = ctx.parse(ctx.to_smt2(greatest, x == 3))
    assert set(symbols) == {"x"} and check(ctx, *read) == "sat"


@pytest.mark.parametrize("order", list(itertools.product(["forall", "exists"], repeat=2)))
def test_orders_of_quantifiers_are_those_of_python(ctx, order):
    x, y = (ctx.bv_symbol(name, 2) for name in "xy")
    python = {"forall": all, "exists": any}
    bodies = [
        (x * y == 1, lambda a, b: a * b % 4 == 1),
        (x + y == 0, lambda a, b: (a + b) % 4 == 0),
        (x & y == x, lambda a, b: a & b == a),
    ]
    for formula, holds in bodies:
        for word, symbol in zip(order[::-1], (y, x)):
            formula = getattr(ctx, word)([symbol], formula)
        expected = python[order[0]](python[order[1]](holds(a, b) for b in range(4)) for a in range(4))
        assert check(ctx, formula) == ("sat" if expected else "unsat")


def test_models_have_no_bound_symbols_and_know_what_can_be_enumerated(ctx):
    x, y = (ctx.bv_symbol(name, 8) for name in "xy")
    wide = ctx.bv_symbol("wide", 64)
    solver = bivalve.Solver(ctx)
    solver.add(ctx.forall([x], x.ule(y)), ctx.forall([wide], (wide & 1).ule(wide)))
    assert str(solver.check()) == "sat"
    model = solver.model()
    assert [str(symbol) for symbol in model] == ["y"] and model[y] == 255
    assert model[ctx.forall([x], x.ule(y))] is True and model[ctx.exists([x], x > y)] is True
    assert model[ctx.forall([x], x.ult(y))] is False
    with pytest.raises(bivalve.BivalveError, match="is not known"):
        model[ctx.forall([wide], (wide & 1).ule(wide))]


def test_what_is_not_bound_is_refused(ctx):
    x, p = ctx.bv_symbol("x", 8), ctx.bool_symbol("p")
    for symbols, body in [([x], x), ([x, x], p), ([x + 1], p), ([ctx.function("f", [x.sort], x.sort)], p)]:
        with pytest.raises(bivalve.IllSorted):
            ctx.forall(symbols, body)
    other = bivalve.Context()
    with pytest.raises(bivalve.IllSorted, match="another"):
        other.forall([x], p)
