; Exchange neighbours, then pairs, then halves. To reverse twice changes nothing, and the ends change places.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(define-fun step ((x (_ BitVec 8)) (mask (_ BitVec 8)) (n (_ BitVec 8))) (_ BitVec 8)
  (bvor (bvand (bvlshr x n) mask) (bvshl (bvand x mask) n)))
(define-fun reverse ((x (_ BitVec 8))) (_ BitVec 8) (step (step (step x #x55 #x01) #x33 #x02) #x0f #x04))
(assert (or (distinct (reverse (reverse x)) x) (distinct ((_ extract 0 0) (reverse x)) ((_ extract 7 7) x))))
(check-sat)
