; Which 16-bit number below 256, multiplied by itself, is 0x1ae9?
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(assert (= (bvmul x x) #x1ae9))
(assert (bvult x #x0100))
(check-sat)
(get-value (x))
