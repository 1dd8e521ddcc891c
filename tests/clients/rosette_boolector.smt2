; argv: boolector -m --smt2 -i --output-format=smt2
; Rosette with Boolector: in functions Bool is a bit-vector of width 1, as Boolector prints it.
(set-logic QF_UFBV)
(declare-fun c0 () Bool)
(declare-fun f1 (Bool (_ BitVec 4)) Bool)
(declare-fun f2 ((_ BitVec 4)) (_ BitVec 4))
(assert (f1 c0 #x3))
(assert c0)
(assert (= (f2 #x1) #xa))
(check-sat)
(get-model)
