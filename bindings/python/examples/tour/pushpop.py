"""Levels: what is asserted on one is gone when it is popped."""

from bivalve import Context, Solver, StateError, sat, unsat

ctx = Context()
s, b = ctx.bv_symbol("s", 32), ctx.bool_symbol("b")
solver = Solver(ctx)
solver.add(b.implies(s.ult(5)))

solver.push()
solver.add(b & s.ugt(10))
assert solver.check() == unsat
print("b and s > 10: unsat")
solver.pop()

solver.push()
solver.add(b & s.uge(4))
assert solver.check() == sat
print(f"b and s >= 4: sat, s = {solver.model()[s]}")
solver.pop()
try:
    solver.pop()
    raise AssertionError("there is no level left")
except StateError as refusal:
    print(refusal)
