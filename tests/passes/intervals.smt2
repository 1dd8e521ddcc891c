; The product of two numbers below 4 has four bits.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (bvult x #x04))
(assert (bvult y #x04))
(assert (bvult z (bvmul x y)))
(check-sat)
