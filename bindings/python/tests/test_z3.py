"""The names of z3: scripts that print the same under both, and what is refused.

Each script of `z3_scripts` keeps to what has one right answer. Its output is stored; it is that of Bivalve after the
one line that imports has been changed, and that of z3 where z3 is installed.
"""

import contextlib
import io
import pathlib
import subprocess
import sys

import pytest

import bivalve.z3 as bz3

SCRIPTS = sorted((pathlib.Path(__file__).parent / "z3_scripts").glob("*.py"))


def output(text, name):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, name, "exec"), {"__name__": "__main__"})
    return out.getvalue()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_print_the_same_after_the_import_was_changed(script):
    text = script.read_text()
    assert text.count("from z3 import *") == 1
    found = output(text.replace("from z3 import *", "from bivalve.z3 import *"), script.name)
    assert found == script.with_suffix(".out").read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_z3_prints_that_too(script):
    """In an interpreter of its own: claripy, once it is imported, has put functions of its own into z3."""
    pytest.importorskip("z3", reason="z3 is not installed")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert run.stdout == script.with_suffix(".out").read_text(), run.stderr


def test_there_are_scripts():
    assert len(SCRIPTS) >= 10


def test_names_are_those_of_z3():
    """Nothing public here has a name that z3 has not, but for what says that this is not z3."""
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    assert [name for name in bz3.__all__ if not hasattr(z3, name)] == []
    for kind in (name for name in bz3.__all__ if name.startswith("Z3_OP_")):
        assert getattr(bz3, kind) == getattr(z3, kind), kind


@pytest.mark.parametrize("name", ["Int", "ForAll", "Optimize", "FP", "String", "Datatype", "Tactic", "Lambda", "Map"])
def test_what_is_not_decided_is_refused_where_it_is_used(name):
    with pytest.raises(bz3.Z3Exception, match=f"{name}: Bivalve has no "):
        getattr(bz3, name)("x")


def test_refusals_say_what_is_expected():
    x = bz3.BitVec("x", 8)
    for wrong, text in [
        (lambda: bz3.If(bz3.Bool("p"), 1, 2), "integers have no sort of their own"),
        (lambda: bz3.SolverFor("QF_LIA"), "expected one of the logics"),
        (lambda: bz3.Solver().set("max_memory", 3), "unknown parameter 'max_memory'; Bivalve has timeout"),
        (lambda: x + bz3.BitVec("y", 9), "8 and 9 bits"),
        (lambda: bz3.Solver().pop(), "at most 0 levels"),
        (lambda: bz3.Sum([1, 2]), "integers are not decided"),
        (lambda: bz3.Array("a", bz3.BitVecSort(8)), "one index sort and one element sort"),
        (lambda: bz3.parse_smt2_string("(assert x)"), "text:1:9"),
    ]:
        with pytest.raises(bz3.Z3Exception, match=text):
            wrong()


def test_limits_have_z3s_words():
    x, y, z = bz3.BitVecs("x y z", 48)
    solver = bz3.Solver()
    solver.set("timeout", 200)
    solver.add((x * y + 1) * (z + 1) != x * (y * (z + 1)) + z + 1)
    if solver.check() == bz3.unknown:
        assert solver.reason_unknown() == "timeout"
    hard = bz3.Solver()
    hard.native.set(rewrite_level=0)
    hard.set(timeout=200)
    hard.add((x * y) * (z + 1) != x * (y * (z + 1)))
    assert hard.check() == bz3.unknown and hard.reason_unknown() == "timeout"
    hard.set(timeout=2**32 - 1, max_conflicts=10)
    assert hard.check() == bz3.unknown and hard.reason_unknown() == "max. resource limit exceeded"
    # No time at all was left where z3 has no limit.
    for none in (0, 2**32 - 1):
        free = bz3.Solver()
        free.set(timeout=none)
        free.add(x * y == 391, bz3.UGT(x, 1), bz3.ULT(x, y), bz3.ULT(y, 256))
        assert free.check() == bz3.sat


def test_contexts_keep_their_symbols_apart():
    other = bz3.Context()
    x, y = bz3.BitVec("x", 8), bz3.BitVec("x", 8, other)
    assert not x.eq(y) and x.translate(other).eq(y)
    with pytest.raises(bz3.Z3Exception):
        x + y
    solver = bz3.Solver(ctx=other)
    solver.add(y == 3)
    assert solver.check() == bz3.sat and solver.model()[y].as_long() == 3
    main = solver.translate(bz3.main_ctx())
    assert main.check(x == 3) == bz3.sat and main.check(x == 4) == bz3.unsat


def test_deep_and_shared_expressions_are_printed_in_part():
    x = bz3.BitVec("x", 8)
    deep = shared = x
    for _ in range(2000):
        deep = ~deep + 1
    for _ in range(200):
        shared = bz3.UDiv(shared, shared)
    assert "..." in str(deep) and "..." in str(shared) and len(str(shared)) < 10**6
    assert str(bz3.simplify(deep)) != ""


def test_statistics_and_parameters():
    solver = bz3.Solver()
    solver.check()
    statistics = solver.statistics()
    assert statistics.get_key_value("checks") == 1 and "checks" in statistics.keys() and len(statistics) > 5
    bz3.set_param("timeout", 1000)
    try:
        assert bz3.Solver()._timeout == 1.0
        with pytest.raises(bz3.Z3Exception):
            bz3.set_param("nonsense", 1)
    finally:
        bz3.reset_params()
    assert bz3.Solver()._timeout is None
    assert bz3.get_full_version().startswith("Bivalve ")


def test_what_cannot_be_counted_is_refused():
    p = bz3.Bool("p")
    for wrong in [
        lambda: bz3.AtMost(p),
        lambda: bz3.AtMost(),
        lambda: bz3.AtLeast(p, "2"),
        lambda: bz3.AtMost(bz3.BitVec("x", 1), 1),
        lambda: bz3.PbLe([(p, 0.5)], 1),
        lambda: bz3.PbEq([(p, 1)], None),
    ]:
        with pytest.raises(bz3.Z3Exception):
            wrong()
    assert bz3.AtMost([p, bz3.Bool("q")], 2).eq(bz3.BoolVal(True))
    assert bz3.PbLe([(p, -3), (True, 2)], -1).eq(bz3.PbLe([(bz3.Not(p), 3), (True, 2)], 2))


def test_arrays_are_not_walked_through():
    """Found by calls at random: `Bools(array)` read elements without an end."""
    array = bz3.Array("a", bz3.BitVecSort(8), bz3.BitVecSort(8))
    for wrong in [lambda: list(array), lambda: bz3.Bools(array), lambda: bz3.And(*array), lambda: 3 in array]:
        with pytest.raises(TypeError):
            wrong()


def test_sorts_of_texts_are_those_of_the_same_name():
    text = "(declare-sort U 0) (declare-const a U) (declare-const b U) (assert (distinct a b))"
    solver = bz3.Solver()
    solver.from_string(text)
    solver.from_string(text)
    u = bz3.DeclareSort("U")
    a, b = bz3.Consts("a b", u)
    assert solver.check() == bz3.sat and solver.check(a == b) == bz3.unsat
    assert [formula.eq(a != b) for formula in solver.assertions()] == [True, True]


def test_files_are_read_by_name():
    with pytest.raises(TypeError):
        bz3.parse_smt2_file(0)


def test_models_have_the_symbols_of_the_assertions_and_no_others():
    a, b = bz3.BitVecs("a b", 32)
    solver = bz3.Solver()
    solver.add(a + b == 1337)
    assert solver.check() == bz3.sat
    model = solver.model()
    # One of the two is left at zero, which is its value: with another the equation does not hold.
    assert {symbol.name() for symbol in model.decls()} == {"a", "b"} and len(model) == 2
    assert (model[a].as_long() + model[b].as_long()) % 2**32 == 1337
    assert bz3.is_true(model.eval(a + b == 1337))
    # Bits of `a` are known, and a pass has a symbol of its own for the others.
    solver = bz3.Solver()
    is_small = bz3.ULT(a + b, 100)
    solver.add(bz3.UGT(bz3.If(is_small, a + 100, bz3.BitVecVal(7, 32)), 7))
    solver.add(bz3.If(is_small, b - 10, b) == 0xDEADBEEF)
    assert solver.check() == bz3.sat
    assert {symbol.name() for symbol in solver.model().decls()} == {"a", "b"}
    # What is assumed counts; what is in neither has no value, since any would do.
    assert solver.check(bz3.BitVec("c", 8) == 0) == bz3.sat
    assert solver.model()[bz3.BitVec("c", 8)].as_long() == 0
    assert solver.model()[bz3.BitVec("d", 8)] is None
