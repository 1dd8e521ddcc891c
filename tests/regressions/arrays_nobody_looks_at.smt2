; What nobody reads must still be right in the model. Two arrays whose equality is only an index of something else are
; equal or not as the values of the model say; an array that differs from a constant array differs somewhere though no
; formula says where; the branch that is not chosen says nothing; an index that is itself a read moves when a lemma
; comes.
; expect: sat
; expect: unsat
; expect: sat
; expect: unsat
; expect: sat
; expect: unsat
(set-logic QF_ABV)
(define-sort A () (Array (_ BitVec 2) (_ BitVec 2)))
(declare-const a A)
(declare-const b A)
(declare-const m (Array (_ BitVec 1) (_ BitVec 2)))
(push 1)
(assert (= (select m (ite (= a b) #b0 #b1)) #b01))
(assert (= (select m #b0) #b10))
(check-sat)
(assert (= (store a #b00 #b11) (store b #b00 #b11)))
(assert (= (select a #b00) (select b #b00)))
(check-sat)
(pop 1)
(push 1)
(declare-const p Bool)
(assert (distinct (ite p a b) ((as const A) #b00)))
(assert (= (ite p b a) ((as const A) #b01)))
(assert (=> p (= (select a #b00) (select a #b01) (select a #b10) #b00)))
(assert p)
(check-sat)
(assert (= (select a #b11) #b00))
(check-sat)
(pop 1)
; The index is a read at an index that is a read.
(assert (= (select a (select a (select a #b00))) #b11))
(assert (distinct (select a #b00) #b11))
(assert (= (select b (select a #b00)) #b10))
(check-sat)
(assert (= (select a #b00) #b00))
(check-sat)
