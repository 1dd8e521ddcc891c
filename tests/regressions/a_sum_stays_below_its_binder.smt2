; The sum of a variable and of one that is bound within was taken for a variable of its own, since the first one occurs once,
; though its value is chosen before that of the other one: 'unsat' where every 'p' that is true is a model.
; Found by reading.
; expect: sat
(set-logic UFBV)
(declare-fun p ((_ BitVec 6)) Bool)
(assert (forall ((x (_ BitVec 6))) (exists ((y (_ BitVec 6))) (and (= (bvand (bvadd x y) #b000011) #b000000) (p y)))))
(check-sat)
