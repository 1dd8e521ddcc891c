; A chain of jumps by the sign and the overflow flag, as a processor compares.
; expect: unsat
(define-fun less ((a (_ BitVec 24)) (b (_ BitVec 24))) Bool
  (= #b1 ((_ extract 23 23) (bvxor (bvsub a b) (bvand (bvxor a b) (bvxor a (bvsub a b)))))))
(declare-const x (_ BitVec 24))
(declare-const y (_ BitVec 24))
(declare-const z (_ BitVec 24))
(assert (less x y))
(assert (less y z))
(assert (bvslt z x))
(check-sat)
