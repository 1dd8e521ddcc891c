; torture 1 446: check 1: unsat instead of sat.
; Found by torture.
; options: --plant rule-increment --rewrite-from 0
; expect: sat
(declare-const a (_ BitVec 2))
(assert (not (bvult a (bvadd #b01 a))))
(check-sat)
