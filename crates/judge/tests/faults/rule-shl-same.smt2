; torture 1 32: what is to blame is satisfiable: a0.
; Found by torture.
; options: --plant rule-shl-same --rewrite-from 0
; expect: sat
(declare-const a (_ BitVec 2))
(assert (! (bvult #b0 ((_ extract 1 1) (bvshl a a))) :named a0))
(check-sat)
