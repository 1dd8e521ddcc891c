; The equation is solved for x, since 3 has an inverse modulo 256.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (= (bvmul #x03 x) (bvadd y (bvmul z z))))
(assert (bvult (bvmul x x) (bvmul x y)))
(check-sat)
