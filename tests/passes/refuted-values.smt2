; Of zero divided by zero both sides are the negative square; of anything else by itself, the square.
; expect: unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct (bvmul (bvmul (bvudiv x x) y) y) (bvmul (bvmul y y) (bvudiv x x))))
(check-sat)
