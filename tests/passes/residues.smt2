; A number and the sum of its digits to base 16 have one remainder by 15.
; expect: unsat
(declare-const x (_ BitVec 12))
(define-fun sum () (_ BitVec 12)
  (bvadd ((_ zero_extend 8) ((_ extract 3 0) x)) ((_ zero_extend 8) ((_ extract 7 4) x))
    ((_ zero_extend 8) ((_ extract 11 8) x))))
(assert (distinct (bvurem sum #x00f) (bvurem x #x00f)))
(check-sat)
