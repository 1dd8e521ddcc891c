"""Solvers: levels, assumptions, cores, models, options, statistics, and misuse."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import bivalve
from bivalve import BivalveError, Context, IllSorted, Solver, StateError, sat, unknown, unsat


def test_levels(ctx, solver):
    x = ctx.bv_symbol("x", 8)
    solver.add(x.ult(5))
    solver.push()
    solver.add(x.ugt(5), x.ugt(6))
    assert (solver.check(), solver.levels, len(solver.assertions)) == (unsat, 1, 3)
    solver.pop()
    assert (solver.check(), solver.levels, solver.assertions) == (sat, 0, [x.ult(5)])
    with pytest.raises(StateError, match="expected at most 0 levels to pop, found 2"):
        solver.pop(2)
    solver.push(3)
    solver.pop(2)
    assert solver.levels == 1
    for refused in (solver.push, solver.pop):
        with pytest.raises(ValueError, match=r"expected an integer from 0 to 2\^64 - 1, found -1"):
            refused(-1)
        with pytest.raises(ValueError, match="found 18446744073709551616"):
            refused(2**64)
        with pytest.raises(TypeError, match="found 'str'"):
            refused("1")
    assert solver.levels == 1


def test_assumptions_and_cores(ctx):
    solver = Solver(ctx, minimize_core=True)
    p, q, r = (ctx.bool_symbol(name) for name in "pqr")
    solver.add(p | q)
    assert solver.check(~p, r, ~q) == unsat
    assert solver.unsat_assumptions() == [~p, ~q]
    solver.push()
    solver.add_tracked(~p, r)
    assert solver.check(~q) == unsat
    assert (solver.unsat_core(), solver.unsat_core_positions()) == ([~p], [0])
    assert solver.unsat_assumptions() == [~q]
    assert solver.check() == sat and solver.check(True) == sat and solver.check(False) == unsat
    solver.pop()
    with pytest.raises(StateError, match="no unsat core"):
        solver.unsat_core()


def test_models_outlive_what_comes_later(ctx, solver):
    x, y = ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8)
    solver.add(x * x == 0x51, x.ugt(100))
    assert solver.check() == sat
    model = solver.model()
    before = model[x]
    solver.add(x != before)
    assert solver.check() == sat and solver.model()[x] != before and model[x] == before
    solver.reset()
    assert model[x * x + 1] == 0x52 and model[x > 0] == (before < 128)
    assert model.signed(x) == (before - 256 if before > 127 else before)
    assert model.to_dict() == {"x": before} and list(model) == [x] and x in model and y not in model
    assert model[y] == 0 and len(model) == 1
    assert model.constant(x).value == before and model.partial(x + y).op == "bvadd"
    assert model.partial(x + 1).value == before + 1
    assert repr(model) == f"[x = #b{before:08b}]" and str(model).startswith("(define-fun x ()")
    assert f"<code>#b{before:08b}</code>" in model._repr_html_()
    with pytest.raises(IllSorted):
        model[Context().bv_symbol("x", 8)]


def test_values_of_every_sort(ctx, solver):
    state = ctx.declare_sort("State")
    s, t = ctx.symbol("s", state), ctx.symbol("t", state)
    wide, p = ctx.bv_symbol("w", 300), ctx.bool_symbol("p")
    nested = ctx.symbol("n", ctx.array_sort(ctx.bv_sort(2), ctx.array_sort(ctx.bv_sort(2), ctx.bool_sort())))
    step = ctx.function("step", [state], state)
    solver.add(s != t, wide == 2**299 + 1, p, nested[1][2], ~nested[2][1], step(s) == t)
    assert solver.check() == sat
    model = solver.model()
    assert model[s] != model[t] and model[step](model[s]) == model[t] and {model[s]: 1}[model[s]] == 1
    assert model[wide] == 2**299 + 1 and model[p] is True
    value = model[nested]
    assert value[1][2] is True and value[2][1] is False and value == model[nested] and hash(value) == hash(model[nested])
    with pytest.raises(ValueError):
        model[step](1, 2)
    with pytest.raises(TypeError):
        list(value)
    assert model.constant(nested)[1].sort == nested.sort.element


def test_array_models_have_a_default_and_entries(ctx, solver):
    a = ctx.array_symbol("a", 8, 8)
    solver.add(a[1] == 10, a[2] == 20, a == ctx.const_array(a.sort, 7).store(1, 10).store(2, 20))
    assert solver.check() == sat
    value = solver.model()[a]
    assert (value.default, value.entries) == (7, {1: 10, 2: 20})
    assert [value[i] for i in (0, 1, 2, 255)] == [7, 10, 20, 7]
    with pytest.raises(ValueError):
        value[256]
    with pytest.raises(TypeError):
        value["1"]


def test_values_are_read_at_what_has_their_sort(ctx, solver):
    sort, declared = ctx.bv_sort(8), ctx.declare_sort("S")
    x, f = ctx.bv_symbol("x", 8), ctx.function("f", [sort], sort)
    s, g = ctx.symbol("s", declared), ctx.function("g", [declared, ctx.bool_sort()], sort)
    a = ctx.array_symbol("a", 4, 8)
    nested = ctx.symbol("n", ctx.array_sort(sort, ctx.array_sort(ctx.bv_sort(4), sort)))
    solver.add(f(x) == 0, g(s, True) == 0, a[0] == 0, nested[0][0] == 0)
    assert solver.check() == sat
    model = solver.model()
    # None of these has an entry, so that the value alone does not show the sorts.
    f, g, a, nested, s = model[f], model[g], model[a], model[nested], model[s]
    assert f(255) == 0 and f(-1) == 0 and g(s, False) == 0 and a[15] == 0 and nested[255][15] == 0
    for args in [(), (1, 2)]:
        with pytest.raises(ValueError, match=f"the function expects 1 argument, found {len(args)}"):
            f(*args)
    with pytest.raises(ValueError, match="2 arguments, found 1"):
        g(s)
    for wrong in [lambda: f(300), lambda: a[16], lambda: nested[256], lambda: nested[0][16]]:
        with pytest.raises(ValueError, match="fits into"):
            wrong()
    for wrong, of in [(lambda: f(x), "BitVec 8"), (lambda: g(0, True), "S"), (lambda: g(s, 1), "Bool"), (lambda: a[s], "BitVec 4")]:
        with pytest.raises(TypeError, match=f"expected a value of sort .*{of}"):
            wrong()


def test_symbols_of_one_name_are_told_apart_as_in_scripts(ctx, solver):
    first, second = ctx.bv_symbol("x", 8), ctx.bv_symbol("x", 8)
    solver.add(first == 1, second == 2)
    assert solver.check() == sat
    model = solver.model()
    declared = [line.split()[1] for line in solver.to_smt2().splitlines() if line.startswith("(declare-fun ")]
    assert [line.split()[1] for line in str(model).splitlines()] == declared and len(set(declared)) == 2
    assert repr(model) == f"[{declared[0]} = #b00000001, {declared[1]} = #b00000010]"


def test_no_model_where_there_is_none(ctx, solver):
    with pytest.raises(StateError, match="no model"):
        solver.model()
    solver.add(False)
    assert solver.check() == unsat
    with pytest.raises(StateError, match="no model"):
        solver.model()
    assert solver.unsat_core() == []


def test_answers_have_no_truth(solver):
    with pytest.raises(TypeError, match="compare it"):
        bool(solver.check())
    assert (repr(sat), str(unsat), repr(unknown)) == ("sat", "unsat", "unknown") and len({sat, unsat, sat}) == 2


def test_what_is_no_formula_is_refused_whole(ctx, solver):
    x = ctx.bv_symbol("x", 8)
    with pytest.raises(IllSorted, match=r"sort Bool, found sort \(_ BitVec 8\)"):
        solver.add(x == 1, x)
    assert solver.assertions == []
    for wrong in (1, x, "p", None, [x == 1]):
        with pytest.raises((IllSorted, TypeError)):
            solver.check(wrong)
    with pytest.raises(IllSorted, match="of the same context"):
        solver.add(Context().bool_symbol("p"))
    # What only the solver refuses once was found after the formulas before it had been added.
    state = ctx.declare_sort("State")
    constant = ctx.const_array(ctx.array_sort(state, ctx.bool_symbol("p").sort), True)
    for add in (solver.add, solver.add_tracked):
        with pytest.raises(BivalveError, match="not supported"):
            add(x == 1, constant[ctx.symbol("s", state)])
    assert solver.assertions == []
    assert solver.check() == sat


def test_a_refused_check_leaves_the_last_answer(ctx, solver):
    """The assumptions of the refused check once stood for those of the last one."""
    p, q = ctx.bool_symbol("p"), ctx.bool_symbol("q")
    state = ctx.declare_sort("State")
    constant = ctx.const_array(ctx.array_sort(state, p.sort), True)
    solver.add(~(p & q))
    assert solver.check(p, q) == unsat
    with pytest.raises(BivalveError, match="not supported"):
        solver.check(constant[ctx.symbol("s", state)])
    assert solver.unsat_assumptions() == [p, q]


def test_options_come_from_the_table(ctx):
    names = [row["name"] for row in bivalve.options()]
    assert "conflict_limit" in names and "rewrite_level" in names
    solver = Solver(ctx, seed=3, small_models=True)
    assert (solver.get("seed"), solver.get("small_models"), solver.get("small-models")) == ("3", "on", "on")
    for row in bivalve.options():
        solver.set(**{row["name"]: row["default"]})
        assert solver.get(row["name"]) == row["default"] and row["help"] and row["values"]
    with pytest.raises(ValueError, match=r"unknown option 'smal_models' \(did you mean 'small_models'\?\)"):
        solver.set(seed=4, smal_models=True)
    assert solver.get("seed") == "0"
    with pytest.raises(ValueError, match="expects a numeral from 0 to 3, found '7'"):
        Solver(ctx, rewrite_level=7)
    with pytest.raises(ValueError, match="unknown option"):
        solver.get("xyzzy")


def test_certificates(ctx, solver):
    x, y = ctx.bv_symbol("x", 32), ctx.bv_symbol("y", 32)
    memory = ctx.symbol("odd name", ctx.array_sort(ctx.bv_sort(32), ctx.bv_sort(8)))
    solver.add(x == y)
    assert solver.check() == sat
    with pytest.raises(StateError, match="there is no certificate: the last check was not answered unsat"):
        solver.certificate()
    assert solver.check(memory[x + y] != memory[x * 2]) == unsat
    for text in [False, True]:
        script, certificate = solver.certificate(text=text)
        assert certificate.startswith(b"bvc 1" if text else b"BVC\0")
        assert bivalve.check_certificate(script, certificate) == [0]
        weaker = script.replace("(assert (= x y))", "(assert (= x x))")
        assert weaker != script
        with pytest.raises(bivalve.ParseError, match="certificate, "):
            bivalve.check_certificate(weaker, certificate)
    with pytest.raises(bivalve.ParseError, match="certificate: "):
        bivalve.check_certificate(script, b"")
    solver.add(x != 0)
    with pytest.raises(StateError):
        solver.certificate()


def test_the_checker_is_a_program(ctx, solver, tmp_path):
    x = ctx.bv_symbol("x", 8)
    solver.add(x > x)
    assert solver.check() == unsat
    script, certificate = solver.certificate()
    (tmp_path / "script.smt2").write_text(script)
    (tmp_path / "right.bvc").write_bytes(certificate)
    (tmp_path / "wrong.bvc").write_bytes(b"bvc 1\n")
    program = Path(sys.executable).with_name("bivalve-check")

    def run(*words):
        done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout

    status, output = run("script.smt2", "right.bvc")
    assert status == 0 and output.startswith("check 0: verified\n")
    assert run("script.smt2", "wrong.bvc")[0] == 0 and "check 0: open" in run("script.smt2", "wrong.bvc")[1]
    assert run("no.smt2", "right.bvc") == (2, "")
    assert run("--version") == (0, f"bivalve-check {bivalve.__version__}\n")


def test_certificates_are_about_the_text(ctx, solver):
    # Names that a script cannot have twice.
    x, other = ctx.bv_symbol("x", 8), ctx.bv_symbol("x", 16)
    solver.add(x > x, other.ugt(3))
    assert solver.check() == unsat
    assert bivalve.check_certificate(*solver.certificate()) == [0]


def test_statistics(ctx, solver):
    x = ctx.bv_symbol("x", 8)
    solver.add(x * x == 0x51)
    solver.check()
    solver.check(x == 1)
    statistics = solver.statistics()
    assert isinstance(statistics, dict) and statistics["checks"] == 2 and statistics["assertions"] == 1
    assert statistics["seconds"]["sat"] >= 0
    assert "<td>checks</td><td>2</td>" in statistics._repr_html_()
    assert "bvmul" in solver._repr_html_() and repr(solver) == "Solver of 1 assertions on 0 levels"


def test_reset(ctx):
    solver = Solver(ctx, small_models=True)
    x = ctx.bv_symbol("x", 8)
    solver.push(2)
    solver.add(x.ult(x))
    assert solver.check() == unsat
    solver.reset()
    assert solver.assertions == [] and solver.levels == 0 and solver.get("small_models") == "on"
    solver.add(x.ugt(200))
    assert solver.check() == sat
    solver.reset_assertions()
    assert solver.assertions == [] and solver.check() == sat


def test_what_belongs_to_a_process_says_so_to_pickle(ctx, solver):
    x = ctx.bv_symbol("x", 8)
    solver.add(x == 3)
    solver.check()
    for what, advice in [
        (x, "Context.to_smt2"),
        (x.sort, "methods of a Context"),
        (ctx, "to_smt2"),
        (solver, "to_smt2"),
        (solver.model(), "to_dict"),
    ]:
        with pytest.raises(TypeError, match=f"belongs to this process and cannot be pickled; .*{advice}"):
            pickle.dumps(what)


def test_values_by_kind(ctx, solver):
    x, p = ctx.bv_symbol("x", 8), ctx.bool_symbol("p")
    a, f = ctx.array_symbol("a", 8, 8), ctx.function("f", [ctx.bv_sort(8)], ctx.bool_sort())
    solver.add(x == 3, p, a[x] == 4, f(x))
    solver.check()
    model = solver.model()
    assert (model.bv(x), model.bool(p), model.array(a)[3], model.function(f)(3)) == (3, True, 4, True)
    for wrong, text in [
        (lambda: model.bv(p), "expected a bit-vector, found sort Bool"),
        (lambda: model.bool(x), r"expected a Boolean, found sort \(_ BitVec 8\)"),
        (lambda: model.array(x), "expected an array"),
        (lambda: model.function(a), "expected a function"),
    ]:
        with pytest.raises(bivalve.IllSorted, match=text):
            wrong()
