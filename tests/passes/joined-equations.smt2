; All branches say what x is: x is (ite c y (ite d z (bvnot z))).
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const c Bool)
(declare-const d Bool)
(assert (ite c (= x y) (ite d (and (= x z) (bvult y z)) (= x (bvnot z)))))
(assert (bvult (bvmul x y) (bvmul x z)))
(check-sat)
