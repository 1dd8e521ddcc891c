"""Reset of assertions: levels and formulas go; options and statistics stay."""

from bivalve import Context, Solver, sat, unsat

ctx = Context()
x = ctx.bv_symbol("x", 8)
solver = Solver(ctx, small_models=True)
solver.push()
solver.add(x.ult(5) & x.ugt(7))
assert solver.check() == unsat
solver.reset_assertions()
assert solver.check() == sat
solver.add(x.ult(5))
assert solver.check() == sat
assert solver.statistics()["checks"] == 3
print("x =", solver.model()[x])
