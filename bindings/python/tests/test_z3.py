"""The names of z3: scripts that print the same under both, and what is refused.

Each script of `z3_scripts` keeps to what has one right answer. Its output is stored; it is that of Bivalve after the
one line that imports has been changed, and that of z3 where z3 is installed.
"""

import contextlib
import io
import pathlib
import copy
import ctypes
import doctest
import pickle
import subprocess
import sys
import warnings

import pytest

import bivalve
import bivalve.z3 as bz3

SCRIPTS = sorted((pathlib.Path(__file__).parent / "z3_scripts").glob("*.py"))


def output(text, name):
    out, options = io.StringIO(), dict(bz3.printer.OPTIONS)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(text, name, "exec"), {"__name__": "__main__"})
    finally:
        bz3.printer.OPTIONS.update(options)
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


#: Names that z3's star import brings by accident, and that have no meaning of their own: leftovers, Python's modules,
#: and what its wrapping of the interface in C consists of.
BY_ACCIDENT = set(
    """
    atexit ctypes importlib_resources v lp lds d Fraction Z3_DEBUG Elementaries AsArray on_model_eh_type to_symbol
    z3_error_handler Z3PPObject to_Ast to_ContextObj to_AstVectorObj on_clause_eh user_prop_push user_prop_pop
    user_prop_fresh user_prop_fixed user_prop_created user_prop_final user_prop_eq user_prop_diseq user_prop_decide
    user_prop_binding
    """.split()
)

#: Methods of the classes of both that are part of z3's wrapping, or of how it prints.
WRAPPING = {"use_pp", "from_string", "py_value", "as_func_decl", "get_id", "hash", "set_ast_print_mode", "param_descrs"}
WRAPPING |= {"is_bool", "is_int"}


def is_of_others(value):
    """What another package puts into z3 when it is imported: `is_ite` and three more are of pySMT. Whether they are
    there depends on the tests that ran before."""
    return str(getattr(value, "__module__", "")).startswith("pysmt.")


def is_of_c(z3, name, value):
    """Functions and handles of the interface in C, what is of the printer, and what is of Python's `ctypes`."""
    if name.startswith("Z3_"):
        return callable(value)
    if getattr(value, "__module__", "") == "z3.z3printer" or hasattr(ctypes, name):
        return True
    return isinstance(value, type) and issubclass(value, ctypes.c_void_p)


#: What z3 had until its version 4.7.
FORMER = {"Interpolant", "binary_interpolant", "sequence_interpolant", "tree_interpolant"}


def test_names_are_those_of_z3():
    """Nothing public here has a name that z3 has not, or has had, and every name that z3 has is here: with its meaning, or as
    something that says why it is refused. Numbers are equal, and so are the methods of classes."""
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    theirs, ours = {}, {}
    exec("from z3 import *", theirs)
    exec("from bivalve.z3 import *", ours)
    assert [name for name in bz3.__all__ if name not in theirs and name not in FORMER] == []
    public = {
        name: value for name, value in theirs.items() if not (name.startswith("__") or is_of_others(value))
    }
    missing = {name for name, value in public.items() if name not in ours and not is_of_c(z3, name, value)}
    assert missing <= BY_ACCIDENT
    for name, value in public.items():
        if isinstance(value, int) and name.startswith("Z3_") and name not in BY_ACCIDENT:
            assert ours[name] == value, name
        if isinstance(value, type) and isinstance(ours.get(name), type) and value.__module__.startswith("z3"):
            if name not in bz3._refused.REFUSED and name != "AstRef":
                methods = {method for method in dir(value) if not method.startswith("_")}
                assert {method for method in methods if not hasattr(ours[name], method)} <= WRAPPING, name
    for name in [name for name in public if name.startswith("Z3_") and callable(public[name])][:20]:
        with pytest.raises(bz3.Z3Exception, match="interface of z3 in C"):
            getattr(bz3, name)
    util = {name for name, value in vars(z3.z3util).items() if getattr(value, "__module__", "") == "z3.z3util"}
    assert {name for name in util if not hasattr(bz3.z3util, name)} == set()


#: Examples of z3's documentation that come out otherwise: names of elements, an order, parameters of solvers that
#: Bivalve has not.
OTHERWISE = {"BitVecs", "ModelRef.get_universe", "Solver.consequences", "get_param"}


def test_the_examples_of_z3s_documentation_come_out_the_same():
    """All that need nothing which is refused."""
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    same, refused, other = set(), set(), {}
    for test in doctest.DocTestFinder().find(z3.z3, "z3"):
        out, options = io.StringIO(), dict(bz3.printer.OPTIONS)
        exec("from bivalve.z3 import *", test.globs)
        test.globs.update((name, getattr(bz3, name)) for name in bz3.__all__)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            failed = runner.run(test, out=out.write).failed
        bz3.printer.OPTIONS.update(options)
        name, text = test.name.partition(".")[2], out.getvalue()
        if not failed:
            same |= {name} if test.examples else set()
        elif any(word in text for word in ("Bivalve has no ", "integers", "for theories", "numbers", "not to be had")):
            refused.add(name)
        else:
            other[name] = text
    assert set(other) <= OTHERWISE, [other[name] for name in sorted(set(other) - OTHERWISE)]
    assert len(same) > 80 and "And" in same and "Int" in refused, (same, refused)


def test_parameters_are_those_of_z3():
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    descriptions = z3.Solver().param_descrs()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(descriptions.size()):
            name = descriptions.get_name(i)
            bz3.Solver().set(name, 1)


def test_tactics_are_those_of_z3():
    z3 = pytest.importorskip("z3", reason="z3 is not installed")
    for name in z3.tactics():
        try:
            solver = bz3.Tactic(name).solver()
        except bz3.Z3Exception as error:
            assert "is for theories that Bivalve does not decide" in str(error)
        else:
            assert solver.check() == bz3.sat


def test_an_answer_is_true_with_a_warning():
    answer = bz3.Solver().check(False)
    with pytest.warns(RuntimeWarning, match="every answer is true, here unsat, as in z3"):
        assert bool(answer)
    assert answer == bz3.unsat and answer == bivalve.unsat and bivalve.unsat == answer and answer != bivalve.sat
    assert {bz3.sat: 1}[bz3.Solver().check()] == 1 and copy.deepcopy(answer) == answer
    assert pickle.loads(pickle.dumps(answer)) == bz3.unsat


def test_what_belongs_to_a_process_says_so_to_pickle():
    x, solver = bz3.BitVec("x", 8), bz3.Solver()
    solver.add(x == 3)
    solver.check()
    for what, advice in [
        (x, "deserialize"),
        (x.sort(), "deserialize"),
        (solver, "to_smt2"),
        (solver.model(), "as_long"),
        (bz3.main_ctx(), "sexpr"),
    ]:
        with pytest.raises(TypeError, match=f"cannot be pickled; send .*{advice}"):
            pickle.dumps(what)
    assert bz3.deserialize(pickle.loads(pickle.dumps((x + 1).serialize()))).eq(x + 1)
    other = bz3.Solver()
    other.from_string(pickle.loads(pickle.dumps(solver.to_smt2())))
    assert other.check(x != 3) == bz3.unsat and copy.deepcopy(x).eq(x)


def test_scripts_run_with_the_name_z3(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, z3\nfrom z3.z3util import get_vars\nprint(z3.get_full_version()[:7], sys.argv[1:])\n")
    command = [sys.executable, "-m", "bivalve.z3", str(script), "a"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.stdout == "Bivalve ['a']\n", run.stderr


@pytest.mark.parametrize("name", ["Int", "Fixedpoint", "ToReal", "String", "DatatypeSort", "Probe", "Lambda", "Map"])
def test_what_is_not_decided_is_refused_where_it_is_used(name):
    with pytest.raises(bz3.Z3Exception, match=f"{name}: Bivalve has no "):
        getattr(bz3, name)("x")


def test_refusals_say_what_is_expected():
    x = bz3.BitVec("x", 8)
    for wrong, text in [
        (lambda: bz3.If(bz3.Bool("p"), 1, 2), "integers have no sort of their own"),
        (lambda: bz3.SolverFor("QF_LIA"), "expected one of the logics"),
        (lambda: bz3.Solver().set("timeot", 3), r"unknown parameter 'timeot' \(did you mean 'timeout'\?\); Bivalve has"),
        (lambda: bz3.Bool("p") + 1, "a sum of Booleans is an integer"),
        (lambda: bz3.Tactic("bitblast"), r"unknown tactic 'bitblast' \(did you mean 'bit-blast'\?\)"),
        (lambda: bz3.Tactic("qflia"), "tactic 'qflia' is for theories"),
        (lambda: bz3.Tactic("bit-blast")(bz3.Bool("p")), "what it makes of a goal is not to be had here"),
        (lambda: bz3.Z3_mk_bvadd, "Z3_mk_bvadd: Bivalve has no interface of z3 in C"),
        (lambda: bz3.z3core.Z3_get_version, "z3core.Z3_get_version: Bivalve has no interface"),
        (lambda: x.as_ast(), "interface of z3 in C"),
        (lambda: bz3.Solver().dimacs(), "--dump-cnf"),
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
        with pytest.warns(RuntimeWarning, match="parameter 'nonsense' has no effect here"):
            bz3.set_param("nonsense", 1)
        with pytest.warns(RuntimeWarning, match="the limit 'max_memory' of z3 is not kept here"):
            bz3.Solver().set(max_memory=3)
        # What changes only how z3 works is taken in silence.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            bz3.set_param("parallel.enable", True, "smt.arith.solver", 2)
            bz3.set_param(verbose=1, auto_config=False, precision=3)
            bz3.Solver().set(":auto-config", False, "smt.phase_selection", 5, unsat_core=True)
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
