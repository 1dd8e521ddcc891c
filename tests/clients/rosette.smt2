; argv: bitwuzla -m
; Rosette: a model, Booleans as Booleans.
(set-logic QF_BV)
(declare-fun c0 () Bool)
(declare-fun c1 () (_ BitVec 4))
(declare-fun c2 () (_ BitVec 4))
(define-fun e3 () (_ BitVec 4) (ite c0 (bvnot c1) c1))
(assert (= e3 #b1100))
(assert c0)
(assert (= c2 (bvlshr c1 #b0001)))
(check-sat)
(get-model)
