; x - y < 0 instead of x < y is wrong where the difference overflows, and only there.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (distinct (bvslt (bvsub x y) #x00000000) (bvslt x y)))
(check-sat)
(assert (not (bvssubo x y)))
(check-sat)
