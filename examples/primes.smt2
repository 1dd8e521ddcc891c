; Two factors of a prime number, none of them 1: there are none, which takes some hundred conflicts to see.
(set-logic QF_BV)
(declare-const x (_ BitVec 11))
(declare-const y (_ BitVec 11))
(assert (bvule x y))
(assert (bvugt x (_ bv1 11)))
(assert (= (bvmul ((_ zero_extend 11) x) ((_ zero_extend 11) y)) (_ bv1048573 22)))
(check-sat)
