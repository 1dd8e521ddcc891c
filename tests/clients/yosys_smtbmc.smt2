; argv: yices-smt2 --incremental
; yosys-smtbmc: comments to the checker, a declared sort for states, functions over it, values in the order of the question.
(set-option :produce-models true)
(set-logic QF_UFBV)
; yosys-smt2-module counter
(declare-sort |counter_s| 0)
(declare-fun |counter_is| (|counter_s|) Bool)
(declare-fun |counter#0| (|counter_s|) (_ BitVec 4)) ; \q
; yosys-smt2-output q 4
(define-fun |counter_n q| ((state |counter_s|)) (_ BitVec 4) (|counter#0| state))
(define-fun |counter_a| ((state |counter_s|)) Bool (distinct (|counter#0| state) #b0010))
(define-fun |counter_i| ((state |counter_s|)) Bool (= (|counter#0| state) #b0000))
(define-fun |counter_t| ((state |counter_s|) (next_state |counter_s|)) Bool
  (= (bvadd (|counter#0| state) #b0001) (|counter#0| next_state)))
(declare-fun s0 () |counter_s|)
(assert (|counter_i| s0))
(push 1)
(assert (not (|counter_a| s0)))
(check-sat)
(pop 1)
(declare-fun s1 () |counter_s|)
(assert (|counter_t| s0 s1))
(push 1)
(assert (not (|counter_a| s1)))
(check-sat)
(pop 1)
(declare-fun s2 () |counter_s|)
(assert (|counter_t| s1 s2))
(push 1)
(assert (not (|counter_a| s2)))
(check-sat)
(get-value ((|counter_n q| s2) (|counter_n q| s0) (|counter_a| s1)))
(pop 1)
(exit)
