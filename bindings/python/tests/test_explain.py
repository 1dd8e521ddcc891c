"""Explanations: what matters of a model, and what is contradictory."""

import pytest

from bivalve import Explanation, Solver, StateError, sat, unknown, unsat


def test_inputs_that_matter(ctx, solver):
    x, y = ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8)
    memory = ctx.array_symbol("m", 4, 8)
    solver.add(x[3:0] == 5, (x & y) == (y & x), memory[3] == 7)
    assert solver.check() == sat
    explained = solver.explain()
    assert isinstance(explained, Explanation) and explained["answer"] == "sat"
    inputs = explained["inputs"]
    assert inputs["is_minimal"] and "y" in inputs["free"]
    part = next(part for part in inputs["parts"] if part["symbol"] == "x")
    assert part["pattern"] == "#x*5" and part["value"].endswith("5")
    assert inputs["assertions"][0]["inputs"] == ["x"]
    assert [part["of"] for part in inputs["parts"]] == ["x", "m[#x3]"]
    assert "    x       #x*5\n    m[#x3]  #x07\n" in str(explained)
    html = explained._repr_html_()
    assert "opacity" in html and "any value" in html


def test_what_is_contradictory(ctx, solver):
    x, y = ctx.bv_symbol("x", 8), ctx.bv_symbol("<y>", 8)
    solver.add((x & 1) == 1, y > 3)
    assert solver.check((x[0] == 0) & (y == y)) == unsat
    contradiction = solver.explain()["contradiction"]
    assert [part["place"] for part in contradiction["conjuncts"]] == ["formula 1", "formula 3"]
    assert [part["term"] for part in contradiction["conjuncts"]] == [(x & 1) == 1, x[0] == 0]
    assert contradiction["is_minimal"] and contradiction["bits_are_minimal"]
    assert contradiction["bits"] == [{"symbol": "x", "unit": "value", "width": 8, "relevant": [[0, 0]]}]
    assert "<y>" not in solver.explain()._repr_html_()


def test_a_budget_ends_it(ctx, solver):
    x = ctx.bv_symbol("x", 8)
    solver.add(x == 3, x == 5)
    assert solver.check() == unsat
    contradiction = solver.explain(questions=0)["contradiction"]
    assert not contradiction["is_minimal"] and contradiction["bits"] is None
    assert "the budget ended" in str(solver.explain(questions=0))
    assert len(solver.explain(time=0)["contradiction"]["conjuncts"]) == 2
    # The solver is as it was.
    assert solver.explain()["contradiction"]["is_minimal"] and solver.check() == unsat


def test_there_is_nothing_to_explain(ctx):
    solver = Solver(ctx)
    with pytest.raises(StateError, match="nothing to explain"):
        solver.explain()
    assert solver.check() == sat
    assert solver.explain()["inputs"]["parts"] == []
    solver.add(ctx.bool_symbol("p"))
    with pytest.raises(StateError, match="nothing to explain"):
        solver.explain()


def test_the_course_of_a_check_is_recorded_where_it_is_asked_for(ctx):
    solver = Solver(ctx, rewrite_level=0)
    f = ctx.function("f", [ctx.bv_sort(8)], ctx.bv_sort(8))
    x, y = ctx.bv_symbol("x", 8), ctx.bv_symbol("<y>", 8)
    solver.add(x == y, f(x) == 1, f(y) == 2)
    assert solver.check() == unsat
    assert solver.explain()["timeline"] == []
    # Lemmas are learned once, so another solver is asked.
    solver = Solver(ctx, rewrite_level=0)
    solver.add(f(x) != f(y), x - y == 0)
    assert solver.check(timeline=True) == unsat
    explained = solver.explain()
    lemmas = [event for event in explained["timeline"] if event["event"] == "lemma"]
    assert lemmas and all(lemma["rule"] and lemma["from"] and lemma["clause"] for lemma in lemmas)
    assert any(event["event"] == "phase" for event in explained["timeline"])
    assert solver.explain()["timeline"] == explained["timeline"], "it is told again"
    assert "<y>" not in explained._repr_html_()


def test_an_unknown_answer_has_a_course(ctx):
    solver = Solver(ctx, rewrite_level=0)
    a, b, c = (ctx.bv_symbol(name, 48) for name in "abc")
    solver.add((a * b) * (c + 1) != a * (b * (c + 1)))
    assert solver.check(conflicts=50, timeline=True) == unknown
    explained = solver.explain()
    assert explained["answer"] == "unknown" and explained["timeline"]
    assert "inputs" not in explained and "unknown" in explained._repr_html_()
    solver.push()
    with pytest.raises(StateError, match="nothing to explain"):
        solver.explain()
