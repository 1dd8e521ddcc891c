"""Interpolants: of solvers, by the names that z3 had for them, and of pySMT's formulas."""

import itertools

import pytest

import bivalve
import bivalve.z3 as bz3


def holds(ctx, *formulas):
    """Whether formulas have a model together, by a solver that knows of no interpolants."""
    solver = bivalve.Solver(ctx)
    solver.add(*formulas)
    return solver.check() == bivalve.sat


def symbols(*terms):
    found, todo = {}, list(terms)
    while todo:
        term = todo.pop()
        if term.op == "symbol":
            found[term.id] = term.name
        todo += term.args
    return set(found.values())


@pytest.fixture
def parity(ctx, solver):
    """x = y + y is even, and x = z + z + 1 is not."""
    x, y, z = (ctx.bv_symbol(name, 8) for name in "xyz")
    even, odd, more = x == y + y, x == z + z + 1, x.ult(200)
    solver.add(even, more, odd)
    return even, more, odd


def test_solvers_find_interpolants(ctx, solver, parity):
    even, more, odd = parity
    found = solver.interpolant(even, more)
    assert symbols(found) == {"x"}
    assert not holds(ctx, even, more, ~found) and not holds(ctx, odd, found)
    assert holds(ctx, found)
    first, second = solver.interpolants([[even], [more], [odd]])
    assert not holds(ctx, even, ~first) and not holds(ctx, first, more, ~second) and not holds(ctx, second, odd)
    left, right = solver.interpolants([[even], [more], [odd]], [0, 1, 0])
    assert not holds(ctx, even, ~left) and not holds(ctx, more, ~right) and not holds(ctx, left, right, odd)
    assert solver.check() == bivalve.unsat


def test_what_has_no_interpolant_is_told(ctx, solver, parity):
    even, more, odd = parity
    with pytest.raises(bivalve.StateError, match="formula 2 is not asserted"):
        solver.interpolant(even, odd & more)
    with pytest.raises(bivalve.StateError, match="found all but 1"):
        solver.interpolants([[even], [odd]])
    with pytest.raises(ValueError, match="expected the starts of the subtrees of a tree"):
        solver.interpolants([[even], [more], [odd]], [0, 1, 1])
    with pytest.raises(TypeError):
        solver.interpolants(even)
    consistent = bivalve.Solver(ctx)
    consistent.add(even, more)
    with pytest.raises(bivalve.StateError, match="the two sides have a model together"):
        consistent.interpolant(even)
    elements = bivalve.Solver(ctx)
    sort = ctx.declare_sort("U")
    a, b, c = (ctx.symbol(name, sort) for name in "abc")
    equal, apart = a == c, ctx.all(a == b, b != c)
    elements.add(equal, apart)
    assert symbols(elements.interpolant(equal)) == {"a", "c"}


def test_interpolants_have_limits(ctx):
    """Two injective functions with images that are disjoint: whatever is said of x says nearly all of it."""

    def mixed(word):
        for _ in range(2):
            word = word * 0x9E3779B1
            word = word ^ word.lshr(15)
        return word

    x, a, b = (ctx.bv_symbol(name, 32) for name in "xab")
    left, right = (x == mixed(a)) & (a[0] == 0), (x == mixed(b)) & (b[0] == 1)
    solver = bivalve.Solver(ctx)
    solver.add(left, right)
    with pytest.raises(bivalve.BivalveError, match=r"a check was not decided \(timeout\)"):
        solver.interpolant(left, time=0.3)
    assert solver.check() == bivalve.unsat


def check_z3(found, a, b):
    assert bz3.unsat == bz3_check(a, bz3.Not(found)) and bz3.unsat == bz3_check(b, found)


def bz3_check(*formulas):
    solver = bz3.Solver()
    solver.add(*formulas)
    return solver.check()


def test_names_of_z3():
    x, y, z = bz3.BitVecs("x y z", 8)
    even, more, odd = x == y + y, bz3.ULT(x, 200), x == z + z + 1
    check_z3(bz3.binary_interpolant(even, odd), even, odd)
    first, second = bz3.sequence_interpolant([even, more, odd])
    check_z3(first, even, bz3.And(more, odd))
    check_z3(second, bz3.And(first, more), odd)
    left, right = bz3.tree_interpolant(bz3.And(bz3.Interpolant(even), bz3.Interpolant(more), odd))
    check_z3(left, even, bz3.And(more, odd))
    check_z3(right, more, bz3.And(even, odd))
    inner, outer = bz3.tree_interpolant(bz3.And(bz3.Interpolant(bz3.And(bz3.Interpolant(even), more)), odd))
    check_z3(inner, even, bz3.And(more, odd))
    check_z3(outer, bz3.And(inner, more), odd)
    # A mark means what it is around.
    assert bz3_check(bz3.Interpolant(even), bz3.Not(even)) == bz3.unsat
    assert bz3_check(bz3.Interpolant(even), even) == bz3.sat


def test_patterns_of_z3_are_checked():
    x, y = bz3.BitVecs("x y", 8)
    with pytest.raises(bz3.Z3Exception, match="the two sides have a model together"):
        bz3.binary_interpolant(x == y, bz3.ULT(x, 5))
    with pytest.raises(bz3.Z3Exception, match="in conjunctions"):
        bz3.tree_interpolant(bz3.Or(bz3.Interpolant(x == y), x != y))
    with pytest.raises(bz3.Z3Exception):
        bz3.binary_interpolant(x, y)
    # Long sequences are no deep patterns.
    words = [bz3.BitVec(f"s{i}", 8) for i in range(60)]
    steps = [words[0] == 1, *(b == a + 2 for a, b in itertools.pairwise(words)), bz3.Extract(0, 0, words[-1]) == 0]
    found = bz3.sequence_interpolant(steps)
    assert len(found) == len(steps) - 1
    for before, step, after in zip([bz3.BoolVal(True), *found], steps, [*found, bz3.BoolVal(False)]):
        assert bz3_check(before, step, bz3.Not(after)) == bz3.unsat


def test_pysmt():
    pytest.importorskip("pysmt", reason="pysmt is not installed")
    from pysmt.environment import Environment
    from pysmt.exceptions import PysmtValueError
    from pysmt.logics import QF_AUFBV, QF_BV
    from pysmt.typing import ArrayType, BVType, FunctionType

    import bivalve.pysmt

    with Environment() as env:
        bivalve.pysmt.register(env)
        bivalve.pysmt.register(env)
        factory, mgr = env.factory, env.formula_manager
        assert "bivalve" in factory.all_interpolators() and "bivalve" in factory.all_interpolators(logic=QF_BV)
        x, y, z = (mgr.Symbol(name, BVType(8)) for name in "xyz")
        memory = mgr.Symbol("memory", ArrayType(BVType(8), BVType(8)))
        f = mgr.Symbol("f", FunctionType(BVType(8), [BVType(8)]))
        one = mgr.BV(1, 8)
        even, more = mgr.Equals(x, mgr.BVAdd(y, y)), mgr.BVULT(x, mgr.BV(200, 8))
        odd = mgr.Equals(x, mgr.BVAdd(mgr.BVAdd(z, z), one))

        def is_one(found, a, b):
            shared = env.fvo.get_free_variables(a) & env.fvo.get_free_variables(b)
            assert env.fvo.get_free_variables(found) <= shared
            refuted = [mgr.And(a, mgr.Not(found)), mgr.And(b, found)]
            return not any(factory.is_sat(formula, solver_name="bivalve") for formula in refuted)

        found = factory.binary_interpolant(even, odd, solver_name="bivalve", logic=QF_BV)
        assert is_one(found, even, odd) and found.size() < 10
        first, second = factory.sequence_interpolant([even, more, odd], solver_name="bivalve")
        assert is_one(first, even, mgr.And(more, odd)) and is_one(second, mgr.And(first, more), odd)
        assert factory.binary_interpolant(even, more, solver_name="bivalve") is None
        with factory.Interpolator(name="bivalve", logic=QF_AUFBV) as interpolator:
            with pytest.raises(PysmtValueError, match="expected two formulas or more, found 1"):
                interpolator.sequence_interpolant([even])
            cell = mgr.Select(memory, x)
            sides = [
                (mgr.And(mgr.Equals(cell, one), mgr.Equals(y, z)), mgr.Equals(mgr.Select(memory, x), mgr.BV(2, 8))),
                (mgr.Equals(mgr.Function(f, [x]), one), mgr.BVULT(one, mgr.Function(f, [x]))),
                (mgr.Equals(mgr.Function(f, [one]), x), mgr.Not(mgr.Equals(mgr.Function(f, [one]), x))),
                (mgr.Iff(mgr.Equals(x, y), mgr.BVULE(x, z)), mgr.Xor(mgr.BVULE(x, z), mgr.Equals(x, y))),
                (mgr.Equals(mgr.BVSExt(x, 8), mgr.BVConcat(z, y)), mgr.Not(mgr.Equals(y, x))),
                (mgr.Equals(mgr.Store(memory, x, one), memory), mgr.Equals(mgr.Select(memory, x), mgr.BV(7, 8))),
            ]
            for a, b in sides:
                assert is_one(interpolator.binary_interpolant(a, b), a, b), (a, b)
                assert is_one(interpolator.binary_interpolant(b, a), b, a), (b, a)


def test_every_operator_goes_to_pysmt_and_back():
    pytest.importorskip("pysmt", reason="pysmt is not installed")
    from pysmt.environment import Environment
    from pysmt.typing import BOOL, BVType

    import bivalve.pysmt

    with Environment() as env:
        converter = bivalve.pysmt.BivalveConverter(env)
        mgr = env.formula_manager
        x, y = (mgr.Symbol(name, BVType(4)) for name in "xy")
        p, q = (mgr.Symbol(name, BOOL) for name in "pq")
        a, b, r, s = (converter.convert(formula) for formula in (x, y, p, q))
        terms = [
            ~a, -a, a & b, a | b, a ^ b, a + b, a - b, a * b, a.udiv(b), a.urem(b), a.sdiv(b), a.srem(b), a.smod(b),
            a.shl(b), a.lshr(b), a.ashr(b), a.concat(b), a.extract(2, 1), a.rotate_left(1), a.rotate_right(3),
            a.zero_extend(2), a.sign_extend(2), a.repeat(2), a.nand(b), a.nor(b), a.xnor(b), a.comp(b), a.ult(b),
            a.ule(b), a.ugt(b), a.uge(b), a.slt(b), a.sle(b), a.sgt(b), a.sge(b), a == b, a != b, r == s, r != s,
            r & s, r | s, r ^ s, ~r, r.implies(s), r.ite(a, b), converter.context.bool(True), converter.context.bv(5, 4),
        ]  # fmt: skip
        for term in terms:
            solver = bivalve.Solver(converter.context)
            solver.add(converter.convert(converter.formula(term)).distinct(term))
            assert solver.check() == bivalve.unsat, term
