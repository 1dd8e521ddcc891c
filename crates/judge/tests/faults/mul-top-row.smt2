; torture 1 78: internal: the model violates assertion 6 (t49): term t47 (BvMul) is worth BitVec(192[8]) but its circuit gives BitVec(64[8]).
; Found by torture.
; options: --plant mul-top-row
; expect: unsat
(assert (= (bvmul #x01 #xc0) #x40))
(check-sat)
