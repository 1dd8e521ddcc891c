; Is there a mask with which every byte keeps its lowest set bit, and nothing else?
(set-logic BV)
(declare-const mask (_ BitVec 8))
(assert (forall ((x (_ BitVec 8)))
  (= (bvand x mask) (bvand x (bvneg x)))))
(check-sat)
(reset)
; And if it may depend on the byte?
(set-logic BV)
(assert (forall ((x (_ BitVec 8))) (exists ((mask (_ BitVec 8)))
  (= (bvand x mask) (bvand x (bvneg x))))))
(check-sat)
