; By hand: what the campaign found hung on other rules.
; options: --plant rule-nested-ite --rewrite-from 0 --probe off
; expect: sat
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c Bool)
(declare-const d Bool)
(assert (bvult (ite c a (ite d a b)) #x4))
(assert (bvult #x4 b))
(assert (distinct c d))
(check-sat)
