; The upper half of a product, put together from four products of halves.
; expect: unsat
(declare-const a (_ BitVec 24))
(declare-const b (_ BitVec 24))
(define-fun low ((x (_ BitVec 24))) (_ BitVec 24) (bvand x #x000fff))
(define-fun high ((x (_ BitVec 24))) (_ BitVec 24) (bvlshr x #x00000c))
(define-fun first () (_ BitVec 24) (bvadd (bvmul (high a) (low b)) (high (bvmul (low a) (low b)))))
(define-fun second () (_ BitVec 24) (bvadd (bvmul (low a) (high b)) (low first)))
(assert (distinct
  (bvadd (bvmul (high a) (high b)) (high first) (high second))
  ((_ extract 47 24) (bvmul ((_ zero_extend 24) a) ((_ zero_extend 24) b)))))
(check-sat)
