; torture 1 30: check 1: unsat instead of sat.
; Found by torture.
; options: --plant witness-fixed
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(assert (not (= (store a #b1 #b0) a)))
(check-sat)
