; The index of the store and the element are under its condition.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const e (_ BitVec 1))
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(define-fun on () Bool (= e #b1))
(assert (bvult (select (ite on (store m (ite on x #x00) (bvand y ((_ repeat 8) e))) m) (bvadd x y)) (bvmul x y)))
(check-sat)
