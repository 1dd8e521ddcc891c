(declare-const x (_ BitVec 8))
(assert (bvult x #x0100))
(assert (bvlut x #x10))
(check-sat)
