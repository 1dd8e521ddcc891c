; torture 1 37: internal: the model violates assertion 1 (t30): term t29 (BvShl) is worth BitVec(0[2]) but its circuit gives BitVec(2[2]).
; Found by torture.
; options: --plant shift-far
; expect: unsat
(assert (bvssubo (bvshl #b11 #b11) #b01))
(check-sat)
