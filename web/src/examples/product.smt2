; The factors of a product of two large primes: this takes longer than anyone waits. Stop it.
(set-logic QF_BV)
(declare-const x (_ BitVec 128))
(declare-const y (_ BitVec 128))
(assert (= (bvmul x y) #x800000000000009000000000000010af))
(assert (bvult (_ bv1 128) x))
(assert (bvult x y))
(assert (not (bvumulo x y)))
(check-sat)
