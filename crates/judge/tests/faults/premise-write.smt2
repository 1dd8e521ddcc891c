; torture 1 14: check 1: unsat instead of sat.
; Found by torture.
; options: --plant premise-write
; expect: sat
(declare-const a (_ BitVec 4))
(declare-const b (Array (_ BitVec 4) (_ BitVec 4)))
(assert (= (store b a #xf) (store ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x3) #x8 #xf)))
(check-sat)
