"""SMT-LIB in and out."""

from z3 import *

x = BitVec("x", 8)
found = parse_smt2_string("(declare-const x (_ BitVec 8)) (assert (bvugt x #x03)) (assert (bvult x #x05))")
s = Solver()
s.add(found)
s.add(x != 5)
print(len(found), found[0], s.check(), s.model()[x])
more = parse_smt2_string("(assert (= x #x09))", decls={"x": x})
print(s.check(more[0]), eq(more[0], x == 9))
s = Solver()
s.from_string("(declare-fun f ((_ BitVec 4)) Bool) (declare-const x (_ BitVec 8)) (assert (f ((_ extract 3 0) x)))")
s.add(Not(Function("f", BitVecSort(4), BoolSort())(Extract(3, 0, x))))
print(s.check())
again = Solver()
again.from_string(s.to_smt2())
print(again.check(), len(again.assertions()))
for text in ("(assert (foo))", "(assert", "(declare-const x (_ BitVec 8)) (assert x)"):
    try:
        print("read", parse_smt2_string(text))
    except Z3Exception:
        print("refused")
