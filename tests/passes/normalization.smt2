; Multiplied out, one product is left of four.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const w (_ BitVec 8))
(assert (bvult (bvsub (bvmul (bvadd x y) (bvadd x z)) (bvmul x x) (bvmul x z)) w))
(assert (bvult w (bvmul x y)))
(check-sat)
