; argv: mathsat -input=smt2 -theory.fp.minmax_zero_mode=4 -theory.bv.eager=true
; SBV with MathSAT: parameters of its theories.
(set-option :print-success true)
(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(assert (= x #x11))
(check-sat)
(get-value (x))
(exit)
