; argv: z3 -nw -in -smt2
; SBV asks for the value of an uninterpreted function; from Z3 and Yices it expects a chain of stores.
(set-option :print-success true)
(set-option :global-declarations true)
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(declare-fun p ((_ BitVec 2) Bool) Bool)
(assert (= (f #x01) #x07))
(assert (p #b10 true))
(check-sat)
(get-value (f))
(get-value (p))
(exit)
