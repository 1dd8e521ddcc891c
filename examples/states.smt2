; A machine that never does its work twice: it is done after two steps, whatever it begins with.
(set-logic ALL)
(declare-datatypes ((State 0) (Machine 0)) (
  ((idle) (busy) (done))
  ((machine (state State) (work (_ BitVec 8))))))
(define-fun step ((m Machine)) Machine
  (ite ((_ is idle) (state m)) (machine busy (work m))
    (ite ((_ is busy) (state m)) (machine done (bvadd (work m) #x01)) m)))
(declare-const m Machine)
(assert (not ((_ is done) (state (step (step m))))))
(check-sat)
