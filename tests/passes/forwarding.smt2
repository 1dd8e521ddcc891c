; Two instructions on a file of registers, and the same with the result of the first one forwarded.
; expect: unsat
(declare-const file (Array (_ BitVec 3) (_ BitVec 8)))
(declare-const source0 (_ BitVec 3))
(declare-const source1 (_ BitVec 3))
(declare-const target0 (_ BitVec 3))
(declare-const target1 (_ BitVec 3))
(define-fun result0 () (_ BitVec 8) (bvmul (select file source0) (select file source1)))
(define-fun file1 () (Array (_ BitVec 3) (_ BitVec 8)) (store file target0 result0))
(define-fun forwarded () (_ BitVec 8) (ite (= source1 target0) result0 (select file source1)))
(define-fun written () (_ BitVec 8) (select file1 source1))
(assert (distinct (bvmul written written) (bvmul forwarded forwarded)))
(check-sat)
