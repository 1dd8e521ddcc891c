; torture 1 9: internal: the model violates assertion 2 (t97): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant slt-bit
; expect: unsat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(check-sat-assuming ((bvsge #b1 (ite (distinct a a) #b1 #b0))))
