; The reads of an extensionality witness went with the scope of an assumption; one of them came back as the bottom of an expansion,
; and the witness was taken for registered: the model had equal arrays where they had to differ. Found by a campaign of sessions.
; expect: sat
; expect: sat
(set-logic ALL)
(declare-const a (_ BitVec 2))
(declare-const b (_ BitVec 2))
(declare-const c (Array (_ BitVec 1) (_ BitVec 2)))
(declare-const d Bool)
(assert (let ((_0 (store c #b0 b))) (= a (bvadd #b11 ((_ zero_extend 1) (ite (bvsge (ite (distinct _0 c) #b1 #b0) (bvnor #b0 ((_ extract 1 1) (select _0 ((_ extract 1 1) a))))) #b1 #b0))))))
(check-sat-assuming (d))
(push 1)
(assert (not (= a #b00)))
(check-sat)
