; A product of sums is a difference of squares.
; expect: unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (distinct (bvmul (bvadd x y) (bvsub x y)) (bvsub (bvmul x x) (bvmul y y))))
(check-sat)
