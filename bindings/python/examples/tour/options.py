"""Options by the names of the command line, and what is refused."""

import bivalve
from bivalve import Context, Solver, sat

ctx = Context()
solver = Solver(ctx, sat="batsat", rewrite_level=1, small_models=True, conflict_limit=100_000, array_lemmas="each")
for row in bivalve.options():
    print(f"{row['name']} {solver.get(row['name'])}: {row['help']}")
# A wrong name or value is an error where it is set, not where it is used.
for wrong in ({"sat": "minisat"}, {"seed": "x"}, {"sed": 1}):
    try:
        solver.set(**wrong)
        raise AssertionError("it is refused")
    except ValueError as refusal:
        print(refusal)

x = ctx.bv_symbol("x", 8)
solver.add(x * x == 0x51)
assert solver.check() == sat
print(f"a small root: {solver.model()[x]}")
