"""The solver for pySMT: its own examples, formulas of every operator against evaluation, levels, cores, errors."""

import itertools

import pytest

pytest.importorskip("pysmt", reason="pysmt is not installed")

from pysmt.environment import Environment  # noqa: E402
from pysmt.exceptions import (  # noqa: E402
    ConvertExpressionError,
    NoSolverAvailableError,
    PysmtValueError,
    SolverReturnedUnknownResultError,
    SolverStatusError,
)
from pysmt.logics import QF_AUFBV, QF_BV, QF_LIA  # noqa: E402
from pysmt.typing import BOOL, BVType, ArrayType, FunctionType, INT, Type  # noqa: E402

import bivalve.pysmt  # noqa: E402


@pytest.fixture
def env():
    with Environment() as env:
        bivalve.pysmt.register(env)
        yield env


@pytest.fixture
def mgr(env):
    return env.formula_manager


def solver(env, **options):
    return env.factory.Solver(name="bivalve", **options)


def test_it_is_one_of_the_solvers(env, mgr):
    assert "bivalve" in env.factory.all_solvers() and "bivalve" in env.factory.all_unsat_core_solvers()
    assert "bivalve" in env.factory.all_solvers(logic=QF_AUFBV) and "bivalve" not in env.factory.all_solvers(logic=QF_LIA)
    bivalve.pysmt.register(env)
    assert env.factory.solver_preference_list.count("bivalve") == 1
    x = mgr.Symbol("x", BVType(8))
    assert env.factory.is_sat(mgr.Equals(mgr.BVMul(x, x), mgr.BV(0x51, 8)), solver_name="bivalve", logic=QF_BV)
    assert env.factory.is_valid(mgr.Equals(mgr.BVAdd(x, x), mgr.BVMul(x, mgr.BV(2, 8))), solver_name="bivalve")
    with pytest.raises(NoSolverAvailableError):
        env.factory.Solver(name="bivalve", logic=QF_LIA)


def test_operators_have_the_values_that_pysmt_computes(env, mgr):
    """pySMT's own simplifier evaluates constants; what it says is what the solver says."""
    x, y = mgr.Symbol("x", BVType(3)), mgr.Symbol("y", BVType(3))
    p, q = mgr.Symbol("p", BOOL), mgr.Symbol("q", BOOL)
    formulas = [
        mgr.BVNot(x), mgr.BVNeg(x), mgr.BVAnd(x, y), mgr.BVOr(x, y), mgr.BVXor(x, y), mgr.BVAdd(x, y), mgr.BVSub(x, y),
        mgr.BVMul(x, y), mgr.BVUDiv(x, y), mgr.BVURem(x, y), mgr.BVSDiv(x, y), mgr.BVSRem(x, y), mgr.BVLShl(x, y),
        mgr.BVLShr(x, y), mgr.BVAShr(x, y), mgr.BVConcat(x, y), mgr.BVExtract(x, 1, 2), mgr.BVRol(x, 1), mgr.BVRor(x, 2),
        mgr.BVZExt(x, 2), mgr.BVSExt(x, 2), mgr.BVULT(x, y), mgr.BVULE(x, y), mgr.BVSLT(x, y), mgr.BVSLE(x, y),
        mgr.BVComp(x, y), mgr.Equals(x, y), mgr.Ite(mgr.Equals(x, y), x, mgr.BV(5, 3)), mgr.BVNand(x, y),
    ]  # fmt: skip
    with solver(env) as s:
        for i, j in itertools.product(range(8), repeat=2):
            if j == 0:
                continue
            values = {x: mgr.BV(i, 3), y: mgr.BV(j, 3)}
            s.push()
            s.add_assertion(mgr.And(*(mgr.Equals(symbol, value) for symbol, value in values.items())))
            assert s.solve()
            for formula in formulas:
                assert s.get_value(formula) == formula.substitute(values).simplify(), (formula, i, j)
            s.pop()
        for i, j in itertools.product((False, True), repeat=2):
            values = {p: mgr.Bool(i), q: mgr.Bool(j)}
            assert s.solve([p if i else mgr.Not(p), q if j else mgr.Not(q)])
            for formula in (mgr.Implies(p, q), mgr.Iff(p, q), mgr.And(p, q), mgr.Or(p, q), mgr.Not(p), mgr.Ite(p, q, p)):
                assert s.get_value(formula) == formula.substitute(values).simplify()


def test_division_by_zero_is_that_of_smt_lib(env, mgr):
    x, zero = mgr.Symbol("x", BVType(8)), mgr.BV(0, 8)
    assert env.factory.is_valid(mgr.Equals(mgr.BVUDiv(x, zero), mgr.BV(255, 8)), solver_name="bivalve")
    assert env.factory.is_valid(mgr.Equals(mgr.BVURem(x, zero), x), solver_name="bivalve")


def test_arrays_functions_and_declared_types(env, mgr):
    bv8 = BVType(8)
    a, i = mgr.Symbol("a", ArrayType(bv8, bv8)), mgr.Symbol("i", bv8)
    f = mgr.Symbol("f", FunctionType(bv8, [bv8, BOOL]))
    kind = Type("Kind")
    u, v = mgr.Symbol("u", kind), mgr.Symbol("v", kind)
    three, nine = mgr.BV(3, 8), mgr.BV(9, 8)
    with solver(env) as s:
        s.add_assertion(mgr.Equals(mgr.Select(mgr.Store(a, i, three), nine), nine))
        s.add_assertion(mgr.Equals(mgr.Function(f, [i, mgr.TRUE()]), three))
        s.add_assertion(mgr.Not(mgr.Equals(u, v)))
        s.add_assertion(mgr.Equals(mgr.Select(mgr.Array(bv8, three, {nine: i}), nine), mgr.BV(4, 8)))
        assert s.solve()
        model = s.get_model()
        assert model.get_py_value(i) == 4 and model.get_value(mgr.Select(a, nine)) == nine
        assert model.get_py_value(mgr.Function(f, [i, mgr.TRUE()])) == 3
        assert model.get_value(a).is_array_value() and model.get_value(u) != model.get_value(v)
        assert {str(variable) for variable, _ in model} >= {"a", "i", "u", "v"} and i in model and f not in model
        assert not s.solve([mgr.Equals(i, nine)])
        with pytest.raises(SolverStatusError):
            s.get_value(i)
    assert model.get_py_value(i) == 4


def test_levels_and_assumptions(env, mgr):
    p, q = mgr.Symbol("p", BOOL), mgr.Symbol("q", BOOL)
    with solver(env, incremental=True) as s:
        s.add_assertion(mgr.Or(p, q))
        assert not s.solve([mgr.Not(p), mgr.Not(q)]) and s.solve([mgr.Not(p)]) and s.get_py_value(q) is True
        s.push()
        s.add_assertion(mgr.And(mgr.Not(p), mgr.Not(q)))
        assert not s.solve()
        s.pop()
        assert s.solve() and s.assertions == [mgr.Or(p, q)]
        s.reset_assertions()
        assert s.solve([mgr.Not(p), mgr.Not(q)])
        with pytest.raises(SolverStatusError):
            s.pop(2)
            s.solve()


def test_cores(env, mgr):
    x = mgr.Symbol("x", BVType(8))
    large, small, odd = mgr.BVUGT(x, mgr.BV(9, 8)), mgr.BVULT(x, mgr.BV(5, 8)), mgr.Equals(mgr.BVExtract(x, 0, 0), mgr.BV(1, 1))
    with env.factory.UnsatCoreSolver(name="bivalve", solver_options={"minimize_core": True}) as s:
        s.push()
        for formula in (large, odd, small):
            s.add_assertion(formula)
        assert not s.solve() and s.get_unsat_core() == {large, small}
        assert set(s.get_named_unsat_core().values()) == {large, small}
        s.pop()
        assert s.solve()
    with env.factory.UnsatCoreSolver(name="bivalve", unsat_cores_mode="named") as s:
        s.add_assertion(large, named="large")
        s.add_assertion(odd)
        s.add_assertion(small, named="small")
        assert not s.solve() and s.get_named_unsat_core() == {"large": large, "small": small}


def test_options_and_limits(env, mgr):
    x, y, z = (mgr.Symbol(name, BVType(48)) for name in "xyz")
    one = mgr.BVAdd(z, mgr.BV(1, 48))
    hard = mgr.Not(mgr.Equals(mgr.BVMul(mgr.BVMul(x, y), one), mgr.BVMul(x, mgr.BVMul(y, one))))
    with solver(env, solver_options={"time": 0.2, "rewrite_level": 0}, random_seed=5) as s:
        assert s.native.get("seed") == "5"
        s.add_assertion(hard)
        with pytest.raises(SolverReturnedUnknownResultError):
            s.solve()
        s.reset_assertions()
        assert s.solve()
    with pytest.raises(PysmtValueError, match="did you mean 'rewrite_level'"):
        solver(env, solver_options={"rewrite_levle": 1})


def test_what_is_not_decided_is_refused(env, mgr):
    with solver(env) as s, pytest.raises(ConvertExpressionError):
        s.add_assertion(mgr.Equals(mgr.Symbol("n", INT), mgr.Int(3)))
    with solver(env) as s, pytest.raises(ConvertExpressionError):
        x = mgr.Symbol("element", Type("S"))
        s.add_assertion(mgr.ForAll([x], mgr.Equals(x, x)))


def test_formulas_for_all_and_for_some_values(env, mgr):
    x, y = (mgr.Symbol(name, BVType(8)) for name in "xy")
    memory = mgr.Symbol("memory", ArrayType(BVType(2), BVType(8)))
    cells = [mgr.Select(memory, mgr.BV(i, 2)) for i in range(2)]
    zero = mgr.BV(0, 8)
    with solver(env) as s:
        s.add_assertion(mgr.ForAll([x], mgr.Exists([y], mgr.Equals(mgr.BVAdd(x, y), zero))))
        s.add_assertion(mgr.ForAll([x], mgr.BVULE(y, x)))
        s.add_assertion(mgr.Equals(x, mgr.BV(7, 8)))
        assert s.solve() and s.get_py_value(y) == 0 and s.get_py_value(x) == 7
        s.push()
        s.add_assertion(mgr.Exists([x], mgr.BVULT(x, y)))
        assert not s.solve()
        s.pop()
        s.add_assertion(mgr.ForAll([memory], mgr.Equals(*cells)))
        assert not s.solve()
    # The factory finds the solver for words; of quantified arrays it knows no logic.
    assert env.factory.is_sat(mgr.ForAll([x], mgr.Equals(x, x)), solver_name="bivalve")
    assert not env.factory.is_sat(mgr.ForAll([x], mgr.Equals(x, y)), solver_name="bivalve")


def test_the_example_in_the_docstring_is_right():
    import doctest

    found = doctest.testmod(bivalve.pysmt)
    assert found.failed == 0 and found.attempted > 3
