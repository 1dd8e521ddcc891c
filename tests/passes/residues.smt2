; A number and the sum of its digits to base 16 have one remainder by 15.
; expect: unsat
(declare-const x (_ BitVec 32))
(define-fun sum () (_ BitVec 32)
  (bvadd ((_ zero_extend 28) ((_ extract 3 0) x)) ((_ zero_extend 28) ((_ extract 7 4) x))
    ((_ zero_extend 28) ((_ extract 11 8) x)) ((_ zero_extend 28) ((_ extract 15 12) x))
    ((_ zero_extend 28) ((_ extract 19 16) x)) ((_ zero_extend 28) ((_ extract 23 20) x))
    ((_ zero_extend 28) ((_ extract 27 24) x)) ((_ zero_extend 28) ((_ extract 31 28) x))))
(assert (distinct (bvurem sum #x0000000f) (bvurem x #x0000000f)))
(check-sat)
