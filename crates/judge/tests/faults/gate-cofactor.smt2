; torture 1 45: internal: the model violates assertion 1 (t16): term t9 (BvSdiv) is worth BitVec(0[7]) but its circuit gives BitVec(32[7]).
; Found by torture.
; options: --plant gate-cofactor
; expect: unsat
(declare-const a (_ BitVec 3))
(assert (= (bvsdiv a (bvsdiv a #b010)) #b000))
(check-sat)
