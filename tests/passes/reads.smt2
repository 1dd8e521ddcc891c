; Both choices of the array have been written at the index that is read.
; expect: sat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const c Bool)
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(assert (bvult (select (ite c (store a x y) (store a x z)) x) (bvmul y z)))
(check-sat)
