"""Solvers of tactics, goals, and what else scripts begin with."""

from z3 import *

set_param("parallel.enable", True)
set_param(verbose=0)
x, y = BitVecs("x y", 16)
for tactic in [
    Then(With("simplify", mul2concat=True), "solve-eqs", "bit-blast", "aig", "sat"),
    Then("simplify", "propagate-values", "smt"),
    AndThen(Tactic("simplify"), Tactic("bit-blast"), Tactic("sat")),
    OrElse("qfbv", "smt"),
    ParOr("smt", "qfbv"),
    TryFor(Tactic("qfbv"), 60000),
    Tactic("qfaufbv"),
]:
    s = tactic.solver()
    s.add(x * 32 + y == 13, ULT(y, 14), y & 31 == 13)
    print(s.check(), s.model()[y], s.model().eval(x * 32))

p, q = Bools("p q")
g = Goal()
g.add(Or(p, q), p == False)
print(len(g), g.inconsistent())
print(Then("simplify", "smt")(g)[0])
g.add(Not(q))
left = Tactic("smt")(g)
print(len(left), left[0].inconsistent())
parts = Tactic("split-clause")(Or(p, q))
print(len(parts), [goal.as_expr() for goal in parts], parts.as_expr())
solve_using(SolverFor("QF_BV"), x == 3)
solve(x + 1 == 0, y == x)

try:
    Tactic("no such tactic")
except Z3Exception:
    print("refused")
