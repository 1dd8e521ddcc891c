; torture 1 1: check 1: unsat instead of sat.
; Found by torture.
; options: --plant cnf-conjunction --rewrite-level 0 --probe off
; expect: sat
(declare-const a Bool)
(declare-const b (_ BitVec 3))
(assert (and (= (bvnego b) a) (= b #b000)))
(check-sat)
