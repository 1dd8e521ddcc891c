; Becker's thesis (2021, example 14): two constant arrays over four bits, one write to each, at the same index. Z3 4.8.12
; answered sat. Fifteen writes are too few to make up for the difference, sixteen are enough, and sixteen of which two are
; to one index are not.
; expect: unsat
; expect: unsat
; expect: unsat
; expect: sat
; expect: unsat
(set-logic QF_ABV)
(define-sort A () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const a A)
(push 1)
(assert (= (store ((as const A) #x00) #x0 #x01) (store ((as const A) #x01) #x0 #x00)))
(check-sat)
(pop 1)
(push 1)
(declare-const i (_ BitVec 4))
(declare-const j (_ BitVec 4))
(assert (= (store ((as const A) #x00) i #x01) (store ((as const A) #x01) j #x00)))
(check-sat)
(pop 1)
(declare-const x (_ BitVec 4))
(assert (= a (store (store (store (store (store (store (store (store (store (store (store (store (store (store (store
  ((as const A) #x00) #x0 #x01) #x1 #x01) #x2 #x01) #x3 #x01) #x4 #x01) #x5 #x01) #x6 #x01) #x7 #x01) #x8 #x01) #x9 #x01)
  #xa #x01) #xb #x01) #xc #x01) #xd #x01) #xe #x01)))
(push 1)
(assert (= a ((as const A) #x01)))
(check-sat)
(pop 1)
(assert (= (store a x #x01) ((as const A) #x01)))
(check-sat)
(assert (distinct x #xf))
(check-sat)
