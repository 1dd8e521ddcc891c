; torture 1 168: check 2: unsat instead of sat.
; Found by torture.
; options: --plant rule-udiv-zero --rewrite-from 0
; expect: sat
(declare-const a (_ BitVec 1))
(check-sat-assuming ((bvsgt #b0 (bvudiv a #b0))))
