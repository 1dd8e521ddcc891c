; torture 1 4: internal: the model violates assertion 1 (t42): term t23 (Eq) is worth Bool(true) but its circuit gives Bool(false).
; Found by torture.
; options: --plant witness-forgotten
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 1)))
(assert (not (= a b)))
(check-sat)
