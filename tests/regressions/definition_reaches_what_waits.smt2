; A check that is answered before any gate is built (here by probing: zeros do) leaves its conjuncts waiting for their
; clauses. Their symbols were frozen nowhere, so a later assertion could define them; the definition was dropped, the
; waiting conjunct never heard of it, and the model of the rest violated it: an internal error instead of an answer.
; Found by the differential campaign (pinned formulas, checked half way).
; expect: sat
; expect: unsat
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvule x y))
(check-sat)
(assert (= x #x5))
(assert (= y #x3))
(check-sat)
