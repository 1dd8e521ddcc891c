; Two different powers of two do not add up to a power of two.
; expect: unsat
(declare-const x (_ BitVec 400))
(declare-const y (_ BitVec 400))
(define-fun is-power ((word (_ BitVec 400))) Bool
  (and (distinct word (_ bv0 400)) (= (bvand word (bvsub word (_ bv1 400))) (_ bv0 400))))
(assert (is-power x))
(assert (is-power y))
(assert (is-power (bvadd x y)))
(assert (distinct x y))
(check-sat)
