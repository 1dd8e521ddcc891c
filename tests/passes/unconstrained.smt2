; x occurs once, so the sum is any value whatever y is.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (= (bvadd x (bvmul y y)) (bvmul y z)))
(assert (bvult y z))
(check-sat)
