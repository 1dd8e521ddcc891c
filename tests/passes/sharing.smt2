; Two sums have x + z in common.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const w (_ BitVec 8))
(assert (bvult (bvadd x y z) (bvmul y w)))
(assert (bvult (bvadd x w z) (bvmul z w)))
(check-sat)
