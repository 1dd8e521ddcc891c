"""Arrays: reads, writes, constant arrays, equality, and their values."""

from bivalve import Context, Solver, sat, unsat

ctx = Context()
a, i, j = ctx.array_symbol("a", 16, 8), ctx.bv_symbol("i", 16), ctx.bv_symbol("j", 16)
solver = Solver(ctx, rewrite_level=0, probe=False)

# Writes at different places commute.
left, right = a.store(i, 1).store(j, 2), a.store(j, 2).store(i, 1)
assert solver.check(left != right, i != j) == unsat
assert solver.check(left != right) == sat
# An array that is zero everywhere but at one place.
zeros = ctx.const_array(a.sort, 0)
assert solver.check(a == zeros.store(7, 1), a[i] != 0) == sat
model = solver.model()
value = model[a]
print(f"i = {model[i]}, a = {value}")
assert model[i] == 7 and value.entries == {7: 1} and value.default == 0
lemmas = solver.statistics()["arrays"]
print("lemmas:", {rule: count for rule, count in lemmas.items() if count})
assert lemmas["congruence"] > 0
