"""Texts that are longer than a line, deep, or cut by the options of the printer."""

from z3 import *

xs = [BitVec(f"variable_{i}", 8) for i in range(9)]
ps = [Bool(f"proposition_{i}") for i in range(9)]
total = sum(xs)
memory, f = Array("memory", BitVecSort(8), BitVecSort(8)), Function("f", BitVecSort(8), BitVecSort(8), BitVecSort(8))
stored = memory
for x in xs:
    stored = Store(stored, x, 1)
for expr in [
    total, And(ps), Or(And(ps), ps[0]), Implies(And(ps), Or(ps[:5])), total == xs[0] * total, If(And(ps), xs[0], total),
    Not(And(ps)), stored, stored[xs[0]], memory[total], f(total, xs[0]) + f(xs[1], total), Concat(xs), ~total, -total,
    Extract(3, 0, total), ULT(total, xs[0]), ps[0] == And(ps), xs[0] != total, xs[0] << total, total - total,
    K(BitVecSort(8), total), Xor(And(ps), ps[0]), Distinct(xs), And(xs[0] == 1, And(ps), xs[1] == 2), And(ps[:4]),
]:  # fmt: skip
    print(expr)
deep, nested = xs[0], ps[0]
for _ in range(25):
    deep, nested = (deep + 1) * xs[1], And(Not(nested), ps[1])
print(deep)
print(nested)
print(And([xs[0] == i for i in range(140)]))

s = Solver()
s.add(ps)
print(s)
s = Solver()
s.add(xs[0] == 1, And(ps[:4]))
print(s)
s.add([Bool(f"a_long_name_of_a_proposition_{i}") == (xs[0] == i) for i in range(9)])
s.check()
print(sorted(str(s.model()).replace("[", " ").replace("]", ",").split("\n"))[0].count("="))

for option, value, default in [
    ("max_width", 30, 60), ("max_args", 3, 128), ("max_lines", 5, 200), ("max_indent", 5, 40), ("max_depth", 2, 20)
]:  # fmt: skip
    set_option(**{option: value})
    print(Or(And(ps), Not(Or(ps[0], ps[1]))))
    set_option(**{option: default})
