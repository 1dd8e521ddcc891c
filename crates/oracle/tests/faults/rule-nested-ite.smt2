; torture 1 110: internal: the model violates assertion 4 (t71): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant rule-nested-ite --rewrite-from 0
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const b Bool)
(declare-const c (Array (_ BitVec 1) (_ BitVec 1)))
(assert (= (ite true a (ite b a c)) ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1)))
(check-sat)
