"""Copies of solvers, expressions and answers, in the same context and in another one."""

import copy
import pickle

from z3 import *

x, wide = BitVec("x", 8), BitVec("x", 16)
odd, piped = Bool("true"), BitVec("a|b", 8)
S = DeclareSort("S")
a, b = Consts("a b", S)
f = Function("f", S, BitVecSort(8), S)


def copies(solver):
    return [copy.copy(solver), copy.deepcopy(solver), solver.translate(Context())]


s = Solver()
s.assert_and_track(x == 1, "p")
s.add(wide != 3)
s.push()
s.assert_and_track(x == 2, "q")
print(s.assertions())
for c in copies(s):
    print(c.num_scopes(), c.check(), sorted(map(str, c.unsat_core())), c.assertions())
s.pop()
for c in copies(s):
    print(c.check(), c.model()[BitVec("x", 8, c.ctx)])

s = Solver()
s.add(x == 1, wide == 2, odd, piped == 3, f(a, x) != b, K(BitVecSort(4), x)[0] == 1)
c = s.translate(Context())
print(*c.assertions(), c.check())
for symbol in (x, wide, odd, piped):
    print(symbol, c.model()[symbol.translate(c.ctx)])
print(f.translate(c.ctx) == Function("f", DeclareSort("S", c.ctx), BitVecSort(8, c.ctx), DeclareSort("S", c.ctx)))
print(S.translate(c.ctx) == DeclareSort("S", c.ctx), x.translate(c.ctx).eq(BitVec("x", 8, c.ctx)))

print(copy.deepcopy([x, f, S, sat, x.sort()]))
print(pickle.loads(pickle.dumps({"answer": unsat})))
