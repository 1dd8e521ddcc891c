"""Reset: a solver begins again; terms live in the context and stay."""

from bivalve import Context, Solver, sat, unsat

ctx = Context()
x = ctx.bv_symbol("x", 8)
solver = Solver(ctx, small_models=True)
solver.push(2)
solver.add(x.ult(x))
assert solver.check() == unsat
solver.reset()
assert solver.assertions == [] and solver.levels == 0
solver.add(x.ugt(200))
assert solver.check() == sat
print("x =", solver.model()[x])
