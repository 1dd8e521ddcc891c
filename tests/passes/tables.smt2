; The squares of 0 to 3 are written down: a choice by two bits.
; expect: unsat
(declare-const i (_ BitVec 2))
(define-fun squares () (Array (_ BitVec 2) (_ BitVec 8))
  (store (store (store (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #xff) #b00 #x00) #b01 #x01) #b10 #x04) #b11 #x09))
(assert (distinct (select squares i) (bvmul ((_ zero_extend 6) i) ((_ zero_extend 6) i))))
(check-sat)
