; torture 1 1577: internal: the model violates assertion 3 (t138): every circuit agrees with its term, so a rewrite rule is wrong.
; Found by torture.
; options: --plant rule-srem-negated --rewrite-from 0 --probe off
; expect: sat
(declare-const a (Array (_ BitVec 1) (_ BitVec 2)))
(declare-const b (_ BitVec 2))
(check-sat-assuming ((= (select a ((_ extract 1 1) (bvsrem (bvneg b) #b00))) b)))
