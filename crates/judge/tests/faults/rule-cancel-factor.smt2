; By hand: the campaign has not found this fault yet.
; options: --plant rule-cancel-factor --rewrite-from 0 --probe off
; expect: sat
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(assert (bvult a #x4))
(assert (bvult #x4 b))
(assert (= (bvmul #x6 a) (bvmul #x6 b)))
(check-sat)
