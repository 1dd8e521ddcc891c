; torture 1 725: check 1: unsat instead of sat.
; Found by torture.
; options: --plant premise-branch
; expect: sat
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c Bool)
(assert (distinct (ite c a b) b))
(check-sat)
