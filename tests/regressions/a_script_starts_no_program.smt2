; The backend `dimacs` runs a command for each query. When a script could choose it, whoever got somebody to solve a
; script had any program run: here the word would have been `touch`, and could have been worse. The command line may
; choose it, a script may not.
; expect: (error "7:1: option 'sat': a script cannot start programs; say --sat 'dimacs:touch stolen' on the command line")
; expect: (error "8:1: option 'sat': a script cannot start programs; say --sat ' dimacs : touch stolen' on the command line")
; expect: sat
(set-option :sat "dimacs:touch stolen")
(set-option :sat " dimacs : touch stolen")
(set-option :sat "batsat")
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvmul x y) #x51))
(assert (bvugt x y))
(check-sat)
