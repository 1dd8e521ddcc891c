; torture 1 14: internal: the model violates assertion 7 (t79): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant rule-write-write --rewrite-from 0
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(assert (= (store (store a #b0 #b1) #b0 #b0) a))
(check-sat)
