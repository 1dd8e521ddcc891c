; Exclusive ors of the same words in another order, under a rotation, are one word.
; expect: unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(define-fun one () (_ BitVec 8) (bvxor (bvxor x y) z))
(define-fun other () (_ BitVec 8) (bvxor (concat ((_ extract 4 0) x) ((_ extract 7 5) x))
  (bvxor (concat ((_ extract 4 0) z) ((_ extract 7 5) z)) (concat ((_ extract 4 0) y) ((_ extract 7 5) y)))))
(define-fun turned () (_ BitVec 8) (concat ((_ extract 4 0) one) ((_ extract 7 5) one)))
(assert (distinct (bvmul turned (bvadd x (bvmul y z))) (bvmul other (bvadd x (bvmul y z)))))
(check-sat)
