; Cells of two arrays are swapped: both are read at k in the end, and nowhere else.
; expect: unsat
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(declare-const k (_ BitVec 8))
(define-const a1 (Array (_ BitVec 8) (_ BitVec 8)) (store a i (select b i)))
(define-const b1 (Array (_ BitVec 8) (_ BitVec 8)) (store b i (select a i)))
(define-const a2 (Array (_ BitVec 8) (_ BitVec 8)) (store a1 j (select b1 j)))
(define-const b2 (Array (_ BitVec 8) (_ BitVec 8)) (store b1 j (select a1 j)))
(assert (distinct (select a2 k) (select a k) (select b k)))
(check-sat)
