"""Failed assumptions: which of them contradict the assertions."""

from bivalve import Context, Solver, unsat

ctx = Context()
x, y = ctx.bv_symbol("x", 32), ctx.bv_symbol("y", 32)
solver = Solver(ctx)
solver.add(x & y == 0)
assumptions = [x[3] == 1, x.ugt(1000), y[3] == 1, y < 0]
assert solver.check(*assumptions) == unsat
failed = solver.unsat_assumptions()
for formula in failed:
    print(f"failed: {formula}")
assert failed == [assumptions[0], assumptions[2]]
