; argv: z3 AUTO_CONFIG=false model=true sls.random_seed=3 /smt2 /in
; Boogie 2.4 and Rosette: Z3's parameters as words of the command line, and its flags with a slash.
(set-option :print-success false)
(get-info :name)
(declare-fun x () (_ BitVec 8))
(assert (= (bvmul x x) #x31))
(check-sat)
