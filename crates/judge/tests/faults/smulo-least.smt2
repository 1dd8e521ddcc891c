; torture 1 5: internal: the model violates assertion 1 (t77): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant smulo-least --probe off
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(assert (= false (bvsmulo (ite (distinct ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b0) a) #b1 #b0) #b1)))
(check-sat)
