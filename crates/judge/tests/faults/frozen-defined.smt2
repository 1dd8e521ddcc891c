; torture 1 985: internal: the model violates assertion 2 (t61): term t2 (Symbol) is worth BitVec(1[1]) but its circuit gives BitVec(0[1]).
; Found by torture.
; options: --plant frozen-defined --probe off
; expect: sat
; expect: sat
(declare-const a (_ BitVec 1))
(declare-fun b ((_ BitVec 1) (_ BitVec 1) (_ BitVec 1)) (_ BitVec 1))
(assert (= a (b a #b0 #b0)))
(check-sat)
(assert (= a #b1))
(check-sat)
