; (x & y) + ((x ^ y) >> 1) is the average, rounded down, of any two words; one more bit shows what is meant.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(define-fun clever () (_ BitVec 32) (bvadd (bvand x y) (bvlshr (bvxor x y) #x00000001)))
(define-fun sum () (_ BitVec 33) (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)))
(assert (distinct clever ((_ extract 32 1) sum)))
(check-sat)
