; Three exclusive ors exchange two words.
(set-logic QF_BV)
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(define-fun x1 () (_ BitVec 64) (bvxor x y))
(define-fun y1 () (_ BitVec 64) (bvxor x1 y))
(define-fun x2 () (_ BitVec 64) (bvxor x1 y1))
(assert (not (and (= x2 y) (= y1 x))))
(check-sat)
