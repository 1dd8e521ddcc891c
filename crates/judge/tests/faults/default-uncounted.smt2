; torture 1 299: check 1: unsat instead of sat.
; Found by torture.
; options: --plant default-uncounted --probe off
; expect: sat
(assert (= (store ((as const (Array Bool (_ BitVec 1))) #b1) true #b0) (store ((as const (Array Bool (_ BitVec 1))) #b0) false #b1)))
(check-sat)
