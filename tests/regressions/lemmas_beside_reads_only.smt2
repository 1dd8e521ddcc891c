; Equal chains of writes over constant arrays: the access whose element is wrong is a constant array at an index, which has
; no arguments. A strategy that adds lemmas beside reads was asked about it, too, and panicked.
; (Campaign `differential`, seed 72, number 10518.)
; options: --array-strategy reads
; expect: unsat
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 3) (_ BitVec 3)))
(declare-const b (Array (_ BitVec 3) (_ BitVec 3)))
(assert (let ((_0 ((as const (Array (_ BitVec 3) (_ BitVec 3))) #b000))) (and (= (store a #b001 #b000) (store (store _0 #b100 #b111) #b111 #b111)) (= b (store (store (store ((as const (Array (_ BitVec 3) (_ BitVec 3))) #b100) #b001 #b000) #b101 #b111) #b110 #b010)) (= b (store (store (store (store (store _0 #b000 #b100) #b010 #b100) #b011 #b100) #b101 #b111) #b110 #b010)))))
(check-sat)
