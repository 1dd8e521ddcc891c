; The factors of 1,040,399, where the product of 20 bits must not be cut off.
(set-logic QF_BV)
(declare-const p (_ BitVec 20))
(declare-const q (_ BitVec 20))
(assert (= (bvmul p q) (_ bv1040399 20)))
(assert (and (bvult (_ bv1 20) p) (bvule p q)))
(assert (not (bvumulo p q)))
(check-sat)
(get-value (p q))
