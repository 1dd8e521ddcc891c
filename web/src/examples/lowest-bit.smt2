; x & -x is the lowest bit of x that is set, and x & (x - 1) is x without it.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(define-fun lowest () (_ BitVec 32) (bvand x (bvneg x)))
(define-fun rest () (_ BitVec 32) (bvand x (bvsub x #x00000001)))
(assert (or (distinct (bvor lowest rest) x) (distinct (bvand lowest rest) #x00000000)))
(check-sat)
