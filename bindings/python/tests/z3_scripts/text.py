"""Expressions as they are printed, and what they are made of."""

from z3 import *

x, y = BitVecs("x y", 8)
p, q = Bools("p q")
a = Array("a", BitVecSort(8), BitVecSort(8))
f = Function("f", BitVecSort(8), BoolSort(), BitVecSort(8))
exprs = [
    x + 1 == y, (x + y) * 2 - 1, x - (y - 1), x - y - 1, -(x + y), ~x & y | 3, (x & y) == 1, x << 2 >> y, x / y % 3,
    ULT(x, y), ULE(x, y), UGT(x, y), UGE(x, y), UDiv(x, 3), URem(x, 3), SRem(x, 3), LShR(x, 1), Concat(x, y),
    Concat(x, y, x), Extract(3, 0, x), ZeroExt(2, x), SignExt(1, x), RepeatBitVec(2, x), RotateLeft(x, 2),
    RotateRight(x, y), If(p, x, y), If(p, x, 3), And(p, q, x > y), Or(p, Not(q)), And([p, q]), Implies(p, q),
    Xor(p, q), Distinct(x, y, 1), x != y, a[x], Store(a, x, 1)[y], K(BitVecSort(8), BitVecVal(0, 8)), f(x, p),
    BitVecVal(-1, 8), BitVecVal(300, 8), p == q, Not(x == y), x * y + 1, 2 * (x + 1), x + (y + 1), (x + y) + 1,
    ~(~x), -(-x), -x * 2, ~(x + 1), x - 1 + y, x < y, 1 < x, p & q | ~p, x.sort(), a.sort(), p.sort(), BoolVal(True),
]  # fmt: skip
for expr in exprs:
    print(expr)
print(x.sexpr(), (x + 1).decl().name(), (x + 1).num_args(), (x + 1).arg(1).as_long(), f.name(), f.arity())
print(f.domain(0), f.domain(1), f.range(), a.domain(), a.range(), x.size(), x.sort().size())
print(BitVecVal(200, 8).as_long(), BitVecVal(200, 8).as_signed_long(), BitVecVal("200", 8).as_string())
