; A sum of nine bits whose highest bit is a carry from the eighth.
; options: --plant adder-carry --rewrite-level 0 --probe off
; expect: sat
(declare-const a (_ BitVec 9))
(assert (= (bvadd a a) #b100000000))
(check-sat)
