; torture 1 18: what is to blame is satisfiable: a0.
; Found by torture.
; options: --plant adder-carry --rewrite-from 0 --probe off
; expect: sat
(declare-const a (_ BitVec 9))
(assert (! (bvssubo a #b111111111) :named a0))
(check-sat)
