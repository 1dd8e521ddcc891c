"""SMT-LIB text into a solver, and on from there by hand; and a whole script through a session."""

from bivalve import Context, ParseError, Solver, run_script, sat, unsat

TEXT = """(set-logic QF_BV)
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16))
(assert (= (bvmul a b) #x1ae9)) (assert (bvugt a #x0001)) (assert (bvult a #x0100)) (assert (bvult b #x0100))
"""

ctx = Context()
assertions, symbols = ctx.parse(TEXT)
solver = Solver(ctx)
solver.add(*assertions)
assert solver.check() == sat
a = symbols["a"]
print("a =", solver.model()[a])
assert solver.check(a.ugt(83)) == unsat
try:
    ctx.parse("(assert (bvult a b))")
    raise AssertionError("a is not declared in this text")
except ParseError as refusal:
    print(refusal)
assert run_script(TEXT + "(check-sat)") == ["sat"]
