; A function of which nothing is known but that equal arguments have equal values. The panel "Timeline" has the
; lemmas by which the solver learns what it needs.
(set-option :rewrite-level 0)
(set-logic QF_AUFBV)
(declare-fun f ((_ BitVec 16)) (_ BitVec 16))
(declare-const m (Array (_ BitVec 16) (_ BitVec 16)))
(declare-const i (_ BitVec 16))
(declare-const j (_ BitVec 16))
(define-fun n () (Array (_ BitVec 16) (_ BitVec 16)) (store (store m i (f i)) j (f j)))
(assert (distinct (bvadd (select n i) (select n j)) (bvadd (f j) (f i))))
(check-sat)
