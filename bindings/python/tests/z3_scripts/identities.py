"""Identities from Hacker's Delight, and one that is none."""

from z3 import *

x, y = BitVecs("x y", 16)
prove(x + y == (x ^ y) + 2 * (x & y))
prove((x | y) - (x & y) == x ^ y)
prove(-~x == x + 1)
prove(x & -x == x & (~x + 1))
prove(Implies(x > 0, x & (x - 1) < x))
prove(If(x < y, x, y) == y ^ ((x ^ y) & -ZeroExt(15, If(x < y, BitVecVal(1, 1), BitVecVal(0, 1)))))
prove(UDiv(x, 8) == LShR(x, 3))
prove((x >> 15 ^ x) - (x >> 15) == If(x < 0, -x, x))
prove(ULT(x, y) == Not(UGE(x, y)))
s = Solver()
s.add(Not(x / 2 == x >> 1))
print(s.check(), s.model().eval(And(x < 0, x & 1 == 1)))
p, q = Bools("p q")
prove(Not(And(p, q)) == Or(Not(p), Not(q)))
solve(x > y, y > x)
