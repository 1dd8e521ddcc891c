; A definition with a quantifier, applied to itself: the binder within the copy had the same variable, and what was put for it
; got in there. (Binders beside floats were not renamed before.) The first answer was an internal error.
; expect: sat
; expect: unsat
(set-logic ALL)
(define-sort F () (_ FloatingPoint 2 3))
(declare-fun p (F F) Bool)
(declare-const c F)
(declare-const d F)
(define-fun P ((x F)) Bool (forall ((y F)) (p y x)))
(assert (not (p d c)))
(assert (P (ite (P c) c d)))
(assert (p c c))
(check-sat)
(assert (not (p c d)))
(check-sat)
