; Compilers divide by a constant with a product and a shift. Is it the quotient for every byte?
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(define-fun wide () (_ BitVec 16) (bvmul ((_ zero_extend 8) x) #x00ab))
(define-fun quick () (_ BitVec 8) ((_ extract 7 0) (bvlshr wide #x0009)))
(assert (distinct quick (bvudiv x #x03)))
(check-sat)
