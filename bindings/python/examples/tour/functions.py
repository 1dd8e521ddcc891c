"""Uninterpreted functions and sorts."""

from bivalve import Context, Solver, sat, unsat

ctx = Context()
state = ctx.declare_sort("State")
step = ctx.function("next", [state], state)
s, is_final = ctx.symbol("s", state), ctx.function("final", [state], ctx.bool_sort())


def after(steps):
    """The state after so many steps."""
    term = s
    for _ in range(steps):
        term = step(term)
    return term


# After five steps and after three the state is the same: so it is after one.
solver = Solver(ctx)
solver.add((after(5) == s) & (after(3) == s))
assert solver.check(after(1) != s) == unsat
solver.add(is_final(after(4)))
assert solver.check(~is_final(s)) == unsat
assert solver.check() == sat
model = solver.model()
print(model, end="")
print("next:", model[step].entries, "else", model[step].default)
