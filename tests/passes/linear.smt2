; Three equations modulo 256 without a common solution: twice the first is the sum of the others but for the constant.
; expect: unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(assert (= (bvadd (bvmul #x02 x) (bvmul #x04 y)) #x06))
(assert (= (bvadd (bvmul #x02 x) (bvmul #x04 z)) #x08))
(assert (= (bvsub y z) #x01))
(check-sat)
