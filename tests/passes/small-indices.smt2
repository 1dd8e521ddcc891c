; Two writes commute where their indices differ; indices and arrays need no more than four values.
; expect: unsat
(declare-const a (Array (_ BitVec 64) (_ BitVec 8)))
(declare-const b (Array (_ BitVec 64) (_ BitVec 8)))
(declare-const i (_ BitVec 64))
(declare-const j (_ BitVec 64))
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct i j))
(assert (= b (store (store a i x) j (bvadd x y))))
(assert (or (distinct b (store (store a j (bvadd x y)) i x)) (= (select b i) (bvadd y (select b i) #x01))))
(assert (distinct (bvadd y #x01) #x00))
(check-sat)
