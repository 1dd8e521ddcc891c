; x is y + 1 and is replaced by it; its value comes back for the model.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (= x (bvadd y #x01)))
(assert (bvult (bvmul x x) (bvmul y z)))
(check-sat)
