; torture 1 2484: what is to blame is satisfiable: a1.
; Found by torture.
; options: --plant rule-increment --rewrite-from 0
; expect: sat
(declare-const a (_ BitVec 2))
(assert (! (bvuge a (bvadd #b01 a)) :named a1))
(check-sat)
