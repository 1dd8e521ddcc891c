"""Wrong arguments and wrong states are exceptions of z3's kind."""

from z3 import *

x, w, p = BitVec("x", 8), BitVec("w", 9), Bool("p")
a = Array("a", BitVecSort(8), BitVecSort(8))
f = Function("f", BitVecSort(8), BoolSort())
wrong = [
    lambda: x + w, lambda: x == p, lambda: ULT(x, w), lambda: Extract(9, 0, x), lambda: Extract(0, 3, x),
    lambda: x + "a", lambda: And(x, p), lambda: Not(x), lambda: Solver().pop(), lambda: Solver().model(),
    lambda: bool(x > 1), lambda: Solver().add(x), lambda: BitVec("y", 0), lambda: f(w), lambda: f(x, x), lambda: a[w],
    lambda: Store(a, x, w), lambda: If(p, x, w), lambda: If(x, x, x), lambda: Concat(x), lambda: Concat(x, p),
    lambda: substitute(x, x),
    lambda: Implies(x, p), lambda: Distinct(x, p), lambda: (x + 1).arg(2), lambda: RepeatBitVec(0, x),
]  # fmt: skip
for i, attempt in enumerate(wrong):
    try:
        print(i, "accepted", attempt())
    except Z3Exception:
        print(i, "refused")
    except (TypeError, IndexError, AssertionError) as error:
        print(i, "refused", type(error).__name__)
