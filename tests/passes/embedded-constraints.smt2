; What is asserted is true in the condition of the choice.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (bvult x y))
(assert (bvult (ite (bvult x y) (bvmul x z) (bvmul y z)) (bvmul x y)))
(check-sat)
