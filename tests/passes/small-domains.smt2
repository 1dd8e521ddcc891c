; Three symbols that are only compared need no more than two bits each.
; expect: sat
(declare-const a (_ BitVec 64))
(declare-const b (_ BitVec 64))
(declare-const c (_ BitVec 64))
(assert (or (= a b) (= b c) (distinct a c)))
(assert (or (distinct a b) (= a c)))
(check-sat)
