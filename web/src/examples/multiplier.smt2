; Shift and add, row by row, beside the product of two bytes.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(define-fun row ((i (_ BitVec 8))) (_ BitVec 8)
  (ite (= (bvand (bvlshr y i) #x01) #x01) (bvshl x i) #x00))
(assert (distinct (bvmul x y) (bvadd (row #x00) (bvadd (row #x01) (bvadd (row #x02) (bvadd (row #x03)
  (bvadd (row #x04) (bvadd (row #x05) (bvadd (row #x06) (row #x07))))))))))
(check-sat)
