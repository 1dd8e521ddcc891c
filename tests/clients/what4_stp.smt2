; argv: stp --SMTLIB2
; what4 declares its structures in any logic; nothing uses them, so the answers stay definite.
(set-option :print-success true)
(set-logic ALL_SUPPORTED)
(declare-datatypes (T0 T1) ((Struct2 (mk-struct2 (struct2-proj0 T0) (struct2-proj1 T1)))))
(declare-datatypes ((Struct3 3)) ((par (T0 T1 T2) ((mk-struct3 (struct3-proj0 T0) (struct3-proj1 T1) (struct3-proj2 T2))))))
(declare-fun a () Bool)
(assert a)
(check-sat)
(get-value (a))
(exit)
