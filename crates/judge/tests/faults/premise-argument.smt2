; torture 1 9013: check 1: unsat instead of sat.
; Found by torture.
; options: --plant premise-argument
; expect: sat
(declare-const a (_ BitVec 1))
(declare-fun b ((_ BitVec 1) (_ BitVec 1)) (_ BitVec 1))
(assert (bvnego (bvsmod (b #b0 a) (b #b0 #b0))))
(check-sat)
