; Only the two halves of x are used: each becomes a symbol.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (bvult (bvmul ((_ extract 7 4) x) ((_ extract 7 4) y)) ((_ extract 3 0) y)))
(assert (bvult (bvmul ((_ extract 3 0) x) ((_ extract 3 0) x)) ((_ extract 7 4) x)))
(check-sat)
