"""Arguments from iterators, empty sums, Booleans as factors, and the elements of declared sorts."""

from z3 import *

x, y = BitVecs("x y", 8)
p = Bool("p")
print(Or(x == v for v in (1, 2)), And(x != v for v in (1, 2)), Distinct(v for v in (x, y)))
print(simplify(Product(v for v in (x, y)) == x * y), Concat(v for v in (x, y)))
s = Solver()
s.add(x == v for v in (1,))
s.add([y == 2, p])
print(s, s.check(y != v for v in (2,)), s.check(iter([p])))
print(Sum([]), Sum(), Product([]), p * x, x.sort_kind() == Z3_BV_SORT, Z3_L_TRUE, Z3_L_FALSE, Z3_L_UNDEF)
print(obj_to_string(x == 1), set_pp_option("max_lines", 10), substitute_vars(x == 1, y))

S, T = DeclareSort("S"), DeclareSort("T")
a, b, c = Consts("a b c", S)
f = Function("f", S, S)
s = Solver()
s.add(Distinct(a, b, f(c)))
print(s.check())
m = s.model()
universe = m[S]
print(m.sorts(), len(universe) >= 3, len({str(element) for element in universe}) == len(universe))
print(all(any(m[symbol].eq(element) for element in universe) for symbol in (a, b, c)))
print([len(m.get_universe(S)) == len(universe), m[T], m.get_universe(BoolSort())])
