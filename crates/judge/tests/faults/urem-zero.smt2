; torture 1 77: internal: the model violates assertion 1 (t13): term t13 (BvUgt) is worth Bool(false) but its circuit gives Bool(true).
; Found by torture.
; options: --plant urem-zero --probe off
; expect: sat
(declare-const a (_ BitVec 3))
(assert (bvugt a (bvurem a (bvurem #b100 a))))
(check-sat)
