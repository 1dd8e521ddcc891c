; Two constant arrays are made equal by writes only where the writes reach every index. Over Bool one write does not (the
; example of Becker's thesis, 2021, section 1.1, which Z3 4.8 answered with sat), two writes to different indices do, and
; two writes to one index do not. What is counted is values of indices, not writes.
; expect: unsat
; expect: unsat
; expect: sat
; expect: unsat
; expect: sat
; expect: unsat
(set-logic ALL)
(push 1)
(assert (= (store ((as const (Array Bool Bool)) true) false false) ((as const (Array Bool Bool)) false)))
(check-sat)
(pop 1)
(push 1)
(assert (= (store ((as const (Array Bool Bool)) true) true false) ((as const (Array Bool Bool)) false)))
(check-sat)
(pop 1)
(push 1)
(declare-const i Bool)
(declare-const j Bool)
(declare-const u Bool)
(declare-const v Bool)
(declare-const c Bool)
(declare-const d Bool)
(assert (= (store (store ((as const (Array Bool Bool)) c) i u) j v) ((as const (Array Bool Bool)) d)))
(assert (distinct c d))
(check-sat)
(assert (= i j))
(check-sat)
(pop 1)
(push 1)
; The same from both sides: each side has written one of the two indices.
(declare-const i Bool)
(declare-const j Bool)
(declare-const u Bool)
(declare-const v Bool)
(assert (= (store ((as const (Array Bool Bool)) false) i u) (store ((as const (Array Bool Bool)) true) j v)))
(check-sat)
(assert (not u))
(assert v)
(check-sat)
(pop 1)
