; By hand, since repeated arguments are refuted before they are compared (there are four such arrays), and lemmas on
; demand compare all pairs.
; options: --plant lower-neighbours --distinct-from 0
; expect: unsat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const c (Array (_ BitVec 1) (_ BitVec 1)))
(assert (distinct a b c (store a #b0 #b1) (store a #b1 #b1)))
(check-sat)
