; The backend `dimacs` runs a command for each query. When a script could choose it, whoever got somebody to solve a
; script had any program run: here the word would have been `touch`, and could have been worse. The backend `ipasir`
; loads a library, which is as bad. The command line may choose them, a script may not.
; expect: (error "8:1: option 'sat': a script can neither start programs nor load libraries; say --sat 'dimacs:touch stolen' on the command line")
; expect: (error "9:1: option 'sat': a script can neither start programs nor load libraries; say --sat ' dimacs : touch stolen' on the command line")
; expect: (error "10:1: option 'sat': a script can neither start programs nor load libraries; say --sat 'ipasir:./stolen.so' on the command line")
; expect: sat
(set-option :sat "dimacs:touch stolen")
(set-option :sat " dimacs : touch stolen")
(set-option :sat "ipasir:./stolen.so")
(set-option :sat "batsat")
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvmul x y) #x51))
(assert (bvugt x y))
(check-sat)
