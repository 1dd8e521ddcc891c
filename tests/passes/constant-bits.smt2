; The low bits of x are known from two conjuncts, so two symbols lose them.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (= (bvand x #x0f) #x05))
(assert (= (bvor y #xf0) #xf3))
(assert (bvult (bvmul x y) (bvmul x z)))
(check-sat)
