; Rounding down to a multiple of a power of two, by a mask and by a quotient.
; expect: unsat
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(assert (= (bvand y (bvsub y (_ bv1 64))) (_ bv0 64)))
(assert (distinct (bvand x (bvneg y)) (bvmul (bvudiv x y) y)))
(check-sat)
