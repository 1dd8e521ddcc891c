"""Unsat cores: which tracked assertions contradict each other."""

from bivalve import Context, Solver, unsat

ctx = Context()
x, y, z = (ctx.bv_symbol(name, 8) for name in "xyz")
solver = Solver(ctx, minimize_core=True)
formulas = [x.ult(y), y.ult(z), z.ult(16), z.ugt((x | y) | 0x0F), x.ugt(3)]
solver.add_tracked(*formulas)
assert solver.check() == unsat
core = solver.unsat_core()
print(f"{len(core)} of {len(formulas)} assertions are contradictory:")
for formula in core:
    print(f"  {formula}")
assert core == [formulas[2], formulas[3]]
