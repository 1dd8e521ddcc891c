; A formula whose gates fold to true has no clause, so no SAT engine was started; but it still mentions an equality of
; arrays, whose witness is a clause. Adding it panicked, for it was believed that lemmas come after clauses.
; Found by reading, and by the campaign over arrays.
; expect: sat
; expect: sat
(set-logic QF_AX)
(declare-const a (Array (_ BitVec 2) Bool))
(declare-const b (Array (_ BitVec 2) Bool))
(push 1)
(assert (or (= a b) (not (= a b))))
(check-sat)
(pop 1)
(declare-const c (Array (Array (_ BitVec 2) Bool) Bool))
(assert (or (= (select c a) (select c b)) (distinct (select c a) (select c b))))
(check-sat)
