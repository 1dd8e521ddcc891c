; A quotient of a choice is told that it is one of the two that are there, so it is not above both.
; expect: unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const c Bool)
(assert (bvult (bvudiv x z) (bvudiv (ite c x y) z)))
(assert (bvult (bvudiv y z) (bvudiv (ite c x y) z)))
(check-sat)
