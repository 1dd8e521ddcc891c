"""Assumptions: formulas that hold for one check only."""

from bivalve import Context, Solver, sat, unsat

ctx = Context()
o0, s0, s1 = ctx.bv_symbol("o0", 1), ctx.bv_symbol("s0", 2), ctx.bv_symbol("s1", 2)
solver = Solver(ctx)
# A counter that begins at 0, steps by one, and raises o0 when it was at 3.
solver.add(s0 == 0, s1 == s0 + 1, o0 == (s1 == 3).ite(ctx.bv(1, 1), 0))

raised = o0 == 1
assert solver.check(raised) == unsat
assert solver.check(~raised, s1 == 1) == sat
assert solver.check() == sat
print("o0 cannot be raised after one step")
