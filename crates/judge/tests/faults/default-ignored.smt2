; torture 1 14: internal: the model violates assertion 6 (t65): term t65 (Eq) is worth Bool(false) but its circuit gives Bool(true).
; Found by torture.
; options: --plant default-ignored --rewrite-level 0
; expect: sat
(declare-const a (Array (_ BitVec 2) (_ BitVec 2)))
(assert (= a ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b10)))
(check-sat)
