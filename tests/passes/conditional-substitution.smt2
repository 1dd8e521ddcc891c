; Two guarded equations are one: x is (ite c y z).
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const c Bool)
(assert (=> c (= x y)))
(assert (=> (not c) (= x z)))
(assert (bvult (bvmul x y) (bvmul x z)))
(check-sat)
