; argv: bivalve
; A competition: the status is not to be trusted, and one word is all there is on standard output.
(set-info :smt-lib-version 2.6)
(set-info :category "industrial")
(set-info :status sat)
(set-logic QF_BV)
(declare-fun v () (_ BitVec 6))
(assert (not (= (bvxor v v) #b000000)))
(check-sat)
(exit)
