"""Text: terms, sorts, values and models in SMT-LIB syntax."""

from bivalve import Context, Solver, sat

ctx = Context()
x, a = ctx.bv_symbol("x", 8), ctx.array_symbol("a b", 8, 8)
square = x * x
formula = a.store(square, 1)[square + 1].ugt(square)
print(formula)
assert str(square) == "(bvmul x x)"
print("sort of the array:", a.sort)

solver = Solver(ctx)
solver.add(formula, x == 3)
assert solver.check() == sat
nine = solver.model()[square]
print(f"{nine} is {nine:#x} in hexadecimal and {nine:08b} in binary")
print(solver.model(), end="")
# A whole script, to be read by any solver.
print(solver.to_smt2(), end="")
