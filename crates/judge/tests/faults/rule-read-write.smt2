; torture 1 52: check 1: unsat instead of sat.
; Found by torture.
; options: --plant rule-read-write --rewrite-from 0
; expect: sat
(assert (= (select (store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1) #b0 #b0) #b0) #b0))
(check-sat)
