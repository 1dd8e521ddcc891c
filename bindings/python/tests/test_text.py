"""SMT-LIB in and out."""

import doctest

import pytest

import bivalve
from bivalve import Context, ParseError, Solver, run_script, sat

TEXT = """(set-logic QF_BV)
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16)) (declare-fun f ((_ BitVec 16)) Bool)
(assert (= (bvmul a b) #x1ae9)) (assert (bvugt a #x0001)) (assert (bvult a #x0100)) (assert (bvult b #x0100))
(push 1) (assert false) (pop 1)"""


def test_a_script_is_read_and_gone_on_with(ctx, solver):
    assertions, symbols = ctx.parse(TEXT)
    assert len(assertions) == 4 and list(symbols) == ["a", "b", "f"]
    solver.add(*assertions)
    assert solver.check() == sat
    model = solver.model()
    assert model[symbols["a"]] * model[symbols["b"]] % 2**16 == 0x1AE9
    more, none = ctx.parse("(assert (bvugt a #x0053))", known=[symbols["a"]])
    assert more == [symbols["a"].ugt(0x53)] and none == {}


def test_what_cannot_be_read_has_its_place(ctx):
    with pytest.raises(ParseError, match="text:1:16: expected a declared constant, found 'a'"):
        ctx.parse("(assert (bvult a b))")
    with pytest.raises(TypeError):
        ctx.parse("(assert true)", known=[ctx.bool(True)])


def test_scripts_that_are_written_are_read_again(ctx, solver):
    a, i = ctx.array_symbol("a b", 4, 8), ctx.bv_symbol("i", 4)
    solver.add(a.store(i, 3)[5] == 3, a[5].ult(3))
    text = solver.to_smt2()
    assert text == ctx.to_smt2(*solver.assertions)
    other = Context()
    again = Solver(other)
    assertions, symbols = other.parse(text)
    again.add(*assertions)
    assert again.check() == sat and again.model()[symbols["i"]] == 5
    assert run_script(text) == ["sat"]


def test_sessions_answer_every_command():
    script = """(set-option :print-success true) (declare-const x (_ BitVec 8)) (assert (= x #x05)) (check-sat)
    (get-value (x)) (frobnicate) (assert (bvult x y)) (check-sat) (exit) (echo "not reached")"""
    answers = run_script(script)
    assert answers[:5] == ["success", "success", "success", "sat", "((x #b00000101))"]
    assert answers[5].startswith("(error ") and answers[6].startswith("(error ") and answers[7:] == ["unknown", "success"]
    with pytest.raises(ValueError, match="did you mean 'seed'"):
        run_script("", sed=1)


def test_examples_in_docstrings_are_right():
    assert doctest.testmod(bivalve).failed == 0 and doctest.testmod(bivalve).attempted > 5


def test_everything_public_says_what_it_is():
    for name in bivalve.__all__:
        thing = getattr(bivalve, name)
        if isinstance(thing, type) or callable(thing):
            assert thing.__doc__, name
    for owner in (bivalve.Context, bivalve.Solver, bivalve.Term, bivalve.Model, bivalve.Sort):
        for name, member in vars(owner).items():
            assert name.startswith("_") or member.__doc__, f"{owner.__name__}.{name}"


def test_formulas_in_other_languages(ctx):
    assertions, symbols = ctx.parse("1 var 8 x\n2 constd 8 3\n3 ult 1 1 2\n4 root 1 3\n")
    assert [str(assertion) for assertion in assertions] == ["(bvult x #b00000011)"] and list(symbols) == ["x"]
    again, _ = ctx.parse(ctx.to_btor(*assertions))
    assert [str(assertion) for assertion in again] == ["(bvult x #b00000011)"]
    with pytest.raises(bivalve.ParseError, match="text:2:1"):
        ctx.parse("1 var 8 x\nnothing\n")
    with pytest.raises(bivalve.ParseError, match="a query, which is asked on a level of its own"):
        ctx.parse("x : BITVECTOR(8);\nQUERY(x = x);\n")
    f = ctx.function("f", [ctx.bv_sort(8)], ctx.bool_sort())
    with pytest.raises(ValueError, match="BTOR cannot express the sort"):
        ctx.to_btor(f(1))


def test_records_have_values(ctx, solver):
    assertions, symbols = ctx.parse("""(declare-datatypes ((Inner 0) (Pair 0))
        (((inner (cells (_ BitVec 4)))) ((none) (pair (first (_ BitVec 8)) (ok Bool) (in Inner)))))
        (declare-const p Pair) (declare-const a (Array (_ BitVec 2) Pair))
        (assert ((_ is pair) p)) (assert (= (first p) #x2a)) (assert (ok p)) (assert (= (cells (in p)) #x3))
        (assert (= (select a #b01) p)) (assert ((_ is none) (select a #b10)))""")
    solver.add(*assertions)
    assert solver.check() == sat
    model, (p, a) = solver.model(), (symbols["p"], symbols["a"])
    assert p.sort.kind == "record" and str(p.sort) == "Pair"
    assert model[p] == ("pair", 42, True, ("inner", 3))
    assert model[a][1] == model[p] and model[a][2] == ("none",)
