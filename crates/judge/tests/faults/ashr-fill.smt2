; An arithmetic shift by more than the width.
; options: --plant ashr-fill --rewrite-level 0 --probe off
; expect: sat
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= (bvashr x y) #b1111))
(assert (bvuge y #b0100))
(check-sat)
