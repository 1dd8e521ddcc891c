; Between two constant arrays lie one equality and one store; the store was counted twice, for the equality leads to it,
; and two would have been enough to write all indices of one bit. So the lemma for fewer stores than indices was not
; made, the one for so many could not be made, and the answer was `unknown`.
; Found by the campaign over arrays: a minimal core had a member too many, because the search without it gave up.
; expect: unsat
; expect: sat
; expect: unsat
(set-logic QF_ABV)
(declare-const x (_ BitVec 2))
(declare-const i (_ BitVec 1))
(declare-const e (_ BitVec 2))
(push 1)
(assert (= (store ((as const (Array (_ BitVec 1) (_ BitVec 2))) (bvadd x #b01)) i e)
           ((as const (Array (_ BitVec 1) (_ BitVec 2))) x)))
(check-sat)
(pop 1)
(assert (= (store ((as const (Array (_ BitVec 1) (_ BitVec 2))) (bvudiv x x)) i e)
           ((as const (Array (_ BitVec 1) (_ BitVec 2))) x)))
(check-sat)
(assert (= e #b00))
(check-sat)
