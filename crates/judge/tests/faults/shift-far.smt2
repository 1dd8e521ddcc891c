; A shift by more than the width.
; options: --plant shift-far --rewrite-level 0 --probe off
; expect: unsat
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= (bvshl x y) #b0110))
(assert (= y #b0100))
(check-sat)
