; The rule mul_shifted_by_constant looked for its shifted factor among both, and took the first. Where both were shifted
; by the same constant that could be the other one, and a * b became a * a: `unsat` was said of this formula.
; Found by the differential campaign (a random term and its rewriting); both peers and the reference semantics disagreed.
; expect: sat
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= (bvmul (concat ((_ extract 2 0) x) #b0) (concat ((_ extract 2 0) y) #b0)) #xc))
(check-sat)
