; A sum of weights of conditions reaches a value: a decision diagram.
; expect: sat
(declare-const p0 Bool)
(declare-const p1 Bool)
(declare-const p2 Bool)
(declare-const p3 Bool)
(declare-const p4 Bool)
(assert (= (bvadd (ite p0 #x03 #x00) (ite p1 #x05 #x00) (ite p2 #x07 #x00) (ite p3 #x0b #x00) (ite p4 #x0d #x00)) #x15))
(check-sat)
