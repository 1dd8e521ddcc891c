"""Ending a check: by limits of steps, of time, and from another thread. Ctrl-C ends one, too."""

import threading

from bivalve import Context, Solver, unknown

ctx = Context()
x, y, z = (ctx.bv_symbol(name, 48) for name in "xyz")
# Multiplication is associative, which is hard to see for circuits of so many bits.
hard = (x * y) * (z + 1) != x * (y * (z + 1))
solver = Solver(ctx, rewrite_level=0)
solver.add(hard)

# Steps are counted alike on every machine.
assert solver.check(conflicts=100) == unknown
print("after 100 conflicts:", solver.reason_unknown)
assert solver.check(time=0.1) == unknown
print("after 0.1 s:", solver.reason_unknown)
threading.Timer(0.1, solver.interrupt).start()
assert solver.check() == unknown
print("after another thread had asked for it:", solver.reason_unknown)
