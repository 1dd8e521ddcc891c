; torture 1 143: internal: the model violates assertion 1 (t13): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant lower-neighbours
; expect: unsat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 1)))
(assert (distinct b a b))
(check-sat)
