"""Cardinalities, weights, kinds of sorts, texts: what public scripts ask for beside the operators."""

from z3 import *

names = Bools("p q r s")
p, q, r, s = names


def number(formula):
    """The number of models over the four names."""
    solver, count = Solver(), 0
    solver.add(formula)
    while solver.check() == sat:
        count += 1
        model = solver.model()
        solver.add(Or([name != model.eval(name, True) for name in names]))
    return count


for k in range(-1, 6):
    counts = [number(AtMost(p, q, r, s, k)), number(AtLeast(p, q, r, s, k))] if k >= 0 else []
    weights = [(p, 3), (q, 1), (r, 2), (s, 2)]
    print(k, *counts, number(PbLe(weights, k)), number(PbGe(weights, k)), number(PbEq(weights, k)))
prove(PbLe([(p, 1), (q, 1)], 1) == Not(And(p, q)))
prove(Implies(AtMost(p, q, r, 1), Or(Not(p), Not(q))))

x, y = BitVecs("x y", 8)
prove(BvNand(x, y) == ~(x & y))
prove(BvNor(x, y) == ~(x | y))
prove(BvXnor(x, y) == ~(x ^ y))
A = DeclareSort("A")
for sort in [BoolSort(), BitVecSort(8), ArraySort(BitVecSort(8), BoolSort()), A]:
    print(sort, sort.kind() == Z3_BV_SORT, sort.kind() == Z3_BOOL_SORT, sort.kind() == Z3_ARRAY_SORT)
print(A.kind() == Z3_UNINTERPRETED_SORT)
print((x + 10).sexpr(), BitVecVal(5, 3).sexpr(), BitVecVal(0xABC, 12).sexpr(), Bool("#b0101").sexpr())
a, b = Consts("a b", A)
solver = Solver()
solver.add(a != b)
print(solver.check(), solver.model().sorts(), solver.model().num_sorts(), solver.model().get_sort(0))
