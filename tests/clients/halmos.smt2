; argv: yices-smt2 --smt2-model-format --bvconst-in-decimal
; halmos: the first line is the answer; model and core are asked for in any case; names in angle brackets.
(set-option :produce-unsat-cores true)
(set-logic QF_AUFBV)
(declare-fun halmos_x_uint256_01 () (_ BitVec 256))
(declare-fun |halmos y| () (_ BitVec 8))
(assert (! (= ((_ extract 7 0) halmos_x_uint256_01) (bvadd |halmos y| #x01)) :named <41702>))
(assert (! (= halmos_x_uint256_01 (_ bv1000 256)) :named <41703>))
(check-sat)
(get-model)
(get-unsat-core)
