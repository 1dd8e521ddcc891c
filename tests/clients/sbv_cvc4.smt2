; argv: cvc4 --lang smt --incremental --interactive --no-interactive-prompt --model-witness-value
; SBV asks for the value of an uninterpreted function; from CVC4 and cvc5 it expects a lambda term.
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
