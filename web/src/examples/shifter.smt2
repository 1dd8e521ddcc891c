; Four stages, each of which shifts by a power of two or not, beside the shift.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(declare-const n (_ BitVec 16))
(define-fun stage ((x (_ BitVec 16)) (by (_ BitVec 16))) (_ BitVec 16)
  (ite (= (bvand n by) #x0000) x (bvshl x by)))
(assert (bvult n #x0010))
(assert (distinct (bvshl x n) (stage (stage (stage (stage x #x0001) #x0002) #x0004) #x0008)))
(check-sat)
