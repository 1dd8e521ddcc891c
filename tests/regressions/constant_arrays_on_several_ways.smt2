; Two constant arrays are connected on two ways, and each way writes at an index the other one leaves alone: the writes
; of both ways together reach all four indices, and still no index is written on both. Every index keeps, on one of the
; ways, what the constant array said. The ways go round in a cycle of equalities besides.
; expect: unsat
; expect: sat
; expect: unsat
(set-logic QF_ABV)
(define-sort A () (Array (_ BitVec 2) (_ BitVec 4)))
(declare-const a A)
(declare-const b A)
(declare-const c A)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(declare-const e (_ BitVec 4))
(declare-const f (_ BitVec 4))
(assert (= b (store (store a #b00 x) #b01 y)))
(assert (= c (store (store a #b10 x) #b11 y)))
(assert (= b c))
(push 1)
(assert (= a ((as const A) #x0)))
(assert (= c ((as const A) #x1)))
(check-sat)
(pop 1)
(push 1)
; Where the ends are written everywhere, there is room; but a is x, y, x, y.
(assert (= (store (store a #b10 e) #b11 f) ((as const A) e)))
(check-sat)
(assert (distinct (select a #b00) (select a #b11)))
(check-sat)
(pop 1)
