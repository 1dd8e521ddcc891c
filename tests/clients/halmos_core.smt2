; argv: bitwuzla --produce-models
; halmos again: a core of names in angle brackets.
(set-option :produce-unsat-cores true)
(set-logic QF_AUFBV)
(declare-fun x () (_ BitVec 256))
(assert (! (bvult x (_ bv10 256)) :named <41702>))
(assert (! (bvugt x (_ bv1000 256)) :named <41703>))
(check-sat)
(get-model)
(get-unsat-core)
