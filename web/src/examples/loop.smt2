; sum = 0; i = 0; while (i < n) { i += 1; sum += i } keeps 2 sum = i (i + 1), modulo 2^8.
(set-logic QF_BV)
(declare-const i (_ BitVec 8))
(declare-const sum (_ BitVec 8))
(define-fun invariant ((i (_ BitVec 8)) (sum (_ BitVec 8))) Bool
  (= (bvmul #x02 sum) (bvmul i (bvadd i #x01))))
(push 1)
(assert (not (invariant #x00 #x00)))
(check-sat)
(pop 1)
(assert (invariant i sum))
(assert (not (invariant (bvadd i #x01) (bvadd sum (bvadd i #x01)))))
(check-sat)
