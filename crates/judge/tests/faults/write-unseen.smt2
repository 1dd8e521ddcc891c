; torture 1 4: internal: the model violates assertion 2 (t45): term t37 (Select) is worth BitVec(255[8]) but its circuit gives BitVec(0[8]).
; Found by torture.
; options: --plant write-unseen
; expect: unsat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(assert (= #b0 (select (store a #b0 #b1) #b0)))
(check-sat)
