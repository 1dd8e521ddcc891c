; The upper half of a product, put together from four products of halves.
; expect: unsat
(declare-const a (_ BitVec 6))
(declare-const b (_ BitVec 6))
(define-fun low ((x (_ BitVec 6))) (_ BitVec 6) (bvand x #b000111))
(define-fun high ((x (_ BitVec 6))) (_ BitVec 6) (bvlshr x #b000011))
(define-fun first () (_ BitVec 6) (bvadd (bvmul (high a) (low b)) (high (bvmul (low a) (low b)))))
(define-fun second () (_ BitVec 6) (bvadd (bvmul (low a) (high b)) (low first)))
(assert (distinct
  (bvadd (bvmul (high a) (high b)) (high first) (high second))
  ((_ extract 11 6) (bvmul ((_ zero_extend 6) a) ((_ zero_extend 6) b)))))
(check-sat)
