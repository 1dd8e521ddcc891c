; torture 1 2990: check 1: unsat instead of sat.
; Found by torture.
; options: --plant rule-srem-negated --rewrite-from 0
; expect: sat
(declare-const a (_ BitVec 4))
(assert (= (concat (bvsrem (bvneg a) (bvnand a a)) #b1) #b10111))
(check-sat)
