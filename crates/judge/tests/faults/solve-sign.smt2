; torture 1 20: internal: the model violates assertion 3 (t44): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant solve-sign
; expect: sat
(declare-const a (_ BitVec 2))
(declare-const b (_ BitVec 2))
(assert (and (= false (= ((_ extract 0 0) a) #b0)) (= (bvadd b a) #b00)))
(check-sat)
