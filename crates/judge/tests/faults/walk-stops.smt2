; torture 1 73: internal: the model violates assertion 8 (t173): term t170 (Eq) is worth Bool(false) but its circuit gives Bool(true).
; Found by torture.
; options: --plant walk-stops --rewrite-level 0
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 1)))
(assert (= (store b (select b #b0) #b0) a))
(check-sat-assuming ((= (= (select b #b0) #b0) false)))
