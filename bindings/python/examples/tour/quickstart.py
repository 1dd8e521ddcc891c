"""Sorts, terms, assertions, a check, and the values of a model."""

from bivalve import Context, Solver, sat

ctx = Context()
x, y = ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8)
f = ctx.function("f", [ctx.bv_sort(8), ctx.bv_sort(4)], ctx.bv_sort(8))
a = ctx.array_symbol("a", 8, 8)

solver = Solver(ctx)
# x + 2 is less than y, and the sum does not wrap around.
solver.add((x + 2).ult(y), ~x.uadd_overflows(2))
# a[x] = f(y, the low half of x), and y is even.
solver.add(a[x] == f(y, x[3:0]), y[0] == 0)

assert solver.check() == sat
model = solver.model()
print(f"x = {model[x]}, y = {model[y]:#x}, a[x] = {model[a[x]]}")
assert model[x] < model[y]
print(model, end="")
