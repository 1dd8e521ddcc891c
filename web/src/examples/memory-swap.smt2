; After the exchange each cell has the other's value, even if both are the same cell.
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(declare-const j (_ BitVec 32))
(define-fun n () (Array (_ BitVec 32) (_ BitVec 8)) (store (store m i (select m j)) j (select m i)))
(assert (not (and (= (select n i) (select m j)) (= (select n j) (select m i)))))
(check-sat)
