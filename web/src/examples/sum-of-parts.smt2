; x + y is (x ^ y) + 2 (x & y), and (x | y) + (x & y): mixed arithmetic as obfuscators use it.
(set-logic QF_BV)
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(assert (or (distinct (bvadd x y) (bvadd (bvxor x y) (bvshl (bvand x y) #x0000000000000001)))
            (distinct (bvadd x y) (bvadd (bvor x y) (bvand x y)))))
(check-sat)
