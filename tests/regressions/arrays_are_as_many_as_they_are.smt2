; Over one bit of index and one of element there are four arrays; five that differ pairwise are refuted by their witnesses
; alone, for no other part of the solver counts. Over Bool and one bit the same.
; expect: sat
; expect: unsat
; expect: unsat
(set-logic ALL)
(define-sort A () (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const a A)
(declare-const b A)
(declare-const c A)
(declare-const d A)
(declare-const e A)
(push 1)
(assert (distinct a b c d))
(check-sat)
(assert (not (or (= a e) (= b e) (= c e) (= d e))))
(check-sat)
(pop 1)
(define-sort B () (Array Bool (_ BitVec 1)))
(declare-const p B)
(declare-const q B)
(declare-const r B)
(declare-const s B)
(declare-const t B)
(assert (distinct p q r s t))
(check-sat)
