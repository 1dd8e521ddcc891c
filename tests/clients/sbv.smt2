; argv: boolector --smt2 -m --output-format=smt2 --no-exit-codes --incremental
; SBV: a heartbeat, options answered at once, echo as a point of synchronisation.
(set-option :print-success true)
(set-option :global-declarations true)
(set-option :smtlib2_compliant true)
(set-option :diagnostic-output-channel "stdout")
(set-option :produce-models true)
(set-option :pp.max_depth 4294967295)
(set-logic QF_BV)
; --- uninterpreted sorts ---
; --- literal constants ---
(define-fun s2 () (_ BitVec 8) #x0a)
(declare-fun s0 () (_ BitVec 8))
(define-fun s3 () Bool (= s0 s2))
(assert s3)
(check-sat)
(get-value (s0))
(echo "sync-1")
(push 1)
(assert (bvult s0 s2))
(check-sat)
(get-info :reason-unknown)
(pop 1)
(exit)
