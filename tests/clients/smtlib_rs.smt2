; argv: z3 smtlib2_compliant=true -in
; smtlib-rs: print-success first, then a time limit in milliseconds.
(set-option :print-success true)
(set-option :timeout 5000)
(set-logic QF_BV)
(declare-const x (_ BitVec 12))
(declare-const p Bool)
(assert (=> p (= ((_ rotate_left 4) x) #b000010101100)))
(push 1)
(check-sat-assuming (p (not (= x #b000000001010)) (bvult x #b111100000000)))
(get-model)
(pop 1)
(check-sat)
(exit)
