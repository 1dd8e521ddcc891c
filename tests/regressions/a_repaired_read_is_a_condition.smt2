; A read that breaks a rule is repaired for the rest of a round. Here one is the condition of a chosen array, so the choice
; changed while an access was on its way, and tracing that way back ended in a panic. Conditions are now decided once a round.
; Found by the campaign over arrays, under --array-lemmas class.
; expect: sat
(set-logic ALL)
(declare-fun v0 () (Array Bool (Array (_ BitVec 2) Bool)))
(declare-fun v1 () (_ BitVec 2))
(declare-fun v2 () (_ BitVec 2))
(declare-fun v3 () (_ BitVec 1))
(declare-fun v4 () (_ BitVec 1))
(declare-fun v5 () (Array (_ BitVec 3) (_ BitVec 2)))
(declare-fun v6 () (Array (_ BitVec 2) (Array (_ BitVec 3) (_ BitVec 2))))
(declare-fun v7 () (Array (_ BitVec 3) (_ BitVec 2)))
(declare-fun v8 () (_ BitVec 3))
(define-fun _td0 () (Array (_ BitVec 3) (_ BitVec 2)) ((as const (Array (_ BitVec 3) (_ BitVec 2))) (_ bv3 2)))
(define-fun _td1 () (Array (_ BitVec 3) (_ BitVec 2)) (store (store (store _td0 (_ bv1 3) (_ bv0 2)) (_ bv4 3) (_ bv1 2)) (_ bv5 3) (_ bv1 2)))
(define-fun _td2 () (Array (_ BitVec 3) (_ BitVec 2)) ((as const (Array (_ BitVec 3) (_ BitVec 2))) (_ bv2 2)))
(assert (not (= (ite (select (select (store v0 (= v1 v2) ((as const (Array (_ BitVec 2) Bool)) true)) (bvult v3 v4)) v2) (ite (or false (bvult v1 v1) false) v5 v5) (select (store v6 v2 ((as const (Array (_ BitVec 3) (_ BitVec 2))) (select v7 v8))) v1)) _td1)))
(assert (= v4 (_ bv1 1)))
(assert (= v7 _td2))
(check-sat)
