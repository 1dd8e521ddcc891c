"""Optima, all models and counts, and z3's `Optimize`."""

from fractions import Fraction

import pytest

import bivalve
import bivalve.z3 as bz3


def brute(formula, *objectives):
    """The models of a formula over two words of 4 bits that are best."""
    models = [(x, y) for x in range(16) for y in range(16) if formula(x, y)]
    for worth in objectives:
        best = max(worth(x, y) for x, y in models)
        models = [(x, y) for x, y in models if worth(x, y) == best]
    return models


def test_solvers_optimize(ctx, solver):
    x, y = ctx.bv_symbol("x", 4), ctx.bv_symbol("y", 4)
    solver.add((x * y) == 6, x.ult(y))
    objectives = [("maximize", x ^ y, False), ("minimize", x, True), ("soft", [(y.ult(8), "1", "3")])]
    answer, ranges, excluded = solver.optimize(objectives)
    assert (answer, excluded) == (bivalve.sat, [])
    signed = lambda n: n - 16 if n > 7 else n  # noqa: E731
    best = brute(lambda a, b: a * b % 16 == 6 and a < b, lambda a, b: a ^ b, lambda a, _: -signed(a))
    price = min(Fraction(0) if b < 8 else Fraction(1, 3) for _, b in best)
    assert [low for low, _ in ranges] == [best[0][0] ^ best[0][1], signed(best[0][0]), price]
    assert all(low == high for low, high in ranges)
    assert (solver.model()[x], solver.model()[y]) in best
    found = []
    while True:
        answer, ranges, excluded = solver.optimize(
            [("minimize", x, False), ("minimize", y, False)], priority="pareto", excluded=excluded
        )
        if answer == bivalve.unsat:
            break
        found.append(tuple(low for low, _ in ranges))
    models = brute(lambda a, b: a * b % 16 == 6 and a < b)
    front = [m for m in models if not any(o != m and o[0] <= m[0] and o[1] <= m[1] for o in models)]
    assert sorted(found) == front
    with pytest.raises(bivalve.IllSorted, match="expected a bit-vector to optimize, found sort Bool"):
        solver.optimize([("minimize", x == y, False)])
    with pytest.raises(ValueError, match="expected 'lex', 'box' or 'pareto', found 'often'"):
        solver.optimize([], priority="often")


def test_solvers_list_and_count_models(ctx, solver):
    x, y, p = ctx.bv_symbol("x", 4), ctx.bv_symbol("y", 4), ctx.bool_symbol("p")
    solver.add((x * y) == 6, p | x.ult(y))
    expected = {(a, b, q) for a, b in brute(lambda a, b: a * b % 16 == 6) for q in (False, True) if q or a < b}
    found = list(solver.models(x, y, p))
    assert len(found) == len(expected) and set(found) == expected
    assert solver.count_models(x, y, p) == len(expected)
    assert solver.count_models(x + y) == len({(a + b) % 16 for a, b, _ in expected})
    assert solver.count_models(ctx.bv_symbol("free", 100)) == 1 << 100
    models = solver.models(x)
    next(models)
    solver.add(x == 2)
    with pytest.raises(bivalve.StateError, match="have changed"):
        list(models)


def test_optimize_has_the_names_of_z3():
    x, y = bz3.BitVecs("x y", 8)
    opt = bz3.Optimize()
    opt.add(bz3.ULT(x, 0xF0), bz3.UGT(y, x))
    upper = opt.maximize(x)
    lower = opt.minimize(y + 1)
    p, q = bz3.Bools("p q")
    price = opt.add_soft(p, 2, "g")
    opt.add_soft(bz3.Not(p), "1.5", "g")
    other = opt.add_soft(q, weight=-3)
    assert opt.check() == bz3.sat
    assert [upper.value().as_long(), lower.value().as_long()] == [239, 0]
    assert (opt.upper(upper).as_long(), opt.lower(upper).as_long()) == (239, 239)
    assert (price.value(), other.value()) == (Fraction(3, 2), -3)
    assert opt.model()[x].as_long() == 239
    opt.push()
    opt.add(x == 16)
    least = opt.minimize(y)
    assert opt.check() == bz3.sat and least.value().as_long() == 255
    opt.pop()
    assert opt.check() == bz3.sat and upper.value().as_long() == 239
    assert "(maximize x)" in opt.sexpr() and "(assert-soft p :weight 2.0 :id g)" in opt.sexpr()
    assert opt.check(x == 3, y == 3) == bz3.unsat
    with pytest.raises(bz3.Z3Exception, match="there is no optimum"):
        upper.value()


@pytest.mark.parametrize("priority, expected", [("lex", [(5, 0)]), ("box", [(5, 5)])])
def test_optimize_combines_as_z3_does(priority, expected):
    x, y = bz3.BitVecs("x y", 4)
    opt = bz3.Optimize()
    opt.set(priority=priority)
    opt.add(bz3.ULE(bz3.ZeroExt(2, x) + bz3.ZeroExt(2, y), 5))
    handles = opt.maximize(x), opt.maximize(y)
    assert opt.check() == bz3.sat
    assert [tuple(handle.value().as_long() for handle in handles)] == expected


def test_optimize_finds_all_that_is_pareto_optimal():
    x, y = bz3.BitVecs("x y", 4)
    opt = bz3.Optimize()
    opt.set("priority", "pareto")
    opt.add(bz3.ULE(bz3.ZeroExt(2, x) + bz3.ZeroExt(2, y), 5))
    handles = opt.maximize(x), opt.maximize(y)
    found = []
    while opt.check() == bz3.sat:
        found.append(tuple(handle.value().as_long() for handle in handles))
    assert sorted(found) == [(i, 5 - i) for i in range(6)]


def test_refusals_of_optimize_say_what_is_expected():
    opt = bz3.Optimize()
    for wrong, text in [
        (lambda: opt.maximize(bz3.Bool("p")), "expected a bit-vector to optimize"),
        (lambda: opt.set(priority="often"), "expected one of the priorities lex, box, pareto, found often"),
        (lambda: opt.lower(3), "expected an objective"),
    ]:
        with pytest.raises(bz3.Z3Exception, match=text):
            wrong()
