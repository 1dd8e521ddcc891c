; One step of a program over registers: which of them are multiplied is for the solver to choose.
; expect: sat
(declare-const a (_ BitVec 12))
(declare-const b (_ BitVec 12))
(declare-const c (_ BitVec 12))
(declare-const d (_ BitVec 12))
(declare-const r (_ BitVec 12))
(assert (or
  (and (bvult a b) (= r (bvmul a b)))
  (and (bvult b c) (= r (bvmul b c)))
  (and (bvult c d) (= r (bvmul c d)))
  (and (bvult a c) (= r (bvmul a c)))
  (and (bvult a d) (= r (bvmul a d)))
  (and (bvult b d) (= r (bvmul b d)))))
(assert (= #x0ff (bvxor r (bvand a b c d))))
(assert (bvult #x010 a))
(check-sat)
