; torture 1 13: check 1: unsat instead of sat.
; Found by torture.
; options: --plant ashr-fill --probe off
; expect: sat
(assert (= (bvnot (bvashr #b1 #b1)) #b0))
(check-sat)
