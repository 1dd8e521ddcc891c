; torture 1 7: internal: the model violates assertion 1 (t130): term t28 (BvSmod) is worth BitVec(0[2]) but its circuit gives BitVec(3[2]).
; Found by torture.
; options: --plant smod-exact
; expect: unsat
(assert (bvult #b00 (bvsmod #b11 #b01)))
(check-sat)
