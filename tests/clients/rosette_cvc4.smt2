; argv: cvc4 -L smt2 -q -m --bv-div-zero-const --fp-exp --decision=justification --simplification=none --force-logic=QF_BV
; Rosette with CVC4: flags of its own.
(set-logic QF_BV)
(declare-fun c0 () (_ BitVec 4))
(assert (= (bvudiv c0 #x0) (bvnot c0)))
(check-sat)
(get-model)
