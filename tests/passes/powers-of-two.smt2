; Rounding down to a multiple of a power of two, by a mask and by a quotient.
; expect: unsat
(declare-const x (_ BitVec 10))
(declare-const y (_ BitVec 10))
(assert (= (bvand y (bvsub y (_ bv1 10))) (_ bv0 10)))
(assert (distinct (bvand x (bvneg y)) (bvmul (bvudiv x y) y)))
(check-sat)
